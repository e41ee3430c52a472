"""Unified diffs: `---` and `+++`, hunks with line numbers, and the headers that git writes before them."""

import re

from dragoman.contracts.program import Span
from dragoman.language.patches import hunks
from dragoman.language.patches.headers import Heading, change_of, read_heading
from dragoman.language.patches.lines import Lines, excerpt
from dragoman.language.patches.model import FileChange, Hunk, Line, PatchCode, Role

_COMMAND = re.compile(r"diff -\S")


def begins_unified(line: str, following: str | None) -> bool:
    """Whether a file of a diff begins at this line."""
    if line.startswith("diff --git ") or _COMMAND.match(line):
        return True
    return line.startswith("--- ") and following is not None and following.startswith("+++ ")


def shows_unified(line: str) -> bool:
    """Whether a first line can only be meant as a diff, though its header is not whole."""
    return line.startswith(("--- ", "+++ ", "@@ "))


def read_unified(lines: Lines) -> list[FileChange]:
    changes: list[FileChange] = []
    lines.skip_blank()
    while (line := lines.peek()) is not None and not lines.exhausted:
        if begins_unified(line, lines.peek(1)):
            changes += _read_file(lines)
        else:
            _report_stray(lines)
        lines.skip_blank()
    return changes


def _read_file(lines: Lines) -> list[FileChange]:
    """One file: its headers, its hunks. Nothing where the headers do not say which file and what of it."""
    heading = read_heading(lines)
    found: list[Hunk] = []
    while (line := lines.peek()) is not None and line.startswith("@@") and not lines.exhausted:
        hunk = _read_hunk(lines)
        if hunk is not None:
            found.append(hunk)
        if not _has_hunk_after_blank(lines):
            break
    if not found and heading.needs_hunks and not lines.exhausted:
        _report_no_hunk(lines, heading)
    change = change_of(lines, heading, tuple(found))
    return [] if change is None else [change]


def _has_hunk_after_blank(lines: Lines) -> bool:
    lines.skip_blank()
    return (lines.peek() or "").startswith("@@")


def _report_no_hunk(lines: Lines, heading: Heading) -> None:
    lines.report(
        PatchCode.MISSING_HUNK,
        f"nothing is said about {excerpt(heading.new or heading.old)}",
        "write @@ -LINE,COUNT +LINE,COUNT @@ and then the lines, each after a blank, - or +",
        heading.span,
    )


def _read_hunk(lines: Lines) -> Hunk | None:
    span = lines.span()
    header = lines.take().rstrip("\r")
    ranges = hunks.read_ranges(header)
    if ranges is None:
        lines.report(
            PatchCode.BAD_HUNK_HEADER,
            f"{excerpt(header)} is not the header of a hunk",
            "write @@ -LINE,COUNT +LINE,COUNT @@ with line numbers from 1",
            span,
        )
        _read_rest(lines, [])
        return Hunk((), span)
    body = _read_counted(lines, ranges)
    hunks.check_counts(lines, span, ranges, body)
    hunk = Hunk(tuple(body), span, ranges.old_start)
    hunks.check_body(lines, hunk)
    return hunk


def _read_counted(lines: Lines, ranges: hunks.Ranges) -> list[Line]:
    """The lines a hunk announces; what else looks like a line of it is read too, for the counts to show."""
    body: list[Line] = []
    old, new = ranges.old_count, ranges.new_count
    while (line := lines.peek()) is not None and (old > 0 or new > 0):
        if hunks.is_no_newline(line):
            hunks.mark_no_newline(lines, body)
            continue
        read = hunks.body_line(line)
        if read is None or (line.startswith("--- ") and (old, new) != (1, 1) and _is_file_header(lines)):
            return body
        body.append(read)
        lines.take()
        old -= read.role is not Role.ADDED
        new -= read.role is not Role.REMOVED
    return _read_rest(lines, body)


def _read_rest(lines: Lines, body: list[Line]) -> list[Line]:
    while (line := lines.peek()) and not begins_unified(line, lines.peek(1)):
        if hunks.is_no_newline(line):
            hunks.mark_no_newline(lines, body)
        elif line.strip() and (read := hunks.body_line(line)) is not None:
            body.append(read)
            lines.take()
        else:
            break
    return body


def _is_file_header(lines: Lines) -> bool:
    """`---`, `+++`, `@@`: the next file, not lines that go and come, whatever the counts still expect."""
    wanted = ("--- ", "+++ ", "@@ -")
    return all((lines.peek(i) or "").startswith(start) for i, start in enumerate(wanted))


def _report_stray(lines: Lines) -> None:
    line, span = lines.peek() or "", lines.span()
    if line.startswith("--- "):
        _report_header(lines, "a --- line without its +++ line", span)
    elif line.startswith(("+++ ", "@@")):
        _report_header(lines, f"{excerpt(line)} without --- and +++ lines before it", span)
    else:
        lines.report(
            PatchCode.UNEXPECTED_LINE,
            f"{excerpt(line)} belongs to no file and no hunk",
            "begin a line of a hunk with a blank, - or +, and leave out everything else",
        )
    lines.take()
    while (following := lines.peek()) is not None and not begins_unified(following, lines.peek(1)):
        lines.take()


def _report_header(lines: Lines, message: str, span: Span) -> None:
    hint = "write --- a/PATH and +++ b/PATH before the hunks of a file"
    lines.report(PatchCode.MISSING_HEADER, message, hint, span)
