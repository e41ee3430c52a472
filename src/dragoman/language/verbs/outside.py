"""What stands between statements and belongs to none."""

from dragoman.contracts.program import Value
from dragoman.language.document import ValueSpans
from dragoman.language.verbs.oddities import Fault, Report


class OutsideFrame:
    """Takes what a frame takes, and reports one finding for each stretch of it, however long."""

    __slots__ = ("_code", "_end", "_report", "_start")
    wants_verb = False

    def __init__(self, report: Report) -> None:
        self._report = report
        self._code = ""
        self._start = self._end = 0

    def word(self, word: str, start: int, end: int) -> None:
        self._stray("outside_statement", start, end)

    def key(self, name: str, start: int, end: int) -> None:
        self._stray("outside_statement", start, end)

    def broken_key(self) -> None:
        """Reported where it was read."""

    def value(self, value: Value, spans: ValueSpans) -> None:
        self._stray("outside_statement", *spans.extent)

    def comma(self, start: int) -> None:
        self._stray("outside_statement", start, start + 1)

    def closer(self, bracket: str, start: int) -> None:
        inside = self._code == "outside_statement" and bracket != ")"
        self._stray("outside_statement" if inside else "unexpected_bracket", start, start + 1)

    def flush(self) -> None:
        """Report the stretch that ends here."""
        match self._code:
            case "outside_statement":
                message, hint = "this stands in no statement", "write (domain.verb :name value)"
                self._report(Fault(self._code, self._start, self._end, message, hint))
            case "unexpected_bracket":
                message, hint = "nothing is open that this would close", "remove it"
                self._report(Fault(self._code, self._start, self._end, message, hint))
        self._code = ""

    def _stray(self, code: str, start: int, end: int) -> None:
        if self._code != code:
            self.flush()
            self._code, self._start = code, start
        self._end = end
