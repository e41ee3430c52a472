"""The families of sources, read from data: names, schemes, endings of files, parameters."""

from enum import StrEnum
from functools import cache
from importlib.resources import files as resources

import msgspec
import yaml

from dragoman.contracts.record import Record
from dragoman.contracts.schema import Dialect, Family


class Transport(StrEnum):
    """How a source is reached."""

    FILE = "file"
    SERVER = "server"
    REST = "rest"


class FamilyRule(Record, frozen=True):
    dialect: Dialect
    transport: Transport
    schemes: tuple[str, ...]
    spellings: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    port: int = 0
    parameters: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()


@cache
def family_rules() -> dict[Family, FamilyRule]:
    text = resources("dragoman.databases.connections").joinpath("families.yaml").read_text(encoding="utf-8")
    return msgspec.convert(yaml.load(text, Loader=yaml.CSafeLoader), type=dict[Family, FamilyRule])


@cache
def family_names() -> dict[str, Family]:
    """Every spelling of a family's name."""
    rules = family_rules()
    return {name: family for family in Family for name in (family.value, *rules[family].spellings)}


@cache
def schemes() -> dict[str, Family]:
    return {scheme: family for family, rule in family_rules().items() for scheme in rule.schemes}


@cache
def remote_schemes() -> frozenset[str]:
    """Schemes that lead to files of other machines."""
    text = resources("dragoman.databases").joinpath("addresses.yaml").read_text(encoding="utf-8")
    return frozenset(yaml.load(text, Loader=yaml.CSafeLoader)["schemes"])


@cache
def extensions() -> dict[str, Family]:
    return {ending: family for family, rule in family_rules().items() for ending in rule.extensions}
