"""Fitting hunks into one text: each has exactly one place, or the text stays as it is.

A hunk with a line number stands there and nowhere else. One without is looked for in the whole text (or after
its anchor, where it names one) and must be found once: twice is a question only its author can answer.
"""

from collections.abc import Sequence
from itertools import pairwise

from dragoman.contracts.program import Diagnostic
from dragoman.contracts.record import Record
from dragoman.language.patches import misfits
from dragoman.language.patches.model import Form, Hunk, Patch, Role
from dragoman.language.patches.places import Places, last_places


class _Piece(Record, frozen=True):
    """A hunk as text: the lines it expects and the lines it puts there, line ends included."""

    hunk: Hunk
    old: tuple[str, ...]
    new: tuple[str, ...]


class _Placed(Record, frozen=True):
    piece: _Piece
    at: int

    @property
    def end(self) -> int:
        return self.at + len(self.piece.old)


class _Text(Record, frozen=True):
    """The lines of a file, and where each line stands that could be an anchor (-1: in several places)."""

    lines: tuple[str, ...]
    anchors: dict[str, int]


def fit(hunks: Sequence[Hunk], text: str, patch: Patch) -> tuple[str, list[Diagnostic]]:
    """The text with all hunks applied, or the text itself and why not."""
    crlf = patch.crlf and "\r\n" in text and text.count("\n") == text.count("\r\n")
    line_end = "\r\n" if crlf else "\n"
    # An envelope that never speaks of a missing last line feed does not mean to change it.
    silent = patch.form is Form.ENVELOPE and all(line.ended for hunk in hunks for line in hunk.lines)
    closing = line_end if silent and text and not text.endswith("\n") else ""
    lines = lines_of(text + closing)
    placed, wrong = _place_all([_piece(hunk, line_end) for hunk in hunks], lines)
    wrong = wrong or _collisions(placed)
    if wrong:
        return text, wrong
    result = _joined(placed, lines)
    if any(not line.endswith("\n") for line in result[:-1]):
        return text, [misfits.line_feed_missing(placed[-1].piece.hunk)]
    return "".join(result).removesuffix(closing), []


def lines_of(text: str) -> tuple[str, ...]:
    """The lines with their line ends. Only a line feed ends a line, whatever else Unicode has."""
    *whole, last = text.split("\n")
    lines = [line + "\n" for line in whole]
    return (*lines, last) if last else tuple(lines)


def _piece(hunk: Hunk, line_end: str) -> _Piece:
    def side(gone: Role) -> tuple[str, ...]:
        return tuple(
            line.text + line_end if line.ended else line.text for line in hunk.lines if line.role is not gone
        )

    return _Piece(hunk, old=side(Role.ADDED), new=side(Role.REMOVED))


def _place_all(pieces: list[_Piece], lines: tuple[str, ...]) -> tuple[list[_Placed], list[Diagnostic]]:
    """The place of every piece, in the order of the text; or what is wrong with those that have none."""
    text = _Text(lines, _anchors(lines) if any(piece.hunk.anchor for piece in pieces) else {})
    told = [_told_place(piece, lines) for piece in pieces]
    # Those that are not where they say they are: to be able to say where they are.
    sought = [number for number, piece in enumerate(pieces) if told[number] is None and piece.old]
    found = dict(zip(sought, last_places([pieces[number].old for number in sought], lines), strict=True))
    placed: list[_Placed] = []
    wrong: list[Diagnostic] = []
    for number, piece in enumerate(pieces):
        at = told[number]
        place = _found_place(piece, text, found.get(number, ())) if at is None else at
        if isinstance(place, Diagnostic):
            wrong.append(place)
        else:
            placed.append(_Placed(piece, place))
    return sorted(placed, key=lambda each: (each.at, each.end)), wrong


def _anchors(lines: tuple[str, ...]) -> dict[str, int]:
    """Lines by their text without indentation."""
    index: dict[str, int] = {}
    for number, line in enumerate(lines):
        text = line.strip()
        index[text] = -1 if text in index else number
    return index


def _told_place(piece: _Piece, lines: tuple[str, ...]) -> int | None:
    """Where the hunk says it stands, if it does say so and its lines are there."""
    hunk, size, end = piece.hunk, len(piece.old), len(lines)
    if hunk.anchor:
        return None
    if not size:
        # Lines that only come: into an empty file, or at the end where the hunk says so.
        return end if hunk.at_end or not (lines or hunk.start) else None
    if hunk.start is None and not hunk.at_end:
        return None
    at = end - size if hunk.start is None else hunk.start - 1
    if at < 0 or (hunk.at_end and at + size != end):
        return None
    return at if lines[at : at + size] == piece.old else None


def _found_place(piece: _Piece, text: _Text, places: Places) -> int | Diagnostic:
    """Where a hunk stands that has to be looked for: the one place after its anchor."""
    hunk, size = piece.hunk, len(piece.old)
    first = 0
    if hunk.anchor:
        anchor = text.anchors.get(hunk.anchor)
        if anchor is None or anchor < 0:
            return misfits.bad_anchor(hunk, several=anchor is not None)
        first = anchor + 1
    if not size:
        if not hunk.anchor:
            return misfits.without_context(hunk)
        return len(text.lines) if hunk.at_end else first
    fitting = [at for at in places if at >= first and (not hunk.at_end or at + size == len(text.lines))]
    if hunk.start is not None or (hunk.at_end and not hunk.anchor) or not fitting:
        return misfits.misfit(hunk, piece.old, text.lines, places)
    return fitting[0] if len(fitting) == 1 else misfits.ambiguous(hunk, fitting)


def _collisions(placed: list[_Placed]) -> list[Diagnostic]:
    """Hunks that claim the same lines, or the same place between two lines."""
    return [
        misfits.overlap(later.piece.hunk, later.at + 1)
        for earlier, later in pairwise(placed)
        if later.at < earlier.end or later.at == later.end == earlier.at
    ]


def _joined(placed: list[_Placed], lines: tuple[str, ...]) -> list[str]:
    result: list[str] = []
    reached = 0
    for each in placed:
        result += lines[reached : each.at]
        result += each.piece.new
        reached = each.end
    result += lines[reached:]
    return result
