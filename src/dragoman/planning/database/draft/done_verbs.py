"""What has been done by now: people who have died are those whose day of death is known."""

from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Condition, Ref
from dragoman.planning.database.segments import Piece, Segment
from dragoman.planning.database.verb_forms import closeness
from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import is_verb_form

_CLOSE = 0.75
_NEAR = 3
"""So many pieces may stand between "have" and its verb: have already been."""


def hold_done(work: Work) -> None:
    """Rows of which a verb in the perfect is true have the date that it speaks of, where others have none."""
    sketch = work.sketch
    if sketch.dated or sketch.when or sketch.absent_verbs or sketch.groups or sketch.orders or sketch.ranked:
        return
    for date in (*_named(work), *_spoken_of(work)):
        if date is not None and all(each.ref.thing != date for each in work.conditions):
            work.conditions.append(Condition(Ref(date), "missing", negative=True))


def _spoken_of(work: Work) -> list[Thing | None]:
    """The dates that verbs in the perfect speak of."""
    pieces = [each for each in work.sketch.pieces if each.piece is Piece.VERB]
    return [_date_of(work, each.stem) for each in pieces if _is_perfect(work, each)]


def _named(work: Work) -> list[Thing]:
    """The dates that are called by a verb in the perfect."""
    linked = [slot for slot in work.sketch.linked if _is_perfect(work, slot.segment)]
    things = work.asked.things(slot for slot in linked if is_verb_form(slot.segment.text.casefold()))
    return [thing for thing in things if thing in _open_dates(work)]


def _is_perfect(work: Work, piece: Segment) -> bool:
    """Whether a piece stands behind "have", and nothing denies it."""
    pieces = work.sketch.pieces
    before = [each.text.casefold() for each in pieces if each.end <= piece.start][-_NEAR:]
    said = {word for text in before for word in text.split()}
    return bool(said & set(english().perfect)) and said.isdisjoint(english().denying)


def _date_of(work: Work, verb: str) -> Thing | None:
    """The date of the subject that a verb speaks of, where some rows have none."""
    ranked = sorted(_open_dates(work), key=lambda each: -closeness(work.asked.words, verb, each))
    return next((each for each in ranked if closeness(work.asked.words, verb, each) >= _CLOSE), None)


def _open_dates(work: Work) -> list[Thing]:
    own = [*work.knowledge.dated(work.subject), *work.knowledge.years(work.subject)]
    return [each for each in own if each.column is not None and each.column.info.has_gaps]
