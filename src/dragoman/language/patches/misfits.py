"""What to say of a hunk that has no place, and what to write instead."""

from collections.abc import Sequence

from dragoman.contracts.program import Diagnostic
from dragoman.language.patches.lines import excerpt
from dragoman.language.patches.model import Hunk, PatchCode

_FRESH = "make the patch from the file as it is now"


def misfit(hunk: Hunk, old: Sequence[str], lines: Sequence[str], places: Sequence[int]) -> Diagnostic:
    """The lines it expects are not where they should be: what stands there, and where they do stand."""
    message = "the lines of the hunk are not in the file"
    if hunk.start is not None:
        at = max(0, hunk.start - 1)
        message = f"the hunk does not fit at line {hunk.start}{_first_difference(old, lines, at)}"
    elif hunk.anchor:
        message = f"the lines of the hunk do not stand after {excerpt(hunk.anchor)}"
    elif hunk.at_end:
        message = "the file does not end with the lines of the hunk"
    hint = f"they stand at line {places[-1] + 1}; {_FRESH}" if places else _FRESH
    return Diagnostic(PatchCode.HUNK_DOES_NOT_FIT, message, hint, span=hunk.span)


def _first_difference(old: Sequence[str], lines: Sequence[str], at: int) -> str:
    for number, expected in enumerate(old, at):
        if number >= len(lines):
            return f": the file has {len(lines)} lines"
        if lines[number] != expected:
            if lines[number].rstrip("\r\n") == expected.rstrip("\r\n"):
                return f": line {number + 1} ends otherwise"
            found, wanted = excerpt(lines[number].rstrip("\n")), excerpt(expected.rstrip("\n"))
            return f": line {number + 1} is {found}, the patch expects {wanted}"
    return ""


def ambiguous(hunk: Hunk, places: Sequence[int]) -> Diagnostic:
    later, earlier = places[0] + 1, places[1] + 1
    return Diagnostic(
        PatchCode.HUNK_AMBIGUOUS,
        f"the lines of the hunk stand at line {earlier} and at line {later}",
        "give more lines around the change, or say which is meant: @@ -LINE,COUNT +LINE,COUNT @@",
        span=hunk.span,
    )


def bad_anchor(hunk: Hunk, *, several: bool) -> Diagnostic:
    if several:
        message = f"the line {excerpt(hunk.anchor)} is in the file more than once"
        return Diagnostic(
            PatchCode.HUNK_AMBIGUOUS, message, "write after @@ a line that is there once", span=hunk.span
        )
    message = f"the line {excerpt(hunk.anchor)} is not in the file"
    hint = "write after @@ a line of the file, whole, or nothing"
    return Diagnostic(PatchCode.HUNK_DOES_NOT_FIT, message, hint, span=hunk.span)


def without_context(hunk: Hunk) -> Diagnostic:
    return Diagnostic(
        PatchCode.HUNK_WITHOUT_CONTEXT,
        "the hunk only adds lines, and does not say between which",
        "give a line of context before or after them",
        span=hunk.span,
    )


def overlap(hunk: Hunk, line: int) -> Diagnostic:
    message = f"the hunk changes line {line}, which another hunk changes too"
    return Diagnostic(PatchCode.HUNKS_OVERLAP, message, "write one hunk of the two", span=hunk.span)


def line_feed_missing(hunk: Hunk) -> Diagnostic:
    message = "a line without a line feed would come to stand before the end of the file"
    return Diagnostic(PatchCode.HUNK_DOES_NOT_FIT, message, _FRESH, span=hunk.span)
