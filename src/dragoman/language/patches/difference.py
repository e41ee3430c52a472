"""The patch that leads from one text to another, so that an edit of a program can be shown as one.

Lines that both texts have exactly once are found first and hold the rest in place; what lies between two of
them is compared line by line while it is short, and replaced whole when it is not. So it takes time in
proportion to the texts, and a statement that moved is not torn apart for the sake of a common bracket.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from dragoman.contracts.record import Record
from dragoman.language.patches.envelope import BEGIN, END
from dragoman.language.patches.hunk_fit import lines_of
from dragoman.language.patches.model import Form
from dragoman.language.patches.paths import printed_name

CONTEXT = 3
_NO_NEWLINE = "\\ No newline at end of file"
# Above this many pairs of lines a gap is replaced whole.
_SHORT = 20_000


class Change(Record, frozen=True):
    """Old lines `old_from` to `old_to` become new lines `new_from` to `new_to` (from 0, ends excluded)."""

    old_from: int
    old_to: int
    new_from: int
    new_to: int


def patch_between(old: str, new: str, name: str, form: Form = Form.UNIFIED) -> str:
    """The patch of the file `name` that makes `new` of `old`, exactly; an empty text if they are the same."""
    if old == new:
        return ""
    before, after = lines_of(old), lines_of(new)
    body = [line for group in _groups(changes_between(before, after)) for line in _hunk(group, before, after)]
    if form is Form.ENVELOPE:
        lines = [BEGIN, f"*** Update File: {name}", *body, END]
    else:
        lines = [f"--- {printed_name(f'a/{name}')}", f"+++ {printed_name(f'b/{name}')}", *body]
    return "\n".join(lines) + "\n"


def changes_between(old: Sequence[str], new: Sequence[str]) -> list[Change]:
    """What changed, in order; between two changes at least one line is the same."""
    found: list[Change] = []
    for change in _raw_changes(old, new):
        if found and (found[-1].old_to, found[-1].new_to) == (change.old_from, change.new_from):
            change = Change(found[-1].old_from, change.old_to, found[-1].new_from, change.new_to)
            found.pop()
        found.append(change)
    return found


def _raw_changes(old: Sequence[str], new: Sequence[str]) -> Iterator[Change]:
    old_at = new_at = 0
    for old_next, new_next in [*_landmarks(old, new), (len(old), len(new))]:
        yield from _gap(old, new, Change(old_at, old_next, new_at, new_next))
        # The landmark itself is the same in both; the next gap begins with it and loses it again.
        old_at, new_at = old_next, new_next


def _landmarks(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Lines that stand once in each text, as many as can be had in the same order."""
    in_old, in_new = Counter(old), Counter(new)
    place = {line: index for index, line in enumerate(new) if in_new[line] == 1}
    pairs = [(i, place[line]) for i, line in enumerate(old) if in_old[line] == 1 and line in place]
    ends: list[int] = []
    holders: list[int] = []
    before: list[int] = []
    for number, (_, in_new_at) in enumerate(pairs):
        length = bisect_left(ends, in_new_at)
        before.append(holders[length - 1] if length else -1)
        ends[length : length + 1] = [in_new_at]
        holders[length : length + 1] = [number]
    chosen: list[tuple[int, int]] = []
    at = holders[-1] if holders else -1
    while at >= 0:
        chosen.append(pairs[at])
        at = before[at]
    return chosen[::-1]


def _gap(old: Sequence[str], new: Sequence[str], gap: Change) -> Iterator[Change]:
    old_from, old_to, new_from, new_to = gap.old_from, gap.old_to, gap.new_from, gap.new_to
    while old_from < old_to and new_from < new_to and old[old_from] == new[new_from]:
        old_from, new_from = old_from + 1, new_from + 1
    while old_from < old_to and new_from < new_to and old[old_to - 1] == new[new_to - 1]:
        old_to, new_to = old_to - 1, new_to - 1
    if old_from == old_to and new_from == new_to:
        return
    if (old_to - old_from) * (new_to - new_from) > _SHORT:
        yield Change(old_from, old_to, new_from, new_to)
        return
    matcher = SequenceMatcher(None, old[old_from:old_to], new[new_from:new_to], autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            yield Change(old_from + i1, old_from + i2, new_from + j1, new_from + j2)


def _groups(changes: list[Change]) -> Iterator[list[Change]]:
    """Changes so close that their context touches make one hunk."""
    group: list[Change] = []
    for change in changes:
        if group and change.old_from - group[-1].old_to > 2 * CONTEXT:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _hunk(group: list[Change], old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    first, last = group[0], group[-1]
    start, end = max(0, first.old_from - CONTEXT), min(len(old), last.old_to + CONTEXT)
    new_start = first.new_from - (first.old_from - start)
    new_end = last.new_to + (end - last.old_to)
    yield f"@@ -{_range(start, end)} +{_range(new_start, new_end)} @@"
    at = start
    for change in group:
        yield from _printed(" ", old[at : change.old_from])
        yield from _printed("-", old[change.old_from : change.old_to])
        yield from _printed("+", new[change.new_from : change.new_to])
        at = change.old_to
    yield from _printed(" ", old[at:end])


def _range(start: int, end: int) -> str:
    """A range from 1; one of no lines is named by the line before it."""
    count = end - start
    return str(start + 1) if count == 1 else f"{start + 1 if count else start},{count}"


def _printed(prefix: str, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield prefix + line.removesuffix("\n")
        if not line.endswith("\n"):
            yield _NO_NEWLINE
