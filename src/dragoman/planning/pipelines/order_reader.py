"""Reads an order for a pipeline out of the pieces of a message."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.record import Record
from dragoman.planning.pipelines.items import Item, Kind
from dragoman.planning.pipelines.order import Named, Options, Order, Wish
from dragoman.planning.pipelines.pieces import Pieces
from dragoman.planning.pipelines.table_names import Place
from dragoman.planning.pipelines.words import VERBS, Cue

_WISHES: Final = {Cue.EXPORT: Wish.EXPORT, Cue.COPY: Wish.COPY, Cue.SYNC: Wish.SYNC, Cue.CONVERT: Wish.EXPORT}
_PLACES: Final = (Kind.CONNECTION, Kind.PATH, Kind.FOLDER, Kind.URL)
_FLAGS: Final = {
    Cue.ALSO: "also",
    Cue.ONLY: "only",
    Cue.INSTEAD: "instead",
    Cue.SAME: "same",
    Cue.IT: "points",
    Cue.RETRY: "retry",
    Cue.DELETES: "deletes",
    Cue.RESET_FILTER: "all_rows",
    Cue.EVERYTHING: "everything",
}
_BETWEEN: Final = (Cue.FILLER, Cue.DATABASE, Cue.TABLE, Cue.FILE, Cue.FOLDER, Cue.ROWS_OF, Cue.PROMPT)
"""What may stand between a word of direction and the place that it is about."""


class TableSaid(Record, frozen=True):
    """A table that is named: who has one of that name, and where the words stand."""

    places: tuple[Place, ...]
    start: int
    end: int
    dropped: bool = False
    whole: bool = True


class Read(Record, frozen=True):
    """An order and what was read of the message beside it."""

    order: Order
    tables: tuple[TableSaid, ...]
    used: frozenset[int]
    """The words that the order accounts for; those of tables are not among them."""
    verb_at: int = -1
    source_file: str = ""
    sides: tuple[str, ...] = ()


class OrderReader:
    """Goes through the pieces once, from left to right, and takes each for what it can be there."""

    def __init__(self, pieces: Pieces, items: Sequence[Item], *, postfix: bool) -> None:
        """`postfix`: in this language words of direction stand behind the place."""
        self._pieces = pieces
        self._items = items
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
        self._clock = ""
        self._says_all = self._has_all()
        self._says_database = any(item.is_a(Cue.DATABASE) for item in items)

    def read(self) -> Read:
        for at, item in enumerate(self._items):
            if item.start < self._skip:
                continue
            self._take(at, item)
        self._place_loose()
        self._place_maybe()
        self._finish()
        order = replace(self._order, options=self._options)
        return Read(order, tuple(self._tables), frozenset(self._used), self._verb_at, self._source_file)

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

    # One piece.

    def _take(self, at: int, item: Item) -> None:
        match item.kind:
            case Kind.TABLE:
                dropped = self._is_excepted(at)
                self._tables.append(TableSaid(item.places, item.start, item.end, dropped, item.whole))
            case Kind.CONNECTION | Kind.PATH | Kind.FOLDER | Kind.URL:
                self._take_place(at, item)
            case Kind.CUE:
                self._take_cue(at, item)
            case Kind.CRON:
                self._order = replace(self._order, schedule=item.text)
                self._use_with_direction(at, item)
            case Kind.CLOCK:
                self._clock = item.text
                self._use_with_direction(at, item)
            case Kind.QUOTED | Kind.WORD:
                """What nothing knows stays in the rest of the message."""

    def _use(self, item: Item) -> None:
        self._used.update(range(item.start, item.end))

    def _take_cue(self, at: int, item: Item) -> None:
        cue = item.cue
        if cue in VERBS and self._verb_at < 0:
            self._verb_at = item.start
            self._use(item)
            self._order = replace(self._order, wish=_WISHES[cue])
        elif cue in _FLAGS:
            self._order = replace(self._order, **{_FLAGS[cue]: True})
            self._use(item)
        elif cue in (Cue.FORMAT, Cue.COMPRESSION, Cue.MODE, Cue.PART, Cue.DELIMITER_SIGN):
            self._take_option(at, item)
        elif cue in (Cue.NAMED, Cue.INTO_TABLE, Cue.KEEP):
            self._take_name(at, item)
        elif cue is Cue.HEADER:
            self._take_header(at, item)
        elif cue is Cue.DELIMITER:
            sign = self._pieces.sign_behind(item.end - 1)
            if sign:
                self._options = replace(self._options, delimiter=sign)
                following = self._at(at + 1)
                if following is not None and following.kind is Kind.QUOTED:
                    self._use(following)
                    self._skip = following.end
            self._use(item)
        elif cue is Cue.PARTED:
            self._take_parts(at, item)
        elif cue is Cue.FOLDER:
            self._take_folder(at, item)
        elif cue is Cue.ABSENT_FORMAT:
            self._order = replace(self._order, absent_format=item.text)
            self._use_with_direction(at, item)
        elif cue is Cue.ABSENT_TARGET:
            self._order = replace(self._order, absent_target=item.text)
            self._use_with_direction(at, item)
        elif cue is Cue.SCHEDULE:
            self._order = replace(self._order, schedule=self._order.schedule or item.means)
            self._use(item)
        elif cue in (Cue.NO_SCHEDULE, Cue.RATHER_THAN, Cue.PROMPT, Cue.SOURCE_SIDE):
            if cue is Cue.PROMPT and self._verb_at < 0:
                self._verb_at = item.start
                self._order = replace(self._order, wish=Wish.EXPORT)
            self._use(item)
        elif cue is Cue.THAT_LIST and self._verb_at >= 0:
            self._order = replace(self._order, points=True)
            self._use(item)
        elif cue is Cue.UNDER:
            self._take_under(at, item)
        elif cue is Cue.ADDS and self._verb_at < 0 and not self._used:
            self._order = replace(self._order, also=True)
            self._use(item)
        elif cue is Cue.TABLE:
            self._take_table_name(at, item)
        elif cue is Cue.TO and not self._postfix:
            self._take_maybe_target(at, item)

    def _take_option(self, at: int, item: Item) -> None:
        self._use_with_direction(at, item)
        if self._is_turned_away(at):
            return
        match item.cue:
            case Cue.FORMAT:
                if not self._options.format:
                    tabs = "\t" if item.text in ("tsv", "tab separated values") else self._options.delimiter
                    self._options = replace(self._options, format=item.means, delimiter=tabs)
            case Cue.COMPRESSION:
                self._options = replace(self._options, compression=item.means)
            case Cue.MODE:
                self._options = replace(self._options, mode=item.means)
            case Cue.PART:
                self._options = replace(self._options, part=item.means)
            case Cue.DELIMITER_SIGN:
                self._options = replace(self._options, delimiter=item.means)
            case _:
                pass

    def _is_turned_away(self, at: int) -> bool:
        """Whether something is named as what is not wanted: instead of CSV."""
        if self._postfix:
            after = self._following(at)
            return after is not None and after.is_a(Cue.RATHER_THAN)
        before = self._preceding(at)
        item = self._items[at]
        if item.cue is Cue.MODE and before is not None and before.is_a(Cue.EXCEPT, Cue.NEGATION):
            return True
        return before is not None and before.is_a(Cue.RATHER_THAN)

    def _take_header(self, at: int, item: Item) -> None:
        wanted = not (self._is_excepted(at) or self._is_dropped_behind(at))
        self._options = replace(self._options, header=wanted)
        self._use(item)
        for place in (self._preceding(at), self._following(at)):
            if place is not None and place.is_a(Cue.EXCEPT):
                self._use(place)

    def _is_dropped_behind(self, at: int) -> bool:
        after = self._following(at)
        return after is not None and after.is_a(Cue.EXCEPT)

    def _take_folder(self, at: int, item: Item) -> None:
        behind, before = self._at(at + 1), self._at(at - 1)
        named = behind if behind is not None and behind.is_a(Cue.NAMED) else None
        if named is not None:
            self._use(named)
            behind = self._at(at + 2)
        for each in (behind, before):
            if each is None or not (each.kind in (Kind.WORD, Kind.QUOTED, Kind.TABLE) or each.cue in VERBS):
                continue
            if each.start in self._used and each is before:
                continue
            self._options = replace(self._options, folder=self._pieces.raw(each.start))
            self._use(each)
            if each is behind:
                self._skip = self._pieces.end_of_raw(each.start)
                self._used.update(range(each.start, self._skip))
            else:
                self._tables = [table for table in self._tables if table.start != each.start]
            break
        self._use_with_direction(at, item)

    def _take_part_column(self, at: int) -> None:
        """“Per month of the order date”: the date that is meant."""
        place = next((n for n, each in enumerate(self._items) if each.start >= self._skip), len(self._items))
        lead = self._at(place)
        if lead is None or not lead.is_a(Cue.FROM):
            return
        words: list[Item] = []
        place += 1
        while (each := self._at(place)) is not None and len(words) < 3 and not each.is_a(Cue.TO, Cue.UNDER):
            if each.kind not in (Kind.WORD, Kind.TABLE) and not each.is_a(Cue.FILLER, Cue.UNIT):
                break
            comma = "," in self._pieces.text[self._pieces.tokens[each.start - 1].end : self._pieces.tokens[each.start].start]
            if comma:
                break
            words.append(each)
            place += 1
        said = [each for each in words if not each.is_a(Cue.FILLER)]
        if not said:
            return
        self._options = replace(self._options, part_words=" ".join(self._pieces.raw(each.start) for each in said))
        self._skip = said[-1].end
        self._used.update(range(lead.start, self._skip))

    def _take_under(self, at: int, item: Item) -> None:
        """“Under archive/2024”, “inside archive”: a folder."""
        following = self._at(at + 1)
        while following is not None and following.is_a(Cue.FILLER, Cue.FOLDER):
            at += 1
            following = self._at(at + 1)
        if following is None or following.kind not in (Kind.WORD, Kind.QUOTED):
            return
        self._skip = self._pieces.end_of_raw(following.start)
        self._used.update(range(item.start, self._skip))
        self._options = replace(self._options, folder=self._pieces.raw(following.start))

    def _take_table_name(self, at: int, item: Item) -> None:
        """“The warehouse table won_deals”, “table won_deals”: a name that no source has, beside a target."""
        place = at - 1 if self._postfix else at + 1
        each = self._at(place)
        if each is None or each.kind not in (Kind.WORD, Kind.QUOTED, Kind.TABLE) or each.start in self._used:
            return
        raw = self._pieces.raw(each.start)
        if self._postfix:
            behind = self._at(at + 1)
            into = item.is_a(Cue.INTO_TABLE) or (behind is not None and behind.is_a(Cue.TO))
            if not into or each.kind is Kind.TABLE:
                return
        elif "_" not in raw and not (self._at(at - 1) or item).kind is Kind.CONNECTION:
            return
        self._options = replace(self._options, table=raw)
        self._tables = [table for table in self._tables if table.start != each.start]
        stop = self._pieces.end_of_raw(each.start)
        self._used.update(range(min(item.start, each.start), max(item.end, stop)))
        self._skip = max(self._skip, stop)

    def _take_parts(self, at: int, item: Item) -> None:
        """“One file per country”: what stands behind it, or before it where words stand so."""
        self._use(item)
        if self._postfix:
            words = [each for each in (self._at(at - 1),) if each is not None]
        else:
            words = []
            while (each := self._at(at + 1)) is not None and not each.is_a(Cue.TO, Cue.FROM, Cue.EXCEPT):
                if each.kind in (Kind.CONNECTION, Kind.PATH, Kind.FOLDER) or len(words) > 2:
                    break
                if not each.is_a(Cue.FILLER):
                    words.append(each)
                at += 1
        for each in words:
            self._use(each)
            self._skip = max(self._skip, each.end)
            if each.cue in (Cue.UNIT, Cue.PART):
                self._options = replace(self._options, part=each.means)
                self._take_part_column(at)
                return
        said = " ".join(self._pieces.raw(each.start) for each in words)
        self._tables = [table for table in self._tables if table.start not in {w.start for w in words}]
        self._options = replace(self._options, part_words=said)

    def _take_name(self, at: int, item: Item) -> None:
        if self._postfix and item.cue is Cue.INTO_TABLE:
            self._take_table_name(at, item)
            return
        following = self._at(at + 1)
        if following is None:
            if item.cue is Cue.KEEP:
                self._order = replace(self._order, keeps=True)
                self._use(item)
            return
        while following is not None and following.is_a(Cue.FILLER, Cue.TO, Cue.FILE):
            at += 1
            following = self._at(at + 1)
        if following is None:
            return
        name, stop = self._pieces.raw(following.start), self._pieces.end_of_raw(following.start)
        self._use(item)
        self._used.update(range(item.start, stop))
        self._skip = stop
        match item.cue:
            case Cue.NAMED if following.kind is Kind.PATH:
                self._take_place(at + 1, following)
            case Cue.NAMED:
                self._order = replace(self._order, name=name)
            case Cue.KEEP:
                self._order = replace(self._order, keeps=True, keep=name)
            case _:
                self._options = replace(self._options, table=name)

    # Places.

    def _take_place(self, at: int, item: Item) -> None:
        self._use_with_direction(at, item)
        if self._is_turned_away(at):
            return
        match self._direction(at):
            case Cue.FROM:
                self._set_source(item)
            case Cue.TO:
                self._set_target(item)
            case _:
                self._loose.append(item)

    def _set_source(self, item: Item) -> None:
        if item.kind is Kind.CONNECTION:
            if item.specs:
                self._order = replace(self._order, source=Named(item.text, item.specs))
            else:
                self._order = replace(self._order, unknown_source=item.text)
        elif item.kind is Kind.PATH:
            self._source_file = item.text
        else:
            self._order = replace(self._order, unknown_source=item.text)

    def _set_target(self, item: Item) -> None:
        match item.kind:
            case Kind.CONNECTION if item.specs:
                self._order = replace(self._order, target=Named(item.text, item.specs))
            case Kind.CONNECTION:
                self._order = replace(self._order, unknown_target=item.text)
            case Kind.PATH:
                self._options = replace(self._options, path=item.text)
            case Kind.FOLDER:
                self._options = replace(self._options, folder=item.text)
            case _:
                self._order = replace(self._order, unknown_target=item.text)

    def _place_loose(self) -> None:
        """Places without a word of direction: a file is where to, of two connections the first is where
        from; what is named beside a target is where from."""
        for item in self._loose:
            if item.kind in (Kind.PATH, Kind.FOLDER):
                reads = item.kind is Kind.PATH and self._order.wish is Wish.COPY and not self._tables
                (self._set_source if reads and self._order.target is not None else self._set_target)(item)
        rest = [item for item in self._loose if item.kind in (Kind.CONNECTION, Kind.URL)]
        for item in rest:
            order, options = self._order, self._options
            written = bool(order.target or options.format or options.path or options.folder)
            if order.source is None and (written or len(rest) > 1 or order.wish is not None):
                self._set_source(item)
            elif order.wish is not None or order.source is not None:
                self._set_target(item)

    def _finish(self) -> None:
        """What only the whole message tells: all tables of a source, the time of a schedule."""
        order, options = self._order, self._options
        named = [table for table in self._tables if not table.dropped]
        if self._says_all or (order.source is not None and self._says_database and not named):
            if not named and not order.everything and self._is_whole():
                order = replace(order, everything=True)
        if self._clock and order.schedule:
            hour, minute = self._clock.split(":")
            order = replace(order, schedule=" ".join((str(int(minute)), str(int(hour)), *order.schedule.split()[2:])))
        if options.compression == "some":
            packed = "zstd" if options.format == "parquet" or options.path.endswith(".parquet") else "gzip"
            self._options = replace(options, compression=packed)
        self._order = order

    def _is_whole(self) -> bool:
        """Whether nothing but the order is said: what else is left is asked of something."""
        return not any(
            item.kind in (Kind.WORD, Kind.QUOTED) and item.start not in self._used for item in self._items
        )

    def _place_maybe(self) -> None:
        """“To the archive as parquet”: files go into a folder of that name."""
        order, options = self._order, self._options
        said = order.maybe_target and options.format and order.target is None
        if said and not (options.path or options.folder or order.unknown_target):
            self._options = replace(options, folder=order.maybe_target)
            self._order = replace(order, maybe_target="")
            self._used |= self._maybe_words

    def _take_maybe_target(self, at: int, item: Item) -> None:
        """“to the moon”: where to is said, and nothing is called so."""
        place = at + 1
        while (each := self._at(place)) is not None and each.is_a(Cue.FILLER, Cue.DATABASE, Cue.TABLE, Cue.TO):
            place += 1
        each = self._at(place)
        if each is None or each.kind not in (Kind.WORD, Kind.QUOTED):
            return
        behind = self._at(place + 1)
        if behind is not None and behind.is_a(Cue.FOLDER):
            return
        raw, stop = self._pieces.raw(each.start), self._pieces.end_of_raw(each.start)
        place = next((n for n, one in enumerate(self._items) if one.start >= stop), len(self._items))
        while (behind := self._at(place)) is not None and behind.is_a(Cue.FILLER):
            place += 1
        if behind is not None and behind.kind is Kind.CONNECTION:
            # To monthly in the warehouse: a table of that name.
            self._options = replace(self._options, table=raw)
            self._order = replace(self._order, target=Named(behind.text, behind.specs))
            self._used.update(range(item.start, behind.end))
            self._skip = behind.end
            return
        self._order = replace(self._order, maybe_target=raw)
        self._maybe_words = set(range(item.start, self._pieces.end_of_raw(each.start)))

    # Around a piece.

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
        while (each := self._at(place)) is not None and each.is_a(Cue.FILLER, Cue.COLUMN, Cue.TABLE, Cue.FILE):
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
            while (each := self._at(place)) is not None and each.is_a(*_BETWEEN) and each.start not in self._used:
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
