"""Readings that say the same words by a longer way: over further tables, of which nobody speaks.

What is asked of orders is seldom asked of those that have a refund. Such readings rest on a link that the
message does not name, and stand near the plain one only because every word finds its place there too.
"""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from dragoman.contracts.program import Statement
from dragoman.planning.database.offers import MOST, OTHERS
from dragoman.planning.database.reaches import by_own_keys, tables_of
from dragoman.planning.database.sameness import alike
from dragoman.planning.tables.schema_names import Things
from dragoman.planning.tables.table_reading import TableReading
from dragoman.planning.tables.words import tokens_of
from dragoman.tables.graph import TableKey


class Detours:
    """Knows which readings of one message are a detour beside another. `is_clear`: whether nobody objects to
    a statement."""

    def __init__(self, text: str, things: Things, is_clear: Callable[[Statement], bool]) -> None:
        self.is_clear = is_clear
        self.text = text
        self._things = things
        self._said = {each.stem for each in tokens_of(text)}
        self._known: dict[Statement, tuple[Statement, frozenset[TableKey]]] = {}

    def is_none_of_its_own(self, plain: Statement, other: Statement) -> bool:
        """Whether another statement asks nothing that a plain one does not: it tells the same rows by keys of
        others, or is a detour."""
        (short, near), (long, far) = self._reached(plain), self._reached(other)
        return alike(short, long) or (
            _does(plain) == _does(other)
            and near < far
            and not any(self._is_said(key, near) for key in far - near)
        )

    def _reached(self, statement: Statement) -> tuple[Statement, frozenset[TableKey]]:
        if statement not in self._known:
            short = by_own_keys(statement, self._things.graph)
            self._known[statement] = short, tables_of(short, self._things.graph)
        return self._known[statement]

    def _is_said(self, table: TableKey, near: frozenset[TableKey]) -> bool:
        """Whether the message speaks of a table: by the noun of its name, by a word that no nearer table has,
        or as a pack calls it."""
        thing = self._things.table_thing[table]
        usual = {word for key in near for word in self._things.table_thing[key].required}
        called = {word for word, found in self._things.aliases.items() if (thing.number, 0) in found}
        return bool({thing.required[-1], *(set(thing.required) - usual), *called} & self._said)


def _does(statement: Statement) -> str:
    return statement.verb.rpartition(".")[2]


def without_detours(found: Sequence[TableReading], detours: Detours) -> tuple[TableReading, ...]:
    """The readings without those that are none of their own beside a likelier one, of which every word is
    accounted for and nobody objects. What they would add to the question speaks for that one."""
    kept: list[TableReading] = []
    clear: list[int] = []
    for each in found:
        plain = next((at for at in clear if _says_less(detours, kept[at].statement, each.statement)), None)
        if plain is not None:
            score = min(MOST, kept[plain].score + each.score * OTHERS)
            kept[plain] = replace(kept[plain], score=round(max(kept[plain].score, score), 4))
            continue
        if not each.uncovered and detours.is_clear(each.statement):
            clear.append(len(kept))
        kept.append(each)
    return tuple(kept)


def _says_less(detours: Detours, plain: Statement, other: Statement) -> bool:
    """Whether a statement is none of its own beside a plain one, and not only shows something else: that is
    left to choose from."""
    return detours.is_none_of_its_own(plain, other) and not alike(plain, other)
