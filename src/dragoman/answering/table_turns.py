"""Turns that ask the tables of a database: take the reading, offer several, or refuse; run and answer."""

import datetime as dt
import decimal

import msgspec

from dragoman.answering import moves
from dragoman.answering.coverage import open_gate
from dragoman.answering.draft import Conclusion
from dragoman.answering.pack_turns import Found, dropped
from dragoman.answering.scene import Scene
from dragoman.answering.writing import write_program
from dragoman.catalog.reads import read_for
from dragoman.catalog.workspace_catalog import WorkspaceCatalog
from dragoman.contracts import events as ev
from dragoman.contracts.answer import PREVIEW_ROWS, AnswerObject, Cell, CellType, Column, EvidenceItem
from dragoman.contracts.errors import DragomanError, WorkspaceError
from dragoman.contracts.program import Program, Statement
from dragoman.contracts.query import Query, ReadLimits, Value
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ValueType
from dragoman.contracts.state import (
    READING,
    CandidateScope,
    ClarificationState,
    RootFrameState,
    SuspendedTarget,
)
from dragoman.contracts.turn_result import ResultRows
from dragoman.contracts.vocabulary import (
    AnswerMode,
    ClarificationKind,
    EvidenceSource,
    FrameStatus,
    ResumeFrame,
    TransitionClass,
)
from dragoman.databases.connections import open_connection, resolve
from dragoman.language.catalog import text_of
from dragoman.language.source import Source
from dragoman.language.verbs.printer import print_program
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.planning.anchors import Refusal
from dragoman.planning.table_talk import Decision, Proposal, named_offer
from dragoman.planning.tables.weighing import weights
from dragoman.tables.verbs import NUMBERS

LIMITS = ReadLimits(rows=100_000, seconds=30.0)
UNSURE = "unsure"


class TableResult(Record, frozen=True):
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    checked: bool
    truncated: bool
    inferred: tuple[str, ...]
    evidence: tuple[EvidenceItem, ...]


def answer_proposal(scene: Scene, proposal: Proposal) -> Conclusion:
    if proposal.failure:
        said = scene.phrases.say("failed_run", problem=proposal.problem)
        return moves.boundary(scene, proposal.failure, said)
    best = proposal.best
    if best is None or proposal.decision is Decision.REFUSE:
        words = proposal.uncovered
        return moves.refuse(scene, Refusal("uncovered_words" if words else "no_reading", words))
    if proposal.decision is Decision.ASK:
        if not _agree(scene, proposal):
            return _offer(scene, proposal)
        rule = "take: the readings near the best give the same rows, and together they are sure"
        scene.draft.note(ev.ReadingsWeighed((), rule))
    return answer_statement(scene, best.statement, unsure=proposal.decision is Decision.GUESS)


def _agree(scene: Scene, proposal: Proposal) -> bool:
    """Whether it makes no difference which of the offered readings is meant: the best and others, which are
    sure together, give the same rows."""
    best, *others = proposal.readings
    wanted = weights().confident
    if sum(reading.score for reading in proposal.readings) < wanted:
        return False
    workspace = scene.catalog.workspace
    try:
        first = _sorted(_read(workspace, best.statement, ""))
        same = [r.score for r in others if _sorted(_read(workspace, r.statement, "")) == first]
    except DragomanError:
        return False
    return best.score + sum(same) >= wanted


def _sorted(result: TableResult) -> list[tuple[str, ...]]:
    return sorted(tuple(repr(cell) for cell in row) for row in result.rows)


def answer_choice(scene: Scene) -> Conclusion:
    """T7 on offered readings: the one that was picked, by its place or by its words."""
    pending = scene.continuity.clarification
    offered = pending.candidate_scopes if pending is not None else ()
    picked = _picked(scene, offered)
    if picked is None or pending is None:
        events = (ev.CheckpointTaken(),)
        said = scene.phrases.say("did_not_understand", question=scene.wording.readings(offered))
        return Conclusion(TransitionClass.T7, AnswerMode.CLARIFICATION_REQUIRED, said, events)
    statement = read_verbs(Source(picked.key)).statements[0]
    return answer_statement(scene, statement)


def answer_statement(
    scene: Scene, statement: Statement, *, unsure: bool = False, rerun: bool = False
) -> Conclusion:
    """Write, compile, run and answer one statement."""
    named = msgspec.structs.replace(statement, binds=statement.binds or statement.verb.replace(".", "-"))
    program: Program = (named,)
    source = print_program(program)
    domain = named.verb.rpartition(".")[0]
    draft = scene.draft
    if rerun:
        draft.note(ev.CheckpointTaken())
    else:
        faulty = write_program(scene, program, domain)
        if faulty is not None:
            return faulty
    run_id = draft.new_id()
    draft.note(ev.RunStarted(run_id))
    try:
        result = _read(scene.catalog.workspace, named, run_id)
    except DragomanError as failure:
        said = scene.phrases.say("failed_run", problem=failure.message)
        return moves.boundary(scene, failure.code, said, route=named.verb, source=source)
    draft.note(ev.RunFinished(run_id, ok=True, rows=len(result.rows)))
    draft.whole_result(ResultRows(result.columns, result.rows))
    answer = _answer(scene, program, result, unsure=unsure)
    found = Found(answer, scene.wording.answer(answer))
    if rerun:
        return found.conclusion(TransitionClass.X_RUN)
    root = RootFrameState(
        domain_id=domain,
        root_route_id=named.verb,
        organization_scope=None,
        date_scope=None,
        root_result_set_id=answer.result_set_id,
        root_answer_object_ref=answer.ref,
        frame_status=FrameStatus.ACTIVE,
    )
    entry = scene.routing.entry_class
    return found.conclusion(entry, (ev.RootFrameSet(root), *dropped(draft.before, entry)))


def _answer(scene: Scene, program: Program, result: TableResult, *, unsure: bool) -> AnswerObject:
    say = scene.phrases.say
    limits = {
        UNSURE: say("unsure") if unsure else "",
        "truncated": say("truncated", n=LIMITS.rows) if result.truncated else "",
        "inferred_link": say("inferred_link", link=", ".join(result.inferred)) if result.inferred else "",
    }
    codes = tuple(code for code, text in limits.items() if text)
    notes = [text for text in limits.values() if text]
    if not result.checked and not result.truncated:
        notes.append(say("recount_differs"))
    return AnswerObject(
        ref=f"answer-{scene.index}",
        turn_index=scene.index,
        route=program[0].verb,
        gate=open_gate(codes, checked=result.checked),
        program=program,
        result_set_id=f"rows-{scene.index}",
        columns=result.columns,
        rows=result.rows[:PREVIEW_ROWS],
        row_count=len(result.rows),
        evidence=result.evidence,
        subject=subject_of(program[0]),
        note="; ".join(notes),
    )


def subject_of(statement: Statement) -> str:
    """The statement on one line, as a person reads it."""
    text = " ".join(print_program((msgspec.structs.replace(statement, binds=""),)).split())
    return text.removeprefix("(").removesuffix(")")


def _read(workspace: WorkspaceCatalog, statement: Statement, run_id: str) -> TableResult:
    """The rows, and the same query counted by the database."""
    read = read_for(workspace, statement)
    spec = workspace.connection_for(statement.verb, text_of(statement, "connection") or "")
    if spec is None:
        raise WorkspaceError(f"{statement.verb} has no database", hint="add it to connections.yaml")
    with open_connection(resolve(spec, workspace.folder), LIMITS) as reader:
        found = reader.read(read.query, LIMITS)
        # The SQL is our own, written from the statement; only its rows are counted here.
        counting = f"SELECT COUNT(*) FROM ({read.query.sql}) AS counted"  # noqa: S608
        counted = str(reader.read(Query(counting, read.query.parameters)).rows[0][0])
    rows = tuple(tuple(_cell(value) for value in row) for row in found.rows)
    source = f"{spec.name}#{run_id}"
    checked = not found.truncated and counted == str(len(rows))
    evidence = (
        EvidenceItem(EvidenceSource.DB, source, " ".join(read.query.sql.split()), 1.0),
        EvidenceItem(EvidenceSource.DB, f"{source}/recount", f"recounted {counted} rows", float(checked)),
    )
    names = read.names or tuple(column.name for column in found.columns)
    columns = tuple(
        Column(name, _type([row[place] for row in found.rows], read.types[place] if read.types else None))
        for place, name in enumerate(names)
    )
    return TableResult(columns, rows, checked, found.truncated, read.inferred, evidence)


def _cell(value: Value) -> Cell:
    match value:
        case None | str():
            return value
        case bool():
            return str(value).lower()
        case int():
            return value
        case float():
            return repr(value)
        case decimal.Decimal():
            return f"{value:f}"
        case dt.datetime() | dt.date() | dt.time():
            return value.isoformat()
        case bytes():
            return value.hex()
        case _:
            return str(value)


def _type(values: list[Value], declared: ValueType | None) -> CellType:
    """By what is there: a database may declare one thing and hold another. What is added up exactly comes as
    text of digits where the database has no such numbers."""
    kinds = {type(value) for value in values if value is not None}
    if declared in NUMBERS and kinds <= {int, float, decimal.Decimal, str} and all(map(_is_number, values)):
        return CellType.INTEGER if kinds <= {int} and declared is ValueType.INTEGER else CellType.DECIMAL
    if kinds and kinds <= {int}:
        return CellType.INTEGER
    if kinds and kinds <= {int, float, decimal.Decimal}:
        return CellType.DECIMAL
    return CellType.DATE if kinds and kinds <= {dt.date} else CellType.TEXT


def _is_number(value: Value) -> bool:
    if not isinstance(value, str):
        return True
    try:
        return decimal.Decimal(value).is_finite()
    except decimal.InvalidOperation:
        return False


def _offer(scene: Scene, proposal: Proposal) -> Conclusion:
    """A closed question over the readings that are close."""
    offered = tuple(
        CandidateScope(READING, print_program((r.statement,)), subject_of(r.statement))
        for r in proposal.readings
    )
    best = proposal.readings[0].statement
    clarification = ClarificationState(
        clarification_kind=ClarificationKind.AMBIGUOUS,
        missing_anchors=(READING,),
        candidate_scopes=offered,
        resume_target_route=best.verb,
        resume_target_frame=SuspendedTarget(ResumeFrame.ROOT, scene.routing.entry_class),
    )
    events = (
        ev.CheckpointTaken(),
        ev.IntentCaptured(best.verb, best.verb.rpartition(".")[0], ()),
        ev.ClarificationAsked(clarification, intent=True),
    )
    said = scene.wording.readings(offered)
    return Conclusion(scene.routing.entry_class, AnswerMode.CLARIFICATION_REQUIRED, said, events)


def _picked(scene: Scene, offered: tuple[CandidateScope, ...]) -> CandidateScope | None:
    text = scene.text.strip().rstrip(".)").casefold()
    if text.isdecimal() and 1 <= int(text) <= len(offered):
        return offered[int(text) - 1]
    for pick in scene.reading.picks[:1] if not scene.reading.uncovered else ():
        place = pick.place - 1 if pick.place > 0 else len(offered) + pick.place
        if pick.largest is None and 0 <= place < len(offered):
            return offered[place]
    return named_offer(text, offered)
