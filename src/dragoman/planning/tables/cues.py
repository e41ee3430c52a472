"""Words that say what is done with what is named: counting, comparing, ordering, and so on."""

import math
from functools import cache

from dragoman.contracts.record import Record
from dragoman.planning.tables.lexicon import ENGLISH, Languages, Superlative, lexicons, spoken
from dragoman.planning.tables.words import Kind, Token, stem, tokens_of

LONGEST = 6


class Cue(Record, frozen=True):
    """Words `start` to `end` are a phrase of a kind; `words` is the phrase itself."""

    start: int
    end: int
    kind: str
    words: str
    superlative: Superlative | None = None
    columns: tuple[str, ...] = ()


class _Phrase(Record, frozen=True):
    kind: str
    words: str
    superlative: Superlative | None = None
    columns: tuple[str, ...] = ()


@cache
def _phrases(languages: Languages) -> dict[tuple[str, ...], tuple[_Phrase, ...]]:
    """By the words of a phrase, each as its stem."""
    found: dict[tuple[str, ...], list[_Phrase]] = {}
    for each in lexicons(languages):
        for kind, phrases in each.cues.items():
            for phrase in phrases:
                columns = each.comparatives.get(phrase, ())
                key = _key(phrase)
                kinds = [known.kind for known in found.get(key, ())]
                if kind not in kinds:
                    found.setdefault(key, []).append(_Phrase(kind, phrase, None, columns))
        for phrase, superlative in each.superlatives.items():
            kind = "least" if superlative.least else "most"
            key = _key(phrase)
            kept = [known for known in found.get(key, ()) if known.kind not in (kind,)]
            found[key] = [*kept, _Phrase(kind, phrase, superlative)]
    return {key: tuple(phrases) for key, phrases in found.items()}


def _key(phrase: str) -> tuple[str, ...]:
    return tuple(token.stem for token in tokens_of(phrase))


@cache
def numbers(languages: Languages) -> dict[str, float]:
    return {word: number for each in lexicons(languages) for word, number in each.numbers.items()}


@cache
def naming_words() -> frozenset[str]:
    """Words that make questions, and are nouns as well."""
    return frozenset(lexicons()[0].naming)


@cache
def linking_words() -> frozenset[str]:
    """Verbs that only link what is named."""
    return frozenset(word for each in lexicons() for word in each.linking)


@cache
def working_words() -> frozenset[str]:
    """Single words that make questions and name nothing by themselves."""
    english = lexicons()[0]
    kinds = ("show", "fill", "of", "by", "where", "with", "and", "or", "not", "distinct", "times")
    words = {phrase for kind in kinds for phrase in english.cues.get(kind, ()) if " " not in phrase}
    return frozenset(words.difference(english.naming))


def cues_of(tokens: tuple[Token, ...]) -> dict[int, tuple[Cue, ...]]:
    """The phrases that begin at each word, the longest first."""
    known = _phrases(spoken(" ".join(token.low for token in tokens)))
    stems = tuple(stem(token.low) if token.kind is Kind.WORD else token.low for token in tokens)
    found: dict[int, tuple[Cue, ...]] = {}
    for start, token in enumerate(tokens):
        if token.kind in (Kind.QUOTED, Kind.NUMBER):
            continue
        here: list[Cue] = []
        for end in range(min(start + LONGEST, len(tokens)), start, -1):
            here.extend(
                Cue(start, end, phrase.kind, phrase.words, phrase.superlative, phrase.columns)
                for phrase in known.get(stems[start:end], ())
            )
        if here:
            found[start] = tuple(here)
    return found


def number_of(token: Token, languages: Languages = ENGLISH) -> float | None:
    """The number a token says, in digits or in words."""
    if token.kind is Kind.NUMBER:
        try:
            number = float(token.low)
        except ValueError:
            return None
        # So many digits that nobody counts with them.
        return number if math.isfinite(number) else None
    return numbers(languages).get(token.low) if token.kind is Kind.WORD else None
