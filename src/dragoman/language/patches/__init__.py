"""Patches: an edit of a program as text, in two forms, read strictly and applied whole or not at all."""

from dragoman.language.patches.application import apply_patch
from dragoman.language.patches.difference import patch_between
from dragoman.language.patches.model import (
    AddFile,
    Applied,
    DeleteFile,
    FileChange,
    Form,
    Hunk,
    Line,
    Outcome,
    Patch,
    PatchCode,
    ReadPatch,
    Refused,
    RenameFile,
    Role,
    UpdateFile,
)
from dragoman.language.patches.patch_reader import read_patch

__all__ = [
    "AddFile",
    "Applied",
    "DeleteFile",
    "FileChange",
    "Form",
    "Hunk",
    "Line",
    "Outcome",
    "Patch",
    "PatchCode",
    "ReadPatch",
    "Refused",
    "RenameFile",
    "Role",
    "UpdateFile",
    "apply_patch",
    "patch_between",
    "read_patch",
]
