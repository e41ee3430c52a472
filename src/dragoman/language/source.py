"""A source text: where things stand in it, and how a finding is shown under the line it speaks of."""

from bisect import bisect_right
from functools import cached_property

from dragoman.contracts.program import Diagnostic, Span
from dragoman.guards.secrets import find_secrets, scrubbed

MASKED = frozenset({"secret_in_program", "literal_secret"})
"""The findings whose lines are not shown; nor is any other line that has a secret in it."""

WIDTH = 160
"""How much of a source line is shown."""


class Source:
    """A text with its name. Offsets are code points; a line ends with a line feed."""

    def __init__(self, text: str, name: str = "") -> None:
        self.text = text
        self.name = name

    @cached_property
    def _line_starts(self) -> list[int]:
        starts, position = [0], self.text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of an offset."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        line, column = self.position(start)
        end_line, end_column = self.position(end)
        return Span(start, end, line, column, end_line, end_column)

    @cached_property
    def _hidden(self) -> tuple[tuple[int, int], ...]:
        """The lines, from and to, of secrets that have more than one."""
        found = [(self.position(s.start)[0], self.position(s.end)[0]) for s in find_secrets(self.text)]
        return tuple((first, last) for first, last in found if first < last)

    def hides(self, number: int) -> bool:
        """Whether a line belongs to a secret that no line of it shows alone, such as a private key."""
        return any(first <= number <= last for first, last in self._hidden)

    def line(self, number: int) -> str:
        starts = self._line_starts
        end = starts[number] - 1 if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r")


def show(source: Source, diagnostic: Diagnostic) -> str:
    """A finding for people: where, what, the line with a caret under it, and what to write instead."""
    span = diagnostic.span
    where = f"{source.name or 'program'}:{span.line}:{span.column}" if span else source.name or "program"
    lines = [f"{where}: {diagnostic.severity} [{diagnostic.code}]: {scrubbed(diagnostic.message)}"]
    if span is not None:
        text = source.line(span.line).replace("\t", " ")
        if diagnostic.code in MASKED or source.hides(span.line) or find_secrets(text):
            text = "*" * len(text)
        width = (span.end_column if span.end_line == span.line else len(text) + 1) - span.column
        # A line may be longer than any screen: what is shown begins a little before the place.
        first = max(0, span.column - 1 - WIDTH // 2)
        shown, column = text[first : first + WIDTH], span.column - 1 - first
        caret = "^" * max(1, min(width, len(shown) - column))
        lines += [f"  | {shown}", f"  | {' ' * column}{caret}"]
    if diagnostic.hint:
        lines.append(f"  = {scrubbed(diagnostic.hint)}")
    return "\n".join(lines)
