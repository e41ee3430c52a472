"""What a correction opens or ends with, and what says nothing beside it: "no wait, I meant April".

The rest is the message. Words that may as well be meant count only before a comma or before another opener:
"wait, April" opens with one, "wait times in April" does not.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from dragoman.locales.documents import lexicon_of, talk_of
from dragoman.locales.language import Language
from dragoman.reading.tokens import Token, tokens_of

_SIGNS: Final = frozenset(",.;:!?…–—-")

_Phrases = frozenset[tuple[str, ...]]


class _Openers:
    """The openers of one language, by their words."""

    def __init__(self, language: Language) -> None:
        talk = talk_of(language)["corrections"]
        self.opening = _phrases(talk["openers"])
        self.halting = _phrases(talk["halts"])
        self.noes = _phrases(lexicon_of(language)["affirm"]["no"])
        self.closing = _phrases(talk["closers"])


@cache
def _openers(language: Language) -> _Openers:
    return _Openers(language)


def _phrases(texts: Iterable[str]) -> _Phrases:
    return frozenset(tuple(token.form for token in tokens_of(text)) for text in texts)


def without_openers(text: str, languages: Sequence[Language]) -> str:
    """The text with blanks in the place of what only opens or ends a correction."""
    tokens = tokens_of(text)
    known = [_openers(each) for each in languages]
    first = _opened(text, tokens, known)
    last = _closed(tokens[first:], known)
    rest = tokens[first : len(tokens) - last]
    if len(rest) == len(tokens) or not rest:
        return text
    start, end = rest[0].start, rest[-1].end
    return " " * start + text[start:end] + (text[end:] if not last else "")


def _opened(text: str, tokens: Sequence[Token], known: Sequence[_Openers]) -> int:
    """How many words open the message. A single no before a comma rejects what was said before, and stays."""
    opened = place = parts = 0
    only_no = True
    while place < len(tokens):
        opening = max(_longest(tokens, place, each.opening) for each in known)
        halting = max(_longest(tokens, place, each.halting) for each in known)
        no = max(_longest(tokens, place, each.noes) for each in known)
        size = max(opening, halting, no)
        if not size:
            break
        place, parts = place + size, parts + 1
        only_no = only_no and size not in (opening, halting)
        if opening == size or _is_parted(text, tokens, place):
            opened = place
    return 0 if only_no and parts < 2 else opened


def _closed(tokens: Sequence[Token], known: Sequence[_Openers]) -> int:
    """How many words end it."""
    forms = tuple(token.form for token in tokens)
    sizes = [len(p) for each in known for p in each.closing if len(p) < len(forms) and forms[-len(p) :] == p]
    return max(sizes, default=0)


def _longest(tokens: Sequence[Token], place: int, phrases: _Phrases) -> int:
    forms = tuple(token.form for token in tokens[place : place + 5])
    return max((size for size in range(1, len(forms) + 1) if forms[:size] in phrases), default=0)


def _is_parted(text: str, tokens: Sequence[Token], place: int) -> bool:
    """Whether a sign stands behind the words before a place."""
    if place >= len(tokens):
        return True
    return not _SIGNS.isdisjoint(text[tokens[place - 1].end : tokens[place].start])
