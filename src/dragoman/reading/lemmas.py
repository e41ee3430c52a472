"""The keys by which words are compared: a form, and what it is a form of."""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, Final

from dragoman.reading.lexicon import lexicons
from dragoman.reading.tokens import Script, script_of

_CLOSED: Final = frozenset({"NPRO", "PREP", "CONJ", "PRCL", "INTJ"})
"""Parts of speech whose forms mean different things: who owes us is not whom we owe."""

_LIKELY: Final = 0.04
_VOWELS: Final = frozenset("аеиоуыэюяйь")


@lru_cache(maxsize=20_000)
def keys_of(form: str) -> tuple[str, ...]:
    """The form itself, then the words it may be a form of."""
    match script_of(form):
        case Script.LATIN:
            others = _english(form)
        case Script.CYRILLIC:
            others = _russian(form)
        case Script.HANGUL:
            others = _korean(form)
        case Script.OTHER:
            others = []
    return tuple(dict.fromkeys((form, *others)))


@lru_cache(maxsize=20_000)
def name_keys(form: str) -> tuple[str, ...]:
    """The keys by which a word of a message may be a word of a name: names are in no dictionary."""
    if script_of(form) is not Script.CYRILLIC:
        return keys_of(form)
    cut = [form[: -len(ending)] for ending in _endings() if form.endswith(ending)]
    return tuple(dict.fromkeys((form, *(stem for stem in cut if len(stem) >= 2))))


def stem_of_name(form: str) -> str:
    """What stays of a word of a name in all its cases."""
    if script_of(form) is not Script.CYRILLIC or len(form) < 4:
        return form
    if form[-1] in "йяеь" and len(form) > 5 and form[-2] in _VOWELS:
        return form[:-2]
    return form[:-1] if form[-1] in _VOWELS else form


@cache
def _endings() -> tuple[str, ...]:
    return tuple(ending for lexicon in lexicons() for ending in lexicon.data["name_endings"])


@cache
def _irregular() -> Mapping[str, str]:
    return {form: lemma for lexicon in lexicons() for form, lemma in lexicon.data["lemmas"].items()}


def _english(form: str) -> list[str]:
    known = _irregular().get(form)
    found = [] if known is None else [known]
    if len(form) > 3 and form.endswith("s") and form[-2] not in "siu'":
        found.append(form[:-1])
        if form.endswith("ies"):
            found.append(form[:-3] + "y")
        elif form.endswith(("ches", "shes", "xes", "sses")):
            found.append(form[:-2])
    for ending in ("ed", "ing"):
        stem = form.removesuffix(ending)
        if stem != form and len(stem) >= 3:
            found.extend((stem, stem + "e"))
            if stem.endswith("i"):
                found.append(stem[:-1] + "y")
            if len(stem) > 3 and stem[-1] == stem[-2]:
                found.append(stem[:-1])
    return found


@cache
def _dictionary() -> Any:
    # The dictionary takes a tenth of a second to load: only for who writes Russian.
    from pymorphy3 import MorphAnalyzer  # type: ignore[import-untyped]

    return MorphAnalyzer(lang="ru")


@cache
def _whole_words() -> frozenset[str]:
    return frozenset(word for lexicon in lexicons() for word in lexicon.data["whole_words"])


def _russian(form: str) -> list[str]:
    if form in _whole_words():
        return []
    known = _irregular().get(form)
    found = [] if known is None else [known]
    for parse in _dictionary().parse(form):
        if str(parse.tag.POS) in _CLOSED:
            break
        # More important is not important, and better is not good.
        if parse.score >= _LIKELY and str(parse.tag.POS) != "COMP":
            found.append(parse.normal_form.replace("ё", "е"))
    return found


def is_russian_word(form: str) -> bool:
    """Whether the dictionary has this very form."""
    return bool(_dictionary().word_is_known(form))


@cache
def _suffixes() -> frozenset[str]:
    parts = ("particles", "suffixes")
    return frozenset(suffix for lexicon in lexicons() for part in parts for suffix in lexicon.data[part])


@cache
def _longest_suffix() -> int:
    return max(map(len, _suffixes()), default=0)


def _korean(form: str) -> list[str]:
    """What stays when particles and endings are taken off, one after another, at most three."""
    found: list[str] = []
    heads = [form]
    for _ in range(3):
        heads = [stem for head in heads for stem in _shortened(head)]
        found.extend(heads)
    return found


def _shortened(form: str) -> list[str]:
    longest = min(_longest_suffix(), len(form) - 1)
    return [form[:-size] for size in range(longest, 0, -1) if form[-size:] in _suffixes()]


def is_particle(form: str) -> bool:
    """Whether a Korean word is nothing but what stands behind another word: the 의 of `Alfa Trade의`."""
    return form in _suffixes() or any(head in _suffixes() for head in _korean(form))
