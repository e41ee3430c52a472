"""What types cannot say of `graph` in dragoman.yaml: the address is one, and no secret is written there."""

from typing import Final
from urllib.parse import urlsplit

from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.graph import GraphSettings
from dragoman.contracts.places import SETTINGS_FILE
from dragoman.databases.connections.variables import is_only_variables

_SCHEMES: Final = frozenset({"bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc"})
_ADDRESS: Final = "write an address such as bolt://localhost:7687"


def refuse_misfits(settings: GraphSettings) -> None:
    """Raises `WorkspaceError`. No message repeats what may be a secret."""
    if settings.password and not is_only_variables(settings.password):
        hint = "put it into an environment variable, and write ${ITS_NAME}"
        raise WorkspaceError(f"{SETTINGS_FILE}: graph has a password written in it", hint=hint)
    try:
        parts = urlsplit(settings.uri)
        known = parts.scheme in _SCHEMES and bool(parts.hostname) and parts.port != 0
        secret = bool(parts.username or parts.password or parts.query)
    except ValueError:
        known, secret = False, False
    if secret:
        hint = "write user, and password: ${VARIABLE}"
        raise WorkspaceError(f"{SETTINGS_FILE}: the uri of graph has more than an address", hint=hint)
    if not known:
        raise WorkspaceError(f"{SETTINGS_FILE}: the uri of graph is no address", hint=_ADDRESS)
    if settings.password and not settings.user:
        raise WorkspaceError(f"{SETTINGS_FILE}: graph has a password and no user", hint="write user too")
