"""dragoman.yaml: what a workspace says of itself.

```yaml
version: 1
viewer: {name: ann, roles: [analyst]}
limits: {read_seconds: 60, run_seconds: 7200}
server: {turns_at_once: 16, hosts: [data.example.org]}
graph: {uri: "bolt://localhost:7687", user: neo4j, password: "${NEO4J_PASSWORD}"}
models: {providers: [{name: own, kind: openai, base_url: "http://localhost:11434/v1", model: qwen3}]}
```
"""

from pathlib import Path

from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.graph import GraphSettings
from dragoman.contracts.limits import ServerSettings, WorkspaceLimits
from dragoman.contracts.model_settings import ModelsSettings
from dragoman.contracts.places import SETTINGS_FILE
from dragoman.contracts.record import Record
from dragoman.contracts.viewer import Viewer
from dragoman.language.records import read_record
from dragoman.language.source import Source, show

FILE = SETTINGS_FILE
_MAX_BYTES = 100_000


class WorkspaceSettings(Record, frozen=True):
    version: int = 1
    viewer: Viewer | None = None
    """Who asks here. Where nobody is named, only what everybody may see passes."""
    allow_operator: bool = True
    """Whether a command may be run --as-operator, past the policies."""
    limits: WorkspaceLimits = WorkspaceLimits()
    server: ServerSettings = ServerSettings()
    models: ModelsSettings | None = None
    """The language models that may be asked. Without any, nothing of them is loaded."""
    graph: GraphSettings | None = None
    """A Bolt server; without one the graph is the workspace's own."""


def read_settings(folder: Path) -> WorkspaceSettings:
    """The settings of a workspace; the defaults where there is no file. Raises `WorkspaceError`."""
    path = folder / FILE
    try:
        with path.open("rb") as file:
            # One byte more than allowed tells "too long" from "just fits" without reading a file of any size.
            data = file.read(_MAX_BYTES + 1)
        text = data.decode("utf-8")
    except FileNotFoundError:
        return WorkspaceSettings()
    except (OSError, ValueError) as error:
        raise WorkspaceError(f"{FILE} cannot be read: {error}", hint="save it as UTF-8") from error
    if len(data) > _MAX_BYTES:
        raise WorkspaceError(f"{FILE} is longer than {_MAX_BYTES:,} bytes", hint="it only has settings")
    if not text.strip():
        return WorkspaceSettings()
    source = Source(text, FILE)
    read = read_record(source, WorkspaceSettings)
    wrong = () if isinstance(read, WorkspaceSettings) else read
    if "models" in text:
        from dragoman.catalog.model_settings import misfits

        keys, others = misfits(source)
        # A key that is written here comes first: no other finding may show its line.
        wrong = (*keys, *wrong, *others)
    if isinstance(read, WorkspaceSettings) and read.graph is not None:
        from dragoman.catalog.knowledge.graph_settings import refuse_misfits

        refuse_misfits(read.graph)
    if isinstance(read, WorkspaceSettings) and not wrong:
        return read
    raise WorkspaceError(show(source, wrong[0]), hint=wrong[0].hint)
