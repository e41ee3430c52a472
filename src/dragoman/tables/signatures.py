"""The signature of one verb of one table, made when somebody asks for it."""

from collections.abc import Mapping

from dragoman.contracts.schema import ValueType
from dragoman.contracts.verb import (
    ArgumentType,
    BoolType,
    Comparison,
    DatetimeType,
    DateType,
    DecimalType,
    Effect,
    EntityType,
    FilterType,
    JsonType,
    StringType,
    VerbArgument,
    VerbSignature,
)
from dragoman.tables.comparison_reader import asked_parts
from dragoman.tables.graph import Column, Table
from dragoman.tables.request_reader import type_of
from dragoman.tables.values import wanted
from dragoman.tables.verbs import OPAQUE, TEXTUAL, WORDS, TableVerb, Word

_TITLES: dict[TableVerb, str] = {
    TableVerb.LIST: "Rows of {table}",
    TableVerb.COUNT: "How many rows {table} has",
    TableVerb.SUM: "The sum of a column of {table}",
    TableVerb.AVERAGE: "The average of a column of {table}",
    TableVerb.MIN: "The least value of a column of {table}",
    TableVerb.MAX: "The greatest value of a column of {table}",
    TableVerb.SHARE: "The share of rows of {table}, or of a sum, in percent",
    TableVerb.TOP: "The rows or groups of {table} with the greatest value",
}
_HELP: dict[Word, str] = {
    Word.WHERE: 'conditions on linked rows, {:customer {:country "FR"}}; a list of maps: any of them',
    Word.WITH: "only rows that have such linked rows, one for each of them",
    Word.OF: 'the column that is measured, or an expression, {:times ["price" "quantity"]}',
    Word.THAT: "which rows are the part, as in :where; without it each group is a part of all",
    Word.ALSO: 'what else is measured, "count", {:average "price"}, or several',
    Word.BY: 'a column or several to gather by, "customer/country" or {:month "order-date"}',
    Word.PER: 'divided by how many different values a column has, "customer_id" or {:month "order-date"}',
    Word.GROUPS: "how many groups there are, instead of the groups",
    Word.HAVING: "only groups whose measure is such, {:at-least 2}; {:count {:at-least 2}} of any measure",
    Word.DURING: "a first and a last day, both included",
    Word.AS_OF: "everything up to the end of this day",
    Word.ON: "the date that :during and :as-of speak of, when there are several",
    Word.COLUMNS: "what is shown, all when left out; of groups also the names of measures",
    Word.DISTINCT: "each different value once",
    Word.ORDER: 'a column, {:desc "price"}, or several; missing values come last',
    Word.TOP: "this many of the first rows in that order",
    Word.TIES: "with :top, also those that are equal to the last one",
    Word.LIMIT: "at most this many rows",
    Word.CONNECTION: "the database",
}

_ORDERED = (
    Comparison.ABOVE,
    Comparison.BELOW,
    Comparison.AT_LEAST,
    Comparison.AT_MOST,
    Comparison.BETWEEN,
)
_PIECES = (Comparison.CONTAINS, Comparison.STARTS, Comparison.ENDS)
_UNORDERED = frozenset({ValueType.BOOLEAN, ValueType.UUID})
_ITEMS: dict[ValueType, ArgumentType] = {
    ValueType.TEXT: StringType(),
    ValueType.UUID: StringType(),
    ValueType.TIME: StringType(),
    # A column of whole numbers may be asked for what lies above 2.5.
    ValueType.INTEGER: DecimalType(),
    ValueType.DECIMAL: DecimalType(),
    ValueType.FLOAT: DecimalType(),
    ValueType.BOOLEAN: BoolType(),
    ValueType.DATE: DateType(),
    ValueType.DATETIME: DatetimeType(),
    ValueType.INSTANT: DatetimeType(),
}
"""A column of any other type takes whatever it takes: what it holds is not known well enough."""


def signature_of(name: str, table: Table, verb: TableVerb, entities: Mapping[str, str]) -> VerbSignature:
    """`entities`: the columns that hold keys of entities, and the type of each."""
    words = [
        VerbArgument(word, type_of(word), required=_required(table, verb, word), help=_HELP[word])
        for word in WORDS[verb]
    ]
    columns = [
        VerbArgument(c.name, _asked(c, entities.get(c.info.name)), required=False, help=_forms(c))
        for c in table.columns.values()
    ]
    return VerbSignature(
        name=name,
        domain=table.name,
        title=_TITLES[verb].format(table=table.info.name),
        effect=Effect.READ,
        arguments=(*words, *columns),
        hint=table.info.comment,
    )


def _asked(column: Column, entity: str | None) -> ArgumentType:
    item = _ITEMS.get(column.type)
    # JSON, bytes, intervals and types we do not know: what fits is found out when it is compiled.
    if item is None:
        return JsonType()
    comparisons = [] if column.type in _UNORDERED else [*_ORDERED]
    comparisons += [*_PIECES] if column.type in TEXTUAL else []
    comparisons.append(Comparison.NOT)
    if entity is not None:
        numbered = column.type is ValueType.INTEGER
        return FilterType(EntityType(entity), tuple(comparisons), numbered, related=True)
    return FilterType(item, tuple(comparisons), parts=tuple(asked_parts(column)), related=True)


def _required(table: Table, verb: TableVerb, word: Word) -> bool:
    counted = verb in (TableVerb.LIST, TableVerb.COUNT, TableVerb.SHARE)
    return word is Word.OF and not counted and len(table.measures) != 1


def _forms(column: Column) -> str:
    """What may be written for a column."""
    known = "" if column.name == column.info.name else f"the column {column.info.name}: "
    if column.type in OPAQUE:
        return f"{known}nil or {{:not nil}}"
    forms = [wanted(column.type), "a list of such"]
    if column.type not in (ValueType.BOOLEAN, ValueType.UUID):
        forms.append("{:above …} {:below …} {:at-least …} {:at-most …} {:between [… …]}")
    if column.type in TEXTUAL:
        forms.append('{:contains "…"} {:starts "…"} {:ends "…"}')
    if parts := asked_parts(column):
        forms.append(" ".join(f"{{:{part} …}}" for part in parts))
    return known + "; ".join([*forms, '{:column "…"} in the place of a value', "{:not …}", "nil"])
