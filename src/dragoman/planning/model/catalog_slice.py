"""The part of the catalog that a model is told of: what the message is about, within a budget of tokens.

Tables come as lines, the likeliest first. While they do not fit, first what is said beside them is left out,
then columns that nobody named, then tables that nobody named.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dragoman.catalog.components import component_signatures
from dragoman.contracts.record import Record
from dragoman.contracts.verb import Effect, EntityType, VerbArgument, VerbSignature
from dragoman.models import estimated_tokens
from dragoman.planning.contract import Asked
from dragoman.planning.model.occasion import asks_to_write
from dragoman.planning.model.relevance import Relevance
from dragoman.tables.graph import Column, Graph, Table
from dragoman.tables.verbs import DATES

_MOST_COMMENT: Final = 120
_MOST_COLUMNS: Final = 12
"""So many columns that nobody named a table keeps where room is short."""
_MOST_WIDE: Final = 80
_MOST_LINKS: Final = 24


class CatalogSlice(Record, frozen=True):
    """Lines about tables and verbs. `left_out`: how many tables there are beside them."""

    tables: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    left_out: int = 0

    @property
    def tokens(self) -> int:
        return sum(map(estimated_tokens, (*self.tables, *self.verbs)))


class SlicedDatabase(Record, frozen=True, gc=True):
    """One database with what is relevant of it. `connection` is what programs over it name, where there are
    several."""

    connection: str
    relevance: Relevance


def slice_of(databases: Sequence[SlicedDatabase], asked: Asked, budget: int) -> CatalogSlice:
    """The lines that fit into the budget, whatever has to be left out for it."""
    verbs = _fitting(_verb_lines(asked), budget // 2)
    left = budget - sum(map(estimated_tokens, verbs))
    tables = _shared(databases, left)
    known = sum(len(each.relevance.graph.by_name) for each in databases)
    return CatalogSlice(tables, verbs, known - len(tables))


def _shared(databases: Sequence[SlicedDatabase], budget: int) -> tuple[str, ...]:
    """The tables of all databases, the likeliest first, each as full as the room allows."""
    ranked = sorted(
        ((table, each) for each in databases for table in _ordered(each.relevance)),
        key=lambda pair: -pair[1].relevance.tables.get(pair[0].name, 0.0),
    )
    lines: list[str] = []
    for table, database in ranked:
        relevant = database.relevance
        is_named = relevant.tables.get(table.name, 0.0) > 0
        forms = _forms(table, database) if is_named else (_line(table, database, narrow=True),)
        fitting = next((form for form in forms if estimated_tokens(form) <= budget), None)
        if fitting is None:
            break
        budget -= estimated_tokens(fitting)
        lines.append(fitting)
    return tuple(lines)


def _ordered(relevant: Relevance) -> list[Table]:
    """What the message is about, then everything else: a small database is told whole."""
    ranked = relevant.ranked()
    named = {table.name for table in ranked}
    return [*ranked, *(table for name, table in relevant.graph.by_name.items() if name not in named)]


def _forms(table: Table, database: SlicedDatabase) -> Iterator[str]:
    """The line of a table, from the fullest to the shortest."""
    yield _line(table, database, comments=True)
    yield _line(table, database)
    yield _line(table, database, narrow=True)


def _line(table: Table, database: SlicedDatabase, *, comments: bool = False, narrow: bool = False) -> str:
    graph, relevant = database.relevance.graph, database.relevance
    columns = _columns(table, relevant, narrow=narrow)
    outgoing = {link.pairs[0][0]: link for link in graph.links(table).values() if len(link.pairs) == 1}
    parts: list[str] = []
    for column in columns:
        marks = [column.type.value]
        if column.info.name in table.info.primary_key:
            marks.append("key")
        link = outgoing.get(column.info.name)
        if link is not None and link.single:
            marks.append(f"link {link.name} to {graph.tables[link.target].name}")
        if comments and column.info.comment:
            marks.append(_quoted(column.info.comment))
        parts.append(f"{column.name} {' '.join(marks)}")
    left = len(table.columns) - len(columns)
    more = [f"{left} more"] if left else []
    back = ", ".join(_back(table, graph))
    said = f" {_quoted(table.info.comment)}" if comments and table.info.comment else ""
    where = f"{database.connection} " if database.connection else ""
    return f"{where}{table.name}{said} ({', '.join((*parts, *more))})" + (f" back: {back}" if back else "")


def _columns(table: Table, relevant: Relevance, *, narrow: bool) -> list[Column]:
    """The columns that are told: those that are named, keys and dates before the others."""
    every = list(table.columns.values())
    most = _MOST_COLUMNS if narrow else _MOST_WIDE
    if len(every) <= most:
        return every
    keys = {*table.info.primary_key, *(name for key in table.info.foreign_keys for name in key.columns)}

    def rank(column: Column) -> int:
        if (table.name, column.name) in relevant.columns:
            return 0
        return 1 if column.info.name in keys or column.type in DATES else 2

    kept = sorted(every, key=rank)[:most]
    return [column for column in every if column in kept]


def _back(table: Table, graph: Graph) -> Iterable[str]:
    """The steps from a row to the rows that point at it."""
    several = [link.name for link in graph.links(table).values() if not link.single]
    return several[:_MOST_LINKS]


def _verb_lines(asked: Asked) -> list[str]:
    """The verbs of packs, those first that the message speaks of."""
    catalog, language = asked.catalog, asked.reading.language
    writes = asks_to_write(asked)
    known = {**catalog.all_verbs, **(catalog.changes if writes else {})}
    said = [name for name in (*asked.reading.verbs, *asked.reading.actions) if name in known]
    of_packs = [known[name] for name in dict.fromkeys((*said, *known))]
    lines = [_verb_line(each.signature, each.title(language)) for each in of_packs]
    # What writes is told of where the message asks for it, and is not there otherwise.
    components = component_signatures().values() if writes else ()
    writers = (each for each in components if each.effect is Effect.WRITE)
    return [*lines, *(_verb_line(each, each.title) for each in writers)]


def _verb_line(signature: VerbSignature, title: str) -> str:
    arguments = " ".join(map(_argument, signature.arguments))
    return f"{signature.name} ({arguments}) {signature.effect.value} {_quoted(title)}"


def _argument(argument: VerbArgument) -> str:
    kind = str(argument.type.__struct_config__.tag)
    of = f" {argument.type.entity}" if isinstance(argument.type, EntityType) else ""
    return f":{argument.name} {kind}{of}{'' if argument.required else '?'}"


def _quoted(text: str) -> str:
    """Text from a database: quoted, on one line, and short."""
    plain = " ".join(text.split())
    cut = plain if len(plain) <= _MOST_COMMENT else plain[: _MOST_COMMENT - 1] + "…"
    return json.dumps(cut, ensure_ascii=False)


def _fitting(lines: Iterable[str], budget: int) -> tuple[str, ...]:
    kept: list[str] = []
    for line in lines:
        budget -= estimated_tokens(line)
        if budget < 0:
            break
        kept.append(line)
    return tuple(kept)
