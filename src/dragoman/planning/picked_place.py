"""One row of the last answer, named by its place inside a question: "how much did the second one buy".

It is read with the name of the row in that place, and with what such rows are called; whatever it means is
kept to the key of the row, so that nobody of the same name is meant.
"""

from typing import Final

from msgspec.structs import replace

from dragoman.contracts.program import Argument, Entry, Map, Statement, Text
from dragoman.planning.contract import Asked
from dragoman.planning.database.joint import JointPlanner
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.lean import said_phrases
from dragoman.planning.database.offers import MOST
from dragoman.planning.pivot.english_forms import plural
from dragoman.planning.rows_in_hand import row_in_hand
from dragoman.planning.tables.name_words import plain_words
from dragoman.planning.tables.table_reading import TableReading
from dragoman.planning.tables.words import tokens_of
from dragoman.reading.reading import MentionKind

_WORDS: Final = 2
"""So many words a row is named by: its place, and what it is."""


def noun_of(rows: Statement) -> str:
    """What the rows of a statement are called, in the plural."""
    noun = " ".join(plain_words(rows.verb.rpartition(".")[0]))
    return noun if noun.endswith("s") and not noun.endswith("ss") else plural(noun)


def picks_a_row(asked: Asked) -> bool:
    return _place(asked) is not None


def row_said(asked: Asked, planner: JointPlanner) -> list[tuple[str, Statement]]:
    """The message with the name of the row, and with the noun of such rows; each with the row by its key."""
    place, text = _place(asked), asked.text
    row = row_in_hand(asked, planner.schema_words.knowledge, asked.reading.picks[0].place)
    if place is None or row is None:
        return []
    start, end = place
    inside = [n for n, token in enumerate(tokens_of(text)) if start <= token.start and token.end <= end]
    called = planner.schema_words.table_at(text, inside[1])
    if not _is_one(text, place) and called != row.verb.rpartition(".")[0]:
        return []
    said = [f"{text[:start]}{noun_of(row)}{text[end:]}"]
    name = next((each.display for each in row.arguments if each.display), "")
    if name:
        before = text[:start].rstrip()
        article = before.rpartition(" ")[2]
        kept = before.removesuffix(article) if "article" in _kinds(article) else f"{before} "
        said.append(f"{kept}{name}{text[end:]}")
    return [(each, row) for each in said]


def doubted(asked: Asked, found: tuple[TableReading, ...]) -> tuple[TableReading, ...]:
    """What says nothing of the row that is picked is not sure."""
    place, answer = _place(asked), asked.continuity.last_answer
    several = answer is not None and answer.row_count > 1 and answer.program == asked.continuity.in_hand
    if place is None or not several or not _is_one(asked.text, place):
        return found
    return tuple(each if each.follow_up else replace(each, score=min(each.score, MOST)) for each in found)


def without_name(statement: Statement, row: Statement, knowledge: Knowledge) -> Statement:
    """A statement that is kept to the key of a row, without the name by which the row was read."""
    name = next((each.display for each in row.arguments if each.display), "").casefold()
    table = knowledge.things.graph.by_name.get(row.verb.rpartition(".")[0])
    if not name or table is None:
        return statement
    labels = {each.column.name for each in knowledge.labels(table) if each.column is not None}

    def named(key: str, value: object) -> bool:
        return key in labels and isinstance(value, Text) and value.value.casefold() in name

    def bare(value: Map) -> Map:
        keyed = {each.name for each in row.arguments} <= {each.key for each in value.entries}
        return Map(
            tuple(
                Entry(each.key, bare(each.value) if isinstance(each.value, Map) else each.value)
                for each in value.entries
                if not (keyed and named(each.key, each.value))
            )
        )

    own = statement.verb.rpartition(".")[0] == table.name
    return replace(
        statement,
        arguments=tuple(
            Argument(each.name, bare(each.value), each.display) if isinstance(each.value, Map) else each
            for each in statement.arguments
            if not (own and named(each.name, each.value))
        ),
    )


def _place(asked: Asked) -> tuple[int, int] | None:
    """Where a message names one row by its place, and says more of it."""
    reading, text = asked.reading, asked.text
    if len(reading.picks) != 1 or not reading.picks[0].place:
        return None
    said = [each.text for each in reading.mentions if each.kind is MentionKind.ORDINAL]
    start = text.find(said[0]) if len(said) == 1 else -1
    several = start > 0 and len(tokens_of(said[0])) >= _WORDS
    return (start, start + len(said[0])) if several else None


def _is_one(text: str, place: tuple[int, int]) -> bool:
    return "ones" in _kinds(text[place[0] : place[1]].rpartition(" ")[2])


def _kinds(word: str) -> frozenset[str]:
    return frozenset(kind for each in said_phrases(word) for kind in each.kinds)
