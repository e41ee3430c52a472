"""Where comments belong: to the argument they stand in or beside, otherwise to the next argument or step.

A comment after the last argument of a step, further in than the step's dash, closes the step.
"""

from bisect import bisect_right
from typing import NamedTuple

from dragoman.contracts.program import Argument, Program, Statement
from dragoman.language.document import StatementSpans
from dragoman.language.oml.comments import Comment


class Layout(NamedTuple):
    """What else of a document's look decides: where `steps` begins, and the column of the steps' dashes."""

    steps: int
    dash: int
    blocks: frozenset[int]


class _Target(NamedTuple):
    """A step (`argument` is -1) or an argument, with its place."""

    start: int
    end: int
    statement: int
    argument: int


class _Notes:
    """The comments that were found for one statement."""

    def __init__(self) -> None:
        self.before: list[str] = []
        self.closing: list[str] = []
        self.above: dict[int, list[str]] = {}
        self.beside: dict[int, str] = {}


def attached(
    statements: Program, spans: tuple[StatementSpans, ...], comments: list[Comment], text: str, layout: Layout
) -> tuple[Program, tuple[str, ...]]:
    """The statements with their comments, and the comments after the last of them."""
    work = _Attachment(spans, text, layout)
    for comment in comments:
        work.place(comment)
    noted = tuple(_noted(each, notes) for each, notes in zip(statements, work.notes, strict=True))
    return noted, tuple(work.ending)


class _Attachment:
    def __init__(self, spans: tuple[StatementSpans, ...], text: str, layout: Layout) -> None:
        self._text = text
        self._layout = layout
        self._targets = sorted(
            target for number, places in enumerate(spans) for target in _targets(number, places)
        )
        self._starts = [target.start for target in self._targets]
        self._gone = -1
        self.notes = [_Notes() for _ in spans]
        self.ending: list[str] = []

    def place(self, comment: Comment) -> None:
        following = bisect_right(self._starts, comment.start)
        last = self._targets[following - 1] if following else None
        if last is not None and last.argument >= 0 and self._beside(comment, last):
            return
        upcoming = self._targets[following] if following < len(self._targets) else None
        if upcoming is not None and upcoming.argument >= 0:
            above = self.notes[upcoming.statement].above
            above.setdefault(upcoming.argument, []).append(comment.text)
        elif last is not None and self._belongs(comment, last, following):
            self.notes[last.statement].closing.append(comment.text)
        else:
            # What follows a comment of the next step belongs to that step as well.
            self._gone = following
            notes = self.notes[upcoming.statement].before if upcoming is not None else self.ending
            notes.append(comment.text)

    def _beside(self, comment: Comment, target: _Target) -> bool:
        """Whether it stands in an argument or right after it on its line."""
        notes = self.notes[target.statement]
        if comment.start < target.end:
            if target.end in self._layout.blocks and target.argument not in notes.beside and comment.text:
                notes.beside[target.argument] = comment.text
            else:
                notes.above.setdefault(target.argument, []).append(comment.text)
            return True
        between = self._text[target.end : comment.start]
        if comment.text and "\n" not in between and not between.strip(" \t,"):
            notes.beside[target.argument] = comment.text
            return True
        return False

    def _belongs(self, comment: Comment, last: _Target, following: int) -> bool:
        if self._gone == following:
            return False
        if last.statement == 0:
            return comment.column > 0 and comment.start < self._layout.steps
        return comment.column > self._layout.dash


def _targets(number: int, places: StatementSpans) -> list[_Target]:
    start, end = places.extent
    return [
        _Target(start, end, number, -1),
        *(
            _Target(argument.name[0], max(argument.name[1], argument.value.extent[1]), number, index)
            for index, argument in enumerate(places.arguments)
        ),
    ]


def _noted(statement: Statement, notes: _Notes) -> Statement:
    arguments = tuple(
        Argument(each.name, each.value, notes.beside.get(index, ""), tuple(notes.above.get(index, ())))
        if index in notes.beside or index in notes.above
        else each
        for index, each in enumerate(statement.arguments)
    )
    return Statement(statement.verb, arguments, statement.binds, tuple(notes.before), tuple(notes.closing))
