"""What came of a run of a pipeline: each table with its rows, the status report, how to run it again."""

from msgspec.structs import replace

from dragoman.answering.context import TurnContext
from dragoman.answering.coverage import open_gate
from dragoman.answering.draft import Conclusion
from dragoman.answering.effects import TableWritten, Written
from dragoman.answering.failures import failed_run
from dragoman.answering.pipelines.account import account
from dragoman.answering.pipelines.turns import await_run
from dragoman.contracts import events as ev
from dragoman.contracts.answer import PREVIEW_ROWS, AnswerObject, CellType, Column, EvidenceItem
from dragoman.contracts.report import StatusReport
from dragoman.contracts.vocabulary import AnswerMode, EffectOutcome, EvidenceSource, TransitionClass
from dragoman.guards.report import report_text
from dragoman.language.edits import difference
from dragoman.planning.contract import CERTAIN, Candidate
from dragoman.planning.pipelines.pipeline import pipeline_of
from dragoman.planning.pipelines.route import DOMAIN, ROUTE

PARTLY = "pipeline_partly"
_COLUMNS = ("table", "target", "rows", "state")


def is_of_pipeline(context: TurnContext) -> bool:
    """Whether the program in hand is a pipeline that was built by talking."""
    root = context.before.frames.root
    return root is not None and root.domain_id == DOMAIN


def pipeline_run(
    context: TurnContext, run_id: str, written: Written, compiled: tuple[ev.SessionEvent, ...]
) -> Conclusion:
    """The answer to a yes, after the run: whole, in part, or failed."""
    before = context.before.program
    context.draft.note(ev.CheckpointTaken())
    started = (
        ev.IntentCaptured(ROUTE, DOMAIN, ()),
        ev.OmlSynthesisStart(),
        ev.OmlSynthesisComplete(before.notation, before.source, before.ast),
        *compiled,
        ev.RunStarted(run_id),
    )
    done = [table for table in written.tables if table.done]
    said = _said(context, run_id, written, done)
    whole = len(done) == len(written.tables) and written.outcome is EffectOutcome.DONE
    ended = ev.RunFinished(run_id, ok=whole, rows=written.rows, error_code="" if whole else written.code)
    if not done:
        context.draft.note(*started)
        what = account(context).named(before.ast)
        return failed_run(
            context, TransitionClass.T7, ended, said, program=before.ast, subject=what, ends_question=True
        )
    gate = open_gate(() if whole else (PARTLY,), checked=True)
    answer = AnswerObject(
        ref=f"answer-{context.index}",
        turn_index=context.index,
        route=ROUTE,
        gate=gate,
        program=before.ast,
        columns=tuple(
            Column(name, CellType.INTEGER if name == "rows" else CellType.TEXT) for name in _COLUMNS
        ),
        rows=tuple(_row(context, table) for table in written.tables[:PREVIEW_ROWS]),
        row_count=len(written.tables),
        result_set_id=f"rows-{context.index}",
        subject=account(context).named(before.ast),
        evidence=_evidence(run_id, written),
        note=""
        if whole
        else context.phrases.say(PARTLY, failed=", ".join(t.source for t in written.tables if not t.done)),
    )
    events = (
        *started,
        ended,
        ev.GateComputed(gate),
        *_framed(context, answer),
        ev.ClarificationCleared(),
        ev.AnswerGiven(answer),
    )
    return Conclusion(TransitionClass.T7, AnswerMode(gate.truth_mode), said, events)


def cut_off_pipeline(context: TurnContext, run_id: str) -> Conclusion:
    """A yes was given before, and its turn was cut off: what is written by now, and a yes for the rest."""
    account_of = context.runners.account
    tables = account_of(run_id) if account_of is not None else ()
    done = [table for table in tables if table.done]
    say, program = context.phrases.say, context.before.program.ast
    lines = [say("pipeline_cut_off", run=run_id, n=len(done), of=len(tables))]
    lines += [f"  {table.source} → {table.target}: {context.phrases.rows(table.rows or 0)}" for table in done]
    held = pipeline_of(program, context.catalog)
    written = {table.step for table in done}
    left = () if held is None else tuple(pair for pair in held.pairs if pair.writer.binds not in written)
    if held is None or not left:
        lines.append(say("pipeline_again", name=account(context).name(program)))
        events = (ev.CheckpointTaken(), ev.ClarificationCleared())
        return Conclusion(TransitionClass.T7, AnswerMode.NONE, "\n".join(lines), events)
    rest = replace(held, pairs=left).program
    asked = await_run(context, Candidate(rest, difference(program, rest), CERTAIN, writes=True))
    return replace(asked, message="\n".join((*lines, asked.message)))


def _framed(context: TurnContext, answer: AnswerObject) -> tuple[ev.SessionEvent, ...]:
    root = context.before.frames.root
    return () if root is None else (ev.RootFrameSet(replace(root, root_answer_object_ref=answer.ref)),)


def _row(context: TurnContext, table: TableWritten) -> tuple[str | int | None, ...]:
    state = context.phrases.say("pipeline_done") if table.done else table.problem
    return (table.source, table.target, table.rows, state)


def _evidence(run_id: str, written: Written) -> tuple[EvidenceItem, ...]:
    items = [EvidenceItem(EvidenceSource.DB, f"run {run_id}", f"{written.rows} rows written", 1.0)]
    if written.report is not None:
        items.append(EvidenceItem(EvidenceSource.POLICY, "report", report_text(written.report), 1.0))
    return tuple(items)


def _said(context: TurnContext, run_id: str, written: Written, done: list[TableWritten]) -> str:
    say, failed = context.phrases.say, [table for table in written.tables if not table.done]
    lines = []
    if done:
        rows = context.phrases.rows(written.rows)
        lines.append(say("pipeline_written", n=len(done), of=len(written.tables), rows=rows, run=run_id))
    if failed:
        lines.append(say("pipeline_failed", n=len(failed), of=len(written.tables)))
        lines += [f"  {table.source} → {table.target}: {table.problem}" for table in failed]
    if written.warnings:
        lines.append(say("written_note", notes="; ".join(dict.fromkeys(written.warnings))).strip())
    lines += _report_lines(context, written.report)
    name = account(context).name(context.before.program.ast)
    lines.append(say("pipeline_retry") if failed else say("pipeline_again", name=name))
    return "\n".join(lines)


def _report_lines(context: TurnContext, report: StatusReport | None) -> list[str]:
    """The status report of the cycle, for a person; only where something is left to be done."""
    if report is None or not report.blockers:
        return []
    say = context.phrases.say
    return [
        say(
            "pipeline_report",
            completed=len(report.completed_tasks),
            open=len(report.in_progress),
            blockers=len(report.blockers),
            next="; ".join(report.next_focus),
        )
    ]
