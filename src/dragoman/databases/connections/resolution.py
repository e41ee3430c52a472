"""A connection with every variable in its place: where it leads now, on this machine."""

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from dragoman.contracts.connection import ConnectionSpec, ResolvedConnection, SecretText, Transport
from dragoman.contracts.errors import DatabaseUrlRefused
from dragoman.contracts.family import Family
from dragoman.databases.addresses import judge_host
from dragoman.databases.connections.options import option
from dragoman.databases.connections.problem import UrlProblem
from dragoman.databases.connections.urls import checked_path, checked_port, checked_text, parsed, with_family
from dragoman.databases.connections.variables import filled, variables_in
from dragoman.databases.families.registry import family, family_of_file


def parse_database_url(text: object, folder: Path | None = None) -> ConnectionSpec:
    """A URL or path as somebody gives it on a command line. Raises `DatabaseUrlRefused`.

    A file whose name does not tell what it is is looked into, in `folder` if the path is relative.
    """
    try:
        spec = parsed(text)
        if spec.path and (folder is not None or spec.family is None):
            spec = _recognized(spec, folder or Path())
        return spec
    except UrlProblem as problem:
        raise _refusal(problem) from problem


def resolve(
    spec: ConnectionSpec, folder: Path, environment: Mapping[str, str] | None = None
) -> ResolvedConnection:
    """Where a connection leads. Relative paths begin at the workspace's folder.

    Raises `VariableMissing`, `DatabaseUrlRefused` and `AddressRefused`.
    """
    values = os.environ if environment is None else environment
    try:
        return _resolved(spec, folder, values)
    except UrlProblem as problem:
        raise _refusal(problem, spec) from problem


def _resolved(spec: ConnectionSpec, folder: Path, values: Mapping[str, str]) -> ResolvedConnection:
    if spec.url is not None:
        spec = _from_variable(spec, values)
    if spec.path and (spec.family is None or family(spec.family).transport is Transport.FILE):
        path = _filled_path(spec, folder, values)
        name = spec.family or _recognized(msgspec.structs.replace(spec, path=str(path)), folder).family
        kind = _known(name)
        return ResolvedConnection(
            kind.name, kind.dialect, Transport.FILE, spec.alias, path=path, options=spec.options
        )
    kind = _known(spec.family)

    def value(text: str) -> str:
        return checked_text(filled(text, values, spec.name)) if variables_in(text) else text

    if not spec.user and spec.transport is not Transport.REST:
        raise UrlProblem("missing_user", "the user is missing", "write it before the host: app@…, or user:")
    host = value(spec.host)
    judge_host(host)
    port = checked_port(value(spec.port))
    password = spec.password
    if password is not None:
        password = SecretText(_one_line(filled(password.reveal(), values, spec.name)))
    return ResolvedConnection(
        family=kind.name,
        dialect=kind.dialect,
        transport=spec.transport if spec.transport is Transport.REST else Transport.SERVER,
        alias=spec.alias,
        host=host,
        port=int(port) if port else kind.port,
        user=value(spec.user),
        password=password,
        database=value(spec.database),
        options=_filled_options(spec, kind, folder, values),
    )


def _from_variable(spec: ConnectionSpec, values: Mapping[str, str]) -> ConnectionSpec:
    """A URL that stands in a variable. What it contains is read as a URL, once; it names no variables."""
    url = spec.url.reveal() if spec.url is not None else ""
    found = parsed(filled(url, values, spec.name))
    if found.url is not None:
        raise UrlProblem("bad_url", "the variable holds another variable", "write the URL itself into it")
    if spec.family is not None:
        found = with_family(found, family(spec.family))
    options = {**dict(found.options), **dict(spec.options)}
    return msgspec.structs.replace(
        found,
        alias=spec.alias,
        user=found.user or spec.user,
        password=found.password or spec.password,
        options=tuple(sorted(options.items())),
    )


def _filled_path(spec: ConnectionSpec, folder: Path, values: Mapping[str, str]) -> Path:
    path = spec.path
    if variables_in(path):
        path = checked_path(checked_text(filled(path, values, spec.name)))
    return folder.absolute() / path


def _filled_options(
    spec: ConnectionSpec, kind: Family, folder: Path, values: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for name, written in spec.options:
        text = filled(written, values, spec.name)
        taken = option(kind, name, checked_text(text), in_url=False)
        if taken is not None:
            is_file = taken[0] in kind.files
            found[taken[0]] = str(folder.absolute() / taken[1]) if is_file else taken[1]
    return tuple(sorted(found.items()))


def _one_line(text: str) -> str:
    """A secret may be any text, but none that would end one thing and begin another on its way."""
    if any(character in text for character in "\0\r\n"):
        raise UrlProblem("bad_variable", "a secret has a line break in it", "set the variable to one line")
    return text


def _recognized(spec: ConnectionSpec, folder: Path) -> ConnectionSpec:
    path = folder / spec.path
    if spec.family is not None and not family(spec.family).shares_endings:
        return spec
    found = family_of_file(path)
    if found is None and spec.family is None:
        raise _unrecognized()
    return msgspec.structs.replace(spec, family=spec.family if found is None else found.name)


def _known(name: str | None) -> Family:
    if name is None:
        raise _unrecognized()
    return family(name)


def _unrecognized() -> UrlProblem:
    hint = "name a file with an ending such as .sqlite, .duckdb, .csv, .parquet or .json, a folder, or a URL"
    return UrlProblem("unknown_family", "the name does not say what kind of database this is", hint)


def _refusal(problem: UrlProblem, spec: ConnectionSpec | None = None) -> DatabaseUrlRefused:
    whose = f"{spec.name}: " if spec is not None else ""
    return DatabaseUrlRefused(whose + problem.message, hint=problem.hint, problem=problem.rule)
