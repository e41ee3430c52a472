"""Patches: read from bytes, and applied to a file or a folder, whole or not at all."""

import os
from pathlib import Path

from dragoman.contracts.program import Diagnostic, Span
from dragoman.contracts.record import Record
from dragoman.language.patches import (
    Applied,
    Form,
    Patch,
    PatchCode,
    ReadPatch,
    apply_patch,
    read_patch,
)
from dragoman.language.patches.folder import read_files, retargeted
from dragoman.language.patches.model import hunks_of, verdict
from dragoman.language.patches.patch_reader import MAX_BYTES, too_large_finding
from dragoman.language.patches.patched_files import write_files
from dragoman.language.source import Source

__all__ = [
    "MAX_BYTES",
    "Form",
    "PatchChange",
    "PatchOutcome",
    "ReadPatch",
    "apply_to_file",
    "apply_to_folder",
    "hunks_of",
    "read_bytes",
    "verdict",
]


class PatchChange(Record, frozen=True):
    """A file after the patch, without a text where it is deleted. `known`: it was there before."""

    path: str
    text: str | None
    known: bool


class PatchOutcome(Record, frozen=True):
    """What a patch made of the files, or why it was refused and nothing changed."""

    changes: tuple[PatchChange, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def read_bytes(data: bytes, name: str, *, ascii_only: bool) -> tuple[Source, ReadPatch]:
    """The patch in a file; more than `MAX_BYTES` bytes are refused."""
    if len(data) > MAX_BYTES:
        return Source("", name), ReadPatch(diagnostics=(too_large_finding(),))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        span = Span(0, 0, line, 1, line, 1)
        finding = Diagnostic(PatchCode.NOT_UTF8, "the patch is not UTF-8 text", "save it as UTF-8", span=span)
        return Source("\n" * line, name), ReadPatch(diagnostics=(finding,))
    return Source(text, name), read_patch(text, ascii_only=ascii_only)


def apply_to_file(patch: Patch, target: Path, *, write: bool) -> PatchOutcome:
    """Apply a patch of one file to `target`, through links, whatever the patch calls it."""
    place = Path(os.path.realpath(target))
    aimed = retargeted(patch, place.name)
    if isinstance(aimed, Diagnostic):
        return PatchOutcome(diagnostics=(aimed,))
    return apply_to_folder(aimed, place.parent, write=write)


def apply_to_folder(patch: Patch, root: Path, *, write: bool) -> PatchOutcome:
    """Apply a patch to the files below `root`. Every hunk fits exactly, or nothing changes."""
    files = read_files(root, patch)
    if files.diagnostics:
        return PatchOutcome(diagnostics=files.diagnostics)
    applied = apply_patch(patch, files.texts)
    if not isinstance(applied, Applied):
        return PatchOutcome(diagnostics=applied.diagnostics)
    if write and (faults := tuple(write_files(root, applied, files.stamps))):
        return PatchOutcome(diagnostics=faults)
    changes = (PatchChange(each.path, each.text, each.path in files.texts) for each in applied.outcomes)
    return PatchOutcome(tuple(changes))
