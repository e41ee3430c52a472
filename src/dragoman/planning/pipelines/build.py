"""A new pipeline: the order, the tables that it names and the words that are left become programs."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.verbs import connection_in
from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.program import Program, Statement
from dragoman.contracts.record import Record
from dragoman.planning.contract import Asked, Candidate, Question, Refusal
from dragoman.planning.pipelines.built import Built
from dragoman.planning.pipelines.columns import columns_said
from dragoman.planning.pipelines.file_rows import of_file
from dragoman.planning.pipelines.filters import Conditions, kept_to
from dragoman.planning.pipelines.items import Item
from dragoman.planning.pipelines.joined_rows import joined
from dragoman.planning.pipelines.order import Wish
from dragoman.planning.pipelines.parts import NO_DAYS, parted
from dragoman.planning.pipelines.pipeline import Pair, Symbols
from dragoman.planning.pipelines.questions import Questions, with_own_columns
from dragoman.planning.pipelines.readers import as_list, identified, place_of
from dragoman.planning.pipelines.request import Request
from dragoman.planning.pipelines.steps import (
    DEFAULT_FORMAT,
    UPSERT,
    Target,
    connection_name,
    format_of,
    plain,
    table_reader,
    writer_for,
)
from dragoman.planning.pipelines.synthesis import (
    Rows,
    in_order_of_links,
    pipeline_for,
    rows_of_question,
    rows_of_table,
)
from dragoman.planning.pipelines.table_names import Place
from dragoman.planning.pipelines.targets import NO_TARGET, refused, targets_here, targets_of
from dragoman.planning.pipelines.words import Cue

NO_TABLE = "pipeline_no_table"
NO_TABLES = "pipeline_no_tables"
SAME_PLACE = "pipeline_same_place"


class Lacking(Record, frozen=True, gc=True):
    """A question that lacks an anchor, and the writers that wait for its rows."""

    question: Question
    writers: Program


Found = tuple[Built, ...] | Refusal | Lacking | None


class Builder:
    """Makes pipelines for one message."""

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
        self._catalog: Catalog = asked.catalog

    def build(self) -> Found:
        order = self._request.order
        stopped = refused(order, self._catalog, self._folder)
        if stopped is not None:
            return stopped
        if self._request.read.source_file:
            return of_file(self._request, self._catalog)
        found: list[Built] = []
        for target in targets_of(order):
            made = self._for_target(target)
            if not isinstance(made, tuple):
                return made
            found += made
        return tuple(found) or None

    # From where.

    def _for_target(self, target: Target) -> Found:
        request, order = self._request, self._request.order
        if request.kept or order.everything or (request.dropped and not request.kept):
            places = self._of_source(target)
            if isinstance(places, Refusal):
                return places
            # All data of the customers are all rows of that table.
            if not request.kept:
                return self._whole(places, target)
            return self._tables(places, target)
        return self._by_question(target)

    def _of_source(self, target: Target) -> tuple[Place, ...] | Refusal:
        """The tables that rows may come from: those of the source that is named, or any but the target's."""
        named = self._request.order.source
        if named is None:
            found = tuple(place for place in self._places if place.spec != target.spec)
            return found or self._places
        if target.spec is not None and named.specs == (target.spec,):
            return Refusal(SAME_PLACE, (connection_name(target.spec, self._catalog),))
        wanted = [spec for spec in named.specs if spec != target.spec]
        found = tuple(place for place in self._places if place.spec in wanted)
        return found or Refusal(NO_TABLES, (named.said,))

    def _whole(self, places: tuple[Place, ...], target: Target) -> Found:
        specs = _specs(places)
        if not specs:
            return Refusal(NO_TABLES, ("",))
        default = [spec for spec in specs if spec == self._catalog.default]
        if len(specs) > 1 and self._request.order.source is None and default:
            specs = default
        left_out = {(each.spec, each.table.name) for said in self._request.dropped for each in said.places}
        found = []
        for spec in specs:
            own = [p for p in places if p.spec == spec and (p.spec, p.table.name) not in left_out]
            if not own:
                return Refusal(NO_TABLES, (connection_name(spec, self._catalog),))
            rows, left = self._without_columns(in_order_of_links(own))
            if left:
                return Refusal("uncovered_words", left)
            found.append(self._built(rows, target, spec))
        return _all(found)

    def _tables(self, places: tuple[Place, ...], target: Target) -> Found:
        """The tables that are named. Those that several databases have are offered for each."""
        kept = self._request.kept
        by_table = [tuple(place for place in said.places if place in places) for said in kept]
        missing = [said for said, found in zip(kept, by_table, strict=True) if not found]
        if missing:
            named = self._request.order.source
            return Refusal(
                NO_TABLE, (self._words(missing[0].start, missing[0].end), named.said if named else "")
            )
        common = [spec for spec in _specs(places) if all(_of(spec, found) for found in by_table)]
        if not common:
            return Refusal(NO_TABLE, (self._words(kept[-1].start, kept[-1].end), ""))
        default = [spec for spec in common if spec == self._catalog.default]
        found: list[Built] = []
        for spec in common if not (self._request.order.source is None and default) else default:
            made = self._of_spec(spec, [_of(spec, each) for each in by_table], target)
            if not isinstance(made, tuple):
                return made
            found += made
        return tuple(found)

    def _of_spec(self, spec: ConnectionSpec, by_table: list[tuple[Place, ...]], target: Target) -> Found:
        request = self._request
        # A part of a name may be that of several tables: each of them is offered.
        unclear = next((found for found in by_table if len(found) > 1), None)
        if unclear is not None and len(by_table) == 1:
            return _all(
                [self._built([rows_of_table(each)], target, spec, each.table.name) for each in unclear]
            )
        chosen = _once([found[0] for found in by_table])
        rows = [rows_of_table(place) for place in chosen]
        if not request.left and not request.dropped:
            return _all([self._built(rows, target, spec)])
        if request.computes:
            return self._by_question(target, chosen[0])
        if len(chosen) > 1:
            step = None
            if request.order.options.path:
                step = joined(request, chosen, self._asked, self._questions.values)
            if step is not None:
                return _all([self._built([rows_of_question((step,), chosen[0].table.name)], target, spec)])
            return self._several(chosen, target, spec)
        return self._narrowed(chosen[0], target, spec)

    def _several(self, chosen: Sequence[Place], target: Target, spec: ConnectionSpec) -> Found:
        """Several tables: what is left may only be columns that all of them leave out."""
        rows, left = self._without_columns(chosen)
        if left:
            return self._by_question(target)
        return _all([self._built(rows, target, spec)])

    def _without_columns(self, places: Sequence[Place]) -> tuple[list[Rows], tuple[str, ...]]:
        """Each table without the columns that all of them leave out, and the words that say more."""
        rows, covered = [], set[int]()
        for place in places:
            said = columns_said(self._request, place.table.columns, place.table.name, postfix=self._postfix)
            covered |= said.covered if not said.chosen else set()
            rows.append(rows_of_table(place, _kept(place, (), said.dropped)))
        items = self._request.items
        return rows, tuple(items[at].text for at in sorted(self._uncovered(covered)))

    def _narrowed(self, place: Place, target: Target, spec: ConnectionSpec) -> Found:
        """One table, and words beside it: columns, a condition that the schema explains, or a question."""
        said = columns_said(self._request, place.table.columns, place.table.name, postfix=self._postfix)
        if not self._uncovered(said.covered):
            rows = rows_of_table(place, _kept(place, said.chosen, said.dropped))
            return _all([self._built([rows], target, spec)])
        found = Conditions(self._request, place, self._asked, self._questions.values).read()
        if found is None:
            return self._by_question(target, place)
        plain = table_reader(place, self._catalog, Symbols())
        read = place_of(plain, self._places, self._catalog)
        if read is None:
            return self._by_question(target, place)
        step = kept_to(as_list(plain, read, self._catalog), found, place.table)
        step = replace(step, arguments=identified(step.arguments, place, self._catalog))
        return _all([self._built([rows_of_question((step,), place.table.name)], target, spec)])

    # By a question.

    def _by_question(self, target: Target, place: Place | None = None) -> Found:
        request, order = self._request, self._request.order
        stated = tuple(each.text for each in self._left_items() if each.is_a(Cue.STATE))
        if stated:
            return self._but_for(stated, target, place)
        specs = order.source.specs if order.source is not None else (place.spec,) if place else ()
        connection = specs[0].name if len(specs) == 1 else ""
        best = request.computes or place is not None
        said = self._questions.rows(self._asked, request.question, connection, takes_best=best)
        if isinstance(said, Question):
            return Lacking(said, (self._writer_of(said, target),))
        if isinstance(said, Refusal):
            return self._unread(said)
        found: list[Built] = []
        for each in self._of_default(said) if not specs else said:
            step = with_own_columns(each, request, self._columns_of(each))
            name = place.table.name if place is not None else step.verb.replace(".list", "").replace(".", "_")
            built = self._built([rows_of_question((step,), name)], target, specs[0] if specs else None)
            if isinstance(built, Refusal):
                return built
            if all(built.pipeline != other.pipeline for other in found):
                found.append(Built(built.pipeline, built.source, each.label, each.uncovered))
        return tuple(found)

    def _left_items(self) -> list[Item]:
        return [self._request.items[at] for at in self._request.left]

    def _but_for(self, stated: tuple[str, ...], target: Target, place: Place | None) -> Found:
        """New customers: no column says who is new, so all of them are offered, and the word is named."""
        if place is None or len(stated) < len(self._request.left):
            return Refusal("uncovered_words", stated)
        built = self._built([rows_of_table(place)], target, place.spec)
        if isinstance(built, Refusal):
            return built
        return (replace(built, label=f"{place.table.name}: {built.label}", uncovered=stated),)

    def _columns_of(self, candidate: Candidate) -> tuple[str, ...]:
        """All columns of the table that a list reads, as programs call them."""
        step = candidate.program[-1]
        spec = self._catalog.connection_for(step.verb, connection_in(step))
        tables = self._catalog.tables_of(spec) if spec is not None else None
        found = tables.graph.by_name.get(step.verb.rpartition(".")[0]) if tables is not None else None
        return tuple(found.columns) if found is not None else ()

    def _of_default(self, said: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
        """Of readings over several databases those over the default one, as for tables that several have."""
        default = self._catalog.default
        own = tuple(
            each
            for each in said
            if default is not None
            and self._catalog.connection_for(each.program[0].verb, connection_in(each.program[0])) == default
        )
        return own or said

    def _unread(self, refusal: Refusal) -> Refusal:
        """Nobody reads the rest. A place that nobody knows is then the better reason."""
        order = self._request.order
        if order.maybe_target and order.target is None and not order.options.format:
            return Refusal(NO_TARGET, (order.maybe_target, ", ".join(targets_here(self._catalog))))
        words = self._request.words_left
        if refusal.code == "no_reading" and order.wish is not None and words:
            return Refusal(NO_TABLE, (" ".join(words), ""))
        return refusal

    def _writer_of(self, question: Question, target: Target) -> Statement:
        name = question.verb.signature.name
        reader = Statement(name, (), f"extract-{plain(name)}")
        return writer_for(reader, name.replace(".", "_"), (), target, self._catalog, Symbols())

    # What is built.

    def _built(
        self, rows: Sequence[Rows], target: Target, source: ConnectionSpec | None, label: str = ""
    ) -> "Built | Refusal":
        order = self._request.order
        if order.wish is Wish.SYNC and not target.options.mode and target.spec is not None:
            target = replace(target, options=replace(target.options, mode=UPSERT))
        pipeline = pipeline_for(rows, target, source, self._catalog, order.name)
        if target.spec is None and (order.options.part or order.options.part_words):
            pairs = self._parted(pipeline.pairs, rows)
            if isinstance(pairs, Refusal):
                return pairs
            pipeline = replace(pipeline, pairs=pairs)
        start = connection_name(source, self._catalog) if source is not None else ""
        end = connection_name(target.spec, self._catalog) if target.spec is not None else said_form(target)
        return Built(pipeline, source, label or " → ".join(each for each in (start, end) if each))

    def _parted(self, pairs: tuple[Pair, ...], rows: Sequence[Rows]) -> tuple[Pair, ...] | Refusal:
        """Each pair by its parts."""
        symbols = Symbols()
        found: list[Pair] = []
        for pair, each in zip(pairs, rows, strict=True):
            read = place_of(pair.reader, self._places, self._catalog)
            if read is None:
                return Refusal(NO_DAYS, (each.name,))
            whole = replace(pair, reader=as_list(pair.reader, read, self._catalog))
            made = parted(
                whole,
                read.place.table,
                self._request.order.options,
                self._catalog,
                self._request.spoken,
                symbols,
                self._asked.cancel,
            )
            if isinstance(made, Refusal):
                return made
            found += made
        return tuple(found)

    def _uncovered(self, covered: Iterable[int]) -> set[int]:
        """The items that are left, without those whose words are covered."""
        words = set(covered)
        return {
            at
            for at in self._request.left
            if not words.intersection(range(self._request.items[at].start, self._request.items[at].end))
        }

    def _words(self, start: int, end: int) -> str:
        tokens = self._request.pieces.tokens
        return self._request.pieces.text[tokens[start].start : tokens[end - 1].end]


def _all(found: "Sequence[Built | Refusal]") -> Found:
    """All of them, unless one cannot be built."""
    refusal = next((each for each in found if isinstance(each, Refusal)), None)
    return refusal or tuple(each for each in found if isinstance(each, Built))


def said_form(target: Target) -> str:
    """Files as they are told from other targets: parquet files in warehouse/."""
    options = target.options
    folder = f" ({options.folder.rstrip('/')}/)" if options.folder else ""
    return f"{(format_of(options) or DEFAULT_FORMAT).upper()}{folder}"


def _kept(place: Place, chosen: tuple[str, ...], dropped: tuple[str, ...]) -> tuple[str, ...]:
    names = [column.name for column in place.table.columns]
    if chosen:
        return tuple(name for name in chosen if name not in dropped)
    return tuple(name for name in names if name not in dropped) if dropped else ()


def _specs(places: Iterable[Place]) -> list[ConnectionSpec]:
    found: list[ConnectionSpec] = []
    for place in places:
        if place.spec not in found:
            found.append(place.spec)
    return found


def _of(spec: ConnectionSpec, found: tuple[Place, ...]) -> tuple[Place, ...]:
    return tuple(place for place in found if place.spec == spec)


def _once(places: Sequence[Place]) -> list[Place]:
    found: list[Place] = []
    for place in places:
        if place not in found:
            found.append(place)
    return found
