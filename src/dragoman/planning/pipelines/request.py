"""A message held against the databases: the order, whose tables it names, and what is left of the message."""

from collections.abc import Callable, Iterator, Sequence

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.record import Record
from dragoman.contracts.schema import DatabaseSchema
from dragoman.locales.language import function_words_of
from dragoman.planning.pipelines.items import Item, Kind, items_of
from dragoman.planning.pipelines.message_walk import TableSaid
from dragoman.planning.pipelines.names_of_rows import NamesOfRows, Values
from dragoman.planning.pipelines.order import Order
from dragoman.planning.pipelines.order_reader import OrderReader, Read
from dragoman.planning.pipelines.pieces import Pieces, pieces_of
from dragoman.planning.pipelines.table_names import Place
from dragoman.planning.pipelines.words import Cue
from dragoman.reading.languages import Spoken, spoken_with

Discover = Callable[[ConnectionSpec], DatabaseSchema | None]
"""The schema of a connection as the viewer may see it; discovered, where nobody has looked yet."""


class Request(Record, frozen=True, gc=True):
    """What was read of one message."""

    pieces: Pieces
    items: tuple[Item, ...]
    read: Read
    spoken: Spoken
    postfix: bool
    """Words of direction stand behind a place."""
    left: tuple[int, ...]
    """The items that neither the order nor a name of a table accounts for."""

    @property
    def order(self) -> Order:
        return self.read.order

    @property
    def kept(self) -> tuple[TableSaid, ...]:
        return tuple(table for table in self.read.tables if not table.dropped)

    @property
    def dropped(self) -> tuple[TableSaid, ...]:
        return tuple(table for table in self.read.tables if table.dropped)

    @property
    def words_left(self) -> tuple[str, ...]:
        return tuple(self.items[at].text for at in self.left)

    @property
    def question(self) -> str:
        """The message without the words of the order: what is asked, where something is."""
        return self.asked_with(frozenset())

    def asked_with(self, kept: frozenset[int]) -> str:
        """The same, with some words of the order in it."""
        return self.pieces.rest((set(self.read.used) | self._opening()) - kept)

    def _opening(self) -> set[int]:
        """What is only said to be polite, or to be told something: please, could you, take."""
        small = {word for each in self.spoken.languages for word in function_words_of(each)}
        tokens = self.pieces.tokens
        return {
            at
            for item in self.items
            if item.is_a(Cue.FILLER)
            for at in range(item.start, item.end)
            if tokens[at].form not in small
        } | self._leading()

    def _leading(self) -> set[int]:
        """The small words before anything is said."""
        found: set[int] = set()
        for item in self.items:
            if item.start not in self.read.used and not item.is_a(Cue.FILLER):
                break
            found.update(range(item.start, item.end))
        return found

    @property
    def computes(self) -> bool:
        """Whether figures are asked for, and not only rows and columns as they are."""
        return any(item.is_a(Cue.AGGREGATE) and item.start not in self.read.used for item in self.items)


def request_of(text: str, code: str, catalog: Catalog, schemas: Sequence[Place], values: Values) -> Request:
    pieces = pieces_of(text)
    spoken = spoken_with(code, text)
    specs = catalog.databases.specs
    items = items_of(pieces, spoken, specs, schemas)
    # However much of it is names in other letters: the small words are those of this language.
    glued = any(each.glued for each in spoken.languages)
    names = NamesOfRows(pieces, spoken, schemas, values)
    read = OrderReader(pieces, items, names, postfix=glued).read()
    return Request(pieces, tuple(items), read, spoken, glued, tuple(_left(items, read)))


def _left(items: Sequence[Item], read: Read) -> Iterator[int]:
    named = {at for table in read.tables for at in range(table.start, table.end)}
    for at, item in enumerate(items):
        if item.start in read.used or item.start in named:
            continue
        if item.kind in _UNREAD or (item.kind is Kind.CUE and item.cue not in _CARRYING_NOTHING):
            yield at


_UNREAD = (Kind.WORD, Kind.QUOTED, Kind.FOLDER, Kind.CONNECTION)
"""What has to be accounted for. A folder that the order did not take is none: AC/DC."""
_CARRYING_NOTHING = frozenset(
    {
        Cue.FILLER,
        Cue.FROM,
        Cue.TO,
        Cue.TABLE,
        Cue.DATABASE,
        Cue.ROWS_OF,
        Cue.FILE,
        Cue.PROMPT,
        Cue.COLUMN,
        Cue.DETAIL,
        Cue.ALL,
        Cue.BUT,
        Cue.ADDS,
        Cue.UNDER,
        Cue.LEAVE_OUT,
        Cue.NEGATION,
        Cue.ONLY,
        Cue.ALSO,
        Cue.IT,
        Cue.SAME,
        Cue.EXCEPT,
        Cue.SOURCE_SIDE,
        Cue.EXPORT,
        Cue.COPY,
        Cue.WANTS,
        Cue.SENDS,
        Cue.INSTEAD,
        Cue.RATHER_THAN,
        Cue.SYNC,
        Cue.CONVERT,
    }
)


def places_of(catalog: Catalog, discover: Discover) -> tuple[Place, ...]:
    """Every table of every database that may be asked."""
    found = []
    for spec in catalog.in_order():
        schema = discover(spec)
        if schema is not None:
            found += [Place(spec, schema, table) for table in schema.tables]
    return tuple(found)
