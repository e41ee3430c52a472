"""What a word is of rows: a value that stands in a table, or the name of one of its columns.

Such a word is no place to write to, whatever stands before it: flights to Boston, songs by AC/DC.
"""

from collections.abc import Callable, Iterable, Sequence

from dragoman.databases.values import ValueIndex
from dragoman.planning.pipelines.pieces import Pieces
from dragoman.planning.pipelines.table_names import NamesSaid, Place
from dragoman.reading.languages import Spoken

Values = Callable[[Place], ValueIndex | None]
"""The values of the database of a table; None where they are not for everybody, or cannot be read."""


class NamesOfRows:
    """Tells what a message may name of the rows that are there."""

    def __init__(self, pieces: Pieces, spoken: Spoken, places: Sequence[Place], values: Values) -> None:
        self._pieces = pieces
        self._spoken = spoken
        self._places = tuple(places)
        self._values = values

    def is_value(self, text: str) -> bool:
        """Whether any table has it for a value."""
        first = {place.spec: place for place in self._places}.values()
        found = (self._values(place) for place in first)
        return any(values is not None and values.exactly(text) for values in found)

    def is_of(self, at: int, text: str, places: Iterable[Place]) -> bool:
        """Whether the word at a place names a column of one of these tables, or is a value there."""
        return any(self._names_column(at, place) or self._is_in(text, place) for place in places)

    def _names_column(self, at: int, place: Place) -> bool:
        spans = NamesSaid(self._pieces.tokens, self._spoken).columns(place.table.columns, place.table.name)
        return any(span.start <= at < span.end for span in spans)

    def _is_in(self, text: str, place: Place) -> bool:
        values = self._values(place)
        found = values.exactly(text) if values is not None else ()
        return any(each.table == place.table.name for each in found)
