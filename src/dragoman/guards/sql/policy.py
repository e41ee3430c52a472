"""What each dialect may use, read from data that ships with the package."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
import yaml

from dragoman.contracts.decoding import converted
from dragoman.contracts.record import Record
from dragoman.contracts.schema import Dialect


class Functions(Record, frozen=True):
    """Which functions may be called, by their lower-case names.

    With `trusted` the functions of a database's own are taken on trust, and only known harm is refused: a
    compiler, which does not know the database, judges so.
    """

    names: frozenset[str]
    tables: frozenset[str]
    """Those that may stand in FROM."""
    trusted: bool = False


class SystemNames(Record, frozen=True):
    """What belongs to the server. A query sees it only where it is allowed by name."""

    schemas: frozenset[str] = frozenset()
    schema_prefixes: tuple[str, ...] = ()
    catalogs: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = ()
    tables: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    type_prefixes: tuple[str, ...] = ()


class Policy(Record, frozen=True):
    functions: Functions
    words: frozenset[str]
    """What may stand before a bracket and calls nothing."""
    bare: frozenset[str]
    """What is a function of the server without any brackets."""
    system: SystemNames


class _File(Record, frozen=True):
    functions: Mapping[str, frozenset[str]]
    tables: frozenset[str]
    words: Mapping[str, frozenset[str]]
    system: SystemNames
    bare: frozenset[str] = frozenset()


class _Harm(Record, frozen=True):
    names: frozenset[str]
    prefixes: tuple[str, ...]
    suffixes: tuple[str, ...]
    harmless: frozenset[str]


class _Nodes(Record, frozen=True):
    structure: frozenset[str]
    functions: frozenset[str]


@cache
def policy_of(dialect: Dialect) -> Policy:
    shared, own = _file("every_dialect", _File), _file(dialect.value, _File)
    return Policy(
        Functions(_together(shared.functions, own.functions), shared.tables | own.tables),
        _together(shared.words, own.words),
        shared.bare | own.bare,
        msgspec.structs.replace(own.system, schemas=shared.system.schemas | own.system.schemas),
    )


@cache
def known_nodes() -> frozenset[str]:
    """The kinds of expression that are harmless in themselves."""
    nodes: _Nodes = _file("nodes", _Nodes)
    return nodes.structure | nodes.functions


def is_harmful(name: str) -> bool:
    """Whether a function, by its lower-case name, is known to do more than compute."""
    harm: _Harm = _file("harmful", _Harm)
    if name in harm.harmless:
        return False
    return name in harm.names or name.startswith(harm.prefixes) or name.endswith(harm.suffixes)


def _together(*groups: Mapping[str, Iterable[str]]) -> frozenset[str]:
    return frozenset(name for group in groups for names in group.values() for name in names)


@cache
def _file(name: str, kind: type[Any]) -> Any:
    text = files("dragoman.guards.sql").joinpath("data", f"{name}.yaml").read_text(encoding="utf-8")
    return converted(yaml.load(text, Loader=yaml.CSafeLoader), kind)
