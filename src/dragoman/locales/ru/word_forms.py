"""What Russian forms may be, out of the dictionary of pymorphy3."""

from functools import lru_cache
from typing import Any, Final

from dragoman.locales.data import LanguageData
from dragoman.locales.ru.morphology import morphology
from dragoman.locales.word_form import Part, WordForm

_PARTS: Final = {
    "NOUN": Part.NOUN,
    "ADJF": Part.ADJECTIVE,
    "ADJS": Part.ADJECTIVE,
    "COMP": Part.COMPARATIVE,
    "VERB": Part.VERB,
    "INFN": Part.VERB,
    "GRND": Part.VERB,
    "PRTF": Part.PARTICIPLE,
    "PRTS": Part.PARTICIPLE,
    "NUMR": Part.NUMERAL,
    "ADVB": Part.ADVERB,
}
_CASES: Final = {"nomn": "name", "gent": "of", "gen2": "of"}
_NAMES: Final = frozenset({"Name", "Surn", "Patr", "Geox", "Orgn"})
_LIKELY: Final = 0.02


def word_forms(language: LanguageData, form: str) -> tuple[WordForm, ...]:
    """The likely readings of a form, the likeliest first."""
    return _word_forms(form)


@lru_cache(maxsize=8192)
def _word_forms(form: str) -> tuple[WordForm, ...]:
    found: dict[WordForm, None] = {}
    for parse in morphology().parse(form):
        if parse.score < _LIKELY:
            continue
        tag = parse.tag
        case = str(tag.case) if tag.case else ""
        reading = WordForm(
            str(parse.normal_form).replace("ё", "е"),
            _PARTS.get(str(tag.POS), Part.CLOSED if tag.POS else Part.NOUN),
            _CASES.get(case, case),
            str(tag.number) == "plur",
            not _NAMES.isdisjoint(tag.grammemes),
        )
        for lemma in (*_as_adjective(parse), reading.lemma, *_without_itself(reading)):
            found[reading._replace(lemma=lemma)] = None
    return tuple(found)


def _as_adjective(parse: Any) -> tuple[str, ...]:
    """A participle as a word of its own, which it often has become: a leader is one who leads."""
    if str(parse.tag.POS) != "PRTF":
        return ()
    whole = parse.inflect({"sing", "masc", "nomn"})
    return () if whole is None else (str(whole.word).replace("ё", "е"),)


def _without_itself(reading: WordForm) -> tuple[str, ...]:
    """What opens itself is opened."""
    own = reading.part is Part.VERB and reading.lemma.endswith(("ся", "сь"))
    return (reading.lemma[:-2],) if own else ()
