"""The words of `knowledge.yaml` of each language, as they are compared."""

from functools import cache
from typing import Final

from dragoman.locales.documents import Document, knowledge_of
from dragoman.locales.registry import every_language, language, languages

_SAME: Final = "same"


@cache
def _groups(code: str) -> dict[str, tuple[str, ...]]:
    """For each word of a group the others."""
    from dragoman.documents.terms import words_of

    if code not in languages():
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for group in knowledge_of(language(code)).get(_SAME, ()):
        folded = [" ".join(word.form for word in words_of(each, code)) for each in group]
        for each in folded:
            found[each] = (*found.get(each, ()), *(other for other in folded if other != each))
    return found


def groups_of(code: str, keys: tuple[str, ...]) -> tuple[str, ...]:
    """Words that the language lists as meaning the same as one of these."""
    groups = _groups(code)
    return tuple(dict.fromkeys(other for key in keys for other in groups.get(key, ())))


@cache
def joins() -> tuple[str, ...]:
    """What makes a verb of a noun where endings are written onto words."""
    glued = (each for each in every_language() if each.glued)
    return tuple(join for each in glued for join in knowledge_of(each).get("verb_joins", ()))


@cache
def agents() -> tuple[str, ...]:
    """How words end that name whoever does what their stem says."""
    return tuple(end for each in every_language() for end in knowledge_of(each).get("agents", ()))


def asking_of(code: str) -> Document:
    spoken = language(code if code in languages() else languages()[0])
    return knowledge_of(spoken)
