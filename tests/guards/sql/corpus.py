"""The corpus: queries that must pass and queries that must not, as the data files have them."""

from importlib.resources import files
from typing import Any

import msgspec
import yaml

from dragoman.contracts.record import Record
from dragoman.contracts.schema import Dialect


class Legitimate(Record, frozen=True):
    sql: str
    tables: tuple[str, ...] | None = None
    run: bool = True


class Attack(Record, frozen=True):
    sql: str
    harm: str
    tables: tuple[str, ...] | None = None
    probe: str = ""


def legitimate(dialect: Dialect) -> tuple[Legitimate, ...]:
    return msgspec.convert(_read(f"legitimate_{dialect}.yaml"), type=tuple[Legitimate, ...])


def attacks(dialect: Dialect) -> tuple[Attack, ...]:
    return msgspec.convert(_read(f"attacks_{dialect}.yaml"), type=tuple[Attack, ...])


def tables_sql(dialect: Dialect) -> str:
    """The statements that make the small tables that the queries run on."""
    return files("tests.guards.sql").joinpath("data", f"tables_{dialect}.sql").read_text(encoding="utf-8")


def _read(name: str) -> Any:
    text = files("tests.guards.sql").joinpath("data", name).read_text(encoding="utf-8")
    return yaml.load(text, Loader=yaml.CSafeLoader)
