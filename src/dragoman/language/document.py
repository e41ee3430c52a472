"""What a reader gives: the statements of a text, where each part stands, and all that is wrong with it."""

from dragoman.contracts.program import Diagnostic, Program, Severity
from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import Notation

Extent = tuple[int, int]
"""From where to where, in code points; `Source.span` makes lines and columns of it when they are shown."""


class ValueSpans(Record, frozen=True):
    """Where a value stands, and its parts: the items of a list, the values of a map, the values of the
    arguments of a call (its arguments are found through `call`)."""

    extent: Extent
    items: tuple["ValueSpans", ...] = ()
    call: "StatementSpans | None" = None


class ArgumentSpans(Record, frozen=True):
    name: Extent
    value: ValueSpans


class StatementSpans(Record, frozen=True):
    """Where a statement stands: all of it, its verb, each argument in order, and what it binds."""

    extent: Extent
    verb: Extent
    arguments: tuple[ArgumentSpans, ...] = ()
    binds: Extent | None = None


class Document(Record, frozen=True):
    """A text as it was read. `spans` has one entry for each statement; `comments` stand after the last one.

    With errors it holds the statements that could be read.
    """

    notation: Notation
    statements: Program = ()
    spans: tuple[StatementSpans, ...] = ()
    comments: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def ok(self) -> bool:
        return all(diagnostic.severity is not Severity.ERROR for diagnostic in self.diagnostics)
