"""One entry of connections.yaml: which keys it has, what they hold, and the connection they make."""

from collections.abc import Callable
from collections.abc import Mapping as AbstractMapping

import msgspec

from dragoman.contracts.connection import ConnectionSpec, SecretText, Transport
from dragoman.contracts.family import Family
from dragoman.databases.connections.options import option
from dragoman.databases.connections.problem import UrlProblem
from dragoman.databases.connections.urls import (
    checked_host,
    checked_path,
    checked_port,
    checked_text,
    family_of_path,
    name_of,
    parsed,
    with_family,
)
from dragoman.databases.connections.variables import is_only_variables, variables_in
from dragoman.databases.families.registry import family, family_named, names
from dragoman.guards.secrets import redacted
from dragoman.language.document import Extent
from dragoman.language.oml.findings import Findings, listed, nearest
from dragoman.language.oml.values import kind_of
from dragoman.language.oml.yaml_tree import Mapping, Node, Refused, Scalar

PARTS = ("host", "port", "database")
KEYS = (
    "family",
    "url",
    "path",
    "host",
    "port",
    "user",
    "password",
    "database",
    "key",
    "default",
    "description",
    "options",
)
_SECRETS = ("password", "key")
_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})
_TRUE = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_HIDE = "put it into an environment variable, and write ${ITS_NAME}"


_CHECKS: dict[str, Callable[[str], str]] = {
    "url": checked_text,
    "path": checked_path,
    "host": checked_host,
    "port": checked_port,
    "user": checked_text,
    "database": checked_text,
}


class Entry(msgspec.Struct):
    """An entry as read. `default` is where it says that it is the default one."""

    alias: str
    key: Extent
    extent: Extent
    spec: ConnectionSpec | None = None
    default: Extent | None = None


Fields = dict[str, tuple[str, Extent]]


def read_entry(alias: str, key: Scalar, node: Node, kind: Family | None, findings: Findings) -> Entry:
    entry = Entry(alias, key.extent, (key.start, max(key.end, node.end)))
    if not isinstance(node, Mapping):
        extent = node.extent if node.end > node.start else key.extent
        message = f"a connection is a map, and this is {kind_of(node)}"
        findings.error("wrong_type", extent, message, "write url: or path: in it")
        return entry
    before = len(findings)
    fields = _fields(node, findings)
    if "default" in fields and _flag(fields["default"], findings):
        entry.default = fields["default"][1]
    _check_secrets(fields, findings)
    named = _family(fields, kind, findings)
    if len(findings) > before:
        return entry
    options = _options(node, findings)
    where = key.extent
    try:
        for name, check in _CHECKS.items():
            if name in fields:
                text, where = fields[name]
                check(checked_text(text))
        where = fields["url"][1] if "url" in fields else fields["path"][1] if "path" in fields else key.extent
        spec = _made(fields, named)
        entry.spec = msgspec.structs.replace(
            spec,
            alias=alias,
            options=_merged(spec, options, findings, key.extent),
            default=entry.default is not None,
            description=fields["description"][0] if "description" in fields else "",
        )
    except UrlProblem as problem:
        findings.error(problem.rule, where, problem.message, problem.hint)
    return entry


def _fields(node: Mapping, findings: Findings) -> Fields:
    found: Fields = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if key.text not in KEYS:
            near = nearest(key.text, KEYS)
            others = [each for each in KEYS if each != near]
            hint = f"a connection has {listed([*([near] if near else []), *others])}"
            findings.error("unknown_key", key.extent, f"a connection has no key {redacted(key.text)}", hint)
        elif key.text == "options" or isinstance(value, Refused):
            continue
        elif not isinstance(value, Scalar) or (value.plain and value.text in _NOTHING):
            extent = value.extent if value.end > value.start else key.extent
            message = f"{key.text} is a text, and this is {kind_of(value)}"
            findings.error("wrong_type", extent, message, f"write {key.text}: and its value")
        else:
            found[key.text] = value.text, value.extent
    return found


def _flag(field: tuple[str, Extent], findings: Findings) -> bool:
    text, extent = field
    if text not in _TRUE:
        findings.error("wrong_type", extent, "default is true or false", "write default: true")
    return _TRUE.get(text, False)


def _family(fields: Fields, named: Family | None, findings: Findings) -> Family | None:
    if "family" not in fields:
        return named
    text, extent = fields["family"]
    found = family_named(text.lower())
    if found is None:
        known = names()
        near = nearest(text, known)
        hint = f"there are {listed([*([near] if near else []), *(each for each in known if each != near)])}"
        findings.error("unknown_family", extent, f"there is no family {redacted(text)}", hint)
    elif named is not None and found is not named:
        findings.error(
            "family_mismatch", extent, f"its name says {named.name}", f"write family: {named.name}"
        )
    return found


def _check_secrets(fields: Fields, findings: Findings) -> None:
    for name in _SECRETS:
        if name in fields and not is_only_variables(fields[name][0]):
            findings.error("literal_secret", fields[name][1], f"a {name} is written here", _HIDE)
    if "url" in fields:
        text, extent = fields["url"]
        try:
            password = parsed(text).password
        except UrlProblem:
            return
        if password is not None and not is_only_variables(password.reveal()):
            findings.error("literal_secret", extent, "a password is written in this URL", _HIDE)


def _options(node: Mapping, findings: Findings) -> list[tuple[str, str, Extent]]:
    value = next((v for k, v in zip(node.keys, node.values, strict=True) if k.text == "options"), None)
    if value is None or isinstance(value, Refused):
        return []
    if not isinstance(value, Mapping):
        findings.error(
            "wrong_type",
            value.extent,
            f"options are a map, and this is {kind_of(value)}",
            "write options: {sslmode: require}",
        )
        return []
    found: list[tuple[str, str, Extent]] = []
    for key, each in zip(value.keys, value.values, strict=True):
        if isinstance(each, Scalar) and not (each.plain and each.text in _NOTHING):
            found.append((key.text, each.text, each.extent))
        elif not isinstance(each, Refused):
            findings.error(
                "wrong_type",
                key.extent,
                f"an option is a text, and this is {kind_of(each)}",
                "write its value",
            )
    return found


def _merged(
    spec: ConnectionSpec, options: list[tuple[str, str, Extent]], findings: Findings, key: Extent
) -> tuple[tuple[str, str], ...]:
    """Options beside a URL win over those in it: whoever wrote them had the URL before their eyes."""
    merged = dict(spec.options)
    for name, value, extent in options:
        if spec.family is None or variables_in(value):
            merged[name] = value
            continue
        try:
            taken = option(family(spec.family), name, checked_text(value), in_url=False)
        except UrlProblem as problem:
            findings.error(problem.rule, extent, problem.message, problem.hint)
            continue
        if taken is not None:
            merged[taken[0]] = taken[1]
    return tuple(sorted(merged.items()))


def _made(fields: Fields, named: Family | None) -> ConnectionSpec:
    """The connection that the keys make: from a URL, from a path, or from parts. Raises `UrlProblem`."""
    ways = [name for name in ("url", "path", "host") if name in fields]
    if len(ways) > 1:
        hint = f"keep {ways[0]}"
        raise UrlProblem("conflicting_keys", f"{' and '.join(ways)} cannot stand together", hint)
    if ways == ["url"]:
        return _from_url(fields, named)
    if ways == ["path"]:
        _refuse_beside(fields, "path", (*PARTS, "user", *_SECRETS))
        path = fields["path"][0]
        found = ConnectionSpec(name_of(family_of_path(path)), path=path)
        return with_family(found, named) if named is not None else found
    return _from_parts(fields, named)


def _from_url(fields: Fields, named: Family | None) -> ConnectionSpec:
    _refuse_beside(fields, "url", PARTS)
    spec = parsed(fields["url"][0])
    if named is not None:
        spec = with_family(spec, named)
    if spec.path:
        _refuse_beside(fields, "a path", ("user", *_SECRETS))
        return spec
    user, password = _text(fields, "user"), _text(fields, "password") or _text(fields, "key")
    if (user and spec.user) or (password and spec.password):
        raise UrlProblem("conflicting_keys", "user and password stand in the URL already", "keep one of both")
    if spec.transport is Transport.REST and not _text(fields, "key"):
        hint = "write key: ${SUPABASE_KEY}, or the PostgreSQL URL of the project"
        raise UrlProblem("missing_key", "the address of a project needs its key", hint)
    secret = SecretText(password) if password else spec.password
    return msgspec.structs.replace(spec, user=user or spec.user, password=secret)


def _from_parts(fields: Fields, named: Family | None) -> ConnectionSpec:
    if named is None or named.transport is Transport.FILE:
        what = "path" if named is not None else "url or path"
        raise UrlProblem("missing_key", f"it has no {what}", "write where the database is")
    for name in ("host", "database"):
        if name not in fields:
            raise UrlProblem("missing_key", f"it has no {name}", f"write {name}:, or one url:")
    if "key" in fields:
        raise UrlProblem("conflicting_keys", "a key belongs to the address of a project", "write password:")
    password = _text(fields, "password")
    return ConnectionSpec(
        family=named.name,
        transport=Transport.SERVER,
        host=fields["host"][0],
        port=_text(fields, "port"),
        user=_text(fields, "user"),
        password=SecretText(password) if password else None,
        database=fields["database"][0],
    )


def _text(fields: AbstractMapping[str, tuple[str, Extent]], name: str) -> str:
    return fields[name][0] if name in fields else ""


def _refuse_beside(fields: Fields, what: str, names: tuple[str, ...]) -> None:
    for name in names:
        if name in fields:
            raise UrlProblem("conflicting_keys", f"{name} cannot stand beside {what}", f"remove {name}")
