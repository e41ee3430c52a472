"""Reading a patch layer by layer: size, trimming, emptiness, ASCII, structure. A layer that fails ends it."""

import re
from collections.abc import Iterable

from dragoman.contracts.program import Diagnostic, Span
from dragoman.language.patches.envelope import BEGIN, begins_envelope, read_envelope
from dragoman.language.patches.lines import Lines, excerpt
from dragoman.language.patches.model import FileChange, Form, Patch, PatchCode, ReadPatch, paths_of
from dragoman.language.patches.unified import begins_unified, read_unified, shows_unified
from dragoman.language.source import Source

MAX_BYTES = 10_000_000
MAX_LINES = 1_000_000

_LEADING = re.compile(r"[\s\ufeff]*")
# NUL and DEL are ASCII, but no text.
_BEYOND_ASCII = re.compile(r"[^\x01-\x7e]")


def read_patch(text: str, *, ascii_only: bool = False) -> ReadPatch:
    """The patch a text holds, or everything that is wrong with it."""
    if too_large := _too_large(text):
        return ReadPatch(diagnostics=(too_large,))
    start = _leading(text)
    if start == len(text):
        hint = "write a patch: *** Begin Patch … *** End Patch, or a unified diff"
        return ReadPatch(
            diagnostics=(
                Diagnostic(PatchCode.EMPTY, "there is no patch", hint, span=Source(text).span(0, 0)),
            )
        )
    if ascii_only and (beyond := _beyond_ascii(text, start)):
        return ReadPatch(diagnostics=(beyond,))
    return _read_structure(text, start)


def _too_large(text: str) -> Diagnostic | None:
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    if size <= MAX_BYTES and text.count("\n") <= MAX_LINES:
        return None
    return too_large_finding()


def too_large_finding() -> Diagnostic:
    return Diagnostic(
        PatchCode.TOO_LARGE,
        f"the patch has more than {MAX_BYTES:,} bytes or {MAX_LINES:,} lines",
        "split it into several patches",
        span=Span(0, 0, 1, 1, 1, 1),
    )


def _leading(text: str) -> int:
    """Where the patch begins, after white space and byte order marks."""
    match = _LEADING.match(text)
    return match.end() if match else 0


def _beyond_ascii(text: str, start: int) -> Diagnostic | None:
    # White space after *** End Patch is trimmed; a diff has no end mark, so all of it is content.
    end = len(text.rstrip().rstrip("\ufeff").rstrip()) if text.startswith("***", start) else len(text)
    found = _BEYOND_ASCII.search(text, start, end)
    if found is None:
        return None
    character = found[0]
    return Diagnostic(
        PatchCode.NON_ASCII,
        f"the character {excerpt(character)} (U+{ord(character):04X}) is not ASCII",
        "write ASCII only, with \\uXXXX inside strings",
        span=Source(text).span(found.start(), found.end()),
    )


def _read_structure(text: str, start: int) -> ReadPatch:
    crlf = "\r\n" in text and text.count("\n") == text.count("\r\n")
    lines = Lines(text, start, crlf=crlf)
    form = _find_form(lines)
    if form is None:
        return ReadPatch(diagnostics=tuple(lines.findings))
    changes = read_envelope(lines) if form is Form.ENVELOPE else read_unified(lines)
    _check_files(lines, changes)
    if lines.findings:
        found = sorted(lines.findings, key=lambda finding: finding.span.start if finding.span else 0)
        return ReadPatch(form, diagnostics=tuple(found))
    return ReadPatch(form, Patch(form, tuple(changes), crlf))


def _find_form(lines: Lines) -> Form | None:
    """The form of the patch, the cursor on its first line. What stands before a header is an error."""
    if (form := _form_at(lines)) is not None and not _lacks_header(lines, form):
        return form
    lines.report(
        PatchCode.MISSING_HEADER,
        f"a patch does not begin with {excerpt((lines.peek() or '').rstrip())}",
        "begin with *** Begin Patch, diff --git a/PATH b/PATH, or --- a/PATH and +++ b/PATH; "
        "leave out everything before it, fences too",
    )
    while form is None and lines.peek() is not None:
        lines.take()
        form = _form_at(lines)
    return form


def _form_at(lines: Lines) -> Form | None:
    """The form that the line under the cursor shows."""
    line = lines.peek() or ""
    if begins_envelope(line):
        return Form.ENVELOPE
    return Form.UNIFIED if begins_unified(line, lines.peek(1)) or shows_unified(line) else None


def _lacks_header(lines: Lines, form: Form) -> bool:
    """Whether an envelope goes on where it should begin; the reader of diffs says so of diffs itself."""
    return form is Form.ENVELOPE and (lines.peek() or "").rstrip() != BEGIN


def _check_files(lines: Lines, changes: Iterable[FileChange]) -> None:
    seen: set[str] = set()
    for change in changes:
        # A path that names nothing was refused where it stands.
        for path in filter(None, paths_of(change)):
            if path in seen:
                lines.report(
                    PatchCode.FILE_TWICE,
                    f"{excerpt(path)} is named more than once",
                    "put all hunks of a file under one header",
                    change.span,
                )
            seen.add(path)
