"""Values that everybody knows under several names: Friday is Fri, and what is French is from France."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import msgspec

from dragoman.contracts.decoding import converted
from dragoman.contracts.record import Record
from dragoman.databases.values import ValueIndex, ValuePlace
from dragoman.databases.values.index import folded
from dragoman.locales.registry import FALLBACK, language
from dragoman.planning.tables.schema_names import Thing, Things
from dragoman.planning.tables.words import stem

LONGEST = 4
"""How many words a name of such a value has at most."""
_MOST = 0.6
"""How much of a column has to be such values, where its name does not say that it is about them."""
_SHORTEST_SMALL = 3


class _Told(msgspec.Struct, frozen=True):
    columns: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]


class _Kind(Record, frozen=True):
    """One kind of values: words of columns that are about it, each name with all that data may have for it,
    and all of these."""

    columns: frozenset[str]
    names: dict[str, tuple[str, ...]]
    held: frozenset[str]


@cache
def _kinds() -> tuple[_Kind, ...]:
    english = language(FALLBACK)
    told = converted(english.texts("known_values")["kinds"], list[_Told], strict=False)
    places = english.texts("places")
    countries = [((*each["names"], *each["of"]), tuple(each["codes"])) for each in places["countries"]]
    states = [((name,), (code,)) for code, name in places["states"].items()]
    return (
        *(_kind(each.columns, [(names, ()) for names in each.values]) for each in told),
        _kind(places["country_columns"], countries),
        _kind(places["state_columns"], states),
    )


def _kind(columns: Iterable[str], things: Sequence[tuple[tuple[str, ...], tuple[str, ...]]]) -> _Kind:
    """Things by their names. A code is what data have and nobody says: IT is seldom Italy."""
    return _Kind(
        frozenset(map(stem, columns)),
        {folded(name): (*names, *codes) for names, codes in things for name in names},
        frozenset(folded(name) for names, codes in things for name in (*names, *codes)),
    )


class KnownValues:
    """Finds the values of one database that a text is another name of."""

    def __init__(self, things: Things, values: ValueIndex) -> None:
        self._things = things
        self._values = values
        self._shares: list[dict[tuple[str, str, str], float]] | None = None

    def places(self, text: str) -> Iterator[tuple[Thing, ValuePlace]]:
        """Columns about such things, and their value. A short text is a name only in capitals."""
        key = folded(text)
        if len(key) <= _SHORTEST_SMALL and not text.isupper():
            return
        for number, kind in enumerate(_kinds()):
            for name in kind.names.get(key, ()):
                if folded(name) == key:
                    continue
                for place in self._values.exactly(name):
                    thing = self._things.of_column.get((place.schema, place.table, place.column))
                    if thing is not None and self._is_about(thing, place, number):
                        yield thing, place

    def _is_about(self, thing: Thing, place: ValuePlace, number: int) -> bool:
        words = set(thing.words)
        if _kinds()[number].columns & words:
            return True
        if any(kind.columns & words for kind in _kinds()):
            return False
        if self._shares is None:
            self._shares = self._count()
        return self._shares[number].get((place.schema, place.table, place.column), 0.0) >= _MOST

    def _count(self) -> list[dict[tuple[str, str, str], float]]:
        """For each kind, how much of each column is of it."""
        all_values: dict[tuple[str, str, str], int] = {}
        kinds: list[dict[tuple[str, str, str], int]] = [{} for _ in _kinds()]
        for place in self._values.places():
            column = (place.schema, place.table, place.column)
            all_values[column] = all_values.get(column, 0) + 1
            key = folded(place.value)
            for found, kind in zip(kinds, _kinds(), strict=True):
                if key in kind.held:
                    found[column] = found.get(column, 0) + 1
        return [{column: many / all_values[column] for column, many in found.items()} for found in kinds]
