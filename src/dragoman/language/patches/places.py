"""Where sequences of lines stand in a file: all of them in one pass, however many and however alike.

Looking for each by itself would take (hunks × lines of the file). This is the automaton of Aho and Corasick
over lines; of each sequence it keeps the last two places, which is all that telling one from several needs.
"""

from collections.abc import Sequence
from itertools import chain

Places = tuple[int, ...]
"""The last places (indexes from 0) where a sequence begins, the later first: none, the only one, or two."""


def last_places(sequences: Sequence[tuple[str, ...]], lines: Sequence[str]) -> list[Places]:
    """For each sequence (none of them empty) where it begins in `lines`."""
    words = {word: number for number, word in enumerate(dict.fromkeys(chain.from_iterable(sequences)))}
    trie = _Trie(len(words))
    ends = [trie.add([words[word] for word in sequence]) for sequence in sequences]
    order = trie.link()
    seen = trie.visits([words.get(line, -1) for line in lines])
    # A visit of a state is a visit of every state it falls back to; the deeper ones come last in the order.
    for state in reversed(order):
        shorter = trie.fallback[state]
        if shorter and seen[state]:
            seen[shorter] = _later(seen[shorter], seen[state])
    return [
        tuple(place - len(sequence) + 1 for place in seen[end])
        for sequence, end in zip(sequences, ends, strict=True)
    ]


def _later(one: Places, other: Places) -> Places:
    return tuple(sorted({*one, *other}, reverse=True)[:2])


class _Trie:
    """States are numbers, 0 the root; a move is looked up under (state × number of words + word)."""

    def __init__(self, words: int) -> None:
        self.words = words
        self.moves: dict[int, int] = {}
        self.fallback = [0]
        self._from: list[tuple[int, int]] = [(0, -1)]
        self._depth = [0]

    def add(self, sequence: list[int]) -> int:
        state = 0
        for word in sequence:
            key = state * self.words + word
            following = self.moves.get(key)
            if following is None:
                following = len(self.fallback)
                self.moves[key] = following
                self.fallback.append(0)
                self._from.append((state, word))
                self._depth.append(self._depth[state] + 1)
            state = following
        return state

    def link(self) -> list[int]:
        """Set the longest proper suffix of every state that is a state too; the states, shallow first."""
        order = sorted(range(1, len(self.fallback)), key=self._depth.__getitem__)
        for state in order:
            parent, word = self._from[state]
            if parent:
                self.fallback[state] = self._move(self.fallback[parent], word)
        return order

    def _move(self, state: int, word: int) -> int:
        while (following := self.moves.get(state * self.words + word)) is None:
            if not state:
                return 0
            state = self.fallback[state]
        return following

    def visits(self, text: list[int]) -> list[Places]:
        """For each state the last two indexes in the text at which it was the state."""
        seen: list[Places] = [()] * len(self.fallback)
        state = 0
        for index, word in enumerate(text):
            state = self._move(state, word) if word >= 0 else 0
            if state:
                seen[state] = (index, *seen[state][:1])
        return seen
