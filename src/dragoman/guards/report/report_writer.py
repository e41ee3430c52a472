"""Writing reports: valid by construction, whatever strings they are made of, and ASCII on the wire."""

import json
from collections.abc import Iterable

from dragoman.contracts.report import StatusReport
from dragoman.guards.report.kinds import FIELDS, LISTS, STATUS, report_kinds
from dragoman.guards.report.text import cleaned

AWAIT_USER = "await user: next question"
NOTHING_TO_NOTE = "nothing to note"

ITEM_CHARACTERS = 500
"""Items are cut here for every kind: the wire has no limit of its own, but a reader has."""

# A task that is said to be in several lists stays in the first of these: what needs attention is never hidden
# by what does not, and what is planned next is neither blocked nor begun nor done.
_PRECEDENCE = ("blockers", "in_progress", "completed_tasks", "next_focus")
_WORDS = {
    "completed_tasks": "completed tasks",
    "in_progress": "in progress",
    "blockers": "blockers",
    "next_focus": "to focus on",
}


def make_report(
    completed: Iterable[str],
    in_progress: Iterable[str],
    blockers: Iterable[str],
    next_focus: Iterable[str],
    notes: str,
    *,
    kind: str = STATUS,
) -> StatusReport:
    """A report that the guard accepts without a warning. `kind` is one of status reports.

    Items are trimmed, freed of secrets and cut; empty ones and repetitions go. A task is in one list only:
    blockers before in_progress before completed_tasks before next_focus. A list that is too long ends with an
    item that counts the rest.
    """
    limits = report_kinds()[kind].limits
    most = min(report_kinds()[kind].item_characters or ITEM_CHARACTERS, ITEM_CHARACTERS)
    given = dict(zip(LISTS, (completed, in_progress, blockers, next_focus), strict=True))
    taken: set[str] = set()
    lists: dict[str, list[str]] = {}
    for field in _PRECEDENCE:
        said = dict.fromkeys(cleaned(item, most) for item in given[field])
        lists[field] = [item for item in said if item and item not in taken]
        taken.update(lists[field])
    if not lists["next_focus"]:
        lists["next_focus"] = [_untaken(AWAIT_USER, taken)]
    kept = {field: _shortened(field, lists[field], limits.items(field), taken) for field in LISTS}
    return StatusReport(**kept, notes=cleaned(notes, limits.notes) or NOTHING_TO_NOTE)


def written_report(
    completed: Iterable[str],
    in_progress: Iterable[str],
    blockers: Iterable[str],
    next_focus: Iterable[str],
    notes: str,
    *,
    kind: str = STATUS,
) -> tuple[StatusReport, str]:
    """A report as `make_report` makes it, and its wire form."""
    report = make_report(completed, in_progress, blockers, next_focus, notes, kind=kind)
    return report, report_text(report)


def report_text(report: StatusReport) -> str:
    """The wire form: one line of JSON, the fields in the order of the design, other alphabets as escapes."""
    return json.dumps({field: getattr(report, field) for field in FIELDS})


def _shortened(field: str, items: list[str], limit: int, taken: set[str]) -> tuple[str, ...]:
    if len(items) <= limit:
        return tuple(items)
    rest = len(items) - (limit - 1)
    return (*items[: limit - 1], _untaken(f"and {rest} more {_WORDS[field]}", taken))


def _untaken(wanted: str, taken: set[str]) -> str:
    """The item itself, or with a number where somebody has named a task just so."""
    item, number = wanted, 1
    while item in taken:
        number += 1
        item = f"{wanted} ({number})"
    taken.add(item)
    return item
