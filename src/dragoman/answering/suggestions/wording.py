"""A suggestion in words: in the language whose letters its table is named in."""

from string import Formatter

from dragoman.answering.suggestions.candidates import TOP, Candidate
from dragoman.answering.words.plain_names import table_words
from dragoman.locales.language import Language
from dragoman.locales.registry import FALLBACK, default_of, language
from dragoman.locales.script import script_of


def question(candidate: Candidate) -> str:
    """The question as a person would put it; empty where the language has no words for it."""
    spoken = _spoken(candidate.table)
    names = {"table": table_words(candidate.table), "column": candidate.column}
    numbers = {"n": str(TOP), "year": str(candidate.year)}
    template: str = spoken.texts("suggestions").get(candidate.kind, "")
    pieces = []
    for text, field, _, _ in Formatter().parse(template):
        pieces.append(text)
        if field is None:
            continue
        name, _, form = field.partition(".")
        if name not in names and name not in numbers:
            return ""
        pieces.append(_formed(spoken, names[name], form) if name in names else numbers[name])
    return "".join(pieces)


def _formed(spoken: Language, words: str, form: str) -> str:
    if not form or spoken.noun_form is None or not spoken.writes(words):
        return words
    return spoken.noun_form(spoken, words, form)


def _spoken(name: str) -> Language:
    found = default_of(script_of(name))
    return found if found is not None and found.has_document("suggestions") else language(FALLBACK)
