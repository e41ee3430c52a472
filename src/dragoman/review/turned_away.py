"""A message that leans on another keeps what it does not change, and says nothing where there is no other."""

from collections.abc import Iterator
from typing import Final

from dragoman.review.case import Case, is_bare_figure, is_moment
from dragoman.review.commitments import Atom
from dragoman.review.demanded_periods import day_of
from dragoman.review.names import words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.tables.graph import Column, Table
from dragoman.tables.verbs import TableVerb

_FRAGMENT: Final = 4
"""So many words at most has what only goes on: "in which towns"."""
_ASKED: Final = 2
_OF_THEM: Final = 3
_NEVER: Final = 2900


def fragments(case: Case) -> Iterator[Objection]:
    """ "In which towns?" goes on from something: all towns there are, is no answer."""
    told = case.message.vocabulary
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or case.before or not _ASKED < len(case.words) <= _FRAGMENT:
        return
    if case.words[0].form not in told.places | told.ways.get("from", frozenset()):
        return
    held = case.committed.atoms or case.committed.linkings or request.measures or request.order
    if not held and any(cue.first == 1 for cue in case.message.does("which")):
        yield case.objection(Code.VALUE_MISSING, case.message.text)


def replaced(case: Case) -> Iterator[Objection]:
    """ "The average fare instead" is worked out for the groups that there were before."""
    told = case.message.vocabulary
    if not case.words or case.words[-1].form not in told.replaced or not case.committed.requests:
        return
    last = case.words[-1]
    if not case.before:
        yield case.objection(Code.VALUE_MISSING, last.text)
        return
    before, now = case.before[-1], case.committed.requests[-1]
    if not before.requests or case.message.does("each", "by"):
        return
    if now.measures and before.requests[-1].by and not now.by:
        yield case.objection(Code.GROUP_MISSING, last.text)


def pointed_at(case: Case) -> Iterator[Objection]:
    """ "Who bought it" after one thing that was ranked first, is about that thing."""
    last = case.before[-1] if case.before else None
    request = case.committed.requests[-1] if case.committed.requests else None
    if last is None or request is None or not last.requests or not case.words:
        return
    told = case.message.vocabulary
    word = next((word for word in case.words if word.form in told.it), None)
    ranked = last.requests[-1].top == 1
    bare = all(each.bare and not each.absent for each in case.committed.linkings)
    if word is None or not ranked or case.committed.atoms or not bare or len(case.committed.requests) > 1:
        return
    if request.top is None or request.table.key != last.requests[-1].table.key:
        yield case.objection(Code.VALUE_MISSING, word.text)


def listed_of_them(case: Case) -> Iterator[Objection]:
    """ "Which of them come from Arden" is a list of them, and no number."""
    told = case.message.vocabulary
    request = case.committed.requests[-1] if case.committed.requests else None
    words = [word.form for word in case.words[:_OF_THEM]]
    if request is None or not case.before or len(words) < _OF_THEM or words[0] not in told.which_of:
        return
    if words[1] not in told.owning | told.joining or words[2] not in told.ones | told.back:
        return
    if is_bare_figure(request):
        yield case.objection(Code.MEASURE_UNASKED, case.message.text, str(request.verb))
        return
    last = case.before[-1].requests[-1] if case.before[-1].requests else None
    new = [atom for atom in case.committed.atoms if atom.part not in case.carried]
    if last is not None and request.top is not None and request.top == last.top and new:
        # Of the ten that were shown: the first ten of others are something else.
        yield case.objection(Code.LIMIT_UNASKED, part=str(request.top))


def present_rows(case: Case) -> Iterator[Objection]:
    """ "Her present berth" is the one that has not ended, where each row of a history has its last day."""
    told = case.message.vocabulary
    word = next((w for n, w in enumerate(case.words) if n and w.form in told.present and not w.quoted), None)
    if word is None or case.uses_words(word) or case.message.in_period(word) or case.message.periods:
        return
    request = case.committed.requests[-1] if case.committed.requests else None
    ends = _ends(request.table) if request is not None else []
    if request is None or not ends or _is_now(case) or case.message.does("most", "least", "extreme"):
        return
    if request.table.info.foreign_keys and not any(atom.sign == "within" for atom in case.committed.atoms):
        yield case.objection(Code.PERIOD_MISSING, word.text, ends[0].name)


def half_present(case: Case) -> Iterator[Objection]:
    """What holds of one history alone: whose berth is the present one, is in the present crew too."""
    held = [a for a in case.committed.atoms if a.column is not None and _is_never(a) and not a.negated]
    for atom in held:
        for key in case.committed.tables:
            table = case.graph.tables[key]
            if key == atom.table or not table.info.foreign_keys:
                continue
            same = [c for c in _ends(table) if atom.column is not None and c.name == atom.column.name]
            used = any(a.table == key and a.column in same for a in case.committed.atoms)
            if same and not used:
                yield case.objection(Code.PERIOD_MISSING, case.message.text, f"{table.name}/{same[0].name}")
                return


def _is_now(case: Case) -> bool:
    return any(
        _is_never(atom) or _is_end(atom.column) or atom.value == "current"
        for atom in case.committed.atoms
        if atom.column is not None
    )


def _is_never(atom: Atom) -> bool:
    day = day_of(atom.value)
    return day is not None and day.year >= _NEVER


def _ends(table: Table) -> list[Column]:
    """The last days of what rows tell of."""
    return [column for column in table.dates if _is_end(column)]


def _is_end(column: Column | None) -> bool:
    if column is None or not is_moment(column.type):
        return False
    words = words_of(column.info.name)
    return bool(words & (column_words("end") | {"to"}))


def far_whens(case: Case) -> Iterator[Objection]:
    """ "When was Arden founded" is one day of one thing, and not said once for each of its members."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.LIST or request.distinct or case.before:
        return
    opening = next((cue for cue in case.message.does("when") if cue.first == 0), None)
    moments = [path for path in case.committed.columns if path.links and _is_time(path.column)]
    if opening is None or not moments or _is_base_said(case, request.table):
        return
    own = any(_is_time(column) for column in request.table.columns.values())
    if not own and all(link.single for path in moments for link in path.links):
        yield case.demanded(Code.REPEATED_ROWS, opening, request.table.name)


def _is_base_said(case: Case, table: Table) -> bool:
    return case.mentions(words_of(table.info.name) - case.message.small_words)


def _is_time(column: Column) -> bool:
    return is_moment(column.type) or bool(words_of(column.info.name) & column_words("time"))
