"""Reasons to doubt a reading that the weights are sure of: what it rests on, whom it shows, which days."""

from functools import cached_property

from msgspec.structs import replace

from dragoman.contracts.program import Date, Sequence, Statement, Text
from dragoman.language.types import parts
from dragoman.planning.database.lean import LEANING, lean_of, said_phrases
from dragoman.planning.database.planner import QuestionPlanner
from dragoman.planning.database.unwriter import frame_of
from dragoman.planning.database.vocabulary import words_in
from dragoman.planning.tables.lexicon import ENGLISH, spoken
from dragoman.planning.tables.table_reading import TableReading
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Table

_DOUBTED = 0.6
_ASKED = 3
"""Who, is, and somebody: so many phrases ask for whoever is named by a column."""
_OPEN = frozenset({"guessed: money", "guessed: time", "guessed: table"})
"""What was guessed that only whoever asks can know."""


class Doubts:
    """Doubts readings over one database."""

    def __init__(self, planner: QuestionPlanner) -> None:
        self._planner = planner

    def doubted(
        self, reading: TableReading, text: str, previous: Statement | None, *, unclear: bool
    ) -> TableReading:
        """A reading is not sure where the message leans on an answer and the reading does not, or where it
        asks who and nobody is shown, or where something was guessed that nothing tells."""
        leans = previous is not None and lean_of(text).strength >= LEANING and not reading.follow_up
        nobody = self.shows_nobody(text, reading.statement) and not self._ranks_named(reading, previous)
        if leans or nobody or not _OPEN.isdisjoint(reading.notes) or (unclear and _dated(reading.statement)):
            return replace(reading, score=min(reading.score, _DOUBTED))
        return reading

    def shows_nobody(self, text: str, statement: Statement) -> bool:
        """Whether it is asked who, and no person is shown."""
        words = text.casefold().split()
        who = bool(words) and words[0] in words_in(spoken(text)).who
        return who and not self._shows_people(statement) and not self._shows_named(text, statement)

    def _shows_named(self, text: str, statement: Statement) -> bool:
        """ "Who is the head of office": whoever the column of that name says, if it is shown."""
        table = self._planner.things.graph.by_name.get(statement.verb.rpartition(".")[0])
        phrases = said_phrases(text)
        if table is None or len(phrases) < _ASKED or "being" not in phrases[1].kinds:
            return False
        behind = {stem(word) for word in text[phrases[1].end :].casefold().split()}
        shown = _shown(statement)
        return any(
            each.is_text and not each.is_key and each.column.name in shown and set(each.words) <= behind
            for each in self._planner.things.of_table[table.key]
            if each.column is not None
        )

    def _ranks_named(self, reading: TableReading, previous: Statement | None) -> bool:
        """ "Who has the most" after projects by office: one of the offices in hand, which have names."""
        by = reading.statement.argument("by")
        if previous is None or not reading.follow_up or by is None or previous.argument("by") != by:
            return False
        frame = frame_of(reading.statement, self._planner.knowledge, self._planner.joins)
        group = frame.groups[0] if frame is not None and len(frame.groups) == 1 else None
        labels = () if group is None else self._planner.knowledge.labels(group.target)
        named = any(each.is_text and not each.is_key for each in labels)
        return named and group is not None and (group.ref is None or group.ref.thing in labels)

    def _shows_people(self, statement: Statement) -> bool:
        table = self._planner.things.graph.by_name.get(statement.verb.rpartition(".")[0])
        shown = _shown(statement)
        if not shown:
            return table is not None and self._is_people(table)
        return bool(shown & self._names_of_people)

    def _is_people(self, table: Table) -> bool:
        knowledge = self._planner.knowledge
        words = set(knowledge.things.table_thing[table.key].required)
        return len(knowledge.labels(table)) > 1 or bool(words & words_in(ENGLISH).people)

    @cached_property
    def _names_of_people(self) -> frozenset[str]:
        """What programs call the columns that name people."""
        tables = [table for table in self._planner.things.graph.tables.values() if self._is_people(table)]
        labels = [label for table in tables for label in self._planner.knowledge.labels(table)]
        return frozenset(label.column.name for label in labels if label.column is not None)


def _shown(statement: Statement) -> frozenset[str]:
    """The columns that are shown or gathered by, by the last part of their names."""
    shown = [each.value for each in statement.arguments if each.name in ("columns", "by")]
    texts = [item for value in shown for item in (value.items if isinstance(value, Sequence) else (value,))]
    return frozenset(item.value.split("/")[-1] for item in texts if isinstance(item, Text))


def _dated(statement: Statement) -> bool:
    """Whether a statement speaks of days."""
    values = [argument.value for argument in statement.arguments]
    while values:
        value = values.pop()
        if isinstance(value, Date):
            return True
        values.extend(parts(value))
    return False
