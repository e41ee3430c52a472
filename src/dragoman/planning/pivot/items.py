"""What becomes of the words of a message: English words that are settled, and choices that are still open."""

from collections.abc import Iterator

from dragoman.contracts.record import Record
from dragoman.locales.word_form import Part
from dragoman.planning.pivot.choices import Choice
from dragoman.planning.pivot.rendering import Piece
from dragoman.planning.pivot.words import Word


class Item(Record, frozen=True):
    """English for some words of a message."""

    english: str
    start: int
    end: int
    part: Part | None = None
    """What it is in its sentence, where it is a word of its own."""
    case: str = ""
    plural: bool = False
    choices: tuple[Choice, ...] = ()
    """Other English words for it; the first one is `english`."""
    word: Word | None = None
    known: bool = True
    counts: bool = False
    """It is a number, or asks for one: what is counted behind it is plural."""
    groups: bool = False
    """What stands behind it says by what things are put together."""
    owner: bool = False
    """Whose something is: the noun before it is theirs."""
    compares: bool = False
    """What stands behind it is compared with."""
    amount: bool = False
    """It compares numbers, and a noun behind it says of what: more orders."""
    inner: tuple[Piece, ...] = ()
    """Its pieces, where they came from different words."""

    @property
    def is_noun(self) -> bool:
        return self.part is Part.NOUN

    def pieces(self) -> Iterator[Piece]:
        if self.inner:
            yield from self.inner
        else:
            yield Piece(self.english, self.start, self.end, self.known)


def small(english: str, at: int) -> Item:
    """A word that English needs and the message has not: it belongs to the word behind it."""
    return Item(english, at, at)
