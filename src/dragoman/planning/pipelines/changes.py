"""A follow-up on the pipeline in hand: each thing that a message says is one change of its statements."""

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.schema import ColumnInfo
from dragoman.contracts.vocabulary import Signal
from dragoman.language.program_names import is_kebab, kebab_of
from dragoman.planning.contract import Asked, Question, Refusal
from dragoman.planning.pipelines.build import NO_TABLE
from dragoman.planning.pipelines.columns import columns_said
from dragoman.planning.pipelines.filters import Conditions, Filtered, added, kept_to
from dragoman.planning.pipelines.order import Options
from dragoman.planning.pipelines.pipeline import Pair, Pipeline, Symbols, said_in, told_apart, with_argument
from dragoman.planning.pipelines.questions import Questions, with_own_columns
from dragoman.planning.pipelines.readers import (
    ReadTable,
    as_list,
    columns_of,
    identified,
    place_of,
    real_names,
    table_behind,
    with_columns,
)
from dragoman.planning.pipelines.request import Request
from dragoman.planning.pipelines.steps import plain, table_reader, writer_for
from dragoman.planning.pipelines.synthesis import rows_of_table
from dragoman.planning.pipelines.table_names import Place, stems_of, words_of_name
from dragoman.planning.pipelines.targets import is_said, refused
from dragoman.planning.pipelines.words import Cue
from dragoman.planning.pipelines.writers import rewritten, target_in_hand

NO_COLUMN = "pipeline_no_column"
LAST_TABLE = "pipeline_last_table"

Changed = Pipeline | Refusal | None
_TALK = frozenset({Signal.ABOUT_ANSWER, Signal.RECAP, Signal.CHAT, Signal.DATA_SCOPE, Signal.RUN})


class Changer:
    """Changes the pipeline in hand by one message."""

    def __init__(
        self,
        asked: Asked,
        request: Request,
        places: Sequence[Place],
        questions: Questions,
        folder: Path | None,
    ) -> None:
        self._asked = asked
        self._request = request
        self._places = tuple(places)
        self._questions = questions
        self._folder = folder
        self._postfix = request.postfix
        self._covered: set[int] = set()

    def change(self, held: Pipeline) -> Changed:
        """The pipeline as the message wants it; None where it says nothing of one."""
        stopped = refused(self._request.order, self._asked.catalog, self._folder)
        if stopped is not None:
            return stopped
        now: Changed = held
        steps: tuple[Callable[[Pipeline], Changed], ...] = (
            self._named,
            self._unfiltered,
            self._tables,
            self._columns,
            self._written,
            self._narrowed,
        )
        for step in steps:
            if not isinstance(now, Pipeline):
                return now
            now = step(now)
        if now == held and not self._is_same_again():
            return None
        return now

    def _is_same_again(self) -> bool:
        """Whether what is said is so already: as CSV, of a pipeline that writes CSV."""
        order = self._request.order
        said = is_said(order) or order.options != Options() or bool(order.name) or bool(self._covered)
        return said and not self._left()

    def _named(self, held: Pipeline) -> Changed:
        name = self._request.order.name
        if not name:
            return held
        return replace(held, name=name if is_kebab(name) else kebab_of(name))

    # Tables.

    def _tables(self, held: Pipeline) -> Changed:
        request, order = self._request, self._request.order
        pairs = list(held.pairs)
        for said in request.dropped:
            gone = [pair for pair in pairs if self._is_of(pair, said.places)]
            if not gone:
                return Refusal(NO_TABLE, (self._words(said.start, said.end), ""))
            pairs = [pair for pair in pairs if pair not in gone]
        if not pairs:
            return Refusal(LAST_TABLE)
        held = replace(held, pairs=tuple(pairs))
        named = [pair for pair in pairs if any(self._is_of(pair, said.places) for said in request.kept)]
        if order.only and named and not self._left() and len(named) == len(request.kept):
            return replace(held, pairs=tuple(named))
        added = [said for said in request.kept if not any(self._is_of(pair, said.places) for pair in pairs)]
        if not added:
            return held
        if not (order.also or order.same or order.instead or not self._left()):
            return held
        source = self._source(held)
        found = []
        for said in added:
            own = [place for place in said.places if place.spec == source] or list(said.places)
            if not said.whole and len(own) > 1:
                return Refusal(NO_TABLE, (self._words(said.start, said.end), ""))
            found.append(own[0])
        kept = () if (order.same or order.instead) and not order.also else held.pairs
        return self._with_tables(held, kept, found)

    def _with_tables(self, held: Pipeline, kept: tuple[Pair, ...], places: Sequence[Place]) -> Pipeline:
        catalog = self._asked.catalog
        taken = [step.binds for pair in kept for step in pair.steps]
        symbols = Symbols(taken)
        several = len(kept) + len(places) > 1
        target = replace(target_in_hand(held, catalog), several=several)
        if several:
            target = replace(target, options=replace(target.options, path="", table=""))
        elif not kept and self._is_own_name(held, target.options.path):
            target = replace(target, options=replace(target.options, path=""))
        pairs = list(kept)
        for place in places:
            rows = rows_of_table(place)
            reader = table_reader(place, catalog, symbols)
            pairs.append(Pair(reader, writer_for(reader, rows.name, rows.keys, target, catalog, symbols)))
        return replace(held, pairs=told_apart(pairs))

    def _is_own_name(self, held: Pipeline, path: str) -> bool:
        """Whether a file has the name of the table it was written for: of another table it has another."""
        read = self._read(held.pairs[0])
        stem = path.rpartition("/")[2].partition(".")[0]
        return read is not None and plain(stem) == plain(read.place.table.name)

    def _is_of(self, pair: Pair, places: Sequence[Place]) -> bool:
        read = self._read(pair)
        return read is not None and any(place.table == read.place.table for place in places)

    def _read(self, pair: Pair) -> ReadTable | None:
        return place_of(pair.reader, self._places, self._asked.catalog)

    def _source(self, held: Pipeline) -> ConnectionSpec | None:
        named = self._request.order.source
        if named is not None and named.specs:
            return named.specs[0]
        return next((read.place.spec for pair in held.pairs if (read := self._read(pair)) is not None), None)

    # Columns.

    def _columns(self, held: Pipeline) -> Changed:
        pairs = []
        for pair in held.pairs:
            read = self._read(pair)
            if read is None:
                pairs.append(pair)
                continue
            said = columns_said(
                self._request, read.place.table.columns, read.place.table.name, postfix=self._postfix
            )
            if not (said.chosen or said.dropped) or not self._is_about_columns(said.chosen, said.dropped):
                pairs.append(pair)
                continue
            self._covered |= said.covered
            whole = [column.name for column in read.place.table.columns]
            before = self._before(pair, read) or tuple(whole)
            now = self._columns_now(before, said.chosen, said.dropped, whole)
            if not now:
                return Refusal(LAST_TABLE)
            pairs.append(replace(pair, reader=with_columns(pair.reader, now, whole)))
        left = sorted(self._left()) if self._has(Cue.COLUMN) else []
        if left and not self._request.order.options.part:
            unknown = " ".join(self._request.items[at].text for at in left)
            names = (c.name for pair in held.pairs for c in self._columns_there(pair))
            return Refusal(NO_COLUMN, (unknown, ", ".join(dict.fromkeys(names))))
        return replace(held, pairs=tuple(pairs))

    def _before(self, pair: Pair, read: ReadTable) -> tuple[str, ...]:
        """The columns that a pair names now."""
        return real_names(columns_of(pair.reader), read.place, self._asked.catalog)

    def _columns_there(self, pair: Pair) -> tuple[ColumnInfo, ...]:
        read = self._read(pair)
        return () if read is None else read.place.table.columns

    def _is_about_columns(self, chosen: tuple[str, ...], dropped: tuple[str, ...]) -> bool:
        """Whether names of columns are meant: nothing but them is said, or they are called columns."""
        if dropped or self._has(Cue.COLUMN) or self._request.order.also:
            return True
        return not [at for at in self._request.left if not self._is_name(at)]

    def _is_name(self, at: int) -> bool:
        item = self._request.items[at]
        words = {
            w
            for token in self._request.pieces.tokens[item.start : item.end]
            for w in stems_of(token, self._request.spoken)
        }
        names = (c.name for place in self._places for c in place.table.columns)
        return any(words & set(words_of_name(name)) for name in names)

    def _columns_now(
        self, before: tuple[str, ...], chosen: tuple[str, ...], dropped: tuple[str, ...], whole: list[str]
    ) -> tuple[str, ...]:
        if dropped:
            kept = tuple(name for name in before if name not in dropped)
            return (*kept, *(name for name in chosen if name not in (*kept, *dropped)))
        order = self._request.order
        if order.also or not order.only:
            adds = order.also or set(chosen) - set(before)
            if adds and not order.only:
                return (*before, *(name for name in chosen if name not in before))
        return tuple(name for name in chosen if name in whole)

    # The target.

    def _written(self, held: Pipeline) -> Changed:
        return rewritten(held, self._request.order, self._asked.catalog, self._keys)

    def _keys(self, pair: Pair) -> tuple[str, ...]:
        read = self._read(pair)
        return read.place.table.primary_key if read is not None else ()

    # Rows.

    def _unfiltered(self, held: Pipeline) -> Changed:
        if not self._request.order.all_rows:
            return held
        pairs = []
        for pair in held.pairs:
            read = self._read(pair)
            if read is None or said_in(pair.reader, "table"):
                pairs.append(pair)
                continue
            plain = table_reader(read.place, self._asked.catalog, Symbols(), columns_of(pair.reader))
            pairs.append(replace(pair, reader=replace(plain, binds=pair.reader.binds)))
        return replace(held, pairs=tuple(pairs))

    def _narrowed(self, held: Pipeline) -> Changed:
        """What is left is a condition on the rows."""
        left = self._left()
        if not left or self._is_talk():
            return held
        about = [
            pair for pair in held.pairs if any(self._is_of(pair, said.places) for said in self._request.kept)
        ]
        wanted = about or list(held.pairs)
        pairs, done = [], False
        for pair in held.pairs:
            now = self._filtered(pair, left) if pair in wanted else None
            done = done or now is not None
            pairs.append(now or pair)
        if done:
            return replace(held, pairs=tuple(pairs))
        if len(wanted) == 1:
            return self._by_question(held, wanted[0])
        return self._unread(Refusal("uncovered_words", self._request.words_left))

    def _filtered(self, pair: Pair, left: set[int]) -> Pair | None:
        read = self._read(pair)
        if pair.between:
            return None
        if read is None:
            return self._computed_of_fewer(pair, left)
        found = Conditions(self._request, read.place, self._asked, self._questions.values).read()
        if found is None or not self._is_all(found, left):
            return None
        named = Filtered(identified(found.arguments, read.place, self._asked.catalog), found.covered)
        listed, adds = as_list(pair.reader, read, self._asked.catalog), self._request.order.also
        return replace(pair, reader=kept_to(listed, named, read.place.table, adds=adds))

    def _computed_of_fewer(self, pair: Pair, left: set[int]) -> Pair | None:
        """A figure over fewer rows of its table."""
        catalog = self._asked.catalog
        place = table_behind(pair.reader, self._places, catalog)
        if place is None:
            return None
        found = Conditions(self._request, place, self._asked, self._questions.values).read()
        if found is None or not self._is_all(found, left):
            return None
        named = Filtered(identified(found.arguments, place, catalog), found.covered)
        return replace(pair, reader=kept_to(pair.reader, named, place.table, adds=self._request.order.also))

    def _is_all(self, found: Filtered, left: set[int]) -> bool:
        """Whether conditions account for every word that is left."""
        spans = (range(self._request.items[at].start, self._request.items[at].end) for at in left)
        return not any(found.covered.isdisjoint(span) for span in spans)

    def _by_question(self, held: Pipeline, pair: Pair) -> Changed:
        read = self._read(pair)
        step = pair.reader if read is None else as_list(pair.reader, read, self._asked.catalog)
        spec = self._asked.catalog.connection_named(said_in(step, "connection"))
        alone = len(self._asked.catalog.databases.specs) == 1
        base = with_argument(step, "connection", None) if alone else step
        base = with_argument(base, "columns", None) if read is not None else base
        base = replace(base, binds="")
        name = spec.name if spec is not None else ""
        said = self._questions.changed(self._asked, self._question(), (base,), name)
        if isinstance(said, Question):
            return self._unread(Refusal("no_reading"))
        if isinstance(said, Refusal):
            return self._unread(said)
        found = said[0].program[-1]
        if found.verb != base.verb and (read is not None or not self._request.computes):
            return self._unread(Refusal("uncovered_words", self._request.words_left))
        if read is not None:
            found = with_own_columns(said[0], self._request)
            kept = step.argument("columns")
            found = found if kept is None else with_argument(found, "columns", kept.value)
            connection = step.argument("connection")
            if connection is not None and found.argument("connection") is None:
                found = replace(found, arguments=(connection, *found.arguments))
        if self._request.order.also:
            found = replace(found, arguments=tuple(added(step, each) for each in found.arguments))
        now = replace(found, binds=pair.reader.binds)
        if now == replace(step, binds=now.binds):
            # “How many is that?”: a word was read, and nothing of it is a change of the rows.
            return self._unread(Refusal("uncovered_words", self._request.words_left))
        return replace(
            held, pairs=tuple(replace(each, reader=now) if each is pair else each for each in held.pairs)
        )

    def _is_talk(self) -> bool:
        """Whether a message asks something, or speaks of an answer, and does not lean on the rows in hand."""
        order, reading = self._request.order, self._asked.reading
        if order.only or order.same or order.also or order.instead:
            return False
        talks = bool(_TALK.intersection(self._asked.own)) or reading.meta is not None or reading.recap
        return talks or reading.asks or reading.phrase is not None

    def _unread(self, refusal: Refusal) -> Refusal | None:
        """A message that leans on the pipeline is refused by its words; any other is for somebody else."""
        order = self._request.order
        leans = order.only or order.same or order.also or order.instead or is_said(order)
        return refusal if leans and not self._asked.reading.asks else None

    def _question(self) -> str:
        """What is left of the message, with the words that make it a change of rows."""
        request = self._request
        back = {
            at
            for item in request.items
            if item.is_a(Cue.ONLY, Cue.EXCEPT)
            for at in range(item.start, item.end)
        }
        return request.asked_with(frozenset(back))

    # What is left.

    def _left(self) -> set[int]:
        return {
            at
            for at in self._request.left
            if not self._covered.intersection(
                range(self._request.items[at].start, self._request.items[at].end)
            )
        }

    def _has(self, cue: Cue) -> bool:
        return any(item.is_a(cue) for item in self._request.items)

    def _words(self, start: int, end: int) -> str:
        tokens = self._request.pieces.tokens
        return self._request.pieces.text[tokens[start].start : tokens[end - 1].end]
