"""What is known about the demo: its verbs with their SQL and words, and the names of its entities."""

import datetime as dt
import sqlite3
from collections.abc import Mapping
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from dragoman.catalog.programs import ProgramCatalog
from dragoman.contracts.answer import CellType, Column
from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.record import Record
from dragoman.contracts.state import EntityRef
from dragoman.contracts.verb import (
    ArgumentType,
    DateType,
    Effect,
    EntityType,
    PeriodType,
    VerbArgument,
    VerbSignature,
)

ORGANIZATION = "organization"
WAREHOUSE = "warehouse"


class DateUse(StrEnum):
    """Whether a verb looks at the end of the date scope, or at all of it."""

    AS_OF = "as-of"
    PERIOD = "period"

    @property
    def argument(self) -> str:
        return "as-of" if self is DateUse.AS_OF else "during"


class ScaledColumn(Record, frozen=True):
    """A result column: how many decimal places its integers carry, and how many are shown."""

    column: Column
    scale: int = 0
    places: int | None = None


class RootVerb(Record, frozen=True):
    signature: VerbSignature
    date_use: DateUse
    sql: str
    columns: tuple[ScaledColumn, ...]
    words: tuple[str, ...]


class NamedEntity(Record, frozen=True):
    """An entity and everything it is called. `within` is the organization it belongs to, if to one."""

    ref: EntityRef
    names: tuple[str, ...]
    within: str = ""


class CoverageRule(Record, frozen=True):
    """What is loaded for a domain of an organization: how completely, from when until when."""

    domain: str
    organization: str
    warehouse: str | None
    start: dt.date
    end: dt.date
    status: str
    reason: str


class TradeCatalog(Record, frozen=True):
    """Everything a turn needs to know about the demo, read once."""

    database: str
    verbs: Mapping[str, RootVerb]
    entities: tuple[NamedEntity, ...]
    coverage: tuple[CoverageRule, ...]

    @property
    def programs(self) -> ProgramCatalog:
        """What the compiler may ask about the demo."""
        signatures = {name: verb.signature for name, verb in self.verbs.items()}
        return ProgramCatalog(signatures, lambda: _names(self.entities))

    def organizations(self) -> tuple[NamedEntity, ...]:
        return tuple(entity for entity in self.entities if entity.ref.kind == ORGANIZATION)

    def entity(self, kind: str, key: str) -> NamedEntity | None:
        return next((e for e in self.entities if e.ref.kind == kind and e.ref.id == key), None)


def open_catalog(database: Path) -> TradeCatalog:
    connection: sqlite3.Connection | None = None
    try:
        connection = sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)
        return TradeCatalog(str(database), load_verbs(), _entities(connection), _coverage(connection))
    except sqlite3.Error as error:
        raise WorkspaceError(
            f"the demo database {database} cannot be read: {error}",
            hint="delete the file: it is built again at the next start",
        ) from error
    finally:
        if connection is not None:
            connection.close()


def _names(entities: tuple[NamedEntity, ...]) -> dict[str, dict[str, str]]:
    names: dict[str, dict[str, str]] = {}
    for entity in entities:
        names.setdefault(entity.ref.kind, {})[entity.ref.id] = entity.ref.name
    return names


def packaged_names() -> dict[str, dict[str, str]]:
    """The names of the demo's entities, from the data that ships with the package."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(
            files("dragoman.catalog.packs").joinpath("trade/trade.sql").read_text("utf-8")
        )
        return _names(_entities(connection))
    finally:
        connection.close()


def load_verbs() -> dict[str, RootVerb]:
    text = files("dragoman.catalog.trade").joinpath("verbs.yaml").read_text(encoding="utf-8")
    return {name: _verb(name, entry) for name, entry in yaml.load(text, Loader=yaml.CSafeLoader).items()}


def _verb(name: str, entry: dict[str, Any]) -> RootVerb:
    date_use = DateUse(entry["scope"])
    date_type: ArgumentType = DateType() if date_use is DateUse.AS_OF else PeriodType()
    columns = tuple(
        ScaledColumn(Column(c["name"], CellType(c["type"])), c.get("scale", 0), c.get("places"))
        for c in entry["columns"]
    )
    signature = VerbSignature(
        name=name,
        domain=name.partition(".")[0],
        title=entry["title"],
        effect=Effect.READ,
        arguments=(
            VerbArgument(ORGANIZATION, EntityType(ORGANIZATION)),
            VerbArgument(date_use.argument, date_type),
            *(VerbArgument(f, EntityType(f), False) for f in entry.get("filters", ())),
        ),
        columns=tuple(column.column for column in columns),
    )
    return RootVerb(signature, date_use, entry["sql"], columns, tuple(entry["words"]))


def _entities(connection: sqlite3.Connection) -> tuple[NamedEntity, ...]:
    organizations = connection.execute("SELECT org_id, name, name_ru FROM organization ORDER BY org_id")
    warehouses = connection.execute("SELECT wh_id, name, name_ru, org_id FROM warehouse ORDER BY wh_id")
    return (
        *(_named(ORGANIZATION, key, names) for key, *names in organizations),
        *(_named(WAREHOUSE, key, names, str(org)) for key, *names, org in warehouses),
    )


def _named(kind: str, key: int, names: list[str], within: str = "") -> NamedEntity:
    return NamedEntity(EntityRef(kind, str(key), names[0]), tuple(names), within)


def _coverage(connection: sqlite3.Connection) -> tuple[CoverageRule, ...]:
    rows = connection.execute(
        "SELECT domain, org_id, wh_id, date_from, date_to, status, reason FROM coverage"
    )
    return tuple(
        CoverageRule(
            domain,
            str(org),
            None if warehouse is None else str(warehouse),
            dt.date.fromisoformat(start),
            dt.date.fromisoformat(end),
            status,
            reason or "",
        )
        for domain, org, warehouse, start, end, status, reason in rows
    )
