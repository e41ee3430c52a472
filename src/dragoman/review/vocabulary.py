"""The words of a language that oblige an answer, out of its `review.yaml`."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from dragoman.contracts.record import Record
from dragoman.locales.registry import FALLBACK, language, languages
from dragoman.review import word_sets
from dragoman.review.word_sets import Phrase

_NEVER = re.compile(r"(?!)")


class Vocabulary(Record, frozen=True):
    """`cues` are the phrases by their first word, each with what it does; the longest comes first."""

    cues: Mapping[str, tuple[tuple[Phrase, str], ...]]
    hints: Mapping[str, frozenset[str]]
    superlative: re.Pattern[str]
    numbers: Mapping[str, int]
    scales: Mapping[str, int]
    limits: Mapping[str, frozenset[str]]
    units: Mapping[str, tuple[str, str]]
    """The kind and the name of a unit, by its words."""
    date_verbs: Mapping[str, frozenset[str]]
    date_columns: Mapping[str, frozenset[str]]
    vague: frozenset[str]
    capitals: frozenset[str]
    of_nouns: frozenset[str]
    """Cues that count nothing behind a noun: the phone number of."""
    ends: Mapping[str, frozenset[str]]
    """Words behind a link's: a name that follows is at its end (reports to), or at its start (manager of)."""
    each_one: frozenset[str]
    """Words that ask for a figure of each, and never for a list."""
    as_written: frozenset[str]
    """Cues whose first word counts only as it is written: "order by", and not "orders by"."""
    asks: frozenset[str]
    """Words that ask for things, each of them once."""
    parts: frozenset[str]
    """Parts of dates that figures are grouped by."""
    much: frozenset[str]
    """Words behind "how" that ask for an amount."""
    timed: frozenset[str]
    """Other words that ask for figures over time."""
    ages: Mapping[str, frozenset[str]]
    figures: Mapping[str, frozenset[str]]
    """What columns are called that hold a figure which people call otherwise: a time is a length."""
    before_month: frozenset[str]
    bounds: Mapping[str, frozenset[str]]
    """Words before a period that mean the time before it or after it."""
    clock: frozenset[str]
    """Words behind a number that make it a time of day."""
    codes: Mapping[str, frozenset[str]]
    """Words that a short value may stand for: F for women."""
    passive: re.Pattern[str]
    behind: frozenset[str]
    """Comparisons that stand behind their number."""
    verbal: re.Pattern[str]
    agent: re.Pattern[str]
    """An ending of nouns for who does something: manager."""
    inflected: re.Pattern[str]
    """What the verb has in its place: manages."""
    negating: re.Pattern[str]
    """A beginning of words that denies the rest: unshipped."""
    alike: Mapping[str, frozenset[str]]
    amounts: Mapping[str, frozenset[str]]
    """Superlatives that say nothing but how much, of columns and of how many rows."""
    sorts: Mapping[str, frozenset[str]]
    """Words beside a superlative that make it an order: first behind it, from before it."""
    replaced: frozenset[str]
    """Words before what is no longer asked for."""
    measured: frozenset[str]
    """Nouns of figures that are summed and never counted."""
    states: frozenset[str]
    """Words for a state that rows are in, which some condition must hold."""
    turned: Mapping[str, frozenset[str]]
    """Words for a state, and the flags that do not hold in it: open, and closed."""
    dates_asked: frozenset[str]
    """Words that ask for a date."""
    below: frozenset[str]
    """Beginnings of words for rows that are below others of their kind: subdocks."""
    done_by: Mapping[str, frozenset[str]]
    """Verbs, and what keys are called that lead to whoever does that."""
    lasting: frozenset[str]
    """Words that say that a state lasts, whichever it is."""
    once: frozenset[str]
    """Verbs that ask what there is, each thing once: which badges exist."""
    workers: Mapping[str, frozenset[str]]
    """What tables are called whose people do something."""
    multiples: frozenset[str]
    """Words that multiply what follows: three times the average."""
    singles: frozenset[str]
    """Words for the number one, which may also stand for a thing."""
    plain_numbers: frozenset[str]
    """Comparisons that are of numbers, and never of years."""
    narrowing: frozenset[str]
    """Words that keep fewer rows of an answer."""
    decades: frozenset[str]
    same: Mapping[str, frozenset[str]]
    """Words that compare rows with rows of their own kind."""
    money: Mapping[str, frozenset[str]]
    """Signs and names of whole money, and names of columns that hold hundredths of it."""
    pieces: Mapping[str, frozenset[str]]
    """Words that ask for a number of pieces, and words that ask for money."""
    compared: Mapping[str, frozenset[str]]
    """Comparisons that only some columns bear: of ages one is younger."""
    sides: Mapping[str, frozenset[str]]
    """Words for money of what was sold, and for money that was paid; words of selling and of buying."""
    never: frozenset[str]
    who: frozenset[str]
    """Words that ask for a person; whose asks for a thing."""
    ours: frozenset[str]
    idle: frozenset[str]
    """Words that a list of all rows leaves aside: everything, please."""
    shown_with: Mapping[str, frozenset[str]]
    """Words before what is shown beside something: with their, with the."""
    adding: frozenset[str]
    """At the beginning: what follows is shown beside the rows of the turn before."""
    back: frozenset[str]
    """Words that point at rows of the turn before."""
    final: frozenset[str]
    """Behind a verb: the one of which it holds last, or first."""
    ones: frozenset[str]
    """Words for rows that were spoken of: the ones."""
    done: frozenset[str]
    """Participles that no ending tells: paid, sold."""
    counting: frozenset[str]
    """Verbs that ask for a number where a message begins with them."""
    undone: frozenset[str]
    """What happens to things against expectation: returned, refunded."""
    sold: frozenset[str]
    """Words of a sale."""
    things: frozenset[str]
    """At the beginning: something is asked for."""
    helping: frozenset[str]
    """Behind it: whoever comes next did something with it."""
    perfect: frozenset[str]
    """Before a participle: somebody has done something."""
    bought: frozenset[str]
    """Verbs of which there is a record of trade."""
    kinds_of: frozenset[str]
    """Before "of": what is told is a kind."""
    lists: frozenset[str]
    """Behind a noun: what is listed is that, and what it is of."""
    oftener: frozenset[str]
    often: frozenset[str]
    """More often, less frequently: what is compared is how many times."""
    dimensions: Mapping[str, frozenset[str]]
    """Comparisons of one figure of things, and what columns of it are called: taller than is a height."""
    itself: frozenset[str]
    """What makes a comparison one with the rows of the same kind: their own."""
    own_kind: Mapping[str, frozenset[str]]
    """Behind an average, "for their line" does so: the words before, and those that point at the things."""
    earning: frozenset[str]
    """Behind a superlative: what is ranked is money."""
    which_of: frozenset[str]
    """Before a noun: which of these things."""
    in_unit: frozenset[str]
    """Before a unit: what a figure is to be given in."""
    ranking: frozenset[str]
    """Orders from the greatest down, where no direction is said."""
    nowadays: frozenset[str]
    all_of: frozenset[str]
    stock: frozenset[str]
    into: frozenset[str]
    pointing: frozenset[str]
    deeds: frozenset[str]
    ahead: frozenset[str]
    of_one: frozenset[str]
    through: frozenset[str]
    always: frozenset[str]
    edge_of: frozenset[str]
    """Days that stand for what holds now."""
    agents: Mapping[str, frozenset[str]]
    """Who did something, where the verb has a form of its own: wrote, writer."""
    doing: frozenset[str]
    livelihood: frozenset[str]
    """ "What do they do", and "for a living"."""
    rates: frozenset[str]
    """Behind "hourly": what is paid for an hour."""
    present: frozenset[str]
    """Words for what holds now."""
    verbs_of_parts: frozenset[str]
    """Verbs behind what a share is of."""
    newer: frozenset[str]
    """Comparisons of years and ages."""
    it: frozenset[str]
    """Words for one thing that was spoken of."""
    of_each: frozenset[str]
    """Between a part and what has it: the captain of each team."""
    counts_rows: frozenset[str]
    """Cues that count what is named behind them, and never add anything up."""
    whole: frozenset[str]
    """Cues that ask for one number of everything."""
    articles: frozenset[str]
    one_of: frozenset[str]
    """Before a unit: one of it."""
    halves: frozenset[str]
    unranked: frozenset[str]
    """Superlatives that any rows will do for: the first five."""
    joining: frozenset[str]
    asking: frozenset[str]
    """Behind a joining word these ask for a second thing: and what was it."""
    numbers_of: frozenset[str]
    """Cues that ask for the numbers that things have, unless there are groups."""
    relative: frozenset[str]
    """Words that begin what is said of the noun before them."""
    owning: frozenset[str]
    """Between what is shown and whose it is: the town of the club."""
    owner: frozenset[str]
    """Between rows and what they have: traders whose details."""
    timely: frozenset[str]
    """Superlatives of a time: the latest."""
    clauses: frozenset[str]
    """Words that begin what must hold of the things before them."""
    also: frozenset[str]
    """Before a further request: also list."""
    places: frozenset[str]
    """Before "different": a figure for each of these."""
    row_nouns: frozenset[str]
    """What rows are called, whatever they are of."""
    single: frozenset[str]
    """A number only where something exact is asked for: exactly one."""
    ways: Mapping[str, frozenset[str]]
    """Words before the two ends of a way: to, from."""
    marks: Mapping[str, frozenset[str]]
    """Small words that turn what stands beside them: the largest single sale."""
    edges: Mapping[str, frozenset[str]]
    """Verbs that say at which end of a text something stands."""
    bare_signs: Mapping[str, frozenset[str]]
    """Words right before a number that compare with it, without a "than"."""
    kept_as: Mapping[str, frozenset[str]]
    """What columns are called that hold what a noun of figures speaks of: a running time is a length."""
    objections: Mapping[str, str]

    @property
    def single_cues(self) -> frozenset[str]:
        """The cues of one word."""
        return frozenset(first for first, found in self.cues.items() if any(len(p) == 1 for p, _ in found))

    def like(self, cue: str) -> frozenset[str]:
        """What columns are called that hold a measure ready-made: `mean_pressure`, `pct_forest`."""
        return self.alike.get(cue, frozenset())


_SETS = [
    "capitals",
    "of_nouns",
    "each_one",
    "as_written",
    "asks",
    "kinds_of",
    "lists",
    "oftener",
    "often",
    "parts",
    "timed",
    "much",
    "before_month",
    "clock",
    "behind",
    "replaced",
    "measured",
    "states",
    "lasting",
    "once",
    "plain_numbers",
    "multiples",
    "singles",
    "narrowing",
    "decades",
    "who",
    "never",
    "ours",
    "idle",
    "adding",
    "back",
    "final",
    "ones",
    "done",
    "counting",
    "undone",
    "counts_rows",
    "whole",
    "articles",
    "one_of",
    "halves",
    "unranked",
    "in_unit",
    "sold",
    "things",
    "helping",
    "perfect",
    "bought",
    "itself",
    "earning",
    "which_of",
    "joining",
    "asking",
    "numbers_of",
    "relative",
    "owning",
    "owner",
    "timely",
    "clauses",
    "also",
    "places",
    "row_nouns",
    "single",
    "ranking",
    "of_each",
    "nowadays",
    "all_of",
    "stock",
    "into",
    "pointing",
    "deeds",
    "ahead",
    "of_one",
    "through",
    "always",
    "edge_of",
    "below",
    "dates_asked",
    "present",
    "doing",
    "livelihood",
    "rates",
    "verbs_of_parts",
    "newer",
    "it",
]
_MAPS = [
    "hints",
    "limits",
    "date_verbs",
    "bounds",
    "ends",
    "ages",
    "figures",
    "codes",
    "amounts",
    "sorts",
    "workers",
    "same",
    "money",
    "pieces",
    "sides",
    "shown_with",
    "kept_as",
    "bare_signs",
    "edges",
    "marks",
    "ways",
    "agents",
    "turned",
    "done_by",
    "own_kind",
    "dimensions",
]
_PATTERNS = ["superlative", "passive", "verbal", "agent", "inflected", "negating"]


@cache
def vocabulary(code: str) -> Vocabulary:
    """The words of a language; what it has no words for, is never demanded."""
    known = code if code in languages() else FALLBACK
    own = language(known).texts("review")
    english = language(FALLBACK).texts("review")
    plain = {name: word_sets.folded(own.get(name, ())) for name in _SETS}
    mapped = {name: word_sets.sets(own.get(name, {})) for name in _MAPS}
    patterns = {name: re.compile(own[name]) if name in own else _NEVER for name in _PATTERNS}
    given: dict[str, Any] = {**plain, **mapped, **patterns}
    small = language(known).function_words()
    compared = word_sets.sets(language(known).texts("questions").get("comparatives", {}))
    return Vocabulary(
        cues=word_sets.cues(own.get("cues", {})),
        compared={said: names for said, names in compared.items() if said not in small},
        numbers=word_sets.numbers(own.get("numbers", {})),
        scales=word_sets.numbers(own.get("scales", {})),
        # Names of columns are mostly English, whatever the question is in.
        units={**word_sets.units(english.get("units", {})), **word_sets.units(own.get("units", {}))},
        date_columns=word_sets.sets(english.get("date_columns", {})),
        vague=word_sets.folded(own.get("vague", ())) | word_sets.folded(english.get("vague", ())),
        alike=word_sets.sets(english.get("alike", {})),
        objections={**english["objections"], **own.get("objections", {})},
        **given,
    )


@cache
def column_words(kind: str) -> frozenset[str]:
    """Words of names of columns that say what is in them: a key, a name, a time, a rank.

    A database may be named in any language, whatever the question is in.
    """
    found = (language(code).texts("review").get("column_words", {}).get(kind, ()) for code in languages())
    return frozenset().union(*map(word_sets.folded, found))
