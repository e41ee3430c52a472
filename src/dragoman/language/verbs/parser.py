"""One pass over a text in verb notation.

The open brackets stand on a stack of their own, so no text is too deep for the process. A bracket `(` in
column 1 outside a block string always begins a statement, whatever was open before it: that is where reading
recovers. A statement with a fault in it is reported and left out; the others are kept.

A comment on the line of an argument's value, right after it, is the argument's `display`. Any other belongs
to the argument or statement that follows (see `frames`), and after the last statement to the document.
"""

import re
from collections.abc import Callable
from typing import Final

from dragoman.contracts.program import Nil, Number, Statement, Symbol, Text
from dragoman.language.document import Extent, StatementSpans, ValueSpans
from dragoman.language.verbs import scanner
from dragoman.language.verbs.brackets import too_deep, unclosed_bracket, unexpected_bracket
from dragoman.language.verbs.comments import comment_text
from dragoman.language.verbs.frames import CallFrame, Frame, ListFrame, MapFrame
from dragoman.language.verbs.limits import MAX_DEPTH, MAX_FINDINGS
from dragoman.language.verbs.nests import end_of_nest, end_of_odd
from dragoman.language.verbs.oddities import (
    Fault,
    gap_fault,
    invisible,
    joined_key_fault,
    run_fault,
    string_at,
    unwritable,
)
from dragoman.language.verbs.outside import OutsideFrame
from dragoman.language.verbs.scalars import date, integer
from dragoman.language.verbs.scanner import TOKEN, starts_line
from dragoman.language.verbs.strings import unescaped

_CONSEQUENCES: Final = frozenset({"bad_binding", "bareword", "missing_key", "missing_value"})
"""Not reported of what has a fault already: one mistake is one finding."""

Token = re.Match[str]


class Parser:
    """What a pass has found so far. `_frame` is what is open innermost, `_stack` everything that is."""

    def __init__(self, text: str) -> None:
        self.statements: list[Statement] = []
        self.spans: list[StatementSpans] = []
        self.comments: list[str] = []
        self.faults: list[Fault] = []
        self._text = text
        self._position = 0
        self._found = 0
        self._outside = OutsideFrame(self._report)
        self._frame: Frame | OutsideFrame = self._outside
        self._stack: list[Frame] = []
        # Of the statement that is open: what stood before it, and what was found until it began.
        self._before: tuple[str, ...] = ()
        self._found_before = 0
        self._cut = False
        self._too_deep = False
        self._handlers: dict[int, Callable[[Token], None]] = {
            scanner.KEY: self._key,
            scanner.TEXT: self._plain_text,
            scanner.CALL: self._call,
            scanner.CLOSE: self._close,
            scanner.SYMBOL: self._symbol,
            scanner.INTEGER: self._integer,
            scanner.WORD: self._word,
            scanner.DATE: self._date,
            scanner.DECIMAL: self._decimal,
            scanner.OPEN: self._open,
            scanner.COMMENT: self._comment,
            scanner.COMMA: self._comma,
            scanner.ESCAPED: self._escaped_text,
            scanner.ODD: self._odd,
        }

    def run(self) -> None:
        text, handlers, match, end = self._text, self._handlers, TOKEN.match, scanner.END
        while (token := match(text, self._position)) is not None and (kind := token.lastindex) != end:
            self._position = token.end()
            handlers[kind or end](token)
        self._outside.flush()
        if self._stack:
            self._abandon()

    def _report(self, fault: Fault) -> None:
        self._found += 1
        known = len(self.faults)
        if known and self.faults[-1].start == fault.start and fault.code in _CONSEQUENCES:
            return
        if known < MAX_FINDINGS:
            self.faults.append(fault)
        elif known == MAX_FINDINGS:
            message = f"more than {MAX_FINDINGS} errors; those after this place are not shown"
            self.faults.append(
                Fault("too_many_errors", fault.start, fault.end, message, "mend the first ones")
            )

    # Keys and values.

    def _key(self, token: Token) -> None:
        name, end = token[scanner.KEY], self._position
        self._frame.key(name, end - len(name) - 1, end)

    def _plain_text(self, token: Token) -> None:
        text, end = token[scanner.TEXT], self._position
        self._frame.value(Text(text), ValueSpans((end - len(text) - 2, end)))

    def _escaped_text(self, token: Token) -> None:
        raw, end = token[scanner.ESCAPED], self._position
        self._frame.value(Text(unescaped(raw)), ValueSpans((end - len(raw) - 2, end)))

    def _symbol(self, token: Token) -> None:
        name, end = token[scanner.SYMBOL], self._position
        self._frame.value(Symbol(name), ValueSpans((end - len(name) - 1, end)))

    def _integer(self, token: Token) -> None:
        digits, end = token[scanner.INTEGER], self._position
        extent = (end - len(digits), end)
        self._frame.value(integer(digits, extent, self._report), ValueSpans(extent))

    def _decimal(self, token: Token) -> None:
        digits, end = token[scanner.DECIMAL], self._position
        self._frame.value(Number(digits), ValueSpans((end - len(digits), end)))

    def _date(self, token: Token) -> None:
        digits, end = token[scanner.DATE], self._position
        extent = (end - len(digits), end)
        self._frame.value(date(digits, extent, self._report), ValueSpans(extent))

    def _word(self, token: Token) -> None:
        word, end = token[scanner.WORD], self._position
        self._frame.word(word, end - len(word), end)

    def _comma(self, token: Token) -> None:
        self._frame.comma(self._position - 1)

    def _comment(self, token: Token) -> None:
        raw, end = token[scanner.COMMENT], self._position
        start = end - len(raw) - 1
        if not raw.isprintable():
            for fault in unwritable(self._text, start, end + 1, inside="comment"):
                self._report(fault)
        text, frame = comment_text(raw), self._frame
        if isinstance(frame, OutsideFrame):
            self.comments.append(text)
        elif isinstance(frame, CallFrame) and self._stands_beside(frame, start):
            frame.display(text)
        else:
            frame.call.comments.append(text)

    def _stands_beside(self, frame: CallFrame, start: int) -> bool:
        """Whether a comment stands on the line of the value before it; after it no other can."""
        value_end, frame.shown_at = frame.shown_at, -1
        return value_end >= 0 and self._text.find("\n", value_end, start) < 0

    # Brackets.

    def _call(self, token: Token) -> None:
        verb, end = token[scanner.CALL], self._position
        start = end - len(verb)
        self._open_call(start - 1, verb, (start, end))

    def _open(self, token: Token) -> None:
        bracket, start = token[scanner.OPEN], self._position - 1
        frame = self._frame
        if bracket == "(":
            self._open_call(start, "", (start, start + 1))
        elif isinstance(frame, OutsideFrame):
            frame.word(bracket, start, start + 1)
        elif self._is_room(start):
            kind = ListFrame if bracket == "[" else MapFrame
            self._push(kind(start, frame.call, self._report))

    def _open_call(self, start: int, verb: str, verb_at: Extent) -> None:
        if self._stack and starts_line(self._text, start):
            self._abandon()
        if self._stack:
            if self._is_room(start):
                self._push(CallFrame(start, verb, verb_at, self._report))
            return
        self._outside.flush()
        self._before = tuple(self.comments)
        self.comments.clear()
        self._found_before = self._found
        self._cut = self._too_deep = False
        self._push(CallFrame(start, verb, verb_at, self._report))

    def _push(self, frame: Frame) -> None:
        self._stack.append(frame)
        self._frame = frame

    def _close(self, token: Token) -> None:
        bracket, end = token[scanner.CLOSE], self._position
        frame = self._frame
        if isinstance(frame, OutsideFrame):
            frame.closer(bracket, end - 1)
            return
        if frame.closer == bracket:
            self._pop(end)
        elif any(open_frame.closer == bracket for open_frame in self._stack):
            self._unwind(bracket, end - 1)
            self._pop(end)
        else:
            self._report(unexpected_bracket(bracket, frame, end))
            # In a list or a map it is the wrong bracket, in a call one too many.
            if not isinstance(frame, CallFrame):
                self._pop(end)

    def _unwind(self, bracket: str, start: int) -> None:
        """Give up what is open inside the bracket that is closed now."""
        self._report(unclosed_bracket(self._text, self._stack[-1]))
        while (frame := self._stack[-1]).closer != bracket:
            self._stack.pop()
            self._stack[-1].value(Nil(), ValueSpans((frame.start, start)))

    def _pop(self, end: int) -> None:
        frame = self._stack.pop()
        if self._stack:
            self._frame = self._stack[-1]
            self._frame.value(*frame.closed(end))
            return
        self._frame = self._outside
        statement, spans = frame.call.statement(end, self._before)
        if self._found == self._found_before:
            self.statements.append(statement)
            self.spans.append(spans)

    def _abandon(self) -> None:
        """Leave the open statement. Where a text in it has no end, that is the reason, and is reported."""
        if not self._cut:
            self._report(unclosed_bracket(self._text, self._stack[-1]))
        self._stack.clear()
        self._frame = self._outside

    def _is_room(self, start: int) -> bool:
        """Whether another bracket may open. Where not, what stands in it is passed over."""
        if len(self._stack) < MAX_DEPTH:
            return True
        if not self._too_deep:
            self._report(too_deep(start))
        self._too_deep = True
        self._position = end_of_nest(self._text, self._position)
        self._frame.value(Nil(), ValueSpans((start, self._position)))
        return False

    # What is no token.

    def _odd(self, token: Token) -> None:
        start = self._position - 1
        if fault := invisible(self._text, start):
            self._report(fault)
            self._position = fault.end
        elif isinstance(self._frame, OutsideFrame):
            self._position = end_of_odd(self._text, start)
            self._frame.word("", start, self._position)
        elif self._text[start] == '"':
            self._string(start)
        else:
            self._run(start)

    def _string(self, start: int) -> None:
        value, end, faults, cut = string_at(self._text, start)
        for fault in faults:
            self._report(fault)
        self._position = end
        self._cut |= cut
        self._frame.value(Text(value), ValueSpans((start, end)))
        if not cut and (near := gap_fault(self._text, end)):
            self._report(near)

    def _run(self, start: int) -> None:
        if fault := joined_key_fault(self._text, start):
            self._report(fault)
            self._position = fault.end
            self._frame.key(self._text[start + 1 : fault.end], start, fault.end)
            return
        end = self._position = end_of_odd(self._text, start)
        token = TOKEN.match(self._text, start, end)
        if token is not None and token.lastindex != scanner.ODD and token.end() == end:
            # Right by itself, and what follows stands too near.
            self._handlers[token.lastindex or scanner.END](token)
            if near := gap_fault(self._text, end):
                self._report(near)
            return
        if self._frame.wants_verb:
            self._frame.word(self._text[start:end], start, end)
            return
        fault = run_fault(self._text, start, end)
        self._report(fault)
        if fault.code == "bad_key":
            self._frame.broken_key()
        else:
            self._frame.value(Nil(), ValueSpans((start, end)))
