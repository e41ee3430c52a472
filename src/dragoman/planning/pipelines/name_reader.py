"""Names in an order: of files, folders, tables, programs, and of the parts of files."""

from msgspec.structs import replace

from dragoman.planning.pipelines.items import Item, Kind
from dragoman.planning.pipelines.message_walk import MessageWalk
from dragoman.planning.pipelines.words import VERBS, Cue


class NameReader(MessageWalk):
    """Takes words that are names because of what stands beside them."""

    def _take_place(self, at: int, item: Item) -> None:
        """A file, a folder or a connection; the reader of orders knows which side it is on."""
        raise NotImplementedError

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
            comma = (
                ","
                in self._pieces.text[
                    self._pieces.tokens[each.start - 1].end : self._pieces.tokens[each.start].start
                ]
            )
            if comma:
                break
            words.append(each)
            place += 1
        said = [each for each in words if not each.is_a(Cue.FILLER)]
        if not said:
            return
        self._options = replace(
            self._options, part_words=" ".join(self._pieces.raw(each.start) for each in said)
        )
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
        leading = self._preceding(at)
        led = leading is not None and (leading.kind is Kind.CONNECTION or leading.is_a(Cue.TO))
        if each.kind is Kind.TABLE and not (led or item.is_a(Cue.INTO_TABLE)):
            return
        if self._postfix:
            behind = self._at(at + 1)
            into = item.is_a(Cue.INTO_TABLE) or (behind is not None and behind.is_a(Cue.TO))
            if not into or each.kind is Kind.TABLE:
                return
        elif "_" not in raw and (self._at(at - 1) or item).kind is not Kind.CONNECTION:
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
