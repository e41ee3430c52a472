"""Which tables and columns of a database a message is about, as the linker finds them."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from dragoman.contracts.program import Program
from dragoman.contracts.record import Record
from dragoman.language.inlined_calls import inner_calls
from dragoman.planning.contract import Asked
from dragoman.planning.database_planner import DatabasePlanner
from dragoman.planning.tables.name_linker import Links
from dragoman.planning.tables.words import tokens_of
from dragoman.tables.graph import Graph, Table

_IN_PROGRAM: Final = 3.0
"""Tables of the program in hand and of the readings come first: they are what is edited or chosen."""
_OF_COLUMN: Final = 0.6
"""A column says less than the name of its table: many tables have a name or a date."""
_BETWEEN: Final = 0.5
_BESIDE: Final = 0.1


class SaidValue(Record, frozen=True):
    """Words of the message that stand in the data, and where."""

    words: str
    column: str
    value: str


class Relevance(Record, frozen=True, gc=True):
    """How much a message is about each table; the columns it names; the values it has."""

    graph: Graph
    tables: dict[str, float]
    columns: frozenset[tuple[str, str]]
    values: tuple[SaidValue, ...] = ()

    def ranked(self) -> list[Table]:
        """The tables, the likeliest first."""
        named = sorted(self.tables.items(), key=lambda item: (-item[1], item[0]))
        return [self.graph.by_name[name] for name, _ in named if name in self.graph.by_name]


def relevance(database: DatabasePlanner, asked: Asked, programs: Iterable[Program]) -> Relevance:
    """What the linker finds of a message in one database, and the tables between what it finds."""
    planner = database.planner.hearing(asked.text, asked.reading.language)
    text = planner.in_english(asked.text) or asked.text
    tokens = tokens_of(text)
    links = planner.schema_words.links(tokens)
    scores: dict[str, float] = defaultdict(float)
    for table, score in _named(links):
        scores[table] += score
    for program in programs:
        for verb in _verbs(program):
            if verb in planner.graph.by_name:
                scores[verb] = max(scores[verb], _IN_PROGRAM)
    found = _with_neighbours(planner.graph, dict(scores))
    values = tuple(
        SaidValue(
            " ".join(token.text for token in tokens[each.start : each.end]),
            each.thing.full_name,
            each.value,
        )
        for several in links.valued.values()
        for each in several[:3]
    )
    return Relevance(planner.graph, found, frozenset(_columns(links)), tuple(dict.fromkeys(values)))


def _named(links: Links) -> Iterable[tuple[str, float]]:
    """The best that each word says of each table."""
    for several in links.named.values():
        best: dict[str, float] = {}
        for each in several:
            score = each.score * (1.0 if each.thing.column is None else _OF_COLUMN)
            best[each.thing.table.name] = max(best.get(each.thing.table.name, 0.0), score)
        yield from best.items()
    for valued in links.valued.values():
        yield from {each.thing.table.name: each.score * _OF_COLUMN for each in valued}.items()


def _columns(links: Links) -> Iterable[tuple[str, str]]:
    of_names = (each.thing for several in links.named.values() for each in several)
    of_values = (each.thing for several in links.valued.values() for each in several)
    for thing in (*of_names, *of_values):
        if thing.column is not None:
            yield thing.table.name, thing.column.name


def _verbs(program: Program) -> Iterable[str]:
    """The tables whose verbs a program calls."""
    for statement in program:
        yield statement.verb.partition(".")[0]
        yield from (each.verb.partition(".")[0] for each in inner_calls(statement))


def _with_neighbours(graph: Graph, scores: dict[str, float]) -> dict[str, float]:
    """What lies between two tables that are named is needed to get from one to the other; what lies beside
    one may be meant without being named."""
    found = dict(scores)
    linked: dict[str, float] = defaultdict(float)
    seen: dict[str, int] = defaultdict(int)
    for name, score in scores.items():
        if name not in graph.by_name:
            continue
        targets = {graph.tables[each.target].name for each in graph.links(graph.by_name[name]).values()}
        for target in targets - scores.keys():
            linked[target] = max(linked[target], score)
            seen[target] += 1
    for name, score in linked.items():
        found[name] = score * (_BETWEEN if seen[name] > 1 else _BESIDE)
    return found
