"""The form `*** Begin Patch … *** End Patch`: directives for files, hunks with or without line numbers."""

import re
from collections.abc import Callable

from dragoman.contracts.program import Span
from dragoman.language.patches import hunks
from dragoman.language.patches.lines import Lines, excerpt
from dragoman.language.patches.model import (
    AddFile,
    DeleteFile,
    FileChange,
    Hunk,
    Line,
    PatchCode,
    RenameFile,
    Role,
    UpdateFile,
)

BEGIN = "*** Begin Patch"
END = "*** End Patch"
MOVE = "*** Move to:"
END_OF_FILE = "*** End of File"

_FILE = re.compile(r"\*\*\* (Add|Update|Delete) File:(.*)", re.DOTALL)
_NUMBERED = re.compile(r"@@+ -\d")


def begins_envelope(line: str) -> bool:
    """Whether a first line shows this form: its header, or a directive where the header is missing."""
    return line.rstrip() in (BEGIN, END) or _FILE.match(line) is not None


def read_envelope(lines: Lines) -> list[FileChange]:
    if (first := lines.peek()) is not None and first.rstrip() == BEGIN:
        lines.take()
    changes: list[FileChange] = []
    seen = False
    while not lines.exhausted:
        lines.skip_blank()
        line = lines.peek()
        if line is None:
            lines.report(PatchCode.MISSING_END, "the patch does not end", f"write {END} as its last line")
            break
        if line.rstrip() == END:
            _read_end(lines)
            break
        directive = _FILE.fullmatch(line)
        if directive is None:
            _report_stray(lines, _stray_between_files)
            continue
        seen = True
        changes.append(_read_file(lines, directive[1], directive[2].strip()))
    if not seen:
        lines.report(
            PatchCode.MISSING_FILE_DIRECTIVE,
            "the patch names no file",
            "write *** Update File: PATH, *** Add File: PATH or *** Delete File: PATH before the lines",
        )
    return changes


def _read_end(lines: Lines) -> None:
    lines.take()
    lines.skip_blank()
    if lines.peek() is not None:
        lines.report(
            PatchCode.TEXT_AFTER_END,
            f"there is text after {END}",
            "a text holds one patch: leave out what follows, or put all files into one patch",
        )


def _read_file(lines: Lines, verb: str, written: str) -> FileChange:
    span = lines.span()
    lines.take()
    path = lines.path(written, span)
    if verb == "Add":
        return AddFile(path, _read_new_text(lines, span), span)
    if verb == "Delete":
        return DeleteFile(path, span)
    moved = lines.peek()
    if moved is not None and moved.startswith(MOVE):
        target = lines.path(moved.removeprefix(MOVE).strip(), lines.span())
        lines.take()
        return RenameFile(path, target, _read_hunks(lines), span)
    found = _read_hunks(lines)
    if not found:
        lines.report(
            PatchCode.MISSING_HUNK,
            f"nothing is said about {excerpt(path)}",
            "write @@ and then the lines around the change, each after a blank, - or +",
            span,
        )
    return UpdateFile(path, found, span)


def _read_new_text(lines: Lines, span: Span) -> str:
    body: list[Line] = []
    while (line := lines.peek()) is not None and line[:1] in ("+", "\\"):
        if hunks.is_no_newline(line):
            hunks.mark_no_newline(lines, body)
        elif line[0] == "\\":
            break
        else:
            body.append(Line(Role.ADDED, lines.take()[1:]))
    if not body:
        lines.report(
            PatchCode.MISSING_CHANGES,
            "the new file has no lines",
            "write the lines of the file, each after a +",
            span,
        )
    elif any(not line.ended for line in body[:-1]):
        lines.report(
            PatchCode.MISPLACED_NO_NEWLINE,
            "a line without a line feed can only be the last of its file",
            "write \\ No newline at end of file after the last line only",
            span,
        )
    return "".join(line.text + "\n" * line.ended for line in body)


def _read_hunks(lines: Lines) -> tuple[Hunk, ...]:
    found: list[Hunk] = []
    while not lines.exhausted:
        while lines.peek() == "":
            lines.take()
        line = lines.peek()
        if line is None or line.startswith("***"):
            break
        # The first hunk may do without its header; after it every such line is part of a hunk already.
        if line.startswith("@@") or hunks.body_line(line):
            found.append(_read_hunk(lines))
        else:
            _report_stray(lines, _stray_in_hunk)
    return tuple(found)


def _read_hunk(lines: Lines) -> Hunk:
    span, header = lines.span(), lines.peek() or ""
    ranges, anchor = None, ""
    if header.startswith("@@"):
        header = lines.take().rstrip()
        ranges = hunks.read_ranges(header)
        anchor = "" if ranges else header[2:].removesuffix("@@").strip()
        if ranges is None and (_NUMBERED.match(header) or header.startswith("@@@")):
            lines.report(
                PatchCode.BAD_HUNK_HEADER,
                f"{excerpt(header)} is not the header of a hunk",
                "write @@ -LINE,COUNT +LINE,COUNT @@, or @@ alone",
                span,
            )
    body, open_end = _read_body(lines)
    # Empty lines before the next header part the hunks; counts can say that they are context all the same.
    while open_end and (ranges is None or hunks.counted(body)[0] > ranges.old_count):
        body.pop()
        open_end -= 1
    if ranges is not None:
        hunks.check_counts(lines, span, ranges, body)
    at_end = (lines.peek() or "").rstrip() == END_OF_FILE
    if at_end:
        lines.take()
    hunk = Hunk(tuple(body), span, ranges.old_start if ranges else None, anchor, at_end)
    hunks.check_body(lines, hunk)
    return hunk


def _read_body(lines: Lines) -> tuple[list[Line], int]:
    """The lines of a hunk, and how many at their end are wholly empty."""
    body: list[Line] = []
    empty = 0
    while (line := lines.peek()) is not None and not line.startswith(("@@", "***")) and not lines.exhausted:
        if hunks.is_no_newline(line):
            hunks.mark_no_newline(lines, body)
            empty = 0
        elif (read := hunks.body_line(line)) is None:
            _report_stray(lines, _stray_in_hunk)
        else:
            body.append(read)
            empty = 0 if line else empty + 1
            lines.take()
    return body, empty


def _report_stray(lines: Lines, stray: Callable[[str], bool]) -> None:
    """One finding for a run of lines that belong to nothing."""
    line = lines.peek() or ""
    if line.startswith("***"):
        lines.report(
            PatchCode.UNKNOWN_DIRECTIVE,
            f"{excerpt(line)} is not a directive that can stand here",
            "the directives are Add File, Update File, Delete File, Move to (after Update File), End of File",
        )
    else:
        lines.report(
            PatchCode.UNEXPECTED_LINE,
            f"{excerpt(line)} belongs to no file and no hunk",
            "begin a line of a hunk with a blank, - or +, and a line of a new file with +",
        )
    lines.take()
    while (following := lines.peek()) is not None and stray(following):
        lines.take()


def _stray_between_files(line: str) -> bool:
    return not line.startswith("***")


def _stray_in_hunk(line: str) -> bool:
    return (
        not line.startswith(("@@", "***")) and not hunks.is_no_newline(line) and hunks.body_line(line) is None
    )
