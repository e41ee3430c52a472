"""X_RUN on a program of several statements that read, none of which needs another: each is looked up and
said, and the last one is the answer that follow-ups speak of."""

from dragoman.answering import answers
from dragoman.answering.boundaries import boundary
from dragoman.answering.context import TurnContext
from dragoman.answering.coverage import Coverage, coverage_of, open_gate
from dragoman.answering.draft import Conclusion
from dragoman.answering.failures import failed_run
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.lookup import look_up
from dragoman.contracts import events as ev
from dragoman.contracts.answer import CoverageGateState
from dragoman.contracts.errors import DragomanError, QueryCancelled
from dragoman.contracts.program import Program, Statement
from dragoman.contracts.turn_result import ResultRows
from dragoman.contracts.vocabulary import CoverageStatus, TransitionClass
from dragoman.language.substitution import needing
from dragoman.language.verbs.printer import print_program
from dragoman.planning.contract import Refusal, Request
from dragoman.planning.packs.root_request import request_of

Asked = tuple[Statement, Request | None]


def several_reads(program: Program, catalog: Catalog) -> tuple[Asked, ...]:
    """The statements of a program with what each asks for; none where one does not stand by itself."""
    alone = all(needing(program, {place}) == {place} for place in range(len(program)))
    asked: list[Asked] = []
    for statement in program if alone and len(program) > 1 else ():
        request = request_of((statement,), catalog)
        if isinstance(request, Refusal):
            return ()
        asked.append((statement, request))
    return tuple(asked)


def run_each(context: TurnContext, asked: tuple[Asked, ...], left_out: tuple[str, ...]) -> Conclusion:
    """All of them, or a boundary: a part of a program is not what was asked to run."""
    draft, source = context.draft, print_program(tuple(statement for statement, _ in asked))
    covered = [_coverage(request, context.catalog) for _, request in asked]
    for (statement, _), coverage in zip(asked, covered, strict=True):
        if coverage.status is CoverageStatus.BLOCKED:
            reason = context.wording.reason(coverage)
            said = context.phrases.say("blocked", subject=statement.verb, reason=reason)
            return boundary(context, coverage.code, said, route=statement.verb, source=source)
    run_id = draft.new_id()
    draft.note(ev.RunStarted(run_id))
    results: list[answers.Result] = []
    for (statement, request), coverage in zip(asked, covered, strict=True):
        try:
            found = look_up(context.catalog, (statement,), run_id, cancel=context.cancel)
        except QueryCancelled:
            raise
        except DragomanError as failure:
            failed = ev.RunFinished(run_id, ok=False, rows=0, error_code=failure.code)
            said = context.phrases.say("run_failed", problem=failure.message)
            program = tuple(each for each, _ in asked)
            return failed_run(
                context, TransitionClass.X_RUN, failed, said, program=program, subject=statement.verb
            )
        results.append(answers.Result((statement,), request, found, coverage))
    draft.note(ev.RunFinished(run_id, ok=True, rows=sum(len(each.found.rows) for each in results)))
    last = results[-1]
    draft.whole_result(ResultRows(last.found.columns, last.found.rows))
    passed = [answers.gate(context, each) for each in results]
    told = [
        answers.answer(context, result, gate, again=True).message
        for result, gate in zip(results[:-1], passed[:-1], strict=True)
    ]
    ended = answers.answer(context, last, _weakest(context, results, passed, left_out), again=True)
    return Conclusion(ended.outcome, ended.answer_mode, " ".join((*told, ended.message)), ended.events)


def _coverage(request: Request | None, catalog: Catalog) -> Coverage:
    return coverage_of(request, catalog) if request is not None else Coverage(CoverageStatus.FULL)


def _weakest(
    context: TurnContext,
    results: list[answers.Result],
    passed: list[tuple[CoverageGateState, str]],
    left_out: tuple[str, ...],
) -> tuple[CoverageGateState, str]:
    """What limits one of them limits what they are together."""
    own, note = answers.gate(context, results[-1], left_out)
    codes = (*own.reason_codes, *(code for gate, _ in passed for code in gate.reason_codes))
    return open_gate(codes, checked=all(each.found.checked for each in results)), note
