"""Hunks, the part both forms share: a header, then lines that begin with a blank, `-` or `+`."""

import re

from dragoman.contracts.program import Span
from dragoman.contracts.record import Record
from dragoman.language.patches.lines import NO_NEWLINE, Lines
from dragoman.language.patches.model import Hunk, Line, PatchCode, Role

# Nine digits: no file has more lines, and longer numbers are never what was meant.
_RANGES = re.compile(
    r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(?: .*)?", re.ASCII | re.DOTALL
)
_ROLES = {role.value: role for role in Role}


class Ranges(Record, frozen=True):
    """`@@ -old_start,old_count +new_start,new_count @@`."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int


def read_ranges(header: str) -> Ranges | None:
    """The ranges of a header; none when it is not one, or says that lines before the first are meant."""
    match = _RANGES.fullmatch(header)
    if match is None:
        return None
    old_start, old_count, new_start, new_count = (1 if part is None else int(part) for part in match.groups())
    if (old_count and not old_start) or (new_count and not new_start):
        return None
    return Ranges(old_start, old_count, new_start, new_count)


def body_line(line: str) -> Line | None:
    """A line of a hunk. Editors cut trailing blanks, so an empty line stands for an empty line of context."""
    if not line or line == "\r":
        return Line(Role.CONTEXT, line)
    role = _ROLES.get(line[0])
    return None if role is None else Line(role, line[1:])


def mark_no_newline(lines: Lines, body: list[Line]) -> None:
    """Take a `\\ No newline at end of file` and note it on the line before."""
    if body and body[-1].ended:
        last = body.pop()
        body.append(Line(last.role, last.text, ended=False))
    else:
        lines.report(
            PatchCode.MISPLACED_NO_NEWLINE,
            "it speaks of the line before it, and there is none",
            "write it directly after the last line of the file",
        )
    lines.take()


def is_no_newline(line: str) -> bool:
    return line.startswith(NO_NEWLINE)


def counted(body: list[Line]) -> tuple[int, int]:
    """How many lines the hunk has on its old side, and how many on its new one."""
    old = sum(line.role is not Role.ADDED for line in body)
    new = sum(line.role is not Role.REMOVED for line in body)
    return old, new


def check_counts(lines: Lines, span: Span, ranges: Ranges, body: list[Line]) -> None:
    old, new = counted(body)
    if (old, new) != (ranges.old_count, ranges.new_count):
        lines.report(
            PatchCode.WRONG_COUNTS,
            f"the hunk announces {ranges.old_count} old lines and {ranges.new_count} new ones; "
            f"it has {old} and {new}",
            f"write @@ -{ranges.old_start},{old} +{ranges.new_start},{new} @@, or mend its lines",
            span,
        )


def check_body(lines: Lines, hunk: Hunk) -> None:
    """What a hunk must have whatever its form: a change, and nothing after the end of the file."""
    if all(line.role is Role.CONTEXT for line in hunk.lines):
        lines.report(
            PatchCode.MISSING_CHANGES,
            "the hunk changes nothing: no line begins with + or -",
            "write - before a line that goes and + before a line that comes, or leave the hunk out",
            hunk.span,
        )
    for gone in (Role.ADDED, Role.REMOVED):
        side = [line for line in hunk.lines if line.role is not gone]
        if any(not line.ended for line in side[:-1]):
            lines.report(
                PatchCode.MISPLACED_NO_NEWLINE,
                "a line without a line feed can only be the last of its file",
                "write \\ No newline at end of file after the last line only",
                hunk.span,
            )
