"""A message as an English question: which of its words each English word came from."""

import re
from collections.abc import Iterable

from msgspec.structs import replace

from dragoman.contracts.record import Record
from dragoman.reading.period_grammar import period_grammar
from dragoman.reading.periods import PeriodMention

_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_SPACED = frozenset(",.?!;:)")


class Piece(Record, frozen=True):
    """English words, and where the words that they came from stand in the message."""

    text: str
    start: int
    end: int
    known: bool = True
    """False where nothing was found for the typed words: they stand here in Latin letters."""


class Placed(Record, frozen=True):
    """A piece, and where it stands in the English text."""

    piece: Piece
    start: int
    end: int


class Rendering(Record, frozen=True):
    """An English question and the message that it came from."""

    typed: str
    text: str
    placed: tuple[Placed, ...]

    @property
    def unknown(self) -> tuple[str, ...]:
        """The typed words that nothing was found for."""
        return tuple(
            dict.fromkeys(
                self.typed[each.piece.start : each.piece.end] for each in self.placed if not each.piece.known
            )
        )

    def words_for(self, english: str) -> tuple[str, ...]:
        """The typed words behind words of the English text; those themselves where they were typed."""
        if not english or english.casefold() in self.typed.casefold():
            return (english,) if english else ()
        at = self.text.casefold().find(english.casefold())
        if at >= 0:
            end = at + len(english)
            places = [each for each in self.placed if each.start < end and at < each.end]
        else:
            # A planner names a word by another form of it, or several that do not stand together.
            said = {word.casefold() for word in _WORD.findall(english)}
            places = [each for each in self.placed if said & _words(each.piece.text)]
        spans = dict.fromkeys((each.piece.start, each.piece.end) for each in places)
        return tuple(self.typed[start:end] for start, end in spans if start < end)

    def typed_words(self, english: Iterable[str]) -> tuple[str, ...]:
        """The typed words behind several."""
        return tuple(dict.fromkeys(word for each in english for word in self.words_for(each)))

    def placed_periods(self, periods: Iterable[PeriodMention]) -> tuple[PeriodMention, ...]:
        """Periods of the message where they stand in the English text. What leaves an end of them open is a
        word of its own in some languages, and a part of the period in English."""
        own = list(periods)
        found = []
        for period in period_grammar().find(self.text) if own else ():
            near = (each for each in self.placed if each.start < period.end and period.start < each.end)
            pieces = [each.piece for each in near]
            same = next((each for each in own if any(_is_same(piece, each) for piece in pieces)), None)
            if same is not None:
                beside = same.bound is None and period.bound is not None
                bound = period.bound if beside else same.bound
                open_ended = period.open_ended if beside else same.open_ended
                where = {"start": period.start, "end": period.end, "text": period.text}
                found.append(replace(same, bound=bound, open_ended=open_ended, **where))
        return tuple(found)


def rendering(typed: str, pieces: Iterable[Piece]) -> Rendering:
    """The pieces as one text, with a blank between words."""
    text = ""
    placed: list[Placed] = []
    for piece in pieces:
        if not piece.text:
            continue
        between = "" if not text or piece.text[0] in _SPACED or text[-1] == "(" else " "
        start = len(text) + len(between)
        text = f"{text}{between}{piece.text}"
        placed.append(Placed(piece, start, len(text)))
    return Rendering(typed, text, tuple(placed))


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text))


def _is_same(piece: Piece, period: PeriodMention) -> bool:
    return piece.start <= period.start and period.end <= piece.end
