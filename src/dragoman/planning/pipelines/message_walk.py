"""The pieces of a message for a pipeline, with what stands around each."""

from collections.abc import Sequence
from typing import Final

from dragoman.contracts.record import Record
from dragoman.planning.pipelines.items import Item, Kind
from dragoman.planning.pipelines.names_of_rows import NamesOfRows
from dragoman.planning.pipelines.order import Options, Order
from dragoman.planning.pipelines.pieces import Pieces
from dragoman.planning.pipelines.table_names import Place
from dragoman.planning.pipelines.words import Cue

_BETWEEN: Final = (Cue.FILLER, Cue.DATABASE, Cue.TABLE, Cue.FILE, Cue.FOLDER, Cue.ROWS_OF, Cue.PROMPT)
"""What may stand between a word of direction and the place that it is about."""


class TableSaid(Record, frozen=True, gc=True):
    """A table that is named: who has one of that name, and where the words stand."""

    places: tuple[Place, ...]
    start: int
    end: int
    dropped: bool = False
    whole: bool = True


class MessageWalk:
    """What the readers of an order share: the pieces, what they have taken, and what they found."""

    def __init__(self, pieces: Pieces, items: Sequence[Item], names: NamesOfRows, *, postfix: bool) -> None:
        """`postfix`: in this language words of direction stand behind the place."""
        self._pieces = pieces
        self._items = items
        self._names = names
        self._postfix = postfix
        self._order = Order()
        self._options = Options()
        self._used: set[int] = set()
        self._tables: list[TableSaid] = []
        self._verb_at = -1
        self._source_file = ""
        self._loose: list[Item] = []
        self._skip = -1
        self._maybe_words: set[int] = set()
        self._maybe_at = -1
        self._clock = ""
        self._says_all = self._has_all()
        self._says_database = any(item.is_a(Cue.DATABASE) for item in items)

    def _at(self, at: int) -> Item | None:
        return self._items[at] if 0 <= at < len(self._items) else None

    def _preceding(self, at: int) -> Item | None:
        """The piece before, over words that carry nothing."""
        place = at - 1
        while (each := self._at(place)) is not None and each.is_a(*_BETWEEN):
            place -= 1
        return each

    def _following(self, at: int) -> Item | None:
        place = at + 1
        while (each := self._at(place)) is not None and each.is_a(
            Cue.FILLER, Cue.COLUMN, Cue.TABLE, Cue.FILE
        ):
            place += 1
        return each

    def _direction(self, at: int) -> Cue | None:
        if self._postfix:
            place = at + 1
            while (each := self._at(place)) is not None and each.is_a(
                Cue.DATABASE, Cue.FILE, Cue.FOLDER, Cue.TABLE
            ):
                place += 1
            return each.cue if each is not None and each.is_a(Cue.FROM, Cue.TO) else None
        before = self._preceding(at)
        if before is not None and before.is_a(Cue.FROM, Cue.TO):
            return before.cue
        if before is not None and before.is_a(Cue.INSTEAD) and before is self._at(at - 1):
            return Cue.TO
        return None

    def _use(self, item: Item) -> None:
        self._used.update(range(item.start, item.end))

    def _use_with_direction(self, at: int, item: Item) -> None:
        """The words of a place, with those that say on which side it is."""
        self._use(item)
        if self._postfix:
            place = at + 1
            while (each := self._at(place)) is not None and each.is_a(
                Cue.FROM, Cue.TO, Cue.DATABASE, Cue.FILE, Cue.FOLDER, Cue.FILLER, Cue.RATHER_THAN
            ):
                self._use(each)
                place += 1
            return
        for step in (1, -1):
            place = at + step
            while (
                (each := self._at(place)) is not None
                and each.is_a(*_BETWEEN)
                and each.start not in self._used
            ):
                self._use(each)
                place += step
            if step < 0 and each is not None and each.is_a(Cue.FROM, Cue.TO):
                self._use(each)

    def _is_unwanted(self, at: int) -> bool:
        """Whether it is said behind it that it is not wanted."""
        place = at + 1
        while (each := self._at(place)) is not None and (
            each.kind is Kind.TABLE or each.is_a(Cue.FILLER, Cue.TABLE, Cue.COLUMN, Cue.DETAIL)
        ):
            place += 1
        if each is None or not each.is_a(Cue.LEAVE_OUT):
            return False
        self._use(each)
        return True

    def _says_all_now(self) -> bool:
        return self._order.everything or self._says_all

    def _is_excepted(self, at: int) -> bool:
        """Whether it is one of those that are named to be left out."""
        if self._is_unwanted(at):
            return True
        step = 1 if self._postfix else -1
        place = at + step
        while (each := self._at(place)) is not None:
            if each.is_a(Cue.EXCEPT, Cue.NEGATION) or (each.is_a(Cue.BUT) and self._says_all_now()):
                self._use(each)
                return True
            if not (each.kind is Kind.TABLE or each.is_a(Cue.FILLER, Cue.TABLE, Cue.HEADER, Cue.COLUMN)):
                return False
            place += step
        return False

    def _has_all(self) -> bool:
        """“Every table of the shop”, “the whole crm database”: a word for all, and one for tables near it."""
        near = (Cue.FILLER, Cue.FROM, Cue.IT, Cue.TO)
        for at, item in enumerate(self._items):
            if not item.is_a(Cue.ALL):
                continue
            for step in (1, -1):
                place = at + step
                while (each := self._at(place)) is not None and (
                    each.is_a(*near) or each.kind is Kind.CONNECTION
                ):
                    place += step
                if each is not None and each.is_a(Cue.TABLE, Cue.DATABASE, Cue.INTO_TABLE):
                    return True
        return False
