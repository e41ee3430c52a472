"""Entities and verbs of a first pack, guessed by names, types and keys: cards of things, totals over a date.

What a draft says of tables is in `planning.first_pack`, where it is known what questions know of them.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial

from sqlglot import exp

from dragoman.contracts.record import Record
from dragoman.contracts.schema import ColumnInfo, DatabaseSchema, Dialect, TableInfo, ValueType
from dragoman.guards.sql import judge_sql
from dragoman.language.program_names import is_kebab, kebab_of
from dragoman.packs.draft_sql import column_of, day_of, shown_amount, table_of, total_amount
from dragoman.packs.statements import USER
from dragoman.packs.yaml_text import block, quoted

MAX_TABLES = 150
"""A draft is read by a person. Of more tables, those that others point at and with most rows are taken."""

MAX_MEASURES = 3
MAX_CARD_COLUMNS = 12

_NAMES = ("name", "title", "label", "full_name", "display_name", "description")
_NUMBERS = frozenset({ValueType.INTEGER, ValueType.DECIMAL, ValueType.FLOAT})
_DATES = frozenset({ValueType.DATE, ValueType.DATETIME, ValueType.INSTANT})
_KEY_TYPES = {ValueType.INTEGER: "int", ValueType.UUID: "uuid"}
_SHOWN = {
    ValueType.INTEGER: "integer",
    ValueType.DECIMAL: "decimal",
    ValueType.FLOAT: "float",
    ValueType.BOOLEAN: "boolean",
    ValueType.DATE: "date",
    ValueType.DATETIME: "datetime",
    ValueType.INSTANT: "instant",
}
# The names that an argument may not have, as `naming` checks them.
_TAKEN = frozenset({"id", "mode", "needs", "as", "during", "as-of", USER})


_MARKS = (".", "/*", "{{", "{%", "{#")
"""A dot would divide a name from its schema; the others are comments or templates to somebody."""


class _Entity(Record, frozen=True):
    name: str
    table: TableInfo
    key: ColumnInfo
    display: ColumnInfo
    certain: bool


def drafted_verbs(schema: DatabaseSchema) -> str:
    """The YAML of scopes, entities and verbs, with comments on what was guessed and what to fill in."""
    tables = chosen_tables(schema)
    entities = {entity.table.name: entity for entity in _entities(tables)}
    verbs = "\n".join(_verbs(tables, entities, schema.dialect))
    dated = "date: period" in verbs
    parts = [
        "scopes:\n  date: {title: {en: date}}\n" if dated else "",
        "entities:\n" + "\n".join(map(_entity_text, entities.values()))
        if entities
        else "# No table has a key of one column and a column with names.\nentities: {}\n",
        f"verbs:\n{verbs}" if verbs else "# Write a verb for each question that people ask.\nverbs: {}\n",
    ]
    return "\n".join(part for part in parts if part)


def chosen_tables(schema: DatabaseSchema) -> list[TableInfo]:
    """The tables of a draft, in the order of the schema: those that can be written as they are called."""
    pointed = Counter(key.table for table in schema.tables for key in table.foreign_keys)
    known = [table for table in schema.tables if is_writable(table.name) and columns_of(table)]
    writable = [table for table in known if not _is_refused(table, schema.dialect)]
    ranked = sorted(writable, key=lambda table: (-pointed[table.name], -(table.rows or 0), table.name))
    chosen = {id(table) for table in ranked[:MAX_TABLES]}
    return [table for table in writable if id(table) in chosen]


def _is_refused(table: TableInfo, dialect: Dialect) -> bool:
    """Whether the guard would not let a verb read the table: DuckDB takes some names for files."""
    query = exp.select("1").from_(table_of(table))
    return not judge_sql(query.sql(dialect=dialect.value), dialect).is_allowed


def is_writable(name: str) -> bool:
    """Whether a name can stand in YAML and SQL as it is."""
    plain = name.isprintable() and name == name.strip() and 0 < len(name) <= 128
    return plain and not any(mark in name for mark in _MARKS)


def columns_of(table: TableInfo) -> list[ColumnInfo]:
    return [column for column in table.columns if is_writable(column.name)]


def _unique(stem: str, taken: set[str]) -> str:
    """A name in kebab-case that nothing else has."""
    name = kebab_of(_split(stem))
    if name in _TAKEN or name.upper() in _keywords() or not is_kebab(name):
        name = f"{name}-value"
    number, candidate = 1, name
    while candidate in taken:
        number += 1
        candidate = f"{name}-{number}"
    taken.add(candidate)
    return candidate


@cache
def _keywords() -> frozenset[str]:
    """Words that no dialect takes as the name of a parameter: `:select`."""
    from sqlglot.tokens import Tokenizer

    return frozenset(Tokenizer.KEYWORDS)


def _split(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ")


def title_of(name: str) -> str:
    return " ".join(_split(name).split()).strip() or name


def _entities(tables: list[TableInfo]) -> Iterator[_Entity]:
    taken: set[str] = set()
    seen: set[str] = set()
    for table in tables:
        columns = {column.name: column for column in columns_of(table)}
        key = columns.get(table.primary_key[0]) if len(table.primary_key) == 1 else None
        display = _display(table)
        # Two tables of one name in different schemas cannot be told apart by a pack yet.
        if key is not None and display is not None and table.name not in seen:
            seen.add(table.name)
            certain = display.name.lower() in _NAMES
            yield _Entity(_unique(_singular(table.name), taken), table, key, display, certain)


def _display(table: TableInfo) -> ColumnInfo | None:
    """The column that most likely holds the names of things."""
    texts = [column for column in columns_of(table) if column.type is ValueType.TEXT]
    texts = [column for column in texts if column.name not in table.primary_key]
    tests: tuple[Callable[[str], bool], ...] = (
        *(partial(str.__eq__, wanted) for wanted in _NAMES),
        lambda name: name.endswith(("name", "title", "label")),
    )
    for test in tests:
        for column in texts:
            if test(column.name.lower()):
                return column
    return next((column for column in texts if column.unique), None)


def _singular(name: str) -> str:
    for ending, singular in (("ies", "y"), ("sses", "ss"), ("s", "")):
        if name.lower().endswith(ending) and not name.lower().endswith(("ss", "us", "is")) and len(name) > 3:
            return name[: -len(ending)] + singular
    return name


def _entity_text(entity: _Entity) -> str:
    table = entity.table
    key_type = _KEY_TYPES.get(entity.key.type, "code")
    codes = [
        column.name
        for column in columns_of(table)
        if column.unique
        and column.type is ValueType.TEXT
        and column.name not in {entity.key.name, entity.display.name}
    ]
    words = dict.fromkeys((quoted(title_of(entity.name)), quoted(title_of(table.name))))
    guess = "" if entity.certain else "  # GUESS: is this the column with its name?"
    lines = [
        f"  {entity.name}:",
        f"    table: {quoted(qualified(table))}",
        f"    key: {quoted(entity.key.name)}",
        f"    key_type: {key_type}",
        f"    display: {quoted(entity.display.name)}{guess}",
        *([f"    codes: [{', '.join(map(quoted, codes))}]"] if codes else []),
        f"    card: {entity.name}.card",
        f"    title: {{en: {quoted(title_of(entity.name))}}}  # FILL IN: ru, ko",
        "    # FILL IN: what people call it, per language.",
        f"    words: {{en: [{', '.join(words)}]}}",
    ]
    return "\n".join(lines) + "\n"


def qualified(table: TableInfo) -> str:
    return f"{table.schema}.{table.name}" if table.schema else table.name


def _verbs(tables: list[TableInfo], entities: dict[str, _Entity], dialect: Dialect) -> Iterator[str]:
    for entity in entities.values():
        yield _card(entity, dialect)
    domains: set[str] = {entity.name for entity in entities.values()}
    for table in tables:
        date = next((column for column in columns_of(table) if column.type in _DATES), None)
        measures = list(_measures(table))[:MAX_MEASURES]
        if date is None or not measures:
            continue
        domain, taken = _unique(table.name, domains), set[str]()
        for measure in measures:
            verb = f"{domain}.{_unique(f'total {measure.name}', taken)}"
            yield _total(verb, table, date, measure, entities, dialect)


def _measures(table: TableInfo) -> Iterator[ColumnInfo]:
    """Numbers that can be added up: no keys, no codes, nothing that only looks like a number."""
    keys = {*table.primary_key, *(name for key in table.foreign_keys for name in key.columns)}
    for column in columns_of(table):
        named = column.name.lower()
        is_key = column.name in keys or re.search(r"(^|_)(id|no|number|code|year|month|day|zip)$", named)
        if column.type in _NUMBERS and not is_key:
            yield column


def _card(entity: _Entity, dialect: Dialect) -> str:
    columns = columns_of(entity.table)[:MAX_CARD_COLUMNS]
    names = _results(columns)
    argument = entity.name.replace("-", "_")
    amounts = [shown_amount(column, dialect) for column in columns]
    selected = [
        exp.alias_(amount.tree, name, quoted=True) for amount, name in zip(amounts, names, strict=True)
    ]
    query = exp.select(*selected).from_(table_of(entity.table))
    query = query.where(exp.EQ(this=column_of(entity.key), expression=exp.Placeholder(this=argument)))
    return "\n".join(
        [
            f"  {entity.name}.card:",
            f"    title: {{en: {quoted(title_of(entity.name))}}}",
            "    frame: object",
            f"    object: {entity.name}",
            f"    arguments: {{{entity.name}: {{entity: {entity.name}}}}}",
            "    columns:",
            *(
                f"      - {{name: {quoted(name)}, type: {_SHOWN.get(column.type, 'text')}{amount.declared}}}"
                for column, name, amount in zip(columns, names, amounts, strict=True)
            ),
            f"    sql: {block(query.sql(dialect=dialect.value, pretty=True), 6)}",
            "",
        ]
    )


def _total(
    verb: str,
    table: TableInfo,
    date: ColumnInfo,
    measure: ColumnInfo,
    entities: dict[str, _Entity],
    dialect: Dialect,
) -> str:
    filters = dict(_filters(table, entities))
    total = total_amount(measure, dialect)
    query = exp.select(exp.alias_(total.tree, "total", quoted=True)).from_(table_of(table))
    start, end = exp.Placeholder(this="start"), exp.Placeholder(this="end")
    query = query.where(exp.Between(this=day_of(date, dialect), low=start, high=end))
    for argument, column in filters.items():
        asked = exp.Placeholder(this=argument.replace("-", "_"))
        left_out = exp.Is(this=asked.copy(), expression=exp.Null())
        query = query.where(exp.paren(exp.or_(left_out, exp.EQ(this=column[0], expression=asked))))
    kind = f"{_SHOWN[measure.type]}{total.declared}"
    arguments = ", ".join(
        f"{argument}: {{entity: {column[1]}, required: false}}" for argument, column in filters.items()
    )
    guessed = [argument for argument, column in filters.items() if not column[2]]
    return "\n".join(
        [
            f"  # GUESS: that {quoted(measure.name)} can be added up.",
            f"  # GUESS: that {quoted(date.name)} is the date that counts.",
            *([f"  # GUESS: {', '.join(guessed)}: no foreign key is declared for it."] if guessed else []),
            f"  {verb}:",
            f"    title: {{en: {quoted('Total ' + title_of(measure.name) + ' of ' + title_of(table.name))}}}",
            "    date: period",
            *([f"    arguments: {{{arguments}}}"] if arguments else []),
            f"    columns: [{{name: total, type: {kind}}}]",
            "    # FILL IN: the words by which people ask for it, per language.",
            f"    words: {{en: [{quoted(f'total {title_of(measure.name)} of {title_of(table.name)}')}]}}",
            f"    sql: {block(query.sql(dialect=dialect.value, pretty=True), 6)}",
            "",
        ]
    )


def _filters(
    table: TableInfo, entities: dict[str, _Entity]
) -> Iterator[tuple[str, tuple[exp.Column, str, bool]]]:
    """Foreign keys as arguments: the column, the entity, and whether the key is declared."""
    taken: set[str] = set()
    columns = {column.name: column for column in columns_of(table)}
    for key in table.foreign_keys:
        entity = entities.get(key.table)
        fits = entity is not None and len(key.columns) == 1 and key.target_columns == (entity.key.name,)
        if entity is not None and fits and key.columns[0] in columns:
            named = re.sub(r"[_ ]?id$", "", key.columns[0], flags=re.IGNORECASE) or entity.name
            argument = _unique(named, taken)
            if argument not in {"start", "end"}:
                yield argument, (column_of(columns[key.columns[0]]), entity.name, key.declared)


def _results(columns: list[ColumnInfo]) -> list[str]:
    taken: set[str] = set()
    return [_unique(column.name, taken).replace("-", "_") for column in columns]
