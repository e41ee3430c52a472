"""What the parts of a message cover, and the words that nothing covers."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from dragoman.contracts.vocabulary import MetaQuestionKind
from dragoman.reading.extension import Extension
from dragoman.reading.periods import PeriodMention
from dragoman.reading.phrase_match import Found, Message
from dragoman.reading.reading import MentionKind
from dragoman.reading.wholes import opens_with_no

_UNUSED: Final = frozenset(
    {
        MentionKind.NUMBER,
        MentionKind.COMPARISON,
        MentionKind.NEGATION,
        MentionKind.GROUPING,
        MentionKind.SORTING,
        MentionKind.KIND_WORD,
    }
)
"""What is understood, and changes what is asked in a way that nothing here answers to."""

TALK: Final = frozenset(
    {MentionKind.CHAT, MentionKind.DATA_SCOPE, MentionKind.FILLER, MentionKind.AFFIRMATION}
)


class Said(NamedTuple):
    """A message, and everything that was found in it."""

    text: str
    message: Message
    found: Sequence[Found]
    periods: Sequence[PeriodMention]
    extension: Extension | None

    def has(self, kind: MentionKind) -> bool:
        return any(one.meaning.kind is kind for one in self.found)

    def rejected(self) -> tuple[set[int], set[int]]:
        """The names that are rejected, by their place among what was found, and the words that reject."""
        excluded: set[int] = set()
        used: set[int] = set()
        owners = {word: number for number, one in enumerate(self.found) for word in one.words}
        light = (MentionKind.FILLER, MentionKind.CHAT)
        for number, one in enumerate(self.found):
            if one.meaning.kind is not MentionKind.NEGATION:
                continue
            step, place = (1, one.words[-1]) if one.meaning.means != "not_before" else (-1, one.words[0])
            if one.meaning.means == "without":
                continue
            for _ in range(3):
                place += step
                owner = owners.get(place)
                if owner is None:
                    break
                if self.found[owner].name is not None:
                    excluded.add(owner)
                    used.add(number)
                    break
                if self.found[owner].meaning.kind not in light:
                    break
        return excluded, used

    def dropped_periods(self) -> tuple[frozenset[int], set[int]]:
        """The periods that are rejected for another, by their number, and the words that reject them."""
        dropped: set[int] = set()
        used: set[int] = set()
        for number, one in enumerate(self.found):
            if one.meaning.kind is not MentionKind.NEGATION or one.meaning.means == "without":
                continue
            first, last = self.message.tokens[one.words[0]].start, self.message.tokens[one.words[-1]].end
            if one.meaning.means == "not_before":
                beside = [i for i, p in enumerate(self.periods) if p.end <= first][-1:]
                parted = beside and self._content(self.periods[beside[0]].end, first)
            else:
                beside = [i for i, p in enumerate(self.periods) if p.start >= last][:1]
                parted = beside and self._content(last, self.periods[beside[0]].start)
            if beside and not parted:
                dropped.add(beside[0])
                used.add(number)
        if len(dropped) + 1 != len(self.periods):
            return frozenset(), set()
        return frozenset(dropped), used

    def uncovered(self, used: set[int]) -> list[str]:
        covered = set(self.extension.words) if self.extension is not None else set()
        for number, one in enumerate(self.found):
            if one.meaning.kind is MentionKind.CHAT and not self._stands_apart(one):
                continue
            if self._judges_a_request(one):
                continue
            if one.meaning.kind not in _UNUSED or number in used or self._dated(one) or self._owned(number):
                covered.update(one.words)
        opening = opens_with_no(self.text, self.message)
        acts, asks = self.has(MentionKind.ACTION), self.has(MentionKind.VERB)
        objects = {one.words[0] for one in self.found if one.name is not None and not one.name.scope}
        objects = set() if asks else objects
        return [
            token.form
            for i, token in enumerate(self.message.tokens)
            if i not in covered and not (i == 0 and opening) and not (acts and self._is_stranded(i, objects))
        ]

    def _owned(self, number: int) -> bool:
        """Whether a word of grouping stands before whose figure it is: purchases by Alfa Trade."""
        if self.found[number].meaning.kind is not MentionKind.GROUPING:
            return False
        following = (one for one in self.found[number + 1 :] if one.meaning.kind is not MentionKind.FILLER)
        next_to = next(following, None)
        return next_to is not None and next_to.name is not None and next_to.name.scope

    def _dated(self, one: Found) -> bool:
        """Whether a word of grouping stands before a day: by 31 March."""
        if one.meaning.kind is not MentionKind.GROUPING:
            return False
        end = self.message.tokens[one.words[-1]].end
        following = [p for p in self.periods if p.start >= end and not self._content(end, p.start)]
        return any(period.is_day for period in following)

    def _content(self, start: int, end: int) -> bool:
        """Whether anything but words that carry nothing stands between two places."""
        words = [i for i, token in enumerate(self.message.tokens) if start <= token.start < end]
        empty = {w for one in self.found if one.meaning.kind is MentionKind.FILLER for w in one.words}
        return any(word not in empty for word in words)

    def _judges_a_request(self, one: Found) -> bool:
        """Whether a word about an answer stands in a request: which fund is more reliable? Where there is no
        answer it is asked of, nothing covers it."""
        about = one.meaning.kind is MentionKind.META and one.meaning.means != MetaQuestionKind.COMPARISON
        return about and len(one.words) == 1 and self.has(MentionKind.VERB)

    def _is_stranded(self, word: int, objects: set[int]) -> bool:
        """Whether a preposition stands at the end, its noun being asked for: where did we get it from? Or
        before the object that is asked about: payments from Vector."""
        form = self.message.tokens[word].form
        if not any(form in v.stranded for v in self.message.vocabularies):
            return False
        return word + 1 in objects or word == len(self.message.tokens) - 1

    def _stands_apart(self, one: Found) -> bool:
        """Whether a word of chat is a word of chat: great, show the rest. Not so: great customers."""
        tokens = self.message.tokens
        talk = {word for other in self.found if other.meaning.kind in TALK for word in other.words}
        if len(one.words) > 1 or len(talk) == len(tokens):
            return True
        first, last = one.words[0], one.words[-1]
        before = self.text[tokens[first - 1].end : tokens[first].start] if first else ","
        after = self.text[tokens[last].end : tokens[last + 1].start] if last + 1 < len(tokens) else ","
        return bool(before.strip()) and bool(after.strip())
