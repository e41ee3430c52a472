"""Where the reader of a message is, and what waits for the pieces to come."""

from dragoman.planning.database.frame import Aggregate
from dragoman.planning.database.segments import Cut, Piece, Segment
from dragoman.planning.database.sketch import Ranked, Sketch, Slot

AGGREGATES = {"average": Aggregate.AVERAGE, "sum": Aggregate.SUM, "max": Aggregate.MAX, "min": Aggregate.MIN}


BREAKS = ":?!-–—"
"""Marks behind which a message begins anew: what is named then is asked for."""
_MARKS = ",;" + BREAKS


class SketchState:
    """A half-read message: its pieces, how far they are read, and what the words so far are waiting for."""

    def __init__(self, cut: Cut) -> None:
        self.segments = [s for s in cut.segments if s.piece is not Piece.MARK or s.text in _MARKS]
        said = tuple(segment.text.casefold() for segment in cut.segments)
        self.sketch = Sketch(score=cut.score, said=said, pieces=cut.segments)
        self.at = 0
        self.negative = False
        self.counting = False
        self.aggregates: list[Aggregate] = []
        self.comparison: Segment | None = None
        self.apart: Slot | None = None
        self.ordering = False
        self.grouping = False
        self.ranking: Ranked | None = None
        self.filtering = False
        self.last: Slot | None = None
        self.last_at = -9
        self.preposition = ""
        self.either = False
        self.like = ""
        self.waiting: dict[str, str] = {}
        """The words that were typed for what waits: a refusal names these."""
        self.undone = ""
        """A verb behind a "not" that names nothing: it may be the record of what is not there."""
        self.on_top = ""
        """What says that something stands on top: the first of an order."""
        self.same = False
        """The words "the same" wait for what is the same."""
        self.each = False
        """The words that gather say "each" and not "per"."""
        self.does_each = False
        """They begin with the verb of the question: behind the noun comes what each does."""
        self.asking = False
        """A further question has begun: and which."""
        self.named_behind: Segment | None = None
        """What stands before "the name of", where what is named behind it is meant."""
        self.by_name = False
        """The name of what is named next is asked for."""
        self.anew = False
        """What is named is asked for, whatever was said before a mark."""
        self.money_at = -9

    @property
    def near(self) -> Segment | None:
        """The very next piece."""
        return self.segments[self.at] if self.at < len(self.segments) else None

    @property
    def open_ranking(self) -> Ranked | None:
        """A superlative that still waits for what it ranks."""
        return self.ranking if self.ranking is not None and self.ranking.name is None else None

    def peek(self, skip: frozenset[str] = frozenset({"fill", "of"})) -> Segment | None:
        """The next piece in this part of the sentence that is not a cue to skip."""
        for segment in self.segments[self.at :]:
            if segment.piece is Piece.CUE and segment.kinds <= skip:
                continue
            if segment.piece is Piece.MARK:
                return None
            return segment
        return None

    def go_past(self, segment: Segment) -> None:
        self.at = self.segments.index(segment) + 1

    def previous(self) -> Segment | None:
        return self.segments[self.at - 2] if self.at >= 2 else None

    def before(self) -> Segment | None:
        """The piece before this one, articles and the like left out."""
        for segment in reversed(self.segments[: self.at - 1]):
            if not (segment.piece is Piece.CUE and segment.kinds == {"fill"}):
                return segment
        return None

    def before_asks(self) -> bool:
        """Whether an "and" or a mark before this piece begins a further question."""
        for segment in reversed(self.segments[: self.at - 1]):
            if segment.piece is Piece.CUE and segment.kinds <= {"fill", "of", "by"}:
                continue
            return segment.piece is Piece.MARK or "and" in segment.kinds
        return False

    def conditions_said(self) -> int:
        """How many values, numbers and periods have been read."""
        return len(self.sketch.kept) + len(self.sketch.compared) + len(self.sketch.dated)

    def slot(self, segment: Segment, role: str, aggregate: Aggregate | None = None) -> Slot:
        """A new slot; it is now the last name that was read."""
        slot = Slot(segment, role, aggregate)
        self.last, self.last_at = slot, self.at
        return slot

    def name_follows(self) -> bool:
        """Whether the next word is a name too: of two names in a row the last is meant."""
        return self.near is not None and self.near.piece is Piece.NAME

    def listed_on(self) -> bool:
        """Whether a list goes on: a comma or an "and" and then another name."""
        if self.at + 1 >= len(self.segments):
            return False
        first, second = self.segments[self.at], self.segments[self.at + 1]
        joins = first.text == "," or (first.piece is Piece.CUE and "and" in first.kinds)
        return joins and second.piece in (Piece.NAME, Piece.PART)
