"""Packs from their files: those of a person, and those that travel with the package."""

from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from dragoman.contracts.errors import InternalError, WorkspaceError
from dragoman.contracts.pack import Pack
from dragoman.contracts.program import Diagnostic
from dragoman.language.records import read_record
from dragoman.language.source import Source, show

FILE = "pack.yaml"
"""The file of a pack in its folder; what it names stands beside it."""

MAX_BYTES = 1_000_000


def read_pack(where: Path | Source) -> Pack | tuple[Diagnostic, ...]:
    """The pack in a file, or everything that is wrong with its form. `check_pack` looks at its meaning."""
    source = where if isinstance(where, Source) else pack_source(where)
    return _pack_in(source.text) or read_record(source, Pack)


@lru_cache(maxsize=4)
def _pack_in(text: str) -> Pack | None:
    """A pack that is in order, whatever its file is called: the demo has a shipped one, word for word."""
    found = read_record(Source(text), Pack)
    return found if isinstance(found, Pack) else None


def pack_source(path: Path) -> Source:
    """The text of a pack; a folder means the `pack.yaml` in it."""
    file = path
    try:
        file = path / FILE if path.is_dir() else path
        with file.open("rb") as opened:
            content = opened.read(MAX_BYTES + 1)
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise WorkspaceError(
            f"the pack {file} is not UTF-8 (byte {error.start:,})", hint="save it as UTF-8"
        ) from error
    # A name with a NUL in it is a ValueError.
    except (OSError, ValueError) as error:
        raise WorkspaceError(
            f"the pack {str(file)!r} cannot be read: {error}",
            hint="name a pack's YAML file, or the folder it is in",
        ) from error
    if len(content) > MAX_BYTES:
        raise WorkspaceError(
            f"the pack {file} is longer than {MAX_BYTES:,} bytes", hint="divide it into several packs"
        )
    return Source(text, str(file))


@lru_cache(maxsize=1)
def shipped_packs() -> tuple[str, ...]:
    """The names of the packs that come with the package."""
    return tuple(sorted(each.name for each in _root().iterdir() if each.joinpath(FILE).is_file()))


def shipped_source(name: str) -> Source:
    """The text of a shipped pack."""
    return Source(shipped_file(name, FILE), f"{name}/{FILE}")


def shipped_file(name: str, file: str) -> str:
    """A text that travels with a shipped pack, such as the SQL of its demo."""
    if name not in shipped_packs():
        raise WorkspaceError(
            f"there is no shipped pack {name!r}", hint=f"there are: {', '.join(shipped_packs())}"
        )
    return _root().joinpath(name, file).read_text(encoding="utf-8")


@lru_cache(maxsize=16)
def load_shipped(name: str) -> Pack:
    """A pack that comes with the package."""
    source = shipped_source(name)
    pack = read_pack(source)
    if isinstance(pack, Pack):
        return pack
    raise InternalError(f"a shipped pack cannot be read:\n{show(source, pack[0])}")


def _root() -> Traversable:
    return files("dragoman.packs")
