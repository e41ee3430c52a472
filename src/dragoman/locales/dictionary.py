"""Base forms out of simplemma's dictionaries, for languages that have no rules of their own."""

from collections.abc import Iterator
from functools import cache
from itertools import islice, product
from typing import Final

from dragoman.locales.data import LanguageData

_MOST_SPELLINGS: Final = 8


def lemmas(language: LanguageData, form: str) -> list[str]:
    """What the language's own list says, or else the dictionary. Small words are taken as they stand: who
    owes us is not whom we owe, whatever word a dictionary has the two under."""
    if form in _whole_words(language):
        return []
    listed = _listed(language).get(form)
    if listed is not None:
        return [listed]
    # A dictionary takes a second to load: only whoever writes the language pays for it.
    from simplemma import lemmatize

    spelling = _known_spelling(language, form)
    return [] if spelling is None else [_same(language, lemmatize(spelling, lang=language.code))]


@cache
def _listed(language: LanguageData) -> dict[str, str]:
    found = language.document("lexicon").get("lemmas", {})
    return {_same(language, form): _same(language, lemma) for form, lemma in found.items()}


@cache
def _whole_words(language: LanguageData) -> frozenset[str]:
    words = (*language.document("lexicon").get("whole_words", ()), *language.function_words())
    return frozenset(_same(language, word) for word in words)


def has_word(language: LanguageData, form: str) -> bool:
    return _known_spelling(language, form) is not None


def is_name(language: LanguageData, form: str) -> bool:
    """Whether the dictionary has a form as a name alone: only with a capital."""
    from simplemma import lemmatize

    return has_word(language, form) and lemmatize(form, lang=language.code)[:1].isupper()


def no_names(language: LanguageData, form: str) -> bool:
    """For languages whose dictionary does not tell names from other words."""
    return False


def no_dictionary(language: LanguageData, form: str) -> bool:
    """For languages that list the words which are no slips."""
    return False


def _known_spelling(language: LanguageData, form: str) -> str | None:
    """The spelling of a folded form that the dictionary knows: kaeufer is Käufer, and steuer is itself.

    Where there is no dictionary of the language, none."""
    from simplemma import is_known

    try:
        return next((word for word in _spellings(language, form) if is_known(word, lang=language.code)), None)
    except ValueError:
        return None


def _spellings(language: LanguageData, form: str) -> Iterator[str]:
    """A form, and the form with folded letters written as they are in the language's own spelling."""
    parts: list[tuple[str, ...]] = []
    own = {same: letter for letter, same in language.letters.items()}
    place = 0
    while place < len(form):
        same = next((each for each in own if form.startswith(each, place)), form[place])
        parts.append((same, own[same]) if same in own else (same,))
        place += len(same)
    return islice(("".join(word) for word in product(*parts)), _MOST_SPELLINGS)


def _same(language: LanguageData, word: str) -> str:
    return "".join(language.letters.get(letter, letter) for letter in word.casefold())
