"""Sentences about words: what teaches one, takes one back, or asks which were taught."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final

from msgspec.structs import replace

from dragoman.contracts.record import Record
from dragoman.locales.language import Language

LONGEST_WORD: Final = 60
LONGEST_MEANING: Final = 300
_QUOTES: Final = " \t\"'“”„«»‘’`"
_ENDS: Final = " \t\n.!;"


class Definition(Record, frozen=True):
    """A word and what it is said to mean, each as it was said. `surely`: the sentence can do nothing else."""

    word: str
    meaning: str
    surely: bool = True
    quoted: bool = False
    """The word stands in quotes."""
    column: str = ""
    """The column whose value is said to mean something."""
    noun: str = ""
    """Whose rows the word is for, where the sentence says so first: in teams, W is wins."""
    of_noun: bool = False
    """The word is said of rows that are named before it: a rental that is still out."""


class TeachingWords(Record, frozen=True):
    """The words of one language that definitions are made of."""

    articles: frozenset[str]
    ones: frozenset[str]
    operators: tuple[tuple[str, str], ...]
    """What is computed, and the words for it, the longest first."""
    in_column: str
    computed: tuple[tuple[str, re.Pattern[str]], ...] = ()
    """What is computed, with patterns whose verb comes last."""
    has: frozenset[str] = frozenset()
    """What says that there is something: customers that have a phone."""
    lacks: tuple[str, ...] = ()
    """What says that there is nothing, the longest first: customers without a phone."""
    counts: tuple[str, ...] = ()
    """What asks for a number of rows, the longest first."""
    sums: tuple[str, ...] = ()
    """What asks for a total, the longest first."""
    tests: tuple[tuple[str, re.Pattern[str]], ...] = ()
    """What a column may be tested for, with the sentence behind its name."""
    numbers: Mapping[str, str] = {}
    either: str = r"\Z\A"
    """What stands between values of which one is meant."""
    whole: str = ""
    """What begins a part that is taken off first: one minus."""
    filled: tuple[str, ...] = ()
    """What says that something is in a column, behind its name."""
    fillers: frozenset[str] = frozenset()
    """Words that rows of any table go by."""
    stands_for: frozenset[str] = frozenset()
    """What stands for the rows that were just named: an open order is one without a date."""
    how_many: str = ""
    """What asks how many rows there are."""
    asks: frozenset[str] = frozenset()
    """What begins a question, and no name."""
    times: frozenset[str] = frozenset()
    """What speaks of a time without naming one: when, monthly."""


class Reworders(Record, frozen=True):
    """The small words around a taught word in a question."""

    denies: frozenset[str]
    shares: frozenset[str]
    chooses: frozenset[str]
    groups: frozenset[str]
    pronouns: frozenset[str]
    narrows: frozenset[str]
    clause: re.Pattern[str]
    """What leads in a condition that stands behind its rows: that were."""
    ones: re.Pattern[str]
    """What stands for rows behind a condition: ones."""
    share_of: re.Pattern[str]
    """What asks which part of all rows some are."""
    count_of: str
    """What asks how many rows there are."""
    asks_amount: re.Pattern[str]
    """What may stand before an amount that is asked for alone."""
    total_of: str
    """What asks for a total."""
    instead: re.Pattern[str]
    """What begins a message that asks the same of other rows."""
    compares: re.Pattern[str]
    """What stands before an amount that things are compared by: the highest."""
    compared: re.Pattern[str]
    """What stands behind one: above."""
    averages: re.Pattern[str]
    """What stands before an amount that is averaged."""
    each: re.Pattern[str]
    """What begins the things that an average is of: per."""
    counts: re.Pattern[str]
    """What stands before rows that are counted: number of."""
    one_of: str
    """What stands before the last of several values."""


@cache
def rewording_words(language: Language) -> Reworders:
    known = _texts(language)["around"]

    def words(key: str) -> frozenset[str]:
        return frozenset(known[key])

    def pattern(key: str) -> re.Pattern[str]:
        return re.compile(known[key], re.IGNORECASE)

    return Reworders(
        words("denies"),
        words("shares"),
        words("chooses"),
        words("groups"),
        words("pronouns"),
        words("narrows"),
        pattern("clause"),
        pattern("ones"),
        pattern("share_of"),
        known["count_of"],
        pattern("asks_amount"),
        known["total_of"],
        pattern("instead"),
        pattern("compares"),
        pattern("compared"),
        pattern("averages"),
        pattern("each"),
        pattern("counts"),
        known["one_of"],
    )


def sentences_about_words(language: Language) -> tuple[re.Pattern[str], ...]:
    """Every sentence of a language that may be about words: what fits none of them is not."""
    undone = [text for key in ("undoes", "undoes_word") for text in _texts(language).get(key, ())]
    undoes = [re.compile(re.escape(text), re.IGNORECASE) for text in undone]
    listed = _texts(language).get("listed", {}).get("fits", ())
    undoes += [re.compile(text, re.IGNORECASE) for text in listed]
    kinds = ("coded", "defines", "perhaps", "forgets", "lists")
    return (*(each for kind in kinds for each in _patterns(language, kind)), *undoes)


def definitions_in(text: str, languages: Iterable[Language]) -> Iterator[Definition]:
    """The ways in which a message may teach a word, the surest first."""
    said = text.strip(_ENDS)
    if not said or said.endswith("?") or "\n" in said:
        return
    for surely, key in ((True, "coded"), (True, "defines"), (False, "perhaps")):
        for language in languages:
            for pattern in _patterns(language, key):
                found = pattern.fullmatch(said)
                if found is not None and (made := _definition(found, surely=surely)) is not None:
                    yield made


def listed_in(text: str, languages: Iterable[Language]) -> tuple[Definition, ...]:
    """The definitions of a sentence that has several: HR means home runs and SB means stolen bases."""
    said = text.strip(_ENDS)
    if said.endswith("?") or "\n" in said:
        return ()
    for language in languages:
        found = _listed(said, language.texts("teaching").get("listed"))
        if len(found) > 1:
            return found
    return ()


def _listed(said: str, listed: Mapping[str, Any] | None) -> tuple[Definition, ...]:
    if not listed:
        return ()
    scope = re.fullmatch(listed["scope"], said, re.IGNORECASE) if listed.get("scope") else None
    noun, rest = (scope["noun"], scope["rest"]) if scope is not None else ("", said)
    made: list[Definition] = []
    for part in re.split(listed["between"], rest, flags=re.IGNORECASE):
        sure = re.fullmatch(listed["surely"], part, re.IGNORECASE)
        found = sure or re.fullmatch(listed["perhaps"], part, re.IGNORECASE)
        definition = _definition(found, surely=bool(sure or noun)) if found is not None else None
        if definition is None:
            return ()
        made.append(replace(definition, noun=noun))
    return tuple(made)


def forgotten_in(text: str, languages: Iterable[Language]) -> str:
    """The word that a message takes back; empty where it takes none back."""
    said = text.strip(_ENDS)
    for language in languages:
        for pattern in _patterns(language, "forgets"):
            found = pattern.fullmatch(said)
            if found is not None:
                return found["word"].strip(_QUOTES)
    return ""


def asks_for_taught(text: str, languages: Iterable[Language]) -> bool:
    """Whether a message asks which words were taught."""
    said = text.strip(_ENDS + "?")
    return any(pattern.fullmatch(said) for language in languages for pattern in _patterns(language, "lists"))


def takes_back_last(text: str, languages: Iterable[Language], *, word: bool = False) -> bool:
    """Whether a message takes back whatever came last; with `word` the word that was taught last, whatever
    came since."""
    said = " ".join(text.casefold().strip(_ENDS).split())
    key = "undoes_word" if word else "undoes"
    return any(said in _texts(language).get(key, ()) for language in languages)


@cache
def teaching_words(language: Language) -> TeachingWords:
    known = _texts(language)
    operators = [(operator, word) for operator in _OPERATORS for word in known.get(operator, ())]
    return TeachingWords(
        frozenset(known.get("articles", ())),
        frozenset(known.get("ones", ())),
        tuple(sorted(operators, key=lambda each: -len(each[1]))),
        known.get("in_column", ""),
        tuple((operator, re.compile(text)) for operator, text in known.get("computed", {}).items()),
        frozenset(known.get("has", ())),
        tuple(sorted(known.get("lacks", ()), key=len, reverse=True)),
        tuple(sorted(known.get("counts", ()), key=len, reverse=True)),
        tuple(sorted(known.get("sums", ()), key=len, reverse=True)),
        tuple(
            (kind, re.compile(text, re.IGNORECASE))
            for kind, texts in known.get("tests", {}).items()
            for text in texts
        ),
        known.get("numbers", {}),
        known.get("either", r"\Z\A"),
        known.get("whole", ""),
        tuple(known.get("filled", ())),
        frozenset(known.get("fillers", ())),
        frozenset(known.get("stands_for", ())),
        known.get("how_many", ""),
        frozenset(known.get("asks", ())),
        frozenset(known.get("times_of", ())),
    )


_OPERATORS: Final = ("times", "plus", "minus", "divided")


def _definition(found: re.Match[str], *, surely: bool) -> Definition | None:
    raw, meaning = found["word"].strip(), found["meaning"].strip(_ENDS)
    quoted = bool(raw) and raw[0] in _QUOTES and raw[-1] in _QUOTES
    word = raw.strip(_QUOTES)
    if not word or not meaning.strip(_QUOTES) or len(word) > LONGEST_WORD or len(meaning) > LONGEST_MEANING:
        return None
    groups = found.groupdict()
    if groups.get("noun"):
        meaning = f"{groups['noun']} {meaning}"
    return Definition(
        word, meaning, surely, quoted, groups.get("column") or "", of_noun=bool(groups.get("noun"))
    )


def _texts(language: Language) -> Mapping[str, Any]:
    return language.texts("teaching")


@cache
def _patterns(language: Language, key: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(text, re.IGNORECASE) for text in _texts(language).get(key, ()))
