"""What a well-formed status report must also be: unambiguous, within its limits, and going somewhere."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, combinations
from typing import Any, NamedTuple

from dragoman.contracts.finding import Finding
from dragoman.contracts.program import Severity
from dragoman.contracts.report import ReportCode, ReportFinding
from dragoman.guards.report.findings import error
from dragoman.guards.report.kinds import LISTS, NOTES, FieldType, ReportKind
from dragoman.guards.report.text import quoted, quoted_plain, trimmed, units
from dragoman.guards.secrets import may_hold_secret

_NAMED_DUPLICATES = 3
# Enough to see what is meant; the path of every finding says where it stands.
_QUOTED_CONFLICTS = 20


class _Sharing(NamedTuple):
    """Several lists that hold the same value: the second of them, and how a message names them all."""

    second: str
    named: str


def _sharing(fields: tuple[str, ...]) -> _Sharing:
    return _Sharing(fields[1], f"{', '.join(fields[:-1])} and {fields[-1]}")


# One bit for each list; a value that stands in two or more of them has one of the sums below.
_BITS = tuple((1 << place, field) for place, field in enumerate(LISTS))
_SHARED = {
    sum(bit for bit, _ in chosen): _sharing(tuple(field for _, field in chosen))
    for count in range(2, len(_BITS) + 1)
    for chosen in combinations(_BITS, count)
}


def semantic_findings(
    report: dict[str, Any], kind: ReportKind
) -> tuple[Iterator[ReportFinding], tuple[Finding, ...]]:
    """Every error, in the order of the checks (content, consistency, limits), and the warnings."""
    lists = [report[field] for field in LISTS]
    repeated = len(set().union(*lists)) != sum(map(len, lists))
    conflicts = _conflicts(report) if repeated else iter(())
    warnings = tuple(_duplicates(report)) if repeated else ()
    return chain(_emptiness(report), conflicts, _excess(report, kind)), warnings


def _emptiness(report: dict[str, Any]) -> Iterator[ReportFinding]:
    if not report["next_focus"]:
        message = "next_focus must say what comes next; it is empty"
        yield error(ReportCode.NEXT_FOCUS_EMPTY, "next_focus", message)
    if not trimmed(report[NOTES]):
        yield error(ReportCode.NOTES_EMPTY, NOTES, "notes must say something; they are empty")


def _duplicates(report: dict[str, Any]) -> Iterator[Finding]:
    """One for each list that says something twice."""
    for field in LISTS:
        items = report[field]
        if len(set(items)) == len(items):
            continue
        twice = [item for item, times in Counter(items).items() if times > 1]
        shown = twice[:_NAMED_DUPLICATES]
        named = ", ".join(map(_quoting(shown), shown))
        more = f" and {len(twice) - _NAMED_DUPLICATES:,} more" if len(twice) > _NAMED_DUPLICATES else ""
        message = f"{field} has items more than once: {named}{more}"
        yield Finding(ReportCode.DUPLICATE_ITEMS, field, message)


def _conflicts(report: dict[str, Any]) -> Iterator[ReportFinding]:
    """One for each value in two or more lists, at the place where it stands for the second time."""
    lists_of: dict[str, int] = {}
    for bit, field in _BITS:
        for item in report[field]:
            lists_of[item] = lists_of.get(item, 0) | bit
    shared = [(item, bits) for item, bits in lists_of.items() if bits in _SHARED]
    quote = _quoting([item for item, _ in shared[:_QUOTED_CONFLICTS]])
    code, severity = ReportCode.TASK_LIST_CONFLICT, Severity.ERROR
    places = {field: _first_places(report[field]) for field in {_SHARED[bits].second for _, bits in shared}}
    for number, (item, bits) in enumerate(shared):
        second, named = _SHARED[bits]
        what = quote(item) if number < _QUOTED_CONFLICTS else "the item"
        message = f"{what} stands in {named}; it can be in one only"
        path = f"{second}.{places[second][item]}"
        yield ReportFinding(code, path, message, severity)


def _first_places(items: list[str]) -> dict[str, int]:
    """Where each item stands first; of equal keys the last written one stays, hence from the end."""
    return dict(zip(reversed(items), range(len(items) - 1, -1, -1), strict=True))


def _quoting(items: list[str]) -> Callable[[str], str]:
    """One look for secrets in all that may be quoted is cheaper than one in each."""
    return quoted if may_hold_secret("\n".join(items)) else quoted_plain


def _excess(report: dict[str, Any], kind: ReportKind) -> Iterator[ReportFinding]:
    for field in LISTS:
        limit = kind.limits.items(field)
        if len(report[field]) > limit:
            yield _exceeded(field, f"{field} has {len(report[field]):,} items; {limit:,} is the most")
    if (length := units(report[NOTES])) > kind.limits.notes:
        yield _exceeded(NOTES, f"notes has {length:,} characters; {kind.limits.notes:,} is the most")
    if kind.item_characters is not None:
        yield from _long_texts(report, kind, kind.item_characters)


def _long_texts(report: dict[str, Any], kind: ReportKind, limit: int) -> Iterator[ReportFinding]:
    """Each item of a list, and each optional text."""
    further = {name: wanted for name, wanted in kind.optional.items() if name in report}
    for field in (*LISTS, *(name for name, wanted in further.items() if wanted is FieldType.STRINGS)):
        for place, item in enumerate(report[field]):
            if units(item) > limit:
                message = f"an item of {field} has {units(item):,} characters; {limit:,} is the most"
                yield _exceeded(f"{field}.{place}", message)
    for name, wanted in further.items():
        if wanted is FieldType.STRING and units(report[name]) > limit:
            yield _exceeded(name, f"{name} has {units(report[name]):,} characters; {limit:,} is the most")


def _exceeded(path: str, message: str) -> ReportFinding:
    return error(ReportCode.BOUNDARY_EXCEEDED, path, message)
