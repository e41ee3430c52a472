"""The kinds of agents and what each hands in, read once from data that ships with the package."""

from enum import StrEnum
from functools import cache
from importlib.resources import files

import msgspec

from dragoman.contracts.decoding import converted
from dragoman.contracts.record import Record

LISTS = ("completed_tasks", "in_progress", "blockers", "next_focus")
NOTES = "notes"
FIELDS = (*LISTS, NOTES)
"""The fields of a status report, in the order of the wire."""


class FieldType(StrEnum):
    """What an optional field holds."""

    STRING = "string"
    STRINGS = "strings"
    INTEGER = "integer"


class Limits(Record, frozen=True):
    """Items of a list, UTF-16 units of the notes."""

    completed_tasks: int
    in_progress: int
    blockers: int
    next_focus: int
    notes: int

    def items(self, field: str) -> int:
        limit: int = getattr(self, field)
        return limit


V1_LIMITS = Limits(50, 50, 50, 50, 5000)


class ReportKind(Record, frozen=True):
    """One schema. With a `role` the object is that role's; otherwise it is a status report."""

    version: str
    role: str = ""
    limits: Limits = V1_LIMITS
    item_characters: int | None = None
    optional: dict[str, FieldType] = msgspec.field(default_factory=dict)


STATUS = "status"


@cache
def report_kinds() -> dict[str, ReportKind]:
    """Every kind by its name; `status` is the one that is meant where none is named."""
    import yaml

    text = files("dragoman.guards.report").joinpath("kinds.yaml").read_text(encoding="utf-8")
    return converted(yaml.load(text, Loader=yaml.CSafeLoader), dict[str, ReportKind])
