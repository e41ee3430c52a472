"""What a patch is made of, the codes of all that can be wrong with it, what reading and applying it give."""

from collections.abc import Iterable, Mapping
from enum import StrEnum

from dragoman.contracts.program import Diagnostic, Span
from dragoman.contracts.record import Record


class PatchCode(StrEnum):
    """Every finding about a patch, outermost layer first: the first of these among several is the verdict."""

    TOO_LARGE = "patch_too_large"
    NOT_UTF8 = "patch_not_utf8"
    EMPTY = "empty_diff_output"
    NON_ASCII = "non_ascii_output"
    MISSING_HEADER = "diff_missing_header"
    MISSING_END = "diff_missing_end"
    MISSING_FILE_DIRECTIVE = "diff_missing_file_directive"
    MISSING_HUNK = "diff_missing_hunk"
    MISSING_CHANGES = "diff_missing_changes"
    TEXT_AFTER_END = "diff_text_after_end"
    UNKNOWN_DIRECTIVE = "diff_unknown_directive"
    UNEXPECTED_LINE = "diff_unexpected_line"
    BAD_HUNK_HEADER = "hunk_bad_header"
    WRONG_COUNTS = "hunk_counts_wrong"
    MISPLACED_NO_NEWLINE = "diff_no_newline_misplaced"
    NAMES_DIFFER = "diff_names_differ"
    BINARY = "diff_binary"
    COPY = "diff_copy"
    MODE_REFUSED = "diff_mode_refused"
    PATH_INVALID = "patch_path_invalid"
    PATH_LEAVES_ROOT = "patch_path_leaves_root"
    PATH_PROTECTED = "patch_path_protected"
    FILE_TWICE = "patch_file_twice"
    TOO_MANY_ERRORS = "patch_too_many_errors"
    NEEDS_ROOT = "patch_needs_root"
    FILE_MISSING = "patch_file_missing"
    FILE_EXISTS = "patch_file_exists"
    FILE_REFUSED = "patch_file_refused"
    HUNK_DOES_NOT_FIT = "hunk_does_not_fit"
    HUNK_AMBIGUOUS = "hunk_ambiguous"
    HUNK_WITHOUT_CONTEXT = "hunk_without_context"
    HUNKS_OVERLAP = "hunks_overlap"
    FILE_CHANGED = "patch_file_changed"
    WRITE_FAILED = "patch_write_failed"


_RANK: Mapping[str, int] = {code: rank for rank, code in enumerate(PatchCode)}


class Form(StrEnum):
    ENVELOPE = "envelope"
    UNIFIED = "unified"


class Role(StrEnum):
    """What a line of a hunk is there for; the value is the character it begins with."""

    CONTEXT = " "
    REMOVED = "-"
    ADDED = "+"


class Line(Record, frozen=True, gc=False):
    """A line without its line feed. Only the last line of a file can be without one (`ended` is false)."""

    role: Role
    text: str
    ended: bool = True


class Hunk(Record, frozen=True):
    """Lines to find and what to put there. `start` is the line (from 1) at which they stand; without it they
    are looked for: after the one line `anchor`, at the end of the file, or anywhere."""

    lines: tuple[Line, ...]
    span: Span
    start: int | None = None
    anchor: str = ""
    at_end: bool = False


class AddFile(Record, frozen=True, tag="add", tag_field="change"):
    path: str
    text: str
    span: Span


class UpdateFile(Record, frozen=True, tag="update", tag_field="change"):
    """`alias` is the other name where a plain diff gives two; the one of them that exists is meant."""

    path: str
    hunks: tuple[Hunk, ...]
    span: Span
    alias: str = ""


class DeleteFile(Record, frozen=True, tag="delete", tag_field="change"):
    """`text` is what the file must hold; none where the patch does not say."""

    path: str
    span: Span
    text: str | None = None


class RenameFile(Record, frozen=True, tag="rename", tag_field="change"):
    path: str
    to: str
    hunks: tuple[Hunk, ...]
    span: Span


FileChange = AddFile | UpdateFile | DeleteFile | RenameFile


class Patch(Record, frozen=True):
    """`crlf`: every line of the patch itself ended with CR LF. Then that is how it was carried, and says
    nothing about the files: their own line ends are kept."""

    form: Form
    changes: tuple[FileChange, ...]
    crlf: bool = False


class ReadPatch(Record, frozen=True):
    """A patch as it was read: with any finding there is none. `form` is none where nothing shows it."""

    form: Form | None = None
    patch: Patch | None = None
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def ok(self) -> bool:
        return self.patch is not None

    @property
    def code(self) -> str | None:
        return verdict(self.diagnostics)


class Outcome(Record, frozen=True):
    """What becomes of one file: its whole new text, or none when it is gone. `source` is its old name."""

    path: str
    text: str | None
    source: str = ""


class Applied(Record, frozen=True):
    """Every part of the patch fitted. A rename is two outcomes: the old name gone, the new one there."""

    outcomes: tuple[Outcome, ...]

    def onto(self, files: Mapping[str, str]) -> dict[str, str]:
        """The files as they are afterwards."""
        after = dict(files)
        for outcome in self.outcomes:
            if outcome.text is None:
                after.pop(outcome.path, None)
            else:
                after[outcome.path] = outcome.text
        return after


class Refused(Record, frozen=True):
    """Some part of the patch does not fit, so none of it was applied: everything that is wrong."""

    diagnostics: tuple[Diagnostic, ...]

    @property
    def code(self) -> str | None:
        return verdict(self.diagnostics)


def verdict(diagnostics: Iterable[Diagnostic]) -> str | None:
    """The one code that says what is wrong: that of the outermost layer."""
    return min((d.code for d in diagnostics), key=lambda code: _RANK.get(code, len(_RANK)), default=None)


def hunks_of(change: FileChange) -> tuple[Hunk, ...]:
    return change.hunks if isinstance(change, UpdateFile | RenameFile) else ()


def paths_of(change: FileChange) -> tuple[str, ...]:
    """Every path the change reads or writes."""
    match change:
        case RenameFile(path=path, to=to):
            return path, to
        case UpdateFile(path=path, alias=alias) if alias:
            return path, alias
        case _:
            return (change.path,)
