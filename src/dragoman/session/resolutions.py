"""What the events of a resolution do to the program in hand. A part of the reducer: pure and total."""

from msgspec.structs import replace

from dragoman.contracts import events as ev
from dragoman.contracts.program import UnresolvedRef
from dragoman.contracts.resolution import Reference, ResolutionState, WaitingResolution
from dragoman.contracts.state import ProgramRegion
from dragoman.contracts.vocabulary import Phase


def unresolved(program: ProgramRegion, event: ev.RefsUnresolved) -> ProgramRegion:
    """What was searched for before goes on with its reference; what was settled stays settled."""
    held = program.resolution or ResolutionState(event.message)
    known = {each.ref.ref_id: each for each in held.references}
    resolution = ResolutionState(
        message=event.message or held.message,
        references=tuple(_going_on(ref, known.get(ref.ref_id)) for ref in event.refs),
        current_index=event.current_index,
        left_out=held.left_out,
        moot=held.moot,
    )
    return replace(program, phase=Phase.UNRESOLVED_REFS, resolution=resolution)


def _going_on(ref: UnresolvedRef, known: Reference | None) -> Reference:
    if known is None:
        return Reference(ref, ref.search_value, matches=ref.initial_matches)
    return replace(known, ref=ref)


def searched(program: ProgramRegion, reference: Reference) -> ProgramRegion:
    held = program.resolution
    if held is None:
        return program
    references = tuple(
        reference if each.ref.ref_id == reference.ref.ref_id else each for each in held.references
    )
    return replace(program, resolution=replace(held, references=references))


def settled(program: ProgramRegion, event: ev.RefSettled) -> ProgramRegion:
    held = program.resolution
    if held is not None:
        references = tuple(
            replace(each, ref=event.ref, bound_by=event.bound_by)
            if each.ref.ref_id == event.ref.ref_id
            else each
            for each in held.references
        )
        held = replace(held, references=references, left_out=event.left_out, moot=event.moot)
    program = replace(program, phase=Phase.SEMANTICS, resolution=held)
    return replace(program, source=event.source, ast=event.ast) if event.source else program


def suspended(program: ProgramRegion, event: ev.ResolutionSuspended) -> ProgramRegion:
    held = program.resolution
    if held is None:
        return program
    waiting = WaitingResolution(
        ref_id=event.ref_id,
        verb=event.verb,
        notation=program.notation,
        source=program.source,
        ast=program.ast,
        edited_by_user=program.edited_by_user,
        resolution=held,
    )
    return replace(program, waiting=waiting)


def still_waiting(waiting: WaitingResolution | None, verb: str) -> WaitingResolution | None:
    """What waits goes on waiting for the verb that creates what it lacks, and for no other."""
    return waiting if waiting is not None and waiting.verb == verb else None


def resumed(program: ProgramRegion) -> ProgramRegion:
    """The program that waited, as it was: a new epoch, with the history of the one before it."""
    waiting = program.waiting
    if waiting is None:
        return replace(program, phase=Phase.UNRESOLVED_REFS)
    return ProgramRegion(
        phase=Phase.UNRESOLVED_REFS,
        notation=waiting.notation,
        source=waiting.source,
        ast=waiting.ast,
        resolution=waiting.resolution,
        epoch=program.epoch + 1,
        history=program.history,
        edited_by_user=waiting.edited_by_user,
    )
