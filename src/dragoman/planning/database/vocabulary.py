"""The words of analysts, one file for each language, read once."""

from collections.abc import Sequence
from functools import cache

import msgspec

from dragoman.contracts.decoding import converted
from dragoman.locales.registry import FALLBACK, language
from dragoman.planning.tables.lexicon import Languages, lexicons
from dragoman.planning.tables.words import stem, tokens_of


class Adjective(msgspec.Struct, frozen=True):
    """An adjective that can be graded, and what of a thing it grades: columns by their words, units, money.
    `down`: columns in which the other end is meant. `dates`: the words of dates that it speaks of, the
    likeliest first; `backward`: the more of it, the earlier the date."""

    words: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    down: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    backward: bool = False
    money: bool = False
    plain: bool = False
    least: bool = False


class Limit(msgspec.Struct, frozen=True):
    """A word that says which end of an order is wanted: top, last."""

    rows: int | None = None
    """How many rows it asks for where no number is said."""
    least: bool = False
    adjective: str = ""
    """What it grades."""


class ToldEndings(msgspec.Struct, frozen=True):
    """Words of ends that only say how an answer is shown."""

    shows: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    """What is asked for as well: the numbers."""
    totals: tuple[str, ...] = ()
    of_each: tuple[str, ...] = ()
    each: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """What may stand behind "each": one, name."""
    do: tuple[str, ...] = ()
    have: tuple[str, ...] = ()
    was_that: tuple[str, ...] = ()
    we_sell: tuple[str, ...] = ()
    """What was done with so many of each."""


class Vocabulary(msgspec.Struct, frozen=True):
    """One language's words of analysts, as its file has them."""

    language: str = ""
    money: tuple[str, ...] = ()
    money_sold: tuple[str, ...] = ()
    money_paid: tuple[str, ...] = ()
    received: tuple[str, ...] = ()
    money_bought: tuple[str, ...] = ()
    sold: tuple[str, ...] = ()
    totals: tuple[str, ...] = ()
    pieces_by: tuple[str, ...] = ()
    record_verbs: dict[str, tuple[str, ...]] = {}
    doers: dict[str, tuple[str, ...]] = {}
    date_verbs: dict[str, tuple[str, ...]] = {}
    parts: dict[str, str] = {}
    ordinals: dict[str, int] = {}
    weekdays: dict[str, tuple[int, ...]] = {}
    clock_sides: dict[str, str] = {}
    share: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    anybody: tuple[str, ...] = ()
    who: tuple[str, ...] = ()
    adjectives: dict[str, Adjective] = {}
    forms: dict[str, str] = {}
    graded: tuple[str, ...] = ()
    graded_phrases: dict[str, tuple[str, ...]] = {}
    least_phrases: dict[str, tuple[str, ...]] = {}
    vague: tuple[str, ...] = ()
    lone: tuple[str, ...] = ()
    asides: tuple[str, ...] = ()
    when: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    above_self: tuple[str, ...] = ()
    below_self: tuple[str, ...] = ()
    serving: tuple[str, ...] = ()
    requiring: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    whose: tuple[str, ...] = ()
    staff: tuple[str, ...] = ()
    staff_roles: tuple[str, ...] = ()
    staff_verbs: tuple[str, ...] = ()
    side_roles: tuple[str, ...] = ()
    leaders: tuple[str, ...] = ()
    sides: tuple[tuple[str, str], ...] = ()
    exists: tuple[str, ...] = ()
    any: tuple[str, ...] = ()
    auxiliary: tuple[str, ...] = ()
    they: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    prepositions: tuple[str, ...] = ()
    asked_for: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    theirs: tuple[str, ...] = ()
    sharing: tuple[str, ...] = ()
    rates: tuple[str, ...] = ()
    many: tuple[str, ...] = ()
    kinds_of: tuple[str, ...] = ()
    figure_pronouns: tuple[str, ...] = ()
    nothing: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    unwelcome: tuple[str, ...] = ()
    upkeep: tuple[str, ...] = ()
    ending: tuple[str, ...] = ()
    kept_up: tuple[str, ...] = ()
    unasked_dates: tuple[str, ...] = ()
    any_date: tuple[str, ...] = ()
    noun_endings: tuple[str, ...] = ()
    planned: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    holding: tuple[str, ...] = ()
    held_people: tuple[str, ...] = ()
    capacity: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    actual: tuple[str, ...] = ()
    done_dates: tuple[str, ...] = ()
    holdings: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()
    goods: tuple[str, ...] = ()
    stock: tuple[str, ...] = ()
    birth: tuple[str, ...] = ()
    of_age: tuple[str, ...] = ()
    worth: tuple[str, ...] = ()
    wages: tuple[str, ...] = ()
    earning: tuple[str, ...] = ()
    late: dict[str, str] = {}
    later_than: dict[str, str] = {}
    duration_verbs: tuple[str, ...] = ()
    lengths: tuple[str, ...] = ()
    delays: tuple[str, ...] = ()
    yearly: tuple[str, ...] = ()
    time_spent: tuple[str, ...] = ()
    busiest: tuple[str, ...] = ()
    span_words: tuple[str, ...] = ()
    beginnings: tuple[str, ...] = ()
    signs: dict[str, str] = {}
    number_comparisons: tuple[str, ...] = ()
    before_periods: tuple[str, ...] = ()
    across_periods: tuple[str, ...] = ()
    period_bounds: dict[str, str] = {}
    no_ends: tuple[str, ...] = ()
    lasting: tuple[str, ...] = ()
    difference: tuple[str, ...] = ()
    each: tuple[str, ...] = ()
    all: tuple[str, ...] = ()
    demanding: tuple[str, ...] = ()
    spending: tuple[str, ...] = ()
    limits: dict[str, Limit] = {}
    first: tuple[str, ...] = ()
    regular: tuple[str, ...] = ()
    which: tuple[str, ...] = ()
    slips: dict[str, str] = {}
    decades: dict[str, int] = {}
    century: tuple[str, ...] = ()
    centuries: dict[str, int] = {}
    not_numbers: tuple[str, ...] = ()
    before_numbers: tuple[str, ...] = ()
    before_amounts: tuple[str, ...] = ()
    sorted_by: tuple[str, ...] = ()
    soft: tuple[str, ...] = ()
    clause_ends: tuple[str, ...] = ()
    offering: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    ranking: tuple[str, ...] = ()
    current: tuple[str, ...] = ()
    nowadays: tuple[str, ...] = ()
    shifting: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    lasting_from: tuple[str, ...] = ()
    lasting_to: tuple[str, ...] = ()
    closing_asides: tuple[str, ...] = ()
    before_owned: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    traded: tuple[str, ...] = ()
    taken_in: dict[str, str] = {}
    takers: tuple[str, ...] = ()
    taken_by_staff: tuple[str, ...] = ()
    seasons: tuple[str, ...] = ()
    outcomes: dict[str, str] = {}
    contests: tuple[str, ...] = ()
    figures_said: dict[str, str] = {}
    reworded: dict[str, str] = {}
    counted_as: tuple[str, ...] = ()
    opposites: tuple[str, ...] = ()
    particles: tuple[str, ...] = ()
    """Words behind a verb that make one word with it where something is called so: a tryout."""
    turned: dict[str, tuple[str, ...]] = {}
    perfect: tuple[str, ...] = ()
    done_in_order: tuple[str, ...] = ()
    orders_given: tuple[str, ...] = ()
    own_houses: tuple[str, ...] = ()
    behind_houses: tuple[str, ...] = ()
    behind_units: tuple[str, ...] = ()
    hyphened: tuple[str, ...] = ()
    regardless: tuple[str, ...] = ()
    discounted: tuple[str, ...] = ()
    undiscounted: tuple[str, ...] = ()
    apart: dict[str, str] = {}
    versus: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    amounts: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    equals: tuple[str, ...] = ()
    everybody: tuple[str, ...] = ()
    denying: tuple[str, ...] = ()
    closing: tuple[str, ...] = ()
    none_of: tuple[str, ...] = ()
    before_averages: tuple[str, ...] = ()
    record_roles: tuple[str, ...] = ()
    makes: tuple[str, ...] = ()
    costing: tuple[str, ...] = ()
    so_many: tuple[str, ...] = ()
    rate_words: tuple[str, ...] = ()
    rate_units: dict[str, tuple[str, ...]] = {}
    priced: tuple[str, ...] = ()
    others: dict[str, tuple[str, ...]] = {}
    """Rows that are held against others of their own kind, by what a word does there."""
    told_endings: ToldEndings = ToldEndings()


@cache
def vocabulary(code: str) -> Vocabulary:
    return converted({"language": code, **language(code).texts("analysis")}, Vocabulary, strict=False)


def english() -> Vocabulary:
    """The words that are looked for in messages of any language."""
    return vocabulary(FALLBACK)


Key = tuple[str, ...]


def key_of(phrase: str) -> Key:
    return tuple(token.stem for token in tokens_of(phrase))


class Words:
    """The vocabularies of several languages, by the stems of their phrases."""

    def __init__(self, languages: Languages) -> None:
        known = [vocabulary(code) for code in languages]
        self.money = {key_of(phrase) for each in known for phrase in each.money}
        self.sold = {key_of(phrase) for each in known for phrase in each.sold}
        self.record_verbs = {stem(k): v for each in known for k, v in each.record_verbs.items()}
        self.doers = {stem(k): v for each in known for k, v in each.doers.items()}
        self.date_verbs = {
            " ".join(key_of(k)): tuple(map(stem, v)) for each in known for k, v in each.date_verbs.items()
        }
        self.parts = {key_of(phrase): part for each in known for phrase, part in each.parts.items()}
        self.share = {key_of(phrase) for each in known for phrase in each.share}
        self.people = frozenset(stem(word) for each in known for word in each.people)
        self.who = {word for each in known for word in each.who}
        self.forms = {form: each.adjectives[name] for each in known for form, name in each.forms.items()}
        self.base = {name: adjective for each in known for name, adjective in each.adjectives.items()}
        self.plain = frozenset((*self.forms, *self.base))
        self.graded = {
            form: each.adjectives.get(form) or each.adjectives[form.removesuffix("ly")]
            for each in known
            for form in each.graded
        }
        self.graded_phrases = {
            tuple(token.low for token in tokens_of(phrase)): (each.adjectives[name], least)
            for each in known
            for least, table in ((False, each.graded_phrases), (True, each.least_phrases))
            for name, phrases in table.items()
            for phrase in phrases
        }
        self.directions = {
            word: frozenset(map(stem, columns))
            for each in lexicons(languages)
            for word, columns in each.directions.items()
        }
        self.versus = {key_of(phrase) for each in known for phrase in each.versus}
        self.asides = {key_of(phrase) for each in known for phrase in each.asides}
        self.when = {key_of(phrase) for each in known for phrase in each.when}
        self.where = {key_of(phrase) for each in known for phrase in each.where}
        self.places = frozenset(stem(word) for each in known for word in each.places)
        self.exists = frozenset(word for each in known for word in each.exists)
        self.unwelcome = frozenset(stem(word) for each in known for word in each.unwelcome)
        self.upkeep = frozenset(stem(word) for each in known for word in each.upkeep)
        self.ending = frozenset(stem(word) for each in known for word in each.ending)
        self.kept_up = frozenset(stem(word) for each in known for word in each.kept_up)
        self.unasked_dates = frozenset(stem(word) for each in known for word in each.unasked_dates)
        self.beginnings = tuple(dict.fromkeys(stem(word) for each in known for word in each.beginnings))
        self.stock = frozenset(stem(word) for each in known for word in each.stock)
        self.birth = frozenset(stem(word) for each in known for word in each.birth)
        self.wages = frozenset(stem(word) for each in known for word in each.wages)
        self.earning = frozenset(stem(word) for each in known for word in each.earning)
        self.any_date = frozenset(stem(word) for each in known for word in each.any_date)
        self.states = frozenset(stem(word) for each in known for word in each.states)
        self.each = frozenset(word for each in known for word in each.each)
        self.all = frozenset(word for each in known for word in each.all)
        self.they = frozenset(word for each in known for word in each.they)
        self._read_relations(known)
        self._read_deeds(known)

    def _read_deeds(self, known: Sequence[Vocabulary]) -> None:
        """What is done with things, and the days on which it is."""
        self.uses = frozenset(stem(word) for each in known for word in each.uses)
        self.holding = frozenset(stem(word) for each in known for word in each.holding)
        self.held_people = frozenset(stem(word) for each in known for word in each.held_people)
        self.capacity = frozenset(stem(word) for each in known for word in each.capacity)
        self.held = frozenset(stem(word) for each in known for word in each.held)
        self.actual = frozenset(stem(word) for each in known for word in each.actual)
        self.planned = frozenset(stem(word) for each in known for word in each.planned)
        self.done_dates = frozenset(stem(word) for each in known for word in each.done_dates)

    def _read_relations(self, known: Sequence[Vocabulary]) -> None:
        """Who is above and below, who works, which parts are played."""
        self.above_self = frozenset(stem(word) for each in known for word in each.above_self)
        self.below_self = frozenset(stem(word) for each in known for word in each.below_self)
        self.serving = frozenset(stem(word) for each in known for word in each.serving)
        self.requiring = frozenset(stem(word) for each in known for word in each.requiring)
        self.required = frozenset(stem(word) for each in known for word in each.required)
        self.staff = frozenset(stem(word) for each in known for word in each.staff)
        self.staff_roles = frozenset(stem(word) for each in known for word in each.staff_roles)
        self.staff_verbs = frozenset(stem(word) for each in known for word in each.staff_verbs)
        self.side_roles = frozenset(stem(word) for each in known for word in each.side_roles)
        self.leaders = frozenset(stem(word) for each in known for word in each.leaders)
        self.sides = frozenset(frozenset(map(stem, pair)) for each in known for pair in each.sides)


@cache
def words_in(languages: Languages) -> Words:
    return Words(languages)
