"""The stages behind a chosen program: run, gate, answer. Each ends the turn, or passes on to the next."""

from msgspec.structs import replace

from dragoman.answering.boundaries import boundary, refuse
from dragoman.answering.context import TurnContext
from dragoman.answering.corrections import OVER_TABLES, corrections
from dragoman.answering.coverage import Coverage, coverage_of, open_gate
from dragoman.answering.draft import Conclusion
from dragoman.answering.empty_answers import what_is_there
from dragoman.answering.failures import failed_run
from dragoman.answering.frames import frames_after, selected_by_name
from dragoman.answering.phrases import in_quotes
from dragoman.answering.pipelines.turns import is_pipeline_turn, settle_pipeline
from dragoman.answering.questions import ask, ask_again, decline, offer
from dragoman.answering.quotations import NOT_IN_DOCUMENTS, asks_knowledge
from dragoman.answering.summaries import told_measures
from dragoman.answering.write_forms import ask_argument, await_yes, is_of_form, stop_form
from dragoman.answering.write_questions import is_writing
from dragoman.answering.written_numbers import reads_numbers
from dragoman.catalog.knowledge.signatures import SINGLE_SOURCE
from dragoman.catalog.lookup import MOST_ROWS, Found, look_up
from dragoman.catalog.unread_texts import UnreadTexts, unread_texts
from dragoman.contracts import events as ev
from dragoman.contracts.answer import PREVIEW_ROWS, AnswerObject, CoverageGateState, EvidenceItem, Heading
from dragoman.contracts.errors import DragomanError, QueryCancelled
from dragoman.contracts.program import Program
from dragoman.contracts.record import Record
from dragoman.contracts.state import ReferenceDate
from dragoman.contracts.turn_result import ResultRows
from dragoman.contracts.verb import Effect
from dragoman.contracts.vocabulary import AnswerMode, CoverageStatus, EvidenceSource, Signal, TransitionClass
from dragoman.language.verbs.printer import print_program
from dragoman.planning.contract import Candidate, Options, PlannerName, Question, Request

UNSURE = "unsure"
LEFT_OUT = "left_out"


class Result(Record, frozen=True):
    """What a program gave, and what the loaded data cover of what it asked."""

    program: Program
    request: Request | None
    found: Found
    coverage: Coverage
    unread: tuple[UnreadTexts, ...] = ()
    """Texts that were to be numbers and are none."""


def settle(context: TurnContext) -> Candidate | Conclusion:
    """The program of the turn; or the question or refusal that it ends in."""
    proposal = context.proposal
    if is_pipeline_turn(context):
        return settle_pipeline(context)
    if proposal.refuses is not None:
        return refuse(context, proposal.refuses)
    if isinstance(proposal.asks, Question):
        asked = (ask_argument if is_of_form(proposal.asks) else ask)(context, proposal.asks)
        return replace(asked, message=asked.message + corrections(context))
    if not proposal.candidates and proposal.planner == PlannerName.WRITES:
        return stop_form(context)
    if not proposal.candidates:
        return decline(context) if context.reading.affirm is False else ask_again(context)
    if isinstance(proposal.asks, Options):
        return offer(context, proposal.candidates)
    chosen = proposal.candidates[0]
    # Whoever proposed it, a program that writes is shown, and waits.
    if not _writes(context, chosen):
        return chosen
    waits = await_yes(context, chosen)
    return replace(waits, message=waits.message + corrections(context))


def _writes(context: TurnContext, chosen: Candidate) -> bool:
    if chosen.request is not None:
        return chosen.request.verb.signature.effect is Effect.WRITE
    return context.proposal.planner not in OVER_TABLES and is_writing(chosen.program, context.catalog)


def looked_up(
    context: TurnContext,
    program: Program,
    request: Request | None,
    left_out: tuple[str, ...] = (),
    *,
    again: bool = False,
) -> Conclusion:
    """Run, gate and answer, one behind the other; or a boundary."""
    result = run(context, program, request, again=again)
    if isinstance(result, Conclusion):
        return result
    return answer(context, result, gate(context, result, left_out), again=again)


def run(
    context: TurnContext, program: Program, request: Request | None, *, again: bool = False
) -> Result | Conclusion:
    """Look the program up, unless the loaded data do not cover it; a boundary where that fails. Where a
    person ran it `again`, a run that fails is one, and the program stays in hand."""
    route, draft = program[0].verb, context.draft
    coverage = coverage_of(request, context.catalog) if request is not None else Coverage(CoverageStatus.FULL)
    # Decided before anything runs: a query over a month that is not loaded gives zero, and zero is a false
    # answer.
    if coverage.status is CoverageStatus.BLOCKED:
        reason = context.wording.reason(coverage)
        said = context.phrases.say("blocked", subject=_subject(context, program, request), reason=reason)
        return boundary(context, coverage.code, said, route=route, source=print_program(program))
    run_id = draft.new_id()
    draft.note(ev.RunStarted(run_id))
    try:
        found = look_up(context.catalog, program, run_id, cancel=context.cancel)
        numbers = request is None and reads_numbers(program)
        unread = unread_texts(context.catalog, program, context.cancel) if numbers else ()
    except QueryCancelled:
        raise
    except DragomanError as failure:
        if again:
            ended = ev.RunFinished(run_id, ok=False, rows=0, error_code=failure.code)
            said = context.phrases.say("run_failed", problem=failure.message)
            subject = _subject(context, program, request)
            return failed_run(context, TransitionClass.X_RUN, ended, said, program=program, subject=subject)
        # A database that fails is an outcome of the turn, not of the process: it is recorded, can be asked
        # about, and the frames stay.
        said = context.phrases.say("failed_run", problem=failure.message)
        return boundary(context, failure.code, said, route=route, source=print_program(program))
    if asks_knowledge(program) and not found.rows:
        # Nothing that was found is no answer of zero rows: what was asked is not in what there is.
        said = context.phrases.say(NOT_IN_DOCUMENTS)
        return boundary(context, NOT_IN_DOCUMENTS, said, route=route, source=print_program(program))
    draft.note(ev.RunFinished(run_id, ok=True, rows=len(found.rows)))
    draft.whole_result(ResultRows(found.columns, found.rows))
    return Result(program, request, found, coverage, unread)


def gate(
    context: TurnContext, result: Result, left_out: tuple[str, ...] = ()
) -> tuple[CoverageGateState, str]:
    """How far the result holds, and what limits it in words. `left_out` are the names that were skipped, and
    the statements that need them with them."""
    say, found = context.phrases.say, result.found
    partial = result.coverage.status is CoverageStatus.PARTIAL
    limits = {
        result.coverage.code: context.wording.reason(result.coverage) if partial else "",
        LEFT_OUT: say("left_out", names=in_quotes(left_out)) if left_out else "",
        UNSURE: "" if context.proposal.sure else say("unsure"),
        "lines_skipped": say("lines_skipped", n=found.skipped) if found.skipped else "",
        "texts_unread": ", ".join(_unread(context, each) for each in result.unread),
        "truncated": say("truncated", n=MOST_ROWS) if found.truncated else "",
        SINGLE_SOURCE: say("single_source") if SINGLE_SOURCE in found.limits else "",
        "inferred_link": say("inferred_link", link=", ".join(found.inferred)) if found.inferred else "",
    }
    codes = tuple(code for code, text in limits.items() if text)
    notes = [text for text in limits.values() if text]
    if not found.checked and not found.truncated:
        notes.append(say("recount_differs"))
    return open_gate(codes, checked=found.checked), "; ".join(notes)


def _unread(context: TurnContext, unread: UnreadTexts) -> str:
    if unread.count is None:
        return context.phrases.say("texts_unread_unknown", column=unread.column)
    return context.phrases.say("texts_unread", n=unread.count, column=unread.column)


def answer(
    context: TurnContext, result: Result, passed: tuple[CoverageGateState, str], *, again: bool = False
) -> Conclusion:
    """The answer object, its sentence and the frames it leaves. A program that is run `again` leaves them."""
    state, note = passed
    found, request = result.found, result.request
    given = AnswerObject(
        ref=f"answer-{context.index}",
        turn_index=context.index,
        route=result.program[0].verb,
        gate=state,
        program=result.program,
        result_set_id=f"rows-{context.index}",
        columns=found.columns,
        # The state is bounded; whoever wants all rows gets them through `on_result`.
        rows=found.rows[:PREVIEW_ROWS],
        row_count=len(found.rows),
        figures=found.figures,
        evidence=(*found.evidence, *_review(context)),
        subject=_subject(context, result.program, request),
        note=note,
        headings=_headings(context, result),
        rows_total=found.total,
    )
    reference = None if again else _reference(context)
    said = (
        context.wording.answer(given)
        + told_measures(request, given)
        + _there(context, result)
        + corrections(context, result.program)
        + context.wording.counted_from(reference)
    )
    frames = () if again else frames_after(context, request, given)
    named = None if again else selected_by_name(context, request)
    if named is not None:
        name = context.catalog.shown(named, context.phrases.language)
        own = [row[1:] for row in found.rows if row[0] == named.name]
        value = ", ".join(str(cell) for cell in own[0]) if len(own) == 1 else ""
        said += context.phrases.say("selected_row", name=name, value=value) if value else ""
        said += context.phrases.say("selected", name=name)
    outcome = TransitionClass.X_RUN if again else context.routing.entry_class
    events = (ev.GateComputed(state), *frames, *_settled(context, reference), ev.AnswerGiven(given))
    return Conclusion(outcome, AnswerMode(state.truth_mode), said, events)


def _there(context: TurnContext, result: Result) -> str:
    """What there is, where the period of a program over tables left nothing."""
    if result.request is not None or asks_knowledge(result.program):
        return ""
    rows = tuple(map(tuple, result.found.rows[:2]))
    return what_is_there(context.phrases, context.catalog, result.program, rows, context.cancel)


def _headings(context: TurnContext, result: Result) -> tuple[Heading, ...]:
    """How columns over tables are shown; those of a pack and of knowledge have their own names."""
    if result.request is not None or asks_knowledge(result.program):
        return ()
    return context.wording.headings(result.program, result.found.columns)


def _subject(context: TurnContext, program: Program, request: Request | None) -> str:
    return context.wording.subject(request) if request is not None else context.wording.title(program)


def _reference(context: TurnContext) -> ReferenceDate | None:
    """What the relative periods of the program count from."""
    candidates = context.proposal.candidates
    return candidates[0].reference_date if candidates else None


def _settled(context: TurnContext, reference: ReferenceDate | None) -> tuple[ev.SessionEvent, ...]:
    """Whoever picks what one period counts from, where there was a choice, has said it for the session."""
    pending = context.continuity.clarification
    if Signal.FITS_CLARIFICATION not in context.proposal.signals or pending is None or reference is None:
        return ()
    offered = [each.reference_date for each in pending.candidate_scopes if each.reference_date is not None]
    chosen = context.continuity.reference_date is None and any(each.of_data for each in offered)
    return (ev.ReferenceDateSet(reference),) if chosen else ()


def _review(context: TurnContext) -> tuple[EvidenceItem, ...]:
    """The word of the second reader, where one was asked."""
    if not context.passed_review:
        return ()
    return (EvidenceItem(EvidenceSource.POLICY, "review", "the second reader has no objection", 1.0),)
