"""connections.yaml: read with a place on everything, every mistake found at once."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.places import CONNECTIONS_FILE
from dragoman.databases.connections.connection_names import Connections
from dragoman.databases.connections.entry import Entry, read_entry
from dragoman.databases.families.registry import family_named, names
from dragoman.guards.secrets import find_secrets, redacted
from dragoman.language.oml.findings import Findings, listed, nearest
from dragoman.language.oml.values import kind_of
from dragoman.language.oml.yaml_text import MAX_BYTES, read_tree
from dragoman.language.oml.yaml_tree import Mapping, Refused, Scalar
from dragoman.language.source import Source

FILE = CONNECTIONS_FILE
DEFAULT = "default"

_ALIAS = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,60}")
_EXAMPLE = "write shop: {url: postgres://app:${SHOP_PASSWORD}@db.example.org/shop}"


def load_connections(folder: Path) -> Connections:
    """The connections of a workspace; none where there is no file. Raises `WorkspaceError`."""
    path = folder / FILE
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return Connections((), ())
    except OSError as error:
        raise WorkspaceError(
            f"{FILE} cannot be read: {error.strerror}", hint="check who may read it"
        ) from error
    if len(data) > MAX_BYTES:
        raise WorkspaceError(f"{FILE} is longer than {MAX_BYTES:,} bytes", hint="it only names connections")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise WorkspaceError(f"{FILE} is no UTF-8 text", hint="save it as UTF-8") from error
    return read_connections(Source(text, FILE))


def read_connections(source: Source) -> Connections:
    """Every connection that is written without a mistake, and everything that is wrong with the others."""
    findings = Findings(source)
    tree = read_tree(source, findings)
    root = tree.root
    if not isinstance(root, Mapping):
        if root is not None and not (isinstance(root, Scalar) and root.plain and not root.text):
            findings.error(
                "wrong_type", root.extent, f"connections are a map, and this is {kind_of(root)}", _EXAMPLE
            )
        return Connections((), findings.diagnostics())
    entries = list(_entries(root, findings))
    _check_defaults(entries, findings)
    _check_texts(source, findings)
    good, broken = [], []
    for entry in entries:
        if entry.spec is None or findings.within(entry.extent):
            broken.append(entry.alias)
        else:
            good.append(msgspec.structs.replace(entry.spec, span=source.span(*entry.key)))
    return Connections(tuple(good), findings.diagnostics(), tuple(broken))


def _entries(root: Mapping, findings: Findings) -> Iterator[Entry]:
    seen: set[tuple[str, str]] = set()
    for key, node in zip(root.keys, root.values, strict=True):
        named, dot, alias = key.text.rpartition(".")
        family = family_named(named) if dot else None
        if dot and family is None:
            _say_unknown_family(named, key, findings)
        if not _ALIAS.fullmatch(alias):
            message = f"{redacted(key.text)} is no name of a connection"
            findings.error("bad_alias", key.extent, message, "write letters, digits, - and _, a letter first")
        elif alias == DEFAULT:
            hint = "give it a name of its own, and write default: true in it"
            findings.error("reserved_alias", key.extent, "@default is the connection that is marked so", hint)
        if isinstance(node, Refused):
            continue
        entry = read_entry(alias, key, node, family, findings)
        name = (entry.spec.family or "" if entry.spec else "", alias)
        if entry.spec is not None and name in seen:
            findings.error("duplicate_key", key.extent, f"{redacted(key.text)} is given twice", "keep one")
        seen.add(name)
        yield entry


def _say_unknown_family(name: str, key: Scalar, findings: Findings) -> None:
    known = names()
    near = nearest(name, known)
    hint = f"there are {listed([*([near] if near else []), *(each for each in known if each != near)])}"
    findings.error("unknown_family", key.extent, f"there is no family {redacted(name)}", hint)


def _check_defaults(entries: list[Entry], findings: Findings) -> None:
    marked = [entry for entry in entries if entry.default is not None]
    for entry in marked[1:]:
        message = f"@{marked[0].alias} is the default already"
        findings.error(
            "two_defaults", entry.default or entry.key, message, "keep default: true in one of them"
        )


def _check_texts(source: Source, findings: Findings) -> None:
    """Secrets anywhere in the file, comments included, unless their line was said to be wrong already."""
    for secret in find_secrets(source.text):
        start = source.text.rfind("\n", 0, secret.start) + 1
        end = source.text.find("\n", secret.start)
        if not findings.within((start, end if end >= 0 else len(source.text) + 1)):
            message = f"{secret.kind} stands in {FILE}"
            hint = "put it into an environment variable, and write ${ITS_NAME}"
            findings.error("literal_secret", (secret.start, secret.end), message, hint)
