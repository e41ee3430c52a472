"""What is kept of the readings of a message: how they were weighed, and what those that were run gave."""

from dragoman.contracts.record import Record


class WeighedReading(Record, frozen=True):
    """One way to read the message: the program it would be, how likely that is what was meant, the words
    that nothing in it accounts for, what each part of the message was taken for, and the program in words."""

    program: str
    score: float
    uncovered: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    text: str = ""


class RivalResult(Record, frozen=True):
    """What a reading gave that was run beside the best: whether it is the same, or the code of a failure."""

    program: str
    rows: int = 0
    same: bool = False
    problem: str = ""
