"""Applying a patch to texts: every hunk of every file fits exactly, or nothing changes at all."""

from collections.abc import Iterable, Mapping
from typing import assert_never

from dragoman.contracts.program import Diagnostic, Span
from dragoman.language.patches.hunk_fit import fit
from dragoman.language.patches.lines import excerpt
from dragoman.language.patches.model import (
    AddFile,
    Applied,
    DeleteFile,
    FileChange,
    Outcome,
    Patch,
    PatchCode,
    Refused,
    RenameFile,
    UpdateFile,
)


def apply_patch(patch: Patch, files: Mapping[str, str]) -> Applied | Refused:
    """What the files become, path by path; or all the reasons why nothing does."""
    outcomes: list[Outcome] = []
    findings: list[Diagnostic] = []
    for change in patch.changes:
        made, wrong = _apply(change, patch, files)
        outcomes += made
        findings += wrong
    return Refused(tuple(findings)) if findings else Applied(tuple(outcomes))


def _apply(
    change: FileChange, patch: Patch, files: Mapping[str, str]
) -> tuple[Iterable[Outcome], Iterable[Diagnostic]]:
    match change:
        case AddFile(path=path, text=text):
            return [Outcome(path, text)], _absent(path, files, change.span)
        case DeleteFile(path=path):
            return [Outcome(path, None)], _deletable(change, files)
        case UpdateFile():
            if wrong := _one_name(change, files):
                return [], wrong
            path = change.alias if change.path not in files else change.path
            text, wrong = fit(change.hunks, files[path], patch)
            return [Outcome(path, text)], wrong
        case RenameFile(path=path, to=to):
            if wrong := [*_present(path, files, change.span), *_absent(to, files, change.span)]:
                return [], wrong
            text, wrong = fit(change.hunks, files[path], patch)
            return [Outcome(path, None), Outcome(to, text, source=path)], wrong
        case _:
            assert_never(change)


def _one_name(change: UpdateFile, files: Mapping[str, str]) -> list[Diagnostic]:
    """Nothing when exactly one of the two names that a plain diff may give is there."""
    if change.path not in files and change.alias not in files:
        return _present(change.path, files, change.span)
    if not change.alias or change.path not in files or change.alias not in files:
        return []
    message = f"the diff speaks of {excerpt(change.alias)} and {excerpt(change.path)}, and both are there"
    hint = "write the name of the file that is meant in both the --- and the +++ line"
    return [Diagnostic(PatchCode.NAMES_DIFFER, message, hint, span=change.span)]


def _present(path: str, files: Mapping[str, str], span: Span) -> list[Diagnostic]:
    if path in files:
        return []
    hint = "name a file that is there, or add it as a new one"
    return [Diagnostic(PatchCode.FILE_MISSING, f"there is no file {excerpt(path)}", hint, span=span)]


def _absent(path: str, files: Mapping[str, str], span: Span) -> list[Diagnostic]:
    if path not in files:
        return []
    hint = "update the file instead, or choose another name"
    return [Diagnostic(PatchCode.FILE_EXISTS, f"there is already a file {excerpt(path)}", hint, span=span)]


def _deletable(change: DeleteFile, files: Mapping[str, str]) -> list[Diagnostic]:
    if wrong := _present(change.path, files, change.span):
        return wrong
    if change.text is None or change.text == files[change.path]:
        return []
    message = f"{excerpt(change.path)} does not hold what the patch deletes"
    hint = "make the patch from the file as it is now"
    return [Diagnostic(PatchCode.HUNK_DOES_NOT_FIT, message, hint, span=change.span)]
