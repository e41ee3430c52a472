"""What a reading rests on: how well its names and values fit the words that they are said with."""

from dragoman.contracts.record import Record
from dragoman.planning.database.resolver import Chosen
from dragoman.planning.database.segments import Cut, Piece
from dragoman.planning.database.sketch import Sketch


class Support(Record, frozen=True):
    """How firmly a reading stands, in figures that mean the same on every database."""

    pieces: int = 0
    names: int = 0
    weakest: float = 1.0
    """How well the worst of the names fits its words; 1 is letter for letter."""
    usual: float = 1.0
    """How well the names fit on average."""
    values: int = 0
    weakest_value: float = 1.0
    tables: int = 1
    fit: float = 0.0
    """How well the choices fit each other."""
    cost: float = 0.0
    """What the steps of composition charged."""
    dropped: int = 0
    unknown: int = 0
    """Words that are nothing to this database."""


def support_of(
    cut: Cut, sketch: Sketch, chosen: Chosen, cost: float, in_hand: frozenset[int] = frozenset()
) -> Support:
    """The support of one draft. What is `in_hand` need not be named in full again: the reasons, of rows that
    are gathered by the reason of leaving."""
    names = [
        max(
            (name.score for name in slot.segment.names if name.thing.number == thing.number),
            default=1.0,
        )
        if thing.number not in in_hand
        else 1.0
        for slot in sketch.slots()
        if (thing := chosen.things.get(id(slot))) is not None
    ]
    values = [max(each.score for each in found) for found in chosen.values.values() if found]
    return Support(
        len(cut.segments),
        len(names),
        min(names, default=1.0),
        sum(names) / len(names) if names else 1.0,
        len(values),
        min(values, default=1.0),
        len(chosen.tables),
        chosen.score,
        cost,
        len(sketch.dropped),
        # What holds rows against each other was taken out of the pieces: it is known.
        sum(each.piece is Piece.UNKNOWN for each in sketch.pieces),
    )
