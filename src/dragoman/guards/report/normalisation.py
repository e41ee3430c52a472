"""Near-valid output made valid, with every change said; only changes that keep what the report says.

A conflict is not resolved, nothing is invented and nothing is cut: what is wrong in that way stays wrong, and
the verdict says so.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any

from dragoman.contracts.finding import Finding
from dragoman.contracts.record import Record
from dragoman.contracts.report import ReportVerdict
from dragoman.guards.json_text.strict import read_strict
from dragoman.guards.report.kinds import FIELDS, LISTS, NOTES, STATUS, report_kinds
from dragoman.guards.report.report_check import check_report
from dragoman.guards.report.text import quoted, refused_characters, trimmed

Extract = Callable[[str], tuple[dict[str, Any] | None, tuple[Finding, ...]]]
"""Finds the object in a text; may repair what has one reading only, with a warning for each repair."""


class Change(StrEnum):
    """What was done to a report, besides the repairs of the reader."""

    EXTRACTED = "object_extracted"
    ESCAPED = "non_ascii_escaped"
    RENAMED = "field_renamed"
    WRAPPED = "string_made_list"
    NULL_EMPTIED = "null_made_empty_list"
    LIST_ADDED = "missing_list_added"
    ITEMS_TRIMMED = "items_trimmed"
    EMPTY_DROPPED = "empty_items_dropped"
    DUPLICATES_DROPPED = "duplicate_items_dropped"
    NOTES_JOINED = "notes_joined"
    NOTES_TRIMMED = "notes_trimmed"


class NormalisedReport(Record, frozen=True):
    """`text` is none where there is no object to begin with. `verdict` is on `text`, or on what was given."""

    text: str | None
    changes: tuple[Finding, ...]
    verdict: ReportVerdict


def normalise_report(text: object, extract: Extract, *, kind: str = STATUS) -> NormalisedReport:
    """The report as its kind wants it. A valid one comes back as it is, and so does what was normalised."""
    given = check_report(text, kind=kind)
    schema = report_kinds().get(kind)
    if schema is None or not isinstance(text, str):
        return NormalisedReport(None, (), given)
    if given.accepted and not given.warnings:
        return NormalisedReport(text, (), given)
    value, changes = _object_of(text, extract)
    if value is None:
        return NormalisedReport(None, (), given)
    if not schema.role:
        value = _with_report_shape(value, changes)
    written = json.dumps(value)
    if refused_characters(text) & refused_characters(json.dumps(value, ensure_ascii=False)):
        changes.append(
            _change(Change.ESCAPED, "", "characters beyond printable ASCII are written as escapes")
        )
    if not changes:
        return NormalisedReport(text, (), given)
    return NormalisedReport(written, tuple(changes), check_report(written, kind=kind))


def resembles_report(value: object) -> bool:
    """Whether an object has one of the lists, however it is spelled: for choosing among several objects."""
    return isinstance(value, dict) and any(_FIELD_OF.get(_folded(name)) in LISTS for name in value)


def _object_of(text: str, extract: Extract) -> tuple[dict[str, Any] | None, list[Finding]]:
    value = read_strict(trimmed(text))
    if type(value) is dict:
        return value, []
    found, warnings = extract(text)
    if found is None:
        return None, []
    message = "the object was taken out of a text that is not JSON"
    return found, [_change(Change.EXTRACTED, "", message), *warnings]


def _with_report_shape(given: dict[str, Any], changes: list[Finding]) -> dict[str, Any]:
    value = _with_known_names(given, changes)
    for field in LISTS:
        if field in value:
            value[field] = _as_list(field, value[field], changes)
        elif field != "next_focus":
            # A list of tasks that is not there says that there are none; what comes next must be said.
            value[field] = []
            changes.append(_change(Change.LIST_ADDED, field, f"{field} was missing and is now empty"))
    if NOTES in value:
        value[NOTES] = _as_notes(value[NOTES], changes)
    return {field: value[field] for field in (*FIELDS, *value) if field in value}


def _with_known_names(given: dict[str, Any], changes: list[Finding]) -> dict[str, Any]:
    """Fields under their own names. Where two spellings of one field are given, neither is preferred."""
    wanted = [_FIELD_OF.get(_folded(name), name) for name in given]
    times = Counter(wanted)
    value: dict[str, Any] = {}
    for name, field in zip(given, wanted, strict=True):
        if field == name or times[field] > 1:
            value[name] = given[name]
        else:
            value[field] = given[name]
            changes.append(_change(Change.RENAMED, field, f"the field {quoted(name)} is now {field}"))
    return value


def _as_list(field: str, held: Any, changes: list[Finding]) -> Any:
    if held is None:
        changes.append(_change(Change.NULL_EMPTIED, field, f"{field} was null and is now an empty list"))
        return []
    if isinstance(held, str):
        changes.append(_change(Change.WRAPPED, field, f"{field} was one string and is now a list"))
        held = [held]
    if type(held) is not list:
        return held
    items = [trimmed(item) if isinstance(item, str) else item for item in held]
    said = [item for item in items if item != ""]
    kept = list(_without_repetitions(said))
    differing = sum(was != now for was, now in zip(held, items, strict=True) if now != "")
    for code, count, done in (
        (Change.ITEMS_TRIMMED, differing, "trimmed"),
        (Change.EMPTY_DROPPED, len(items) - len(said), "dropped, being empty"),
        (Change.DUPLICATES_DROPPED, len(said) - len(kept), "dropped, being said before"),
    ):
        if count:
            changes.append(_change(code, field, f"{count:,} of the items of {field} {_was(count)} {done}"))
    return kept


def _without_repetitions(items: Iterable[Any]) -> Iterable[Any]:
    seen: set[str] = set()
    for item in items:
        if not isinstance(item, str):
            yield item
        elif item not in seen:
            seen.add(item)
            yield item


def _as_notes(held: Any, changes: list[Finding]) -> Any:
    if type(held) is list and held and all(isinstance(line, str) for line in held):
        changes.append(_change(Change.NOTES_JOINED, NOTES, "notes were a list and are now its lines"))
        held = "\n".join(held)
    if isinstance(held, str) and trimmed(held) != held:
        changes.append(_change(Change.NOTES_TRIMMED, NOTES, "notes lost the blanks around them"))
        held = trimmed(held)
    return held


def _folded(name: object) -> str:
    """A field name without what differs between ways of spelling it."""
    if not isinstance(name, str) or len(name) > _LONGEST_SPELLING:
        return ""
    return "".join(name.split()).replace("_", "").replace("-", "").lower()


_LONGEST_SPELLING = 40
_FIELD_OF = {_folded(field): field for field in FIELDS}


def _was(count: int) -> str:
    return "was" if count == 1 else "were"


def _change(code: Change, path: str, message: str) -> Finding:
    return Finding(code, path, message)
