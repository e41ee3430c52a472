"""What people call the columns of their tables, by the stems of the words."""

from functools import cache

import msgspec

from dragoman.contracts.decoding import converted
from dragoman.contracts.record import Record
from dragoman.locales.registry import FALLBACK, language
from dragoman.planning.tables.words import stem


class _ColumnWords(msgspec.Struct, frozen=True):
    """The words as the file has them."""

    money: tuple[str, ...]
    portions: tuple[str, ...]
    totals: tuple[str, ...]
    turnover: tuple[str, ...]
    besides: tuple[str, ...]
    trade: tuple[str, ...]
    payments: tuple[str, ...]
    selling: tuple[str, ...]
    buying: tuple[str, ...]
    prices: tuple[str, ...]
    quantities: tuple[str, ...]
    held: tuple[str, ...]
    each: tuple[str, ...]
    counts: tuple[str, ...]
    judged: tuple[str, ...]
    wages: tuple[str, ...]
    discounts: tuple[str, ...]
    ordinals: tuple[str, ...]
    codes: tuple[str, ...]
    sizes: tuple[str, ...]
    places: tuple[str, ...]
    labels: tuple[str, ...]
    open_labels: tuple[str, ...]
    details: tuple[str, ...]
    given_names: tuple[str, ...]
    family_names: tuple[str, ...]
    numbering: tuple[str, ...]
    years: tuple[str, ...]
    changes: tuple[str, ...]
    kinds: tuple[str, ...]
    births: tuple[str, ...]
    lives: tuple[str, ...]
    works: tuple[str, ...]
    yes: tuple[str, ...]
    no: tuple[str, ...]
    unknown: tuple[str, ...]


class ColumnWords(Record, frozen=True):
    money: frozenset[str]
    portions: frozenset[str]
    """What a rate is of that is no money: a tax, the growth of something."""
    totals: frozenset[str]
    """Money that changed hands."""
    turnover: frozenset[str]
    """What was sold, before other amounts of the same rows."""
    besides: frozenset[str]
    """Amounts that are not what a sale brought."""
    trade: frozenset[str]
    """Tables of what was traded."""
    payments: frozenset[str]
    """Tables of what was paid, where what it was paid for stands in others."""
    selling: frozenset[str]
    buying: frozenset[str]
    """Tables of what a company sells, and of what it buys, where it keeps both."""
    prices: frozenset[str]
    quantities: frozenset[str]
    held: frozenset[str]
    """Quantities that are kept or allowed, not traded."""
    each: frozenset[str]
    """Measures of each row that nobody adds up."""
    judged: frozenset[str]
    """What rows say of something in numbers, also where they are called by it."""
    wages: frozenset[str]
    """What people are paid."""
    counts: frozenset[str]
    """Columns that say how many there are of something."""
    discounts: frozenset[str]
    ordinals: frozenset[str]
    """Numbers that only say which comes first."""
    codes: frozenset[str]
    """Numbers that only call something, and that nobody adds up."""
    sizes: frozenset[str]
    """How much there is of something, beside money and counts."""
    places: frozenset[str]
    """Places in an order: the first is the best."""
    labels: tuple[str, ...]
    """Columns that say which row it is, the best first."""
    open_labels: frozenset[str]
    details: frozenset[str]
    """What all that is told of a row may be called."""
    """Labels that may be beside any word: "course name", "job title"."""
    given_names: tuple[frozenset[str], ...]
    family_names: tuple[frozenset[str], ...]
    """What the two names of a person are called: all the words of one of these."""
    numbering: frozenset[str]
    """Last words of columns that number rows for people."""
    kinds: frozenset[str]
    """Tables of the kinds that rows of another table are of."""
    years: frozenset[str]
    """Numbers that are years, where they can be: when something was founded."""
    changes: frozenset[str]
    """When a row was last written: a date of keeping books, and not of the thing."""
    births: frozenset[str]
    lives: frozenset[str]
    """What else is kept of people who are born: their death, their work."""
    works: frozenset[str]
    """What has a title: rows of a table of titles are these."""
    yes: frozenset[str]
    no: frozenset[str]
    """What flags say, as data writes it."""
    unknown: frozenset[str]
    """What data writes where it does not know, in small letters."""


@cache
def column_words() -> ColumnWords:
    known = converted(language(FALLBACK).texts("columns"), _ColumnWords, strict=False)

    def stems(words: tuple[str, ...]) -> frozenset[str]:
        return frozenset(map(stem, words))

    return ColumnWords(
        money=stems(known.money),
        portions=stems(known.portions),
        totals=stems(known.totals),
        turnover=stems(known.turnover),
        besides=stems(known.besides),
        trade=stems(known.trade),
        payments=stems(known.payments),
        selling=stems(known.selling),
        buying=stems(known.buying),
        prices=stems(known.prices),
        quantities=stems(known.quantities),
        held=stems(known.held),
        each=stems(known.each),
        judged=stems(known.judged),
        wages=stems(known.wages),
        counts=stems(known.counts),
        discounts=stems(known.discounts),
        ordinals=stems(known.ordinals),
        codes=stems(known.codes),
        sizes=stems(known.sizes),
        places=stems(known.places),
        numbering=stems(known.numbering),
        labels=tuple(map(stem, known.labels)),
        open_labels=stems(known.open_labels),
        details=stems(known.details),
        given_names=tuple(stems(tuple(each.split())) for each in known.given_names),
        family_names=tuple(stems(tuple(each.split())) for each in known.family_names),
        years=stems(known.years),
        changes=stems(known.changes),
        kinds=stems(known.kinds),
        births=stems(known.births),
        lives=stems(known.lives),
        works=stems(known.works),
        yes=frozenset(known.yes),
        no=frozenset(known.no),
        unknown=frozenset(known.unknown),
    )
