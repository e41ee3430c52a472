"""Legal forms in names: known by where they stand, and worth little when names are compared."""

from functools import cache
from itertools import chain
from typing import Final, NamedTuple

from dragoman.entities.folded_names import fold, join_letters
from dragoman.entities.vocabulary import table

Parted = tuple[list[str], frozenset[str]]
"""The words of a name without its legal forms, and which forms they were."""

_Phrase = tuple[list[str], str]
_Phrases = list[_Phrase]


class _Forms(NamedTuple):
    """The forms by their first word where they lead, by their last where they trail; the longest first."""

    leading: dict[str, _Phrases]
    trailing: dict[str, _Phrases]
    attached: dict[str, str]


@cache
def _forms() -> _Forms:
    known = _Forms({}, {}, {})
    for entry in table("legal_forms"):
        form = entry["form"]
        for name in entry["names"]:
            words = join_letters(fold(name))
            if entry.get("leading"):
                known.leading.setdefault(words[0], []).append((words, form))
            if entry.get("trailing"):
                known.trailing.setdefault(words[-1], []).append((words, form))
            if entry.get("attached") and len(name) > 1:
                known.attached[words[0]] = form
    for phrases in (*known.leading.values(), *known.trailing.values()):
        phrases.sort(key=lambda phrase: -len(phrase[0]))
    return known


_NONE: Final[frozenset[str]] = frozenset()
_FIRST_OF_EAST_ASIA: Final = "\u1100"


def part(words: list[str]) -> Parted:
    """The name without what says how the company is set up. A name that is nothing else stays whole."""
    forms: list[str] = []
    core = core_of(words, forms)
    return core, frozenset(forms) if forms else _NONE


def core_of(words: list[str], forms: list[str] | None = None) -> list[str]:
    """The words of the name without its legal forms, which are added to `forms`."""
    if len(words) < 2 and (not words or words[0] < _FIRST_OF_EAST_ASIA):
        return words
    leading, trailing, attached = _forms()
    forms = [] if forms is None else forms
    core = words
    if words[0] >= _FIRST_OF_EAST_ASIA or words[-1] >= _FIRST_OF_EAST_ASIA:
        core = _detached(words, attached, forms)
    while core[0] in leading and (phrase := _leading(core, leading[core[0]])) is not None:
        core = core[len(phrase[0]) :]
        forms.append(phrase[1])
    while core[-1] in trailing and (phrase := _trailing(core, trailing[core[-1]])) is not None:
        core = core[: -len(phrase[0])]
        forms.append(phrase[1])
    return core


@cache
def _words() -> dict[str, str]:
    """The forms that are one word."""
    known = _forms()
    phrases = chain.from_iterable((*known.leading.values(), *known.trailing.values()))
    return {words[0]: form for words, form in phrases if len(words) == 1}


def part_anywhere(words: list[str]) -> Parted:
    """The words without legal forms of one word, wherever they stand. Some word always stays."""
    known = _words()
    core = [word for word in words if word not in known]
    if not core or len(core) == len(words):
        return words, _NONE
    return core, frozenset(known[word] for word in words if word in known)


def _leading(words: list[str], known: _Phrases) -> _Phrase | None:
    for phrase in known:
        length = len(phrase[0])
        if length < len(words) and words[:length] == phrase[0]:
            return phrase
    return None


def _trailing(words: list[str], known: _Phrases) -> _Phrase | None:
    for phrase in known:
        length = len(phrase[0])
        if length < len(words) and words[-length:] == phrase[0]:
            return phrase
    return None


@cache
def _attached() -> tuple[str, ...]:
    """All of them at once: most names have none."""
    return tuple(_forms().attached)


def _detached(words: list[str], attached: dict[str, str], forms: list[str]) -> list[str]:
    """Korean and Chinese write the form onto the name, before it or after it."""
    first, last = words[0], words[-1]
    known = _attached()
    if not first.startswith(known) and not last.endswith(known):
        return words
    for form, name in attached.items():
        if first.startswith(form) and first != form:
            forms.append(name)
            return [first.removeprefix(form), *words[1:]]
        if last.endswith(form) and last != form:
            forms.append(name)
            return [*words[:-1], last.removesuffix(form)]
    return words
