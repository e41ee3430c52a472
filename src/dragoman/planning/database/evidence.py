"""How much a message cannot stand alone: it points back, or speaks only of what is in hand."""

from dragoman.planning.database.frame import Aggregate, Condition, Frame, Group
from dragoman.planning.database.graft import main_table, rows_of
from dragoman.planning.database.joins import Joins
from dragoman.planning.database.lean import Lean
from dragoman.planning.database.segments import Cut, Piece, things_of
from dragoman.planning.database.sketch import Kept, Sketch, Slot
from dragoman.planning.tables.schema_names import Thing

_FRAGMENTS = frozenset(
    {
        "with",
        "of",
        "by",
        "group",
        "not",
        "missing",
        "order",
        "limit",
        "above",
        "below",
        "at-least",
        "at-most",
        "between",
        "and",
        "or",
    }
)
"""Cues that no whole question begins with."""
_ASKING = frozenset({"show", "count"})
_SHORT = 5
_MODEST = 8
_BARE = 3
_OWN = 0.9
"""So much of a column must differ from row to row to name a row."""
_CLOSE = 0.12
"""How much worse a meaning of a name may be and still be meant."""


def evidence(lean: Lean, cut: Cut, sketch: Sketch, frame: Frame | None, joins: Joins) -> float:
    """Up to 1: surely no question of its own."""
    if lean.has("whole") and lean.pronoun is None and sketch.measured and sketch.context:
        # "And the average price of all the boats".
        return 0.2
    found = [lean.else_strength if _owned_here(lean, cut) else lean.strength]
    shifts = lean.opens("shift") and lean.pronoun is None and not lean.has("instead")
    if shifts and _is_whole_request(cut, sketch):
        # "Now the number of orders by status" is about nothing that was said.
        return 0.0 if frame is None or not _speaks_of_hand(sketch, frame) else 0.5
    if lean.has("dropped") and lean.pronoun is None and _is_whole_request(cut, sketch):
        return 0.0
    if _is_fragment(cut):
        found.append(0.9)
    said = sketch.who or sketch.spent or _is_of_money(sketch) or _says_of_what(lean, sketch, frame)
    if not _nouns(sketch) and not said:
        found.append(0.9)
    if lean.has("top") and not _nouns(sketch):
        # "Who came out on top": of what was told.
        found.append(0.9)
    each = lean.has("each") and (lean.each_verb or not sketch.groups)
    # "Who got a distinction" after numbers by grade: one of those.
    if each or (frame is not None and asks_of_group(sketch, frame, joins)):
        found.append(0.8)
    filters = sketch.kept or sketch.dated or sketch.compared
    # "In which towns?" says nothing of whose towns they are.
    whereof = lean.opens("whereof") and lean.words < _SHORT and not filters
    if whereof or (frame is not None and _dates_in_hand(sketch, frame)):
        found.append(0.8)
    others = frame is not None and _of_others(sketch, frame)
    if lean.has("article") and lean.words <= _SHORT and not filters and not others:
        # A few words about "the" things are about those of the answer.
        found.append(0.7)
    if sketch.who and sketch.ranked and not _nouns(sketch) and not filters:
        found.append(0.8)
    bare = lean.words <= _BARE and not filters and not sketch.counts
    if bare and frame is not None and frame.gathered and any(_is_main(each, frame) for each in sketch.shown):
        # "Which orders?" after their number.
        found.append(0.8)
    if frame is not None and lean.words <= _MODEST and not filters and _of_each(lean, sketch, frame):
        found.append(0.8)
    if lean.has("also") and lean.words <= _MODEST:
        found.append(0.9)
    if frame is not None and lean.words <= _MODEST and not (filters or others or lean.has("whole")):
        found.append(_of_hand(cut, sketch, frame, joins))
    return max(found)


def asks_of_group(sketch: Sketch, frame: Frame, joins: Joins) -> bool:
    """Whether it is asked who or which are in one of the groups in hand, and of nothing else."""
    group = frame.groups[0] if len(frame.groups) == 1 and frame.limit is None else None
    counts = all(each.aggregate is Aggregate.COUNT for each in frame.measures)
    if group is None or group.part is not None or not (counts and sketch.kept):
        return False
    others = sketch.dated or sketch.compared or sketch.ranked or sketch.groups or sketch.counts
    if _nouns(sketch) or others or not all(_is_main(each, frame) for each in sketch.context):
        return False
    shows = any("show" in each.kinds for each in sketch.pieces[:1])
    return (sketch.who or shows) and all(_says_group(each, group, joins) for each in sketch.kept)


def _says_group(kept: Kept, group: Group, joins: Joins) -> bool:
    """Whether a value is one of what is gathered by, or names it."""
    link = None if group.ref is None else joins.find_link(group.ref.thing)
    tables = {link.target} if link is not None else {group.target.key} if group.ref is None else set()
    values = kept.segment.values
    best = values[0].score if values else 0.0
    return any(
        each.score >= best - _CLOSE
        and (
            each.thing.table.key in tables
            or (group.ref is not None and each.thing.number == group.ref.thing.number)
        )
        for each in values
    )


def _is_fragment(cut: Cut) -> bool:
    first = next((each for each in cut.segments if each.piece is not Piece.MARK), None)
    return first is not None and first.piece is Piece.CUE and first.kinds <= _FRAGMENTS


def _is_whole_request(cut: Cut, sketch: Sketch) -> bool:
    """Whether a figure or a list is asked for, and of what, whatever it begins with."""
    asks = any(each.piece is Piece.WHO or each.kinds & _ASKING for each in cut.segments[:_BARE])
    figure = bool(sketch.measured or sketch.counted or sketch.counts)
    return (asks or figure) and bool(_nouns(sketch) or _is_of_money(sketch))


def _dates_in_hand(sketch: Sketch, frame: Frame) -> bool:
    """ "Who came in December" after those of a year: the December of that year, and not of any."""
    if not any(each.operation == "days" for each in frame.conditions) or not sketch.dated:
        return False
    periods = [each.period for each in sketch.dated]
    # The year in hand may have been put beside the month already, and "last month" is written as one.
    months = all((p.month or p.quarter) and p.unit is None and len(p.text.split()) == 1 for p in periods)
    nouns = _nouns(sketch)
    return months and all(_is_main(each, frame) or _gathered_by(each, frame) for each in nouns)


def _speaks_of_hand(sketch: Sketch, frame: Frame) -> bool:
    """Whether all that is asked for is in hand already."""
    nouns = _nouns(sketch)
    return bool(nouns) and all(_is_main(each, frame) or _gathered_by(each, frame) for each in nouns)


def _is_of_money(sketch: Sketch) -> bool:
    """ "Revenue by region", "what were sales in May": money has no noun beside it, and needs none."""
    return bool(sketch.dated or sketch.groups) and any(slot is None for _, slot in sketch.measured)


def _says_of_what(lean: Lean, sketch: Sketch, frame: Frame | None) -> bool:
    """Whether a message without a noun is whole all the same: "how old is Ida", or "how many are red" after
    one row that was named, which there is nothing to count of."""
    if sketch.only_names and _has_subject(sketch):
        return True
    if sketch.kept and (sketch.how or sketch.when or sketch.place):
        return frame is None or not says_again(sketch, frame)
    alone = frame is not None and not frame.gathered and any(_names_row(each) for each in frame.conditions)
    return alone and sketch.counts and bool(sketch.kept) and lean.pronoun is None


def says_again(sketch: Sketch, frame: Frame) -> bool:
    """Whether a message names again what the rows in hand are held to."""
    held = {value for each in frame.conditions if each.operation == "equal" for value in each.values}
    return any(value.value in held for kept in sketch.kept for value in kept.segment.values)


def _names_row(condition: Condition) -> bool:
    """Whether a condition holds of one row at most, or nearly."""
    column, rows = condition.ref.thing.column, condition.ref.table.info.rows
    if condition.operation != "equal" or condition.negative or column is None or condition.ref.links:
        return False
    distinct = column.info.distinct
    return column.info.unique or (rows is not None and distinct is not None and distinct > rows * _OWN)


def _of_each(lean: Lean, sketch: Sketch, frame: Frame) -> bool:
    """ "How many bays does each depot have" after some of the depots; what there is in each is asked anew."""
    if (
        not (lean.has("each") and lean.has("doing"))
        or frame.gathered
        or not (frame.conditions or frame.linked)
    ):
        return False
    return any(isinstance(each, Slot) and _is_main(each, frame) for each in sketch.groups)


def _owned_here(lean: Lean, cut: Cut) -> bool:
    """ "List the orchards with their regions": whose they are is said before the pronoun."""
    place = lean.pronoun
    if place is None or not lean.owner:
        return False
    names = [each for each in cut.segments if each.piece is Piece.NAME and each.end <= place]
    # "Each title with its price": what every one has is its own.
    return any(thing.column is None or lean.has("each") for each in names for thing, _ in things_of(each)[:1])


def stands_alone(cut: Cut, sketch: Sketch) -> bool:
    """Whether a message has the form of a whole question: it asks, and says of what."""
    first = next((each for each in cut.segments if each.piece is not Piece.MARK), None)
    if first is None:
        return False
    asks = first.piece is Piece.WHO or (first.piece is Piece.CUE and bool(first.kinds & _ASKING))
    # "How old is Ida": who is asked about is said.
    asks = asks or (first.piece in (Piece.HOW, Piece.WHEN, Piece.WHERE) and bool(sketch.kept))
    return asks and len(cut.segments) >= _BARE and _has_subject(sketch)


def _has_subject(sketch: Sketch) -> bool:
    named = sketch.context or any(each.name is not None for each in sketch.compared)
    return bool(named or sketch.kept or _nouns(sketch))


def _nouns(sketch: Sketch) -> list[Slot]:
    nouns = [*sketch.shown, *sketch.counted, *(slot for _, slot in sketch.measured if slot)]
    return nouns + [each.name for each in sketch.ranked if each.name is not None]


def _of_hand(cut: Cut, sketch: Sketch, frame: Frame, joins: Joins) -> float:
    """ "Show price and supplier", "which ward is the dearest": only what the answer has or leads to."""
    if sketch.counts or sketch.counted or sketch.groups or sketch.everything:
        return 0.0
    nouns = _nouns(sketch)
    if sketch.ranked and frame.gathered:
        known = all(_gathered_by(slot, frame) for slot in nouns)
        if frame.measures and not frame.groups and all(each.name is None for each in sketch.ranked):
            # "Which city had the most" after one figure.
            known = any(
                _leads_to(slot, frame, joins, table=table) for slot in nouns for table in (True, False)
            )
        return 0.8 if nouns and known else 0.0
    cues = {kind for segment in cut.segments if segment.piece is Piece.CUE for kind in segment.kinds}
    if sketch.ranked or sketch.measured or "show" not in cues:
        return 0.0
    columns = [slot for slot in nouns if _leads_to(slot, frame, joins, table=False)]
    known = all(slot in columns or _leads_to(slot, frame, joins, table=True) for slot in nouns)
    return 0.8 if columns and known else 0.0


def _of_others(sketch: Sketch, frame: Frame) -> bool:
    """ "List the themes" after one row is not about that row."""
    nouns = _nouns(sketch)
    return frame.limit == 1 and not sketch.ranked and bool(nouns) and all(map(_is_several, nouns))


def _is_several(slot: Slot) -> bool:
    """Whether a name is said in the plural."""
    last = slot.segment.text.casefold().split()[-1:]
    return any(word.endswith("s") and not word.endswith("ss") and len(word) > _BARE for word in last)


def _is_main(slot: Slot, frame: Frame) -> bool:
    main = main_table(frame).key
    return any(thing.column is None and thing.table.key == main for thing in _meant(slot))


def _meant(slot: Slot) -> list[Thing]:
    found = things_of(slot.segment)
    return [thing for thing, score in found if score >= found[0][1] - _CLOSE]


def _gathered_by(slot: Slot, frame: Frame) -> bool:
    """Whether a name is what rows are gathered by, or what is measured of them."""
    main = main_table(frame)
    for thing in _meant(slot):
        for group in frame.groups:
            same = group.ref is not None and group.ref.thing.number == thing.number
            rows = group.table is not None and group.table.key == thing.table.key
            part = group.part is not None and str(group.part) in thing.words
            if same or rows or part:
                return True
        if any(m.ref is not None and m.ref.thing.number == thing.number for m in frame.measures):
            return True
        if thing.column is None and thing.table.key == main.key:
            return True
    return False


def _leads_to(slot: Slot, frame: Frame, joins: Joins, *, table: bool) -> bool:
    """Whether a name may mean a column, or a table, that each row in hand has one of."""
    rows = rows_of(frame)
    for thing in _meant(slot):
        if (thing.column is None) != table:
            continue
        way = joins.way(rows, thing.table)
        if way is not None and way.single and (thing.column is not None or way.links):
            return True
    return False
