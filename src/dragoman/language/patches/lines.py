"""The lines of a patch while it is read: where the reader stands, and all it has found wrong so far."""

from dragoman.contracts.program import Diagnostic, Span
from dragoman.guards.secrets import scrubbed
from dragoman.language.patches.model import PatchCode
from dragoman.language.patches.paths import plain_path, refused_path

MAX_FINDINGS = 1_000
NO_NEWLINE = "\\ "
"""How the line begins that says of the line before it that no line feed follows; the rest is prose."""


class Lines:
    """A cursor over the lines of `text` from the offset `start`, which is where its first line begins."""

    def __init__(self, text: str, start: int, *, crlf: bool) -> None:
        self._lines = text[start:].split("\n")
        if self._lines[-1] == "":
            self._lines.pop()
        if crlf:
            self._lines = [line.removesuffix("\r") for line in self._lines]
        self._line_end = 2 if crlf else 1
        self._first = text.count("\n", 0, start) + 1
        self._indent = start - (text.rfind("\n", 0, start) + 1)
        self._offset = start
        self._at = 0
        self.findings: list[Diagnostic] = []

    def peek(self, ahead: int = 0) -> str | None:
        """The line the cursor stands on, or one further on; none after the end."""
        index = self._at + ahead
        return self._lines[index] if index < len(self._lines) else None

    def take(self) -> str:
        """The line the cursor stands on, which moves on."""
        line = self._lines[self._at]
        self._at += 1
        self._offset += len(line) + self._line_end
        return line

    def skip_blank(self) -> None:
        while (line := self.peek()) is not None and not line.strip().strip("\ufeff"):
            self.take()

    def span(self) -> Span:
        """Where the line under the cursor stands; after the end, an empty span behind the last line."""
        line = self.peek()
        if line is None:
            return self._span_after_end()
        column = 1 + (self._indent if self._at == 0 else 0)
        number, width = self._first + self._at, len(line.removesuffix("\r"))
        return Span(self._offset, self._offset + width, number, column, number, column + width)

    def _span_after_end(self) -> Span:
        last = self._lines[-1] if self._lines else ""
        number = self._first + max(0, len(self._lines) - 1)
        column = len(last) + 1 + (self._indent if len(self._lines) <= 1 else 0)
        offset = max(0, self._offset - self._line_end)
        return Span(offset, offset, number, column, number, column)

    @property
    def exhausted(self) -> bool:
        """Whether so much is wrong that reading on says nothing more."""
        return len(self.findings) >= MAX_FINDINGS

    def report(self, code: PatchCode, message: str, hint: str, span: Span | None = None) -> None:
        """A finding, by default about the line under the cursor. The last one kept says it is the last."""
        if len(self.findings) == MAX_FINDINGS - 1:
            code, message = PatchCode.TOO_MANY_ERRORS, f"more than {MAX_FINDINGS - 1} errors"
            hint = "mend these first; the rest was not read"
        if len(self.findings) < MAX_FINDINGS:
            self.findings.append(Diagnostic(code, message, hint, span=span or self.span()))

    def path(self, written: str, span: Span) -> str:
        """A path as it is written in a header, in its one spelling; reported where it may not be named."""
        if (refused := refused_path(written)) is not None:
            code, reason = refused
            hint = "write a path below the folder that is patched, such as reports/stock.verbs"
            self.report(code, f"the path {excerpt(written)} is refused: {reason}", hint, span)
        return plain_path(written)


def excerpt(text: str, limit: int = 60) -> str:
    """A line quoted in a message: without its secrets, cut when it is long."""
    text = scrubbed(text)
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")
