"""Reads an order for a pipeline out of the pieces of a message."""

from typing import Final

from msgspec.structs import replace

from dragoman.contracts.record import Record
from dragoman.planning.pipelines.items import Item, Kind
from dragoman.planning.pipelines.message_walk import TableSaid
from dragoman.planning.pipelines.name_reader import NameReader
from dragoman.planning.pipelines.order import Named, Order, Wish
from dragoman.planning.pipelines.words import VERBS, WEAK, Cue

_WISHES: Final = {
    Cue.EXPORT: Wish.EXPORT,
    Cue.WANTS: Wish.EXPORT,
    Cue.CONVERT: Wish.EXPORT,
    Cue.COPY: Wish.COPY,
    Cue.SENDS: Wish.COPY,
    Cue.SYNC: Wish.SYNC,
}
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


_OPTIONS: Final = frozenset({Cue.FORMAT, Cue.COMPRESSION, Cue.MODE, Cue.PART, Cue.DELIMITER_SIGN})
_SILENT: Final = frozenset({Cue.NO_SCHEDULE, Cue.RATHER_THAN, Cue.PROMPT, Cue.SOURCE_SIDE})


class Read(Record, frozen=True):
    """An order and what was read of the message beside it."""

    order: Order
    tables: tuple[TableSaid, ...]
    used: frozenset[int]
    """The words that the order accounts for; those of tables are not among them."""
    verb_at: int = -1
    source_file: str = ""
    sides: tuple[str, ...] = ()


class OrderReader(NameReader):
    """Goes through the pieces once, from left to right, and takes each for what it can be there."""

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

    def _take_cue(self, at: int, item: Item) -> None:
        cue = item.cue
        if cue is None:
            return
        if cue in VERBS and self._verb_at < 0:
            self._verb_at = item.start
            self._use(item)
            self._order = replace(self._order, wish=_WISHES[cue], weak=cue in WEAK)
        elif cue in _FLAGS:
            self._order = replace(self._order, **{_FLAGS[cue]: True})
            self._use(item)
        elif cue in _OPTIONS:
            self._take_option(at, item)
        elif cue in _SILENT:
            self._take_silent(item)
        elif cue in (Cue.ABSENT_FORMAT, Cue.ABSENT_TARGET, Cue.SCHEDULE):
            self._take_said(at, item)
        else:
            self._take_named(at, item)

    def _take_silent(self, item: Item) -> None:
        """What changes nothing by itself: a pipeline that is spoken of is one that is wanted."""
        if item.cue is Cue.PROMPT and self._verb_at < 0:
            self._verb_at = item.start
            self._order = replace(self._order, wish=Wish.EXPORT)
        self._use(item)

    def _take_said(self, at: int, item: Item) -> None:
        order = self._order
        match item.cue:
            case Cue.ABSENT_FORMAT:
                self._order = replace(order, absent_format=item.means)
                self._use_with_direction(at, item)
            case Cue.ABSENT_TARGET:
                self._order = replace(order, absent_target=item.means)
                self._use_with_direction(at, item)
            case _:
                self._order = replace(order, schedule=order.schedule or item.means)
                self._use(item)

    def _take_named(self, at: int, item: Item) -> None:
        """Cues that say what a word beside them is."""
        match item.cue:
            case Cue.NAMED | Cue.INTO_TABLE | Cue.KEEP:
                self._take_name(at, item)
            case Cue.HEADER:
                self._take_header(at, item)
            case Cue.DELIMITER:
                self._take_delimiter(at, item)
            case Cue.PARTED:
                self._take_parts(at, item)
            case Cue.FOLDER:
                self._take_folder(at, item)
            case Cue.UNDER:
                self._take_under(at, item)
            case Cue.TABLE:
                self._take_table_name(at, item)
            case Cue.THAT_LIST if self._verb_at >= 0:
                self._order = replace(self._order, points=True)
                self._use(item)
            case Cue.ADDS if self._verb_at < 0 and not self._used:
                self._order = replace(self._order, also=True)
                self._use(item)
            case Cue.TO if not self._postfix:
                self._take_maybe_target(at, item)
            case _:
                pass

    def _take_delimiter(self, at: int, item: Item) -> None:
        sign = self._pieces.sign_behind(item.end - 1)
        if sign:
            self._options = replace(self._options, delimiter=sign)
            following = self._at(at + 1)
            if following is not None and following.kind is Kind.QUOTED:
                self._use(following)
                self._skip = following.end
        self._use(item)

    def _is_second(self, at: int, item: Item) -> bool:
        """Whether it is another form or target than the one that is taken: one pipeline has one of each, so
        the other stays among the words that nobody has read."""
        if self._is_turned_away(at):
            return False
        if item.cue is Cue.FORMAT:
            return self._options.format not in ("", item.means)
        taken = self._order.target
        return item.kind is Kind.CONNECTION and taken is not None and item.specs != taken.specs

    def _take_option(self, at: int, item: Item) -> None:
        if self._is_second(at, item):
            return
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
        if item.is_a(Cue.MODE, Cue.FORMAT) and before is not None and before.is_a(Cue.EXCEPT, Cue.NEGATION):
            return True
        return before is not None and before.is_a(Cue.RATHER_THAN)

    def _take_place(self, at: int, item: Item) -> None:
        if item.kind is Kind.FOLDER and self._names.is_value(item.text):
            return
        if self._direction(at) is Cue.TO and self._is_second(at, item):
            return
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
            if options.table and order.target is None:
                self._set_target(item)
                continue
            written = bool(order.target or options.format or options.path or options.folder)
            if order.source is None and (written or len(rest) > 1 or order.wish is not None):
                self._set_source(item)
            elif order.wish is not None or order.source is not None:
                self._set_target(item)

    def _finish(self) -> None:
        """What only the whole message tells: all tables of a source, the time of a schedule."""
        order, options = self._order, self._options
        named = [table for table in self._tables if not table.dropped]
        says = self._says_all or (order.source is not None and self._says_database)
        if says and not named and not order.everything and self._is_whole():
            order = replace(order, everything=True)
        if self._clock and order.schedule:
            hour, minute = self._clock.split(":")
            order = replace(
                order, schedule=" ".join((str(int(minute)), str(int(hour)), *order.schedule.split()[2:]))
            )
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
        if said and not (options.path or options.folder or order.unknown_target or self._is_of_rows()):
            self._options = replace(options, folder=order.maybe_target)
            self._order = replace(order, maybe_target="")
            self._used |= self._maybe_words

    def _is_of_rows(self) -> bool:
        """“Flights to Boston as CSV”: the rows that are meant, and no folder."""
        places = [place for table in self._tables if not table.dropped for place in table.places]
        return self._names.is_of(self._maybe_at, self._order.maybe_target, places)

    def _take_maybe_target(self, at: int, item: Item) -> None:
        """“to the moon”: where to is said, and nothing is called so."""
        place = at + 1
        while (each := self._at(place)) is not None and each.is_a(
            Cue.FILLER, Cue.DATABASE, Cue.TABLE, Cue.TO
        ):
            place += 1
        each = self._at(place)
        if each is None or each.kind not in (Kind.WORD, Kind.QUOTED) or each.text.isdigit():
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
        self._maybe_at = each.start
        self._maybe_words = set(range(item.start, self._pieces.end_of_raw(each.start)))
