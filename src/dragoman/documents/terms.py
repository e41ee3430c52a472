"""The words of documents and questions, by the keys under which they are compared.

A word stands under its form and under what it may be a form of, in the language it is written in; a German
compound also under its last part, and Korean also under pairs of syllables, because blanks may be left out.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple

from dragoman.locales.documents import knowledge_of
from dragoman.locales.language import Language, function_words_of
from dragoman.locales.registry import FALLBACK, default_of, language, languages, of_script, same_letters
from dragoman.locales.script import HANGUL, NO_SCRIPT, script_of

_WORD: Final = re.compile(r"\d+(?:[.,]\d+)+(?![^\W_])|[^\W_]+")
"""A number with its fraction, as of a version, is one word: its parts stand anywhere."""
_CAMEL: Final = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z])")
_RUN: Final = re.compile(r"[\uac00-\ud7a3]+|[^\uac00-\ud7a3]+")
_SHORTEST_PART: Final = 4
_LEAST_COMPOUND: Final = 9
_LONGEST: Final = 60
"""A longer word is no word, and takes part in nothing."""


class Word(NamedTuple):
    form: str
    keys: tuple[str, ...]
    """The form, then the words that it may be a form of."""
    parts: tuple[str, ...]
    """What else it is found by, less surely."""
    written: str
    """As it stands in the text."""
    start: int


def words_of(text: str, code: str) -> Iterator[Word]:
    """The words of a text in a language; those in other letters are in the usual language of these."""
    for match in _WORD.finditer(text):
        for run in _RUN.finditer(match.group()):
            written = run.group()
            if len(written) <= _LONGEST:
                form = same_letters(written.casefold()).replace("ё", "е")
                keys, parts = _keys(form, code)
                if written != written.lower() and (pieces := _CAMEL.findall(written))[1:]:
                    parts = (*parts, *(piece.casefold() for piece in pieces))
                yield Word(form, keys, parts, written, match.start() + run.start())


@lru_cache(maxsize=50_000)
def _keys(form: str, code: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    spoken = spoken_of(form, code)
    if spoken is None or form.isdigit() or not form.isalnum():
        return (form,), ()
    # One syllable is a whole word in Korean, and a letter elsewhere.
    found = [e for e in spoken.lemmas(spoken, form) if (len(e) > 1 or spoken.glued) and e.isalnum()]
    # A dictionary has some forms under one that it has under another.
    more = [other for each in found for other in spoken.lemmas(spoken, each)] if not spoken.glued else []
    keys = tuple(dict.fromkeys((form, *found, *(each for each in more if len(each) > 1 and each.isalnum()))))
    if spoken.glued:
        return keys, pairs(form)
    return keys, tuple(_parts(form, spoken)) if spoken.capital_nouns else ()


def pairs(form: str) -> tuple[str, ...]:
    """Each two syllables that stand together."""
    return tuple(dict.fromkeys(form[place : place + 2] for place in range(len(form) - 1)))


def _parts(form: str, spoken: Language) -> Iterator[str]:
    """The words that a compound is made of, where the dictionary knows both halves."""
    if len(form) < _LEAST_COMPOUND:
        return
    for place in range(_SHORTEST_PART, len(form) - _SHORTEST_PART + 1):
        head, tail = form[:place], form[place:]
        heads = tuple(head.removesuffix(joint) for joint in ("", "s", "n", "en", "es"))
        known = next((each for each in heads if len(each) >= _SHORTEST_PART and _is_word(spoken, each)), None)
        if known is not None and _is_word(spoken, tail):
            yield from dict.fromkeys((known, tail, *spoken.lemmas(spoken, tail)))
            return


def _is_word(spoken: Language, form: str) -> bool:
    return spoken.has_word(spoken, form) or spoken.has_word(spoken, form.capitalize())


def spoken_of(form: str, code: str) -> Language | None:
    """The language that a word is in, in a text of a language."""
    script = script_of(form)
    own = language(code) if code in languages() else None
    return own if own is not None and own.script in (script, NO_SCRIPT) else default_of(script)


def is_small(word: Word, code: str) -> bool:
    """Whether it is one of the small words, of which every text is full."""
    spoken = spoken_of(word.form, code)
    if spoken is None or word.form not in function_words_of(spoken):
        return False
    return word.form not in _telling(spoken)


@cache
def _telling(spoken: Language) -> frozenset[str]:
    """Small words of conversations that say as much as others in documents: reset, export."""
    return frozenset(same_letters(each.casefold()) for each in knowledge_of(spoken).get("telling", ()))


def language_of(texts: Iterable[str]) -> str:
    """The language that texts are in: by their letters, and among languages of the same letters by their
    small words."""
    counts: dict[str, dict[str, int]] = {}
    for text in texts:
        for match in _WORD.finditer(text.casefold()):
            form = same_letters(match.group())
            script = script_of(form)
            if script != NO_SCRIPT:
                known = counts.setdefault(script, {})
                known[form] = known.get(form, 0) + 1
    if not counts:
        return FALLBACK
    script = max(counts, key=lambda each: sum(counts[each].values()))
    rivals = of_script(script)
    if not rivals:
        return FALLBACK

    def said(spoken: Language) -> int:
        small = function_words_of(spoken)
        return sum(count for form, count in counts[script].items() if form in small)

    return max(rivals, key=said).code


def is_hangul(form: str) -> bool:
    return script_of(form) == HANGUL
