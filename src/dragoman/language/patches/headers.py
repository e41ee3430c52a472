"""What stands before the hunks of a unified diff, and which change of which file it amounts to."""

import re

import msgspec

from dragoman.contracts.program import Span
from dragoman.contracts.record import Record
from dragoman.language.patches.lines import Lines, excerpt
from dragoman.language.patches.model import (
    AddFile,
    DeleteFile,
    FileChange,
    Hunk,
    PatchCode,
    RenameFile,
    Role,
    UpdateFile,
)
from dragoman.language.patches.paths import NOWHERE, git_names, unprefixed, written_name

_EXTENDED = re.compile(
    r"(old mode|new mode|deleted file mode|new file mode|copy from|copy to|rename from|rename to"
    r"|similarity index|dissimilarity index|index) (.*)",
    re.DOTALL,
)
_PLAIN_FILE = re.compile(r"100[0-7]{3}", re.ASCII)


class Heading(Record, frozen=True):
    """The headers of one file. `old` and `new` are its names without prefixes; nowhere is /dev/null. `named`
    says that there are `---` and `+++` lines, `refused` that what is wrong with it has been reported."""

    span: Span
    git: bool = False
    old: str = ""
    new: str = ""
    added: bool = False
    deleted: bool = False
    rename_from: str = ""
    rename_to: str = ""
    named: bool = False
    refused: bool = False

    @property
    def renamed(self) -> bool:
        return bool(self.rename_from or self.rename_to)

    @property
    def needs_hunks(self) -> bool:
        """A git header alone can add or delete an empty file, and rename one; all else needs hunks."""
        return not self.refused and (self.named or not (self.renamed or self.added or self.deleted))


def read_heading(lines: Lines) -> Heading:
    heading = Heading(lines.span())
    first = lines.peek() or ""
    prefixed = None
    if first.startswith("diff "):
        text = lines.take().rstrip("\r")
        if first.startswith("diff --git "):
            heading = msgspec.structs.replace(heading, git=True)
            if (names := git_names(text.removeprefix("diff --git "))) is not None:
                old, new = unprefixed(*names)
                prefixed = (old, new) != names
                heading = msgspec.structs.replace(heading, old=old, new=new)
            heading = _read_extended(lines, heading)
    return _read_names(lines, heading, prefixed)


def _read_extended(lines: Lines, heading: Heading) -> Heading:
    """The lines git writes between `diff --git` and `---`."""
    while (line := lines.peek()) is not None:
        match = _EXTENDED.fullmatch(line.rstrip("\r"))
        if match is None:
            return _read_binary(lines, heading, line)
        heading = _with_extended(lines, heading, match[1], match[2])
        lines.take()
    return heading


def _with_extended(lines: Lines, heading: Heading, key: str, value: str) -> Heading:
    if key.endswith("mode") and _PLAIN_FILE.fullmatch(value.strip()) is None:
        hint = "a patch changes plain files, whose mode begins with 100"
        lines.report(PatchCode.MODE_REFUSED, f"the mode {excerpt(value)} is not that of a plain file", hint)
        return msgspec.structs.replace(heading, refused=True)
    match key:
        case "new file mode":
            return msgspec.structs.replace(heading, added=True)
        case "deleted file mode":
            return msgspec.structs.replace(heading, deleted=True)
        case "rename from" | "rename to":
            name = written_name(value) or ""
            return msgspec.structs.replace(heading, **{key.replace(" ", "_"): name})
        case "copy from":
            hint = "write the copy as a new file: --- /dev/null and all of its lines after +"
            lines.report(PatchCode.COPY, "a patch does not copy files", hint)
            return msgspec.structs.replace(heading, refused=True)
        case _:
            return heading


def _read_binary(lines: Lines, heading: Heading, line: str) -> Heading:
    if not line.startswith(("Binary files ", "GIT binary patch")):
        return heading
    lines.report(PatchCode.BINARY, "a patch changes text, not binary files", "leave the binary file out")
    lines.take()
    while (following := lines.peek()) is not None and not following.startswith(("diff ", "--- ")):
        lines.take()
    return msgspec.structs.replace(heading, refused=True)


def _read_names(lines: Lines, heading: Heading, prefixed: bool | None) -> Heading:
    """The `---` and `+++` lines, which git leaves out when no line changes."""
    old_line, new_line = lines.peek() or "", lines.peek(1) or ""
    if not old_line.startswith("--- "):
        return heading
    if not new_line.startswith("+++ "):
        hint = "write --- a/PATH and +++ b/PATH before the hunks of a file"
        lines.report(PatchCode.MISSING_HEADER, "a --- line without its +++ line", hint)
        lines.take()
        return msgspec.structs.replace(heading, refused=True)
    span = heading.span if heading.git else lines.span()
    old, new = (written_name(lines.take().rstrip("\r")[4:]) for _ in range(2))
    if old is None or new is None:
        hint = 'close the quote, and write escapes as git does: \\t, \\", \\321'
        lines.report(PatchCode.PATH_INVALID, "a name in quotes is not written as git writes it", hint, span)
        return msgspec.structs.replace(heading, refused=True)
    if prefixed is not False:
        old, new = unprefixed(old, new)
    named = msgspec.structs.replace(heading, span=span, old=old, new=new, named=True)
    if heading.git and heading.old and not _agree(heading, named):
        _report_names(lines, named, "the --- and +++ lines name other files than the diff --git line")
        return msgspec.structs.replace(named, refused=True)
    added, deleted = named.added or old == NOWHERE, named.deleted or new == NOWHERE
    return msgspec.structs.replace(named, added=added, deleted=deleted)


def _agree(git: Heading, named: Heading) -> bool:
    return named.old in (git.old, NOWHERE) and named.new in (git.new, NOWHERE)


def change_of(lines: Lines, heading: Heading, hunks: tuple[Hunk, ...]) -> FileChange | None:
    """The change that headers and hunks amount to; none, and reported, where they contradict each other."""
    if heading.refused:
        return None
    if problem := _contradiction(heading):
        _report_names(lines, heading, problem)
        return None
    span = heading.span
    old = lines.path(heading.rename_from or heading.old, span) if not heading.added else ""
    new = lines.path(heading.rename_to or heading.new, span) if not heading.deleted else ""
    if heading.added:
        return AddFile(new, _whole_text(lines, hunks, Role.ADDED), span)
    if heading.deleted:
        return DeleteFile(old, span, _whole_text(lines, hunks, Role.REMOVED))
    if heading.renamed:
        return RenameFile(old, new, hunks, span)
    return UpdateFile(new, hunks, span, alias=old if old != new else "")


def _contradiction(heading: Heading) -> str:
    if heading.added and (heading.deleted or heading.renamed):
        return "a file cannot be new and also be deleted or renamed"
    if heading.deleted and heading.renamed:
        return "a file cannot be deleted and renamed at once"
    if heading.named and (heading.added, heading.deleted) != (heading.old == NOWHERE, heading.new == NOWHERE):
        return "a new file comes from /dev/null, a deleted one goes there"
    if heading.renamed:
        if not (heading.rename_from and heading.rename_to):
            return "a rename needs both rename from and rename to"
        if (heading.old or heading.rename_from) != heading.rename_from:
            return "rename from names another file than the lines around it"
        if (heading.new or heading.rename_to) != heading.rename_to:
            return "rename to names another file than the lines around it"
        return ""
    if not heading.old or not heading.new:
        return "the names of the file cannot be told apart"
    if heading.git and NOWHERE not in (heading.old, heading.new) and heading.old != heading.new:
        return "the two names differ, and no rename is declared"
    return ""


def _report_names(lines: Lines, heading: Heading, message: str) -> None:
    hint = "write one name in both lines, or declare rename from and rename to"
    lines.report(PatchCode.NAMES_DIFFER, message, hint, heading.span)


def _whole_text(lines: Lines, hunks: tuple[Hunk, ...], role: Role) -> str:
    """The text of a file that comes or goes whole: one hunk, all of its lines of one role."""
    if len(hunks) > 1 or any(line.role is not role for hunk in hunks for line in hunk.lines):
        lines.report(
            PatchCode.UNEXPECTED_LINE,
            "a new file has lines with + only, a deleted one lines with - only, in one hunk",
            "name the file in both the --- and the +++ line if only some of its lines change",
            hunks[-1].span,
        )
    return "".join(line.text + "\n" * line.ended for hunk in hunks for line in hunk.lines)
