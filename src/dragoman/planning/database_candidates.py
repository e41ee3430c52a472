"""What the planner over tables proposes, made of its readings: candidates with their edits, and signals."""

from collections.abc import Iterable

from msgspec.structs import replace

from dragoman.contracts.program import Program, Statement
from dragoman.contracts.state import AttemptState
from dragoman.contracts.vocabulary import Signal
from dragoman.language.edits import differences
from dragoman.language.program_names import kebab_names
from dragoman.planning.contract import Candidate
from dragoman.planning.message_periods import period_in_hand
from dragoman.planning.tables.table_reading import TableReading
from dragoman.session.continuity import Continuity


def candidates_of(readings: tuple[TableReading, ...], base: Program) -> tuple[Candidate, ...]:
    """The readings as candidates: what follows is an edit of `base`, everything else starts anew."""
    programs: list[Program] = [(each,) for each in _named(readings)]
    bases = [base if each.follow_up else () for each in readings]
    edits = differences(zip(bases, programs, strict=True))
    return tuple(
        Candidate(
            program,
            changed,
            each.score,
            each.uncovered,
            each.notes,
            follows=each.follow_up,
            of_slice=each.of_slice,
            carried=() if each.rows is None else (each.rows,),
        )
        for each, program, changed in zip(readings, programs, edits, strict=True)
    )


def _named(readings: Iterable[TableReading]) -> list[Statement]:
    """The statements, each with a symbol, so that its program converts and others can need it."""
    statements = [each.statement for each in readings]
    symbols = kebab_names([each.verb for each in statements])
    return [each if each.binds else replace(each, binds=symbols[each.verb]) for each in statements]


def signals_of(best: TableReading, continuity: Continuity) -> tuple[Signal, ...]:
    """What the best reading is to the session: a question of its own, or a follow-up."""
    root = continuity.root
    if root is None or not best.follow_up:
        return (Signal.REQUEST, Signal.OPENS_ROOT)
    same = best.statement.verb.rpartition(".")[0] == root.domain_id
    return (Signal.REQUEST, Signal.SAME_DOMAIN if same else Signal.OTHER_DOMAIN)


def inherited(candidate: Candidate, attempt: AttemptState | None) -> Candidate:
    """A follow-up on a question that was not answered keeps what its period counts from."""
    if attempt is None or not candidate.follows or candidate.of_slice:
        return candidate
    days = period_in_hand(candidate.program)
    for each in attempt.readings:
        if each.reference_date is not None and days is not None and period_in_hand(each.program) == days:
            return replace(candidate, reference_date=each.reference_date)
    return candidate
