"""The catalog of a small shop, all of it in memory. It knows connections, columns and customers."""

from collections.abc import Iterable

from dragoman.catalog.components import component_signatures
from dragoman.contracts import verb as types
from dragoman.contracts.program import (
    Diagnostic,
    DiscriminatorField,
    EntityMatch,
    EntityResolutionConfig,
    SearchKeyField,
    Statement,
)
from dragoman.contracts.verb import ArgumentType, Effect, VerbArgument, VerbSignature

TYPES: dict[str, ArgumentType] = {
    "string": types.StringType(),
    "sql": types.SqlType(),
    "condition": types.SqlType(condition=True),
    "connection": types.ConnectionType(),
    "int": types.IntType(),
    "count": types.IntType(minimum=1),
    "decimal": types.DecimalType(),
    "bool": types.BoolType(),
    "date": types.DateType(),
    "datetime": types.DatetimeType(),
    "period": types.PeriodType(),
    "json": types.JsonType(),
    "enum": types.EnumType(("csv", "parquet")),
    "list": types.ListType(types.IntType()),
    "lists": types.ListType(types.ListType(types.DateType())),
    "queries": types.ListType(types.SqlType()),
    "customers": types.ListType(types.EntityType("customer")),
    "entity": types.EntityType("customer"),
    "result": types.ResultType(),
}
"""Every type an argument can have, under the name of the argument of `duckdb.everything`."""

EVERYTHING = VerbSignature(
    "duckdb.everything",
    "duckdb",
    "One argument of each type",
    Effect.READ,
    tuple(VerbArgument(name, kind, required=False) for name, kind in TYPES.items()),
)
ORDERS = VerbSignature(
    "shop.orders",
    "shop",
    "The orders of a customer",
    Effect.READ,
    (
        VerbArgument("customer", types.EntityType("customer")),
        VerbArgument("above", types.DecimalType(), required=False),
    ),
)
CUSTOMERS = {"c1": "Allianz Funds", "c2": "Allianz Bank", "c3": "Mercury"}
CONFIG = EntityResolutionConfig(
    (SearchKeyField("name", "Name", required=True), SearchKeyField("vat", "VAT number")),
    (DiscriminatorField("country", "Country", ("DE", "FR")),),
    "inline",
    "uuid",
)


class ShopCatalog:
    """The engine's components and two verbs of its own; `without` leaves one out."""

    def __init__(self, *, without: str = "") -> None:
        own = {verb.name: verb for verb in (EVERYTHING, ORDERS)}
        found = {**component_signatures(), **own}
        self._signatures = {name: found[name] for name in found if name != without}

    def signature(self, verb: str, connection: str = "") -> VerbSignature | None:
        return self._signatures.get(verb)

    def verb_names(self) -> Iterable[str]:
        return self._signatures

    def connections(self) -> tuple[str, ...] | None:
        return ("shop", "crm")

    def columns(self, connection: str, table: str) -> tuple[str, ...] | None:
        return ("id", "name", "country") if (connection, table) == ("shop", "users") else None

    def findings(self, statement: Statement) -> tuple[Diagnostic, ...]:
        return ()

    def entity_name(self, entity: str, key: str) -> str | None:
        return CUSTOMERS.get(key) if entity == "customer" else None

    def names_unknown(self, entity: str) -> str:
        return ""

    def entity_config(self, entity: str) -> EntityResolutionConfig:
        return CONFIG

    def entity_matches(self, entity: str, text: str) -> tuple[EntityMatch, ...]:
        found = [(key, name) for key, name in CUSTOMERS.items() if text.lower() in name.lower()]
        return tuple(EntityMatch(key, name, 0.5) for key, name in found)
