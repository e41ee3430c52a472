"""Values that everybody knows under several names: Friday is Fri, and what is French is from France."""

from collections.abc import Iterator
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
    """One kind of values: words of columns that are about it, and each name with the others it has."""

    columns: frozenset[str]
    names: dict[str, tuple[str, ...]]


@cache
def _kinds() -> tuple[_Kind, ...]:
    english = language(FALLBACK)
    told = converted(english.texts("known_values")["kinds"], list[_Told], strict=False)
    places = english.texts("places")
    countries = ((*each["names"], *each["of"], *each["codes"]) for each in places["countries"])
    told.append(_Told(tuple(places["country_columns"]), tuple(countries)))
    states = ((name, code) for code, name in places["states"].items())
    told.append(_Told(tuple(places["state_columns"]), tuple(states)))
    return tuple(
        _Kind(
            frozenset(map(stem, each.columns)),
            {folded(name): names for names in each.values for name in names},
        )
        for each in told
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
                if key in kind.names:
                    found[column] = found.get(column, 0) + 1
        return [{column: many / all_values[column] for column, many in found.items()} for found in kinds]
