"""Russian nouns in the forms that a sentence needs, out of the dictionary of pymorphy3."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from dragoman.locales.data import LanguageData
from dragoman.locales.ru.morphology import morphology

if TYPE_CHECKING:
    from pymorphy3.analyzer import Parse  # type: ignore[import-untyped]

_GRAMMEMES: Final[Mapping[str, frozenset[str]]] = {
    "genitive_plural": frozenset({"gent", "plur"}),
    "dative_plural": frozenset({"datv", "plur"}),
}
_AGREEING: Final = "agreeing."


def noun_form(language: LanguageData, words: str, form: str) -> str:
    """A name in a form: its noun is the first word that is one, and what stands behind it stays as it is.

    `agreeing.WORD` is that adjective as it stands before the name.
    """
    parts = words.split(" ")
    for place, word in enumerate(parts):
        noun = _noun(word)
        if noun is None:
            continue
        if form.startswith(_AGREEING):
            return _agreeing(form.removeprefix(_AGREEING), noun)
        changed = noun.inflect(set(_GRAMMEMES[form]))
        if changed is None:
            return words
        before = [_adjective(each, form) for each in parts[:place]]
        return " ".join((*before, changed.word, *parts[place + 1 :]))
    return form.removeprefix(_AGREEING) if form.startswith(_AGREEING) else words


def _noun(word: str) -> "Parse | None":
    found = (each for each in morphology().parse(word) if {"NOUN", "nomn"} in each.tag)
    return next(found, None)


def _adjective(word: str, form: str) -> str:
    """An adjective before its noun goes along with it."""
    found = (each for each in morphology().parse(word) if "ADJF" in each.tag)
    changed = next((made for each in found if (made := each.inflect(set(_GRAMMEMES[form])))), None)
    return word if changed is None else str(changed.word)


def _agreeing(adjective: str, noun: "Parse") -> str:
    tag = noun.tag
    wanted = {"nomn", "plur"} if tag.number == "plur" else {"nomn", "sing", str(tag.gender)}
    found = (each for each in morphology().parse(adjective.lower()) if "ADJF" in each.tag)
    changed = next((made for each in found if (made := each.inflect(wanted))), None)
    word = adjective if changed is None else str(changed.word)
    return word.capitalize() if adjective[:1].isupper() else word
