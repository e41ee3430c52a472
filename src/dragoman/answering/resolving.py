"""The resolution of a program's names inside a turn: opened, asked about, and taken through semantics again.

The session keeps one resolution (`contracts.resolution`); what can be done with it is one set of operations
(`entities.name_resolution`), the same for every door. Here each step becomes the events of a turn, and the
question about the current reference is derived from its matches.
"""

from msgspec.structs import replace

from dragoman.answering.compilation import compile_text
from dragoman.answering.context import TurnContext
from dragoman.answering.draft import Conclusion
from dragoman.answering.write_questions import awaiting_yes, is_writing, replaced_by
from dragoman.answering.write_target import written_by
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.resolution_world import CatalogWorld, create_form
from dragoman.contracts import events as ev
from dragoman.contracts.errors import StepRefused
from dragoman.contracts.pack import VerbFrame
from dragoman.contracts.program import Diagnostic, EntityMatch, Pending, Program, Skipped, UnresolvedRef
from dragoman.contracts.record import Record
from dragoman.contracts.resolution import Reference
from dragoman.contracts.state import (
    NEXT_STEP,
    CandidateScope,
    Checkpoint,
    ClarificationState,
    ProgramRegion,
    SuspendedTarget,
)
from dragoman.contracts.vocabulary import (
    AnswerMode,
    ClarificationKind,
    Notation,
    ResumeFrame,
    Stage,
    TransitionClass,
)
from dragoman.entities import name_resolution
from dragoman.entities.name_resolution import Resolution
from dragoman.language.parameters import PIPELINE
from dragoman.planning.contract import Refusal, Request
from dragoman.planning.packs.root_request import request_of

Events = list[ev.SessionEvent]

MOST_SHOWN = 5
MOST_POOLED = 100
"""So many of a search are looked at, to narrow them or to count them."""
_NAMED = 0.3
"""A match that scores less is only alike: it is no candidate."""


class Settled(Record, frozen=True):
    """Every name is settled, and the program that the conversation wrote is to be run."""

    program: Program
    request: Request | None
    left_out: tuple[str, ...]


def resolution_of(program: ProgramRegion) -> Resolution:
    """The resolution of the program in hand, with the text that it stands in."""
    held = program.resolution
    if held is None:
        return Resolution(program.source, program.notation)
    return Resolution(program.source, program.notation, held.references, held.left_out, held.moot)


def skipped_names(program: ProgramRegion) -> tuple[str, ...]:
    """The names that were skipped, and the statements with them."""
    return program.resolution.skipped if program.resolution is not None else ()


def offered(reference: Reference) -> tuple[EntityMatch, ...]:
    """The matches that are named as was said, as many as can be read."""
    named = [match for match in reference.matches if match.score >= _NAMED]
    return tuple(named[:MOST_SHOWN])


def unresolved(resolution: Resolution, message: str = "") -> ev.RefsUnresolved:
    """What is open, and which reference comes next."""
    refs = tuple(each.ref for each in resolution.references)
    waiting = resolution.open
    index = resolution.references.index(waiting[0]) if waiting else 0
    return ev.RefsUnresolved(refs, index, message)


def opened(
    context: TurnContext, source: str, notation: Notation, *, binds: bool
) -> tuple[Resolution, Events]:
    """The resolution of a text whose syntax holds. What binds by itself is bound, one after the other, where
    `binds`; a name that was read and fits several is asked about."""
    world = CatalogWorld(context.catalog)
    resolution = name_resolution.opened(world, source, notation)
    events: Events = [unresolved(resolution, context.text)]
    for reference in resolution.references if binds else ():
        after = name_resolution.bind_by_rule(world, resolution, reference.ref.ref_id)
        if after is not resolution:
            events += settled_events(context, after, reference.ref.ref_id)
            resolution = after
    return resolution, events


def settled_events(context: TurnContext, after: Resolution, ref_id: str) -> Events:
    """One reference is settled, and the program is checked again: what is left stands behind it."""
    world = CatalogWorld(context.catalog)
    reference = after.reference(ref_id)
    source = after.source
    if not after.open and not is_empty(context, after):
        source = name_resolution.program(world, after)
    settled = ev.RefSettled(
        reference.ref,
        reference.bound_by,
        source,
        world.read(source, after.notation).statements,
        after.left_out,
        after.moot,
    )
    return [settled, unresolved(after)] if after.open else [settled]


def is_empty(context: TurnContext, resolution: Resolution) -> bool:
    """Whether skipping has left nothing to run."""
    statements = CatalogWorld(context.catalog).read(resolution.source, resolution.notation).statements
    kept = [each for index, each in enumerate(statements) if index not in resolution.left_out]
    return all(each.verb == PIPELINE for each in kept)


def restored(back: Checkpoint, found: tuple[UnresolvedRef, ...]) -> Resolution:
    """The resolution that undo brings back, where the program still has the names it had then; otherwise
    as the compiler finds them now."""
    held = back.resolution
    begun = Resolution(back.source, back.notation)
    if held is not None and len(found) == sum(not each.is_settled for each in held.references):
        return replace(begun, references=held.references, left_out=held.left_out, moot=held.moot)
    references = tuple(Reference(ref, ref.search_value, matches=ref.initial_matches) for ref in found)
    return replace(begun, references=references)


# The question.


def question_about(reference: Reference, context: TurnContext) -> ClarificationState:
    """003's view of the current reference: its matches are the closed answers."""
    ref, catalog = reference.ref, context.catalog
    scopes = tuple(
        CandidateScope(ref.entity_type, match.entity_id, match.display) for match in offered(reference)
    )
    if not scopes and reference.text and create_form(catalog, ref.entity_type) is not None:
        say = context.phrases.say
        scopes = (
            CandidateScope(NEXT_STEP, "create", say("option_create")),
            CandidateScope(NEXT_STEP, "search", say("option_search")),
        )
    nothing = bool(reference.text) and not offered(reference)
    return ClarificationState(
        clarification_kind=ClarificationKind.MISSING_ANCHOR if nothing else ClarificationKind.AMBIGUOUS,
        missing_anchors=(ref.location.arg_name,),
        candidate_scopes=scopes,
        resume_target_route=ref.location.verb,
        resume_target_frame=SuspendedTarget(_frame(ref.location.verb, catalog), context.entered_as),
    )


def _frame(verb: str, catalog: Catalog) -> ResumeFrame:
    known = catalog.verb(verb)
    if known is None:
        return ResumeFrame.PROGRAM
    return ResumeFrame.OBJECT if known.spec.frame is VerbFrame.OBJECT else ResumeFrame.ROOT


def asked(
    context: TurnContext, resolution: Resolution, events: Events, outcome: TransitionClass, before: str = ""
) -> Conclusion:
    """The turn ends in the question about the reference that comes next."""
    question = question_about(resolution.open[0], context)
    said = before + question_in_words(context, resolution)
    asks = (*events, ev.ClarificationAsked(question, intent=False))
    return Conclusion(outcome, AnswerMode.CLARIFICATION_REQUIRED, said, asks)


def question_in_words(context: TurnContext, resolution: Resolution) -> str:
    """What is asked about the reference that comes next, and where one stands where there are several."""
    reference, say = resolution.open[0], context.phrases.say
    question = question_about(reference, context)
    kind = context.wording.kind(reference.ref.entity_type)
    number, of = place_of(resolution)
    place = say("reference_place", n=number, of=of) if of > 1 else ""
    if not reference.text:
        return place + say("search_again")
    found = offered(reference)
    if not found:
        steps = ", ".join(f"“{each.label}”" for each in question.candidate_scopes)
        unknown = say("ask_unknown", named=reference.text, kind=kind)
        return place + unknown + (say("next_steps", steps=steps) if steps else say("another_name"))
    more = max(0, total(context, reference) - len(found))
    options = context.wording.choices(reference.ref.location.verb, question.candidate_scopes, more)
    key = "ask_named" if len(found) > 1 else "ask_object"
    return place + say(key, named=reference.text, kind=kind) + options


def total(context: TurnContext, reference: Reference) -> int:
    """How many there are with the name, shown or not; what was narrowed is all shown."""
    shown = len(offered(reference))
    if reference.narrowed or shown < MOST_SHOWN:
        return len([match for match in reference.matches if match.score >= _NAMED])
    kind = reference.ref.entity_type
    found = context.catalog.search(kind, reference.text, reference.filters, limit=MOST_POOLED)
    return max(shown, sum(match.score >= 100 * _NAMED for match in found.matches))


def place_of(resolution: Resolution) -> tuple[int, int]:
    """Which of how many references that somebody has to settle comes next."""
    moot = set(resolution.moot)
    wanted = [each for each in resolution.references if each.ref.ref_id not in moot]
    done = [each for each in wanted if not isinstance(each.ref.status, Pending)]
    return len(done) + 1, len(wanted)


# Where the conversation goes on.


def go_on(
    context: TurnContext,
    resolution: Resolution,
    events: Events,
    outcome: TransitionClass,
    *,
    edited: bool,
    before: str = "",
) -> Settled | Conclusion:
    """After a settling: the next question; or the dependencies, and what the program is for.

    A program that a person edited waits for Run, one that writes for a yes; a read is run at once."""
    say = context.phrases.say
    if resolution.open:
        return asked(context, resolution, events, outcome, before)
    if is_empty(context, resolution):
        return _nothing_left(context, resolution, events, outcome)
    world = CatalogWorld(context.catalog)
    source = name_resolution.program(world, resolution)
    program = world.read(source, resolution.notation).statements
    compiled = compile_text(source, program, context.catalog, resolution.notation)
    # The syntax is behind: a settling begins at the semantics.
    events = [*events, *(each for each in compiled.events if each != ev.SchemaGuardPass(Stage.SYNTAX))]
    if compiled.fault:
        cleared = (*events, *_cleared(context))
        said = before + say("does_not_compile", problem=compiled.fault)
        return Conclusion(outcome, AnswerMode.NONE, said, cleared)
    if is_writing(program, context.catalog) and not edited:
        return _asked_to_write(context, program, events, outcome, before)
    request = request_of(program, context.catalog)
    if edited or isinstance(request, Refusal):
        left = _skipped(resolution)
        said = before + say("edited") + (say("left_out_too", names=", ".join(left)) if left else "")
        return Conclusion(outcome, AnswerMode.NONE, said, (*events, *_cleared(context)))
    context.draft.note(*events)
    return Settled(program, request, _skipped(resolution))


def _asked_to_write(
    context: TurnContext, program: Program, events: Events, outcome: TransitionClass, before: str
) -> Conclusion:
    try:
        replaced = replaced_by(program, context)
    except StepRefused as refused:
        said = before + context.phrases.say("no_writer", what=written_by(program), problem=refused.message)
        return Conclusion(outcome, AnswerMode.NONE, said, (*events, *_cleared(context)))
    asks = ev.ClarificationAsked(awaiting_yes(program[-1].verb, outcome, replaced), intent=False)
    said = before + context.wording.write_question(program, replaced)
    return Conclusion(outcome, AnswerMode.CLARIFICATION_REQUIRED, said, (*events, asks))


def _nothing_left(
    context: TurnContext, resolution: Resolution, events: Events, outcome: TransitionClass
) -> Conclusion:
    route = resolution.references[0].ref.location.verb
    said = context.phrases.say("skipped", what=", ".join(f"“{name}”" for name in _skipped(resolution)))
    nothing = Diagnostic("nothing_left", "every statement is left out", "ask for something else")
    back = (
        *events,
        ev.SchemaGuardFail(Stage.SEMANTICS, (nothing,), final=True),
        ev.IntentCaptured(route, route.partition(".")[0], ()),
        *_cleared(context),
    )
    return Conclusion(outcome, AnswerMode.NONE, said, back)


def _skipped(resolution: Resolution) -> tuple[str, ...]:
    refs = (each.ref for each in resolution.references)
    return tuple(ref.search_value for ref in refs if isinstance(ref.status, Skipped))


def _cleared(context: TurnContext) -> Events:
    return [ev.ClarificationCleared()] if context.before.frames.clarification is not None else []
