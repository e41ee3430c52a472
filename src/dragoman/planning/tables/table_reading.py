"""One way to understand a message over tables, with how sure it is."""

from dragoman.contracts.program import Statement
from dragoman.contracts.record import Record


class TableReading(Record, frozen=True):
    """One way to understand a question, as a program of one statement.

    `score` is the probability that it is what is meant; `uncovered` are words that it does not account for.
    """

    statement: Statement
    score: float
    uncovered: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    follow_up: bool = False
    """It changes the statement in hand."""
    of_slice: bool = False
    """The statement in hand is the one behind the last answer, past a question that was not answered."""
    rows: Statement | None = None
    """The rows of the last answer, by their keys, where it changes those in place of the statement in
    hand."""
