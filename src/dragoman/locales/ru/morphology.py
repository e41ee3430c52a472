"""Russian forms, out of the dictionary of pymorphy3."""

from functools import cache
from typing import TYPE_CHECKING, Final

from dragoman.locales.data import LanguageData

if TYPE_CHECKING:
    from pymorphy3 import MorphAnalyzer  # type: ignore[import-untyped]

_CLOSED: Final = frozenset({"NPRO", "PREP", "CONJ", "PRCL", "INTJ"})
"""Parts of speech whose forms mean different things: who owes us is not whom we owe."""

_NAMES: Final = frozenset({"Name", "Surn", "Patr", "Geox", "Orgn", "Trad"})
"""What the dictionary calls names of people, places, organizations and goods."""

_LIKELY: Final = 0.04
_VOWELS: Final = frozenset("аеиоуыэюяйь")


@cache
def morphology() -> "MorphAnalyzer":
    # The dictionary takes a tenth of a second to load: only for who writes Russian.
    from pymorphy3 import MorphAnalyzer

    return MorphAnalyzer(lang="ru")


def lemmas(language: LanguageData, form: str) -> list[str]:
    lexicon = language.document("lexicon")
    if form in lexicon["whole_words"]:
        return []
    known = lexicon["lemmas"].get(form)
    found = [] if known is None else [known]
    for parse in morphology().parse(form):
        if str(parse.tag.POS) in _CLOSED:
            break
        # More important is not important, and better is not good.
        if parse.score >= _LIKELY and str(parse.tag.POS) != "COMP":
            found.append(parse.normal_form.replace("ё", "е"))
    return found


def normal_forms(language: LanguageData, form: str) -> tuple[str, ...]:
    return tuple(str(parse.normal_form) for parse in morphology().parse(form))


def has_word(language: LanguageData, form: str) -> bool:
    return bool(morphology().word_is_known(form))


def is_command(language: LanguageData, form: str) -> bool:
    return any("impr" in parse.tag for parse in morphology().parse(form))


def is_name(language: LanguageData, form: str) -> bool:
    parses = [parse for parse in morphology().parse(form) if parse.score >= _LIKELY]
    return bool(parses) and all(_NAMES & set(map(str, parse.tag.grammemes)) for parse in parses)


def name_stem(language: LanguageData, form: str) -> str:
    if len(form) < 4:
        return form
    if form[-1] in "йяеь" and len(form) > 5 and form[-2] in _VOWELS:
        return form[:-2]
    return form[:-1] if form[-1] in _VOWELS else form
