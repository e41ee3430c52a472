"""From the text of a URL or path to what it says. Nothing is opened, and every part is judged by itself.

Python's own splitter takes line breaks out of a URL without a word and calls half of the rest valid, so the
parts are cut here, by the few rules that database URLs have.
"""

import re
from urllib.parse import unquote

import msgspec

from dragoman._patterns import lazy_pattern
from dragoman.contracts.connection import ConnectionSpec, SecretText, Transport
from dragoman.contracts.errors import AddressRefused
from dragoman.contracts.family import Family
from dragoman.databases.addresses import judge_host, remote_schemes
from dragoman.databases.connections.options import option
from dragoman.databases.connections.problem import UrlProblem
from dragoman.databases.connections.variables import VARIABLE, malformed_variable, variables_in
from dragoman.databases.families.registry import (
    address_of,
    families,
    family_of_ending,
    family_of_folders,
    family_of_scheme,
)
from dragoman.databases.families.registry import family as family_of_name
from dragoman.guards.secrets import redacted
from dragoman.language.oml.findings import listed, nearest

LONGEST = 4096

_SCHEME = lazy_pattern(r"([A-Za-z][A-Za-z0-9+.-]*):(.*)", re.DOTALL)
_CONTROL = lazy_pattern(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_PORT = lazy_pattern(r"[0-9]{1,5}")
_BAD_PERCENT = lazy_pattern(r"%(?![0-9A-Fa-f]{2})")
_VARIABLES = "write ${NAME}; in a URL, %24 is a $ that is only a character"
_ENCODE = "write special characters of user and password as %40 for @, %2F for /, %3A for :, %23 for #"
_EXAMPLE = "for example postgres://app:${SHOP_PASSWORD}@db.example.org/shop, or sqlite:///shop.sqlite"


def parsed(text: object) -> ConnectionSpec:
    """What a URL or a plain path says. Raises `UrlProblem`."""
    written = checked_text(text)
    if VARIABLE.match(written):
        return ConnectionSpec(None, url=SecretText(written))
    split = _SCHEME.match(written)
    if split is None:
        return _plain_path(written)
    scheme, rest = split[1].lower(), split[2]
    # SQLAlchemy names a driver behind a plus sign.
    family = family_of_scheme(scheme.partition("+")[0])
    if family is None:
        found = address_of(scheme, rest)
        if found is None:
            raise _unknown_scheme(scheme, written)
        return found
    if family.transport is Transport.FILE:
        return _file_url(family, rest)
    return _server_url(family, rest)


def checked_text(text: object) -> str:
    """The text itself, if a connection can be written so at all."""
    if not isinstance(text, str):
        raise UrlProblem("bad_url", "a database is named by a text", _EXAMPLE)
    if not text.strip():
        raise UrlProblem("bad_url", "there is nothing here", _EXAMPLE)
    if len(text) > LONGEST:
        raise UrlProblem("bad_url", f"it is longer than {LONGEST:,} characters", _EXAMPLE)
    if found := _CONTROL.search(text):
        raise UrlProblem("bad_url", f"the character U+{ord(found[0]):04X} cannot stand in it", "remove it")
    if text != text.strip():
        raise UrlProblem("bad_url", "there is white space around it", "remove it")
    if malformed_variable(text) is not None:
        raise UrlProblem("bad_variable", "a variable is written in another way than ${NAME}", _VARIABLES)
    return text


def checked_path(path: str) -> str:
    """A path on this machine. What an engine would take for something else is no path here."""
    if not path or path == ":memory:":
        raise UrlProblem(
            "bad_path", "this names no file", "name a file; a database in memory is always empty"
        )
    if (split := _SCHEME.match(path)) is not None:
        code = (
            "remote_path" if split[1].lower() in remote_schemes() or split[2].startswith("//") else "bad_path"
        )
        hint = "only files on this machine are read: write ./ before a name with a colon"
        raise UrlProblem(code, f"{redacted(split[1] + ':…')} is no path on this machine", hint)
    if path.startswith(("//", "\\\\", "~")):
        hint = "write the path from the workspace, or the whole path"
        raise UrlProblem("bad_path", f"{redacted(path)} is no path on this machine", hint)
    return path


def family_of_path(path: str) -> Family | None:
    """What a file holds, by the ending of its name."""
    name = path.rstrip("/").rpartition("/")[2].lower()
    _, dot, ending = name.rpartition(".")
    return family_of_ending(dot + ending) if dot else None


def name_of(family: Family | None) -> str | None:
    return None if family is None else family.name


def _plain_path(path: str) -> ConnectionSpec:
    is_folder = path.endswith("/") or path in (".", "..")
    family = family_of_folders() if is_folder else family_of_path(checked_path(path))
    return ConnectionSpec(name_of(family), path=checked_path(path))


def _unknown_scheme(scheme: str, written: str) -> UrlProblem:
    if scheme in remote_schemes():
        hint = "only database servers and files on this machine are read; copy the file here first"
        return UrlProblem("remote_path", f"{scheme}: leads to another machine's files", hint)
    known = [f"{scheme}:" for each in families() for scheme in each.schemes]
    near = nearest(f"{scheme}:", known)
    first = [near] if near else []
    hint = f"there are {listed([*first, *(each for each in known if each != near)])} and plain paths"
    return UrlProblem("unknown_scheme", f"nothing is known of {redacted(scheme + ':')}", hint)


def _file_url(family: Family, rest: str) -> ConnectionSpec:
    """`sqlite:///shop.db` is relative, `sqlite:////srv/shop.db` absolute, `sqlite:shop.db` as it stands."""
    path, question, parameters = rest.partition("?")
    if "#" in path:
        raise UrlProblem("bad_url", "a # in a URL begins something else", "write %23 for it")
    if path.startswith("//"):
        authority, slash, path = path[2:].partition("/")
        if authority not in ("", "localhost") or not slash:
            hint = f"write {family.name}:///{redacted(authority)[1:-1]} with three strokes"
            raise UrlProblem("bad_url", "between the first two strokes and the third stands no host", hint)
    options = _parameters(family, parameters) if question else ()
    return ConnectionSpec(family.name, path=checked_path(_decoded(path)), options=options)


def _server_url(family: Family, rest: str) -> ConnectionSpec:
    if not rest.startswith("//"):
        raise UrlProblem("bad_url", "two strokes are missing after the colon", _EXAMPLE)
    if "#" in VARIABLE.sub("", rest):
        raise UrlProblem("bad_url", "a # in a URL begins something else", _ENCODE)
    rest, question, parameters = rest[2:].partition("?")
    authority, _, database = rest.partition("/")
    login, at, place = authority.rpartition("@")
    if "/" in database or "@" in database:
        raise UrlProblem("bad_url", "a database has one name, without strokes and @", _ENCODE)
    user, colon, password = login.partition(":")
    host, port = _host_and_port(place)
    spec = ConnectionSpec(
        family=family.name,
        transport=Transport.SERVER,
        host=host,
        port=port,
        user=_decoded(user) if at else "",
        password=SecretText(_decoded(password)) if colon and password else None,
        database=_decoded(database),
        options=_parameters(family, parameters) if question else (),
    )
    if not database:
        raise UrlProblem("bad_url", "the name of the database is missing", "write it after the host: …/shop")
    # What an escape stands for is held to the same as what is written out in connections.yaml.
    for text in (spec.user, spec.database):
        if text:
            checked_text(text)
    return spec


def _host_and_port(place: str) -> tuple[str, str]:
    if place.startswith("["):
        host, bracket, rest = place[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise UrlProblem("bad_url", "a bracket around the host does not close", _EXAMPLE)
        port = rest.removeprefix(":")
    else:
        host, _, port = place.partition(":")
    try:
        return checked_host(host), checked_port(port)
    except UrlProblem as problem:
        # A special character in a password cuts the URL in the wrong place.
        raise UrlProblem(problem.rule, problem.message, f"{problem.hint}; {_ENCODE}") from problem


def checked_host(host: str) -> str:
    """A host as it is written; one with a variable is judged when that has a value."""
    if not host:
        raise UrlProblem("bad_url", "the host is missing", _EXAMPLE)
    if not variables_in(host):
        try:
            judge_host(host)
        except AddressRefused as error:
            raise UrlProblem(error.code, error.message, error.hint) from error
    return host


def checked_port(port: str) -> str:
    if port and not variables_in(port) and not (_PORT.fullmatch(port) and 0 < int(port) < 65536):
        raise UrlProblem("bad_port", "a port is a number from 1 to 65535", "write such a number")
    return port


def _parameters(family: Family, text: str) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for part in filter(None, text.split("&")):
        name, _, value = part.partition("=")
        taken = option(family, _decoded(name), _decoded(value), in_url=True)
        if taken is None:
            continue
        if taken[0] in found:
            raise UrlProblem("bad_url", f"the parameter {taken[0]} stands twice", "keep one of them")
        found[taken[0]] = taken[1]
    return tuple(sorted(found.items()))


def _decoded(text: str) -> str:
    if _BAD_PERCENT.search(text):
        raise UrlProblem("bad_url", "a % stands before something that is no number", "write %25 for it")
    try:
        plain = unquote(text, errors="strict")
    except UnicodeDecodeError as error:
        raise UrlProblem("bad_url", "what is written with % is no UTF-8", "write it as UTF-8") from error
    if _CONTROL.search(plain):
        raise UrlProblem("bad_url", "a control character stands in it", "remove it")
    return plain


def with_family(spec: ConnectionSpec, family: Family) -> ConnectionSpec:
    """The same connection under a family that was named beside it. Raises `UrlProblem`."""
    if spec.family == family.name or spec.url is not None:
        return msgspec.structs.replace(spec, family=family.name)
    same_kind = spec.family is None or family_of_name(spec.family).transport is family.transport
    is_file = bool(spec.path) and family.transport is Transport.FILE
    if not same_kind or not (spec.family in family.takes or is_file):
        told = spec.family if spec.family is not None else "file"
        raise UrlProblem(
            "family_mismatch", f"this is a {told} address, not one of {family.name}", f"write family: {told}"
        )
    return msgspec.structs.replace(spec, family=family.name)
