"""T4 and T5: something is asked of the row in hand, or of the rows that belong to it and were shown last."""

from msgspec.structs import replace

from dragoman.contracts.vocabulary import Signal
from dragoman.planning.contract import CERTAIN, LIKELY, Proposal, Refusal
from dragoman.planning.rows.ground import Ground
from dragoman.planning.rows.object_question import Asking, ObjectQuestion
from dragoman.planning.rows.row_links import belongs_to
from dragoman.planning.rows.row_object import RowObject, counted_rows, listed_rows
from dragoman.planning.rows.row_proposals import (
    MOST_ROWS,
    SURELY,
    changed,
    keeps,
    likely,
    proposed,
    refused,
    with_displays,
)
from dragoman.planning.rows.row_words import Part, Said
from dragoman.planning.rows.shown_rows import Shown


def of_object(ground: Ground, read: Said, shown: Shown | None) -> Proposal | None:
    """What a message asks of a row; None where it is about none."""
    selected = ground.selected()
    if selected is None and not read.has(Part.PRONOUN, Part.PLURAL, Part.POINTING):
        return None
    question = ground.question(read)
    if selected is None:
        return _of_shown(ground, read, shown, question)
    if question.points:
        return _of_selected(ground, read, selected, question)
    root = ground.asked.continuity.root
    found = question.briefly_of(selected, root.domain_id if root is not None else "")
    if found:
        return proposed(ground.asked, found, (Signal.ACTION,), _sure(found))
    return _narrowed(ground, selected)


def _sure(found: list[Asking]) -> float:
    return CERTAIN if all(each.exact for each in found) else SURELY


def _of_selected(
    ground: Ground, read: Said, selected: RowObject, question: ObjectQuestion
) -> Proposal | None:
    """A pronoun means the row in hand; where that has no such thing, the one row that was shown last."""
    found = question.of(selected)
    last = ground.last_row(selected) if not found else None
    found = found or [each for each in (question.of(last) if last is not None else []) if each.exact]
    if ground.asked.reading.meta is not None and not all(each.exact for each in found):
        found = []
    if found:
        return proposed(ground.asked, found, (Signal.ANAPHOR,), _sure(found))
    # They are the rows that were shown last: of the slice, or of what belongs to the row.
    asked_number = _how_many(ground, read, selected)
    if asked_number is not None:
        return asked_number
    several = read.has(Part.PLURAL) and not read.has(Part.PRONOUN)
    narrowed = _narrowed(ground, selected) if several else None
    if narrowed is not None or ground.asked.reading.meta is not None:
        return narrowed
    if several and _shows_slice(ground):
        return None
    words = question.unknown
    refusal = Refusal("uncovered_words", words) if words else Refusal("no_reading")
    return refused(refusal, (Signal.UNCOVERED,), SURELY if read.content else LIKELY)


def _how_many(ground: Ground, read: Said, selected: RowObject) -> Proposal | None:
    """How many they are, and nothing else: what belongs to the row and was shown last is counted."""
    last = ground.asked.continuity.last_found
    if last is None or _shows_slice(ground) or not read.has(Part.COUNTING) or read.content:
        return None
    number = counted_rows(last.program[0]) if len(last.program) == 1 else None
    asking = [Asking(number, selected, exact=True)] if number is not None else []
    return proposed(ground.asked, asking, (Signal.ANAPHOR,), CERTAIN) if asking else None


def _shows_slice(ground: Ground) -> bool:
    """Whether what was shown last is the list, or a single row of it, and not what belongs to the row."""
    continuity = ground.asked.continuity
    last, frame = continuity.last_found, continuity.selected_object
    opening = frame.provenance_bundle_ref if frame is not None else ""
    return last is None or last == continuity.root_answer or last.ref == opening


def _of_shown(ground: Ground, read: Said, shown: Shown | None, question: ObjectQuestion) -> Proposal | None:
    """Nothing was opened: a single row is the object, and of several it is asked which."""
    singular = question.points and (read.has(Part.PRONOUN) or not read.has(Part.PLURAL))
    if shown is None or not singular:
        return None
    rows = ground.rows(shown, range(min(shown.answer.row_count, len(shown.answer.rows), MOST_ROWS)))
    if len(rows) > 1 and not read.has(Part.PRONOUN):
        # "That" may be all of them.
        return None
    found = [each for row in rows for each in question.of(row)[:1]]
    if not found or len(found) != len(rows) or any(each.unsure for each in found):
        return None
    # Whether it is paid is asked of the one row that was shown, and not of others that are.
    certainty = SURELY if len(found) > 1 or question.asks_whether else likely(ground.asked.text)
    labels = [each.row.name for each in found]
    return proposed(ground.asked, found, (Signal.ANAPHOR,), certainty, shown.answer, labels)


def _narrowed(ground: Ground, selected: RowObject) -> Proposal | None:
    """A change of what was shown of the row last: it stays kept to that row."""
    continuity = ground.asked.continuity
    last, root = continuity.last_found, continuity.root_answer
    if last is None or root is None or last.turn_index <= root.turn_index or len(last.program) != 1:
        return None
    (before,) = last.program
    table = ground.graph.by_name.get(before.verb.rpartition(".")[0])
    if table is None or belongs_to(ground.graph, selected.table, table) or continuity.attempt is not None:
        # What the row belongs to is one row: it is not narrowed.
        return None
    kept = replace(continuity, base=last.program, in_hand=last.program)
    proposal = ground.tables.propose(replace(ground.asked, continuity=kept))
    if proposal.refuses is not None or proposal.asks is not None or not proposal.candidates:
        return None
    best = proposal.candidates[0]
    if not best.follows or best.uncovered or not keeps(before, best.program[0], selected, ground.graph):
        return None
    after = with_displays(before, best.program[0])
    asking = Asking(after, selected, exact=False, read_as=ground.asked.text, plain=best, carried=before)
    return proposed(ground.asked, [asking], (Signal.ANAPHOR,), SURELY)


def counted(ground: Ground) -> Proposal | None:
    """After a count, the rows that it counted: of the slice (T2), or of what belongs to the row in hand."""
    continuity = ground.asked.continuity
    last, root, selected = continuity.last_found, continuity.root_answer, ground.selected()
    if last is None or len(last.program) != 1 or (last != root and selected is None):
        return None
    program = last.program if last != root else continuity.base
    table = ground.graph.by_name.get(program[0].verb.rpartition(".")[0]) if program else None
    listed = listed_rows(program[0], table, ground.knowledge) if table is not None else None
    if listed is None:
        return None
    if last != root and selected is not None:
        return proposed(ground.asked, [Asking(listed, selected, exact=True)], (Signal.ANAPHOR,), CERTAIN)
    return changed(ground.asked, listed, likely(ground.asked.text))
