"""What is known about the demo: the verbs of its pack, and the names of its entities."""

import datetime as dt
import sqlite3
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from dragoman.catalog.packs.reading import load_shipped
from dragoman.catalog.packs.signatures import LANGUAGE, pack_signature, result_column
from dragoman.catalog.programs import ProgramCatalog
from dragoman.contracts.answer import Column
from dragoman.contracts.errors import InternalError, WorkspaceError
from dragoman.contracts.pack import DateUse, Pack, PackColumn, PackVerb, VerbFrame
from dragoman.contracts.record import Record
from dragoman.contracts.schema import Dialect
from dragoman.contracts.state import EntityRef
from dragoman.contracts.verb import VerbSignature

ORGANIZATION = "organization"
WAREHOUSE = "warehouse"


class ScaledColumn(Record, frozen=True):
    """A result column: how many decimal places its integers carry, and how many are shown."""

    column: Column
    scale: int = 0
    places: int | None = None
    entity: str = ""


class CatalogVerb(Record, frozen=True):
    """A verb of the pack, ready to be asked for. `dialect` is the one its SQL is written in."""

    signature: VerbSignature
    date_use: DateUse
    spec: PackVerb
    dialect: Dialect
    columns: tuple[ScaledColumn, ...]
    words: tuple[str, ...]

    @property
    def domain(self) -> str:
        """The domain whose coverage holds for it."""
        return self.spec.domain or self.signature.domain


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
    verbs: Mapping[str, CatalogVerb]
    """The verbs that open a root slice."""
    actions: Mapping[str, CatalogVerb]
    """The verbs that speak of a selected object."""
    entities: tuple[NamedEntity, ...]
    coverage: tuple[CoverageRule, ...]
    cards: Mapping[str, str]
    """For each kind of object the action that shows it."""

    @property
    def programs(self) -> ProgramCatalog:
        """What the compiler may ask about the demo."""
        signatures = {name: verb.signature for name, verb in (*self.verbs.items(), *self.actions.items())}
        return ProgramCatalog(signatures, lambda: _names(self.entities))

    def verb(self, name: str) -> CatalogVerb | None:
        return self.verbs.get(name) or self.actions.get(name)

    def organizations(self) -> tuple[NamedEntity, ...]:
        return tuple(entity for entity in self.entities if entity.ref.kind == ORGANIZATION)

    def entity(self, kind: str, key: str) -> NamedEntity | None:
        return next((e for e in self.entities if e.ref.kind == kind and e.ref.id == key), None)

    def named(self, kind: str, name: str) -> NamedEntity | None:
        """The entity of a kind with this canonical name."""
        return next((e for e in self.entities if e.ref.kind == kind and e.ref.name == name), None)


def open_catalog(database: Path) -> TradeCatalog:
    connection: sqlite3.Connection | None = None
    try:
        connection = sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)
        verbs = load_verbs()
        return TradeCatalog(
            str(database),
            {name: verb for name, verb in verbs.items() if verb.spec.frame is VerbFrame.ROOT},
            {name: verb for name, verb in verbs.items() if verb.spec.frame is VerbFrame.OBJECT},
            _entities(connection),
            _coverage(connection),
            {kind: entity.card for kind, entity in trade_pack().entities.items() if entity.card},
        )
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


def trade_pack() -> Pack:
    """The pack as it ships."""
    return load_shipped("trade")


@cache
def load_verbs() -> dict[str, CatalogVerb]:
    pack = trade_pack()
    return {name: _verb(name, spec, pack) for name, spec in pack.verbs.items()}


def _verb(name: str, spec: PackVerb, pack: Pack) -> CatalogVerb:
    if spec.date is None:
        raise InternalError(f"the verb {name} of the demo has no date")
    columns = tuple(_column(column) for column in spec.columns)
    signature = pack_signature(name, spec)
    return CatalogVerb(signature, spec.date, spec, pack.dialect, columns, spec.words.get(LANGUAGE, ()))


def _column(column: PackColumn) -> ScaledColumn:
    return ScaledColumn(result_column(column), column.scale or 0, column.places, column.entity)


def _entities(connection: sqlite3.Connection) -> tuple[NamedEntity, ...]:
    found: list[NamedEntity] = []
    for kind, entity in trade_pack().entities.items():
        wanted = (entity.key, entity.display, *entity.names, *entity.codes, *entity.within.values())
        # The names are the pack's, which ships with this module.
        listed = ", ".join(f'"{name}"' for name in wanted)
        rows = connection.execute(f'SELECT {listed} FROM "{entity.table}" ORDER BY "{entity.key}"')  # noqa: S608
        names = 1 + len(entity.names) + len(entity.codes)
        for key, *rest in rows:
            within = str(rest[names]) if entity.within else ""
            found.append(_named(kind, key, rest[:names], within))
    return tuple(found)


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
