"""A table that a step names, as the query that reads the same: its columns, and the filter of the step."""

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from dragoman.contracts.errors import StepRefused
from dragoman.contracts.schema import DatabaseSchema, TableInfo
from dragoman.engine.component import Config


def table_named(name: str, schema: DatabaseSchema) -> TableInfo | None:
    """The table that a step means, by a name that may be qualified or quoted; None where it is not known."""
    plain = name.replace('"', "").replace("`", "").casefold()
    whole = [each for each in schema.tables if f"{each.schema}.{each.name}".casefold() == plain]
    alone = [each for each in schema.tables if each.name.casefold() == plain]
    # The default schema has no name here, so what qualifies one of its tables says nothing.
    last = [each for each in schema.tables if each.name.casefold() == plain.rpartition(".")[2]]
    return next(iter((*whole, *alone, *last)), None)


def query_of_table(config: Config, table: TableInfo, schema: DatabaseSchema) -> str:
    """The SELECT of a step that names a table. Raises `StepRefused`."""
    source = exp.Table(
        this=exp.to_identifier(table.name, quoted=True),
        db=exp.to_identifier(table.schema, quoted=True) if table.schema else None,
    )
    names = _names(config, "columns")
    every = dict.fromkeys((*names, *_names(config, "cursor"))) if names else ()
    shown: list[exp.Expr] = [exp.column(exp.to_identifier(name, quoted=True)) for name in every] or [
        exp.Star()
    ]
    query = exp.select(*shown).from_(source)
    if config.get("filter") is not None:
        query = query.where(exp.paren(_condition(str(config["filter"]), schema)))
    return query.sql(dialect=schema.dialect.value)


def _condition(text: str, schema: DatabaseSchema) -> exp.Expr:
    """The filter as a part of a tree: nothing in it can end the WHERE it stands in."""
    try:
        return sqlglot.parse_one(text, into=exp.Condition, dialect=schema.dialect.value)
    except (SqlglotError, RecursionError) as error:
        raise StepRefused(f"the filter cannot be read: {error}", hint="write a condition") from error


def _names(config: Config, argument: str) -> tuple[str, ...]:
    given = config.get(argument)
    if isinstance(given, str):
        return (given,)
    return tuple(map(str, given)) if isinstance(given, list | tuple) else ()
