"""The planners over one database, with everything that packs, people and the database itself say of it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from dragoman.contracts.program import Statement
from dragoman.contracts.record import Record
from dragoman.contracts.schema import DatabaseSchema
from dragoman.contracts.taught import TaughtWord
from dragoman.databases.families.registry import family
from dragoman.databases.values import ValueIndex
from dragoman.planning.database.joint import JointPlanner
from dragoman.planning.database.own_metrics import new_metrics
from dragoman.planning.database.pack_notes import PackNotes
from dragoman.planning.database.planner import QuestionPlanner
from dragoman.planning.database.taught_joint import TaughtJoint, Words
from dragoman.planning.database.written_numbers import WrittenNumbers
from dragoman.planning.tables.table_planner import TablePlanner
from dragoman.planning.teaching.declared_values import asks_for_declared
from dragoman.planning.teaching.declared_words import declared_words
from dragoman.planning.teaching.taught_columns import TaughtColumns
from dragoman.planning.teaching.totals import amounts
from dragoman.tables.catalog import TableCatalog
from dragoman.tables.graph import Graph

_CACHED: Final = 12
"""How many planners are kept, each for the taught words of a message."""

Rows = Callable[[Statement, Graph], int | None]
"""How many rows a statement gives, where that is soon known."""


class Said(Record, frozen=True, gc=True):
    """What is said of a database: what packs call the tables of their entities, what they note on tables, and
    the words that people taught."""

    called: Mapping[str, tuple[str, ...]] = {}
    noted: PackNotes = PackNotes()
    taught: tuple[TaughtWord, ...] = ()


def said_joint(
    tables: TableCatalog,
    schema: DatabaseSchema,
    values: ValueIndex,
    said: Said,
    rows: Rows,
    *,
    reviews: bool = True,
) -> JointPlanner:
    """The two planners over one database, heard together. They read texts that are numbers as numbers."""
    numbers = WrittenNumbers(schema)
    read = TableCatalog(numbers.schema) if numbers else tables
    return _joint(read, numbers, values, said, rows, reviews=reviews)


def _joint(
    tables: TableCatalog,
    numbers: WrittenNumbers,
    values: ValueIndex,
    said: Said,
    rows: Rows,
    *,
    reviews: bool,
) -> JointPlanner:
    schema, spelling = numbers.schema, numbers.spelling
    noted, called = said.noted, together(said.called, said.noted.called)
    metrics = new_metrics(noted.metrics, lambda: QuestionPlanner(tables, schema, values, called, noted.notes))
    told = tuple(metrics)
    made: dict[Words, JointPlanner] = {}

    def knowing(words: Words) -> JointPlanner:
        if words not in made:
            for each in [known for known in made if known not in ((), said.taught)][: len(made) - _CACHED]:
                del made[each]
            made[words] = _made(words)
        return made[words]

    def _made(words: Words) -> JointPlanner:
        taught = TaughtColumns(words, tables, schema, declared(schema, words, told))
        named = together(called, taught.called)
        seen = TableCatalog(taught.schema) if taught else tables
        phrases = TablePlanner(seen, taught.schema, values, called=named, notes=noted.notes)
        frames = QuestionPlanner(seen, taught.schema, values, named, noted.notes)

        taught.adds_up = amounts(frames.knowledge)

        def count(statement: Statement) -> int | None:
            graph, whole = frames.things.graph, taught.expanded(statement)
            found = None if whole is None else rows(spelling.spelled(whole), graph)
            # A value that is declared may be in no row: nothing is then what there is.
            return None if found == 0 and asks_for_declared(statement, graph) else found

        if words:
            return TaughtJoint(
                frames,
                phrases,
                values,
                count,
                taught,
                (words, said.taught),
                knowing,
                reviews=reviews,
                numbers=spelling,
            )
        return JointPlanner(
            frames,
            phrases,
            values,
            count,
            reviews=reviews,
            taught=taught if taught else None,
            numbers=spelling,
        )

    return knowing(said.taught)


def declared(
    schema: DatabaseSchema, taught: tuple[TaughtWord, ...], metrics: Iterable[TaughtWord]
) -> tuple[TaughtWord, ...]:
    """The metrics of packs, and what a database says of itself in comments. What is said of a file is how it
    was read: nobody has named anything there."""
    said = {each.word.casefold() for each in taught}
    told = [each for each in metrics if each.word not in said]
    own = () if family(schema.family).own_comments else declared_words(schema, (*taught, *told))
    return (*told, *own)


def together(*called: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """What tables are called, by everybody who calls them something."""
    found: dict[str, tuple[str, ...]] = {}
    for each in called:
        for table, words in each.items():
            found[table] = (*found.get(table, ()), *words)
    return found
