"""Values that are written short: "AssocEd" for an associate editor, "outoforder" for what is out of order."""

import re
from collections.abc import Iterator, Sequence

from dragoman.planning.tables.schema_names import Thing, Things
from dragoman.planning.tables.value_linker import Valued
from dragoman.planning.tables.words import Kind, Token

_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_MOST_PARTS, _FEWEST_PARTS = 4, 2
_SHORTEST = 2
_SQUEEZED = 7
"""So long is a value at least that is several words written as one: a shorter one is one by chance."""
_MOST_KINDS = 50
_SCORE = 0.9

Value = tuple[tuple[str, ...], Thing, str]


class CutValues:
    """Knows the values of one database that are made of shortened words, or of words without their gaps."""

    def __init__(self, things: Things) -> None:
        self._cut: dict[str, list[Value]] = {}
        """By the first letter of the value."""
        self._whole: dict[str, list[tuple[Thing, str]]] = {}
        for thing in things.all:
            if not thing.is_text or thing.is_key or thing.column is None:
                continue
            info = thing.column.info
            if info.distinct is not None and info.distinct > _MOST_KINDS:
                continue
            for value in dict.fromkeys((*info.options, *info.samples)):
                self._add(thing, value)

    def _add(self, thing: Thing, value: str) -> None:
        parts = tuple(part.lower() for part in _PARTS.findall(value))
        if value.isalpha() and len(value) >= _SQUEEZED:
            self._whole.setdefault(value.lower(), []).append((thing, value))
        if _FEWEST_PARTS <= len(parts) <= _MOST_PARTS and all(len(part) >= _SHORTEST for part in parts):
            self._cut.setdefault(parts[0][0], []).append((parts, thing, value))

    def at(self, tokens: Sequence[Token], at: int) -> Iterator[Valued]:
        """The values that are short for the words from one on."""
        if tokens[at].kind is not Kind.WORD:
            return
        yield from self._squeezed(tokens, at)
        found: dict[int, tuple[int, str, Thing, int]] = {}
        for parts, thing, value in self._cut.get(tokens[at].low[:1], ()):
            words = [token.low for token in tokens[at : at + len(parts)] if token.kind is Kind.WORD]
            if len(words) == len(parts) and _are_short_for(parts, words):
                near = sum(word.startswith(part) for part, word in zip(parts, words, strict=True))
                best = found.get(thing.number)
                if best is None or near > best[0]:
                    found[thing.number] = (near, value, thing, len(parts))
        for _, value, thing, length in found.values():
            yield Valued(at, at + length, thing, value, _SCORE)

    def _squeezed(self, tokens: Sequence[Token], at: int) -> Iterator[Valued]:
        said = tokens[at].low
        for end in range(at + 1, min(at + _MOST_PARTS, len(tokens))):
            if tokens[end].kind is not Kind.WORD:
                return
            said += tokens[end].low
            for thing, value in self._whole.get(said, ()):
                yield Valued(at, end + 1, thing, value, _SCORE)


def _are_short_for(parts: Sequence[str], words: Sequence[str]) -> bool:
    """Whether all parts are words or short for them, and one of them is not the word itself."""
    cut = [
        part for part, word in zip(parts, words, strict=True) if part not in (word, word.removesuffix("s"))
    ]
    return bool(cut) and all(_is_short_for(part, word) for part, word in zip(parts, words, strict=True))


def _is_short_for(part: str, word: str) -> bool:
    """Whether a part begins as a word does, or has letters of it in their order: asst, of an assistant."""
    if part == word or word.startswith(part):
        return True
    letters = iter(word)
    return len(part) > _SHORTEST and part[0] == word[0] and all(letter in letters for letter in part)
