"""Places by another name: the state of California is CA, and what is German is of Germany."""

from functools import cache

import msgspec

from dragoman.contracts.decoding import converted
from dragoman.contracts.record import Record
from dragoman.locales.registry import FALLBACK, language
from dragoman.planning.tables.words import stem


class _Country(msgspec.Struct, frozen=True):
    names: tuple[str, ...]
    of: tuple[str, ...]
    codes: tuple[str, ...]


class _Places(msgspec.Struct, frozen=True):
    """The places as the file has them."""

    states: dict[str, str]
    countries: tuple[_Country, ...]
    state_columns: tuple[str, ...]
    country_columns: tuple[str, ...]


class PlaceName(Record, frozen=True):
    """What data may call a place: names that stand in any column, codes in columns with one of some words."""

    names: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    columns: frozenset[str] = frozenset()


LONGEST = 4
"""How many words a name of a place has at most."""


def other_names(text: str) -> tuple[PlaceName, ...]:
    """What else a place is called that a text names."""
    return _by_name().get(text, ())


@cache
def _by_name() -> dict[str, tuple[PlaceName, ...]]:
    known = converted(language(FALLBACK).texts("places"), _Places, strict=False)
    states, countries = (
        frozenset(map(stem, words)) for words in (known.state_columns, known.country_columns)
    )
    found: dict[str, list[PlaceName]] = {}
    for code, name in known.states.items():
        found.setdefault(name, []).append(PlaceName(codes=(code,), columns=states))
    for country in known.countries:
        place = PlaceName((*country.names, *country.of), country.codes, countries)
        for name in dict.fromkeys((*country.names, *country.of)):
            found.setdefault(name, []).append(place)
    return {name: tuple(places) for name, places in found.items()}
