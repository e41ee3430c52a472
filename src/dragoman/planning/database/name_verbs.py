"""Names that stand in a message as verbs: what was done, and not what is shown."""

from dragoman.planning.database.segments import Piece, Segment, things_of
from dragoman.planning.database.sketch import Slot
from dragoman.planning.database.sketch_state import SketchState
from dragoman.planning.database.vocabulary import english, words_in
from dragoman.planning.tables.cues import linking_words
from dragoman.planning.tables.lexicon import ENGLISH


def is_verb(state: SketchState, segment: Segment, last: Slot | None) -> bool:
    """ "Trucks stationed in Oslo", "members live in": what was done, not what is shown of them."""
    word = segment.text.casefold()
    so_many = state.sketch.maybe is not None and state.sketch.maybe[1] is last
    if last is not None and (last.role == "shown" or so_many) and is_record_verb(segment):
        # "Members borrowed", "which 3 parcels were sent to": the records of what they did.
        return True
    if last is None or last.role != "shown" or state.near is None or not state.near.kinds & {"of", "by"}:
        return False
    after = state.segments[state.at + 1 :]
    value = next((each for each in after if not each.kinds & {"fill"}), None)
    if value is None or segment.end != segment.start + 1:
        return False
    done = word.endswith(("ed", "orn", "wn")) or _is_done_by(segment, last.segment)
    return word in linking_words() or (value.piece is Piece.VALUE and done)


def _is_done_by(segment: Segment, doers: Segment) -> bool:
    """ "Which buses stop at": behind a plural a word in the singular says what they do."""
    plural, single = doers.text.casefold(), segment.text.casefold()
    beside = doers.end == segment.start and doers.end == doers.start + 1
    return beside and plural.endswith("s") and not plural.endswith("ss") and not single.endswith("s")


def is_record_verb(segment: Segment) -> bool:
    """A verb whose records a table holds: invoiced, borrowed."""
    table = any(thing.column is None for thing, _ in things_of(segment)[:1])
    done = segment.text.casefold().split()[0].endswith("ed")
    return table and (done or (segment.stem in words_in(ENGLISH).record_verbs and _is_past(segment)))


def is_done_with(state: SketchState, segment: Segment) -> bool:
    """ "The invoiced quantity": a verb that says of which records it is."""
    near = state.near
    behind = near is not None and (near.piece is Piece.NAME or "count" in near.kinds)
    return behind and is_record_verb(segment) and state.before() is None


def _is_past(segment: Segment) -> bool:
    """An irregular past: flew, took. A noun in the plural ends in s."""
    word = segment.text.casefold()
    return not word.startswith(segment.stem) and not word.endswith("s")


def is_verb_of_who(state: SketchState, segment: Segment, before: Segment | None) -> bool:
    """ "Who works on": directly behind "who" stands a verb, and people are asked for."""
    if not state.sketch.who or state.sketch.shown or before is None:
        return False
    behind = before.piece is Piece.WHO and before.stem != "whose"
    table = any(thing.column is None for thing, _ in things_of(segment)[:1])
    return behind and table and segment.text.endswith(("ing", "ed", "s"))


def is_said_of_kind(state: SketchState, segment: Segment) -> bool:
    """ "Which bugs are assigned to Ada": what is said of rows that are called by their kind."""
    behind = state.segments[state.at - 2].text.casefold() if state.at > 1 else ""
    said = segment.text.casefold().split()[0].endswith("ed") and behind in english().auxiliary
    return said and bool(state.sketch.kept) and not state.sketch.shown and not state.sketch.who
