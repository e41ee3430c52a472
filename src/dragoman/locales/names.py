"""What most languages do with names and letters: nothing."""

from collections.abc import Iterable, Sequence

from dragoman.locales.data import LanguageData


def is_no_particle(language: LanguageData, form: str) -> bool:
    return False


def whole_name(language: LanguageData, form: str) -> str:
    return form


def its_letters(language: LanguageData, word: str) -> str:
    return word


def as_spelled(
    language: LanguageData, text: str, words: Iterable[str], entities: Sequence[tuple[str, Sequence[str]]]
) -> str:
    return text
