"""Words that hold rows against other rows of their own kind: the same town as another member, pairs with the
same last name, who else was born in that year, colleagues, sharing an address.

What says so is taken out of the message, and the rest is read as a message of its own.
"""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from dragoman.planning.database.segments import WEAK_NAME, Cut, Piece, Segment
from dragoman.planning.database.sketch import Others, Slot
from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.cues import linking_words

_YEARS, _DAYS = ("year", "years"), ("day", "days", "date", "dates")
_PREPOSITIONS = frozenset({"of", "with"})
_HELD = (Piece.VALUE, Piece.NUMBER, Piece.PERIOD)
_PAIR = 2.0
_OPENING = frozenset({"fill", "show", "where"})


class _Said:
    """A message in pieces, and which of them say how rows are held against each other."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self.segments = list(segments)
        self.taken: set[int] = set()
        self.others = Others("")

    def text(self, at: int) -> str:
        return self.segments[at].text.casefold() if 0 <= at < len(self.segments) else ""

    def piece(self, at: int) -> Piece | None:
        return self.segments[at].piece if 0 <= at < len(self.segments) else None

    def said(self, at: int, word: str) -> bool:
        return self.text(at) in english().others.get(word, ())

    def is_against(self, at: int) -> bool:
        """Whether a place says what something is held against: as, with, with their."""
        return self.text(at).split()[:1] in (["as"], ["with"])

    def take(self, *places: int) -> None:
        self.taken.update(places)

    def take_around(self, at: int, word: str, step: int) -> int:
        """Takes the small words on one side of a place; the first place behind them."""
        at += step
        while self.said(at, word):
            self.take(at)
            at += step
        return at

    def take_before(self, at: int) -> None:
        """Takes what leads to a place: live in, are at, of exactly the."""
        at = self.take_around(at, "before_same", -1)
        if self._is_cue(at, _PREPOSITIONS):
            self.take(at)
            at -= 1
        while self._is_cue(at, frozenset({"fill"})):
            self.take(at)
            at -= 1
        if self.text(at).split()[:1] and self.text(at) in linking_words():
            self.take(at)
        elif self.piece(at) is Piece.VERB:
            self.others.verb = self.segments[at].stem
            self.take(at)
        elif self.others.part and self.piece(at) is Piece.NAME and not self.others.shared:
            # "Born on the same day": the date of birth.
            self.others.shared = Slot(self.segments[at], "grouped")
            self.take(at)

    def _is_cue(self, at: int, kinds: frozenset[str]) -> bool:
        return self.piece(at) is Piece.CUE and bool(self.segments[at].kinds & kinds)

    def places(self, test: Callable[[int], bool]) -> list[int]:
        return [at for at in range(len(self.segments)) if test(at)]


def without_others(cut: Cut) -> tuple[Cut, Others | None]:
    """A message without what holds its rows against each other, and what was said of that."""
    said = _Said(cut.segments)
    if not (_mates(said) or (_shared(said) and _is_held(said))):
        return cut, None
    _differing(said)
    said.others.words = " ".join(said.segments[at].text for at in sorted(said.taken))
    rest = tuple(each for at, each in enumerate(said.segments) if at not in said.taken)
    return replace(cut, segments=rest), said.others


def _shared(said: _Said) -> bool:
    """ "The same town", "share an address", "have a name in common": reads what rows have in common."""
    for at in said.places(lambda at: said.said(at, "same") or said.text(at).startswith("same ")):
        end = _feature(said, at)
        if end is not None:
            said.take(at)
            said.take_before(at)
            _sharing_before(said, at)
            return True
    for at in said.places(lambda at: said.piece(at) is Piece.SHARE and said.text(at) in english().sharing):
        end = _feature(said, at) if said.said(at + 1, "shared") else None
        if end is not None:
            said.take(at)
            return True
    for at in said.places(lambda at: said.said(at, "common") and said.text(at - 1) == "in"):
        if said.piece(at - 2) is Piece.NAME:
            said.others.shared = Slot(said.segments[at - 2], "grouped")
            said.take(at - 2, at - 1, at)
            said.take_before(at - 2)
            return True
    return False


def _feature(said: _Said, at: int) -> int | None:
    """The place behind what is the same; None where it is nothing that rows have."""
    whole = said.text(at).removeprefix("same ")
    if said.piece(at) is Piece.PERIOD:
        said.others.part = "year" if whole in _YEARS else "day" if whole in _DAYS else ""
        return at + 1 if said.others.part else None
    after, unknown = at + 1, set[int]()
    while said.said(after, "shared") or said.said(after, "before_same"):
        after += 1
    if said.piece(after) is Piece.UNKNOWN and said.piece(after + 1) is Piece.NAME:
        # "The same car number": a word that nobody knows is asked about.
        unknown, after = {after}, after + 1
    if said.text(after) in (*_YEARS, *_DAYS) and not _is_name(said, after):
        said.others.part = "year" if said.text(after) in _YEARS else "day"
    elif said.piece(after) is Piece.NAME:
        said.others.shared = Slot(said.segments[after], "grouped")
    else:
        return None
    said.take(*(place for place in range(at, after + 1) if place not in unknown))
    return after + 1


def _is_name(said: _Said, at: int) -> bool:
    """Whether a word is surely the name of something: a day may be part of the name of every date."""
    return said.piece(at) is Piece.NAME and max(each.score for each in said.segments[at].names) >= WEAK_NAME


def _sharing_before(said: _Said, at: int) -> None:
    """ "Share the same room": both words say one thing."""
    before = min(said.taken) - 1
    if said.piece(before) is Piece.SHARE and said.text(before) in english().sharing:
        said.take(before)


def _is_held(said: _Said) -> bool:
    """Whether it is said against which rows: another, each other, pairs, or one that is named."""
    behind = max(said.taken) + 1
    if _another(said, behind):
        held = [at for at in range(behind, len(said.segments)) if at not in said.taken]
        # What is said of the other row is not said of the rows that are asked for.
        return not any(said.piece(at) in _HELD for at in held)
    against = said.is_against(behind)
    if against and any(said.piece(at) is Piece.VALUE for at in range(behind, len(said.segments))):
        said.take(behind)
        said.others.named = True
        # Along any other column the one that is named is read elsewhere.
        return bool(said.others.part)
    if against:
        # "The same town as their tutor" holds a row against one that it leads to.
        return False
    if _pairs(said):
        return True
    ends = said.piece(behind) in (None, Piece.MARK)
    if ends and said.said(min(said.taken), "having") and said.text(0) in english().which:
        # "Which of them have the same age": as each other, or as somebody spoken of before.
        said.others.loose = True
        return True
    shares = any(said.piece(at) is Piece.SHARE or said.said(at, "common") for at in said.taken)
    return shares or any(said.said(at, "different") for at in range(behind, len(said.segments)))


def _another(said: _Said, at: int) -> bool:
    """ "As another member", "with somebody else": the rows are any others."""
    begins = at
    at += said.is_against(at)
    found = False
    while said.said(at, "around_another"):
        found |= said.said(at, "another")
        at += 1
    if not found:
        return False
    if said.piece(at) is Piece.NAME:
        said.others.rows = Slot(said.segments[at], "context")
    at += said.piece(at) is Piece.NAME or said.said(at, "mates")
    said.take(*range(begins, at))
    _deny(said)
    return True


def _deny(said: _Said) -> None:
    """ "Who do not share it with anybody else": nobody else is like them."""
    before = min(said.taken) - 1
    while said.segments[before : before + 1] and said.segments[before].kinds == {"fill"}:
        before -= 1
    if before >= 0 and "not" in said.segments[before].kinds:
        said.others.absent = True
        said.take(before)


def _pairs(said: _Said) -> bool:
    """ "Pairs of members", "two members", each pair only once."""
    two = said.places(lambda at: _is_two(said, at))
    pairs = said.places(lambda at: said.said(at, "pairs"))
    for at in two:
        said.take(at)
    for at in pairs:
        said.take(at)
        if said.text(at + 1) == "of":
            said.take(at + 1)
        else:
            said.take_around(at, "around_pairs", 1)
            said.take_around(at, "around_pairs", -1)
    said.others.pairs = bool(two or pairs)
    return said.others.pairs


def _is_two(said: _Said, at: int) -> bool:
    if said.piece(at) is not Piece.NUMBER or said.segments[at].number != _PAIR:
        return False
    # "Who placed two orders on the same day" asks for those who did.
    first = all(each.piece is Piece.CUE and each.kinds <= _OPENING for each in said.segments[:at])
    return first and at < min(said.taken) and said.piece(at + 1) is Piece.NAME


def _differing(said: _Said) -> None:
    """ "The same name, but a different price"."""
    for at in said.places(lambda at: said.said(at, "different") and at not in said.taken):
        if said.piece(at + 1) is Piece.NAME and at > min(said.taken):
            said.others.apart = Slot(said.segments[at + 1], "grouped")
            said.take_around(at, "before_different", -1)
            said.take(at, at + 1)
            return


def _mates(said: _Said) -> bool:
    """ "Colleagues of hers in the same office", "her team-mates": of somebody who is named."""
    if not said.places(lambda at: said.piece(at) is Piece.VALUE):
        return False
    for at in said.places(lambda at: said.said(at, "mates") or _names_mates(said, at)):
        shared = at if _names_mates(said, at) else _their(said, at)
        if shared is None or said.is_against(shared - 1):
            continue
        said.others.shared = Slot(said.segments[shared], "grouped")
        said.others.named = True
        said.take(at, shared)
        if said.text(at + 1) == "of":
            said.take(at + 1)
        return True
    return False


def _names_mates(said: _Said, at: int) -> bool:
    endings = english().others.get("named_mates", ())
    return said.piece(at) is Piece.NAME and said.text(at).endswith(tuple(endings))


def _their(said: _Said, at: int) -> int | None:
    """What a colleague has in common with somebody: in the same office, at her school."""
    for place in range(at + 1, len(said.segments)):
        theirs = said.said(place - 1, "theirs")
        if said.piece(place) is Piece.NAME and theirs:
            before = said.take_around(place, "theirs", -1)
            if said.piece(before) is Piece.CUE:
                said.take(before)
            return place
    return None
