"""What stands around periods: two ends of one range, a single end, a dash that ties them to other words."""

from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from dragoman.locales.registry import glues
from dragoman.reading.date_words import Piece
from dragoman.reading.periods import Bound, PeriodMention

Pieces = Sequence[Piece]

_MIDDLE = 15
_OF = frozenset({"of", "of the month of"})
_BOUNDS = {
    "F": Bound.FROM,
    "O": Bound.SINCE,
    "T": Bound.UNTIL,
    "R": Bound.BEFORE,
    "V": Bound.BEFORE,
    "L": Bound.AFTER,
}
"""What a word that leaves an end open says, by the class it has in a range."""


def stands_alone(text: str, pieces: Pieces, start: int, end: int) -> bool:
    """Whether no letter or digit is glued to it: the 2020 of P-2020x is no year."""
    first, last = pieces[start].start, pieces[end - 1].end
    before = text[first - 1] if first else " "
    after = text[last] if last < len(text) else " "
    glued = (before.isalnum() or before == "_") and not _parted(before, text[first])
    return not glued and not ((after.isalnum() or after == "_") and not glues(after))


def _parted(before: str, first: str) -> bool:
    return glues(before) and not glues(first)


def join_halves(text: str, found: dict[int, tuple[int, PeriodMention]]) -> None:
    """Makes one period of a half and the month that it is of: "the first half of March" ends on the 15th."""
    starts = sorted(found)
    for start, following in pairwise(starts):
        if start not in found:
            continue
        (_, first), (end, month) = found[start], found[following]
        between = text[first.end : month.start].strip().casefold()
        whole = first.half is not None and first.year is None and first.month is None and first.edge is None
        if between not in _OF or not whole or not _is_month(month):
            continue
        half = replace(month, day=1, until=replace(month, day=_MIDDLE))
        if first.half != 1:
            half = replace(month, day=_MIDDLE + 1, until=month)
        found[start] = end, replace(half, start=first.start, text=text[first.start : month.end])
        del found[following]


def _is_month(mention: PeriodMention) -> bool:
    apart = mention.day is None and mention.until is None and mention.edge is None
    return mention.month is not None and mention.half is None and apart


def as_ranges(
    text: str,
    codes: str,
    pieces: Pieces,
    found: dict[int, tuple[int, PeriodMention]],
    articles: frozenset[str],
    inclusive: frozenset[str],
) -> list[PeriodMention]:
    """Two periods with words of a range around them as one; a single end as what no date scope can say.

    `inclusive` words name a day as the last one: what there is until a day, is what there is on it."""
    mentions: list[PeriodMention] = []
    starts = sorted(found)
    skipped: set[int] = set()
    for place, start in enumerate(starts):
        if start in skipped:
            continue
        end, mention = found[start]
        before = pieces[start - 1] if start else None
        skips = before is not None and text[before.start : before.end].casefold() in articles
        opening = start - 2 if skips else start - 1
        lead = codes[opening] if opening >= 0 else "?"
        following = starts[place + 1] if place + 1 < len(starts) else None
        if following is not None and mention.until is None:
            last_end, last = found[following]
            joined = _join(lead, codes[end:following], codes[last_end : last_end + 1], mention, last)
            if joined is not None:
                skipped.add(following)
                first = pieces[opening].start if joined[0] else mention.start
                final = pieces[last_end].end if joined[1] else last.end
                mentions.append(replace(mention, start=first, end=final, text=text[first:final], until=last))
                continue
        if _dashed(text, mention):
            continue
        ended = _open_ended(text, codes, pieces, opening, end, mention)
        said = text[pieces[opening].start : pieces[opening].end].casefold() if opening >= 0 else ""
        closes = ended.open_ended and mention.is_day and said in inclusive
        mentions.append(replace(ended, open_ended=False) if closes else ended)
    return mentions


def _join(
    lead: str, between: str, trail: str, first: PeriodMention, last: PeriodMention
) -> tuple[bool, bool] | None:
    """Whether two periods are the ends of one range; whether words before and behind belong to it."""
    between = between.strip("k,")
    if between in ("t", "T") and (lead in "fF" or _alike(first, last)):
        return lead in "fF", False
    if between in ("-", "–", "—") and _alike(first, last):
        return False, False
    if between == "a" and lead == "w":
        return True, False
    if between in ("f", "F") and trail in ("t", "T"):
        return False, True
    return None


def _alike(first: PeriodMention, last: PeriodMention) -> bool:
    def shape(mention: PeriodMention) -> tuple[bool, ...]:
        return (mention.day is None, mention.month is None, mention.quarter is None, mention.half is None)

    return shape(first) == shape(last) and first.unit is None and last.unit is None


def _dashed(text: str, mention: PeriodMention) -> bool:
    """Whether a dash ties it to another word: P-2020, may-be."""
    before, after = text[: mention.start][-1:], text[mention.end :][:1]
    if after == "-" and not text[mention.end + 1 :][:1].isalnum():
        after = ""
    return before == "-" or after == "-"


def _open_ended(
    text: str, codes: str, pieces: Pieces, opening: int, end: int, mention: PeriodMention
) -> PeriodMention:
    lead = codes[opening] if opening >= 0 else "?"
    trail = codes[end] if end < len(codes) else "?"
    beside = any(piece.beside for piece in pieces[opening + 1 : end])
    moved = mention.unit is not None and mention.keeps_length
    if lead in "FTORLV" and not moved and not beside:
        first = pieces[opening].start
        whole = mention.until is not None
        bound = None if whole else _BOUNDS[lead]
        return replace(
            mention, start=first, text=text[first : mention.end], open_ended=not whole, bound=bound
        )
    if trail in "F" and glues(text[pieces[end].start]):
        last = pieces[end].end
        return replace(mention, end=last, text=text[mention.start : last], open_ended=True, bound=Bound.SINCE)
    if trail in "TLRlrt" and glues(text[pieces[end].start]):
        # Written behind a period, such a word may or may not take its days in.
        return replace(mention, bound=Bound.UNCLEAR)
    return mention
