"""The turn through Dragoman: every stage says what it did as events, the journal judges and records them."""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from benchmarks.corridor import material
from dragoman.contracts import events as ev
from dragoman.contracts import program as pr
from dragoman.contracts.answer import (
    AnswerObject,
    CellType,
    Column,
    CoverageGateState,
    EvidenceItem,
    Figure,
)
from dragoman.contracts.state import DateScope, EntityRef, RootFrameState, SessionState
from dragoman.contracts.vocabulary import (
    AnswerMode,
    CarryoverDepth,
    CoverageStatus,
    EvidenceGrade,
    EvidenceSource,
    FrameStatus,
    GroundingStatus,
    Notation,
    Origin,
    Signal,
    Stage,
    TruthMode,
)
from dragoman.session.continuity import resolve
from dragoman.session.journal import Journal, LiveTurn
from dragoman.session.routing import Routing, route

MAKE_VALUE: Final[dict[str, Callable[[str], pr.Value]]] = {
    "symbol": pr.Symbol,
    "text": pr.Text,
    "int": lambda value: pr.Integer(int(value)),
    "date": lambda value: pr.Date(dt.date.fromisoformat(value)),
}

COLUMNS: Final = tuple(Column(name, CellType(kind)) for name, kind in material.COLUMNS)


class UnexpectedTurn(Exception):
    """The journal gave something other than a turn to take."""


@dataclass(slots=True)
class Turn:
    """A turn on its way through the stages: what it found, and what its stages have said so far."""

    number: int
    message: str
    before: SessionState
    events: list[ev.SessionEvent] = field(default_factory=list)


def take_turn(
    journal: Journal, session_id: str, number: int, *, mark: str = "", wait_seconds: float = 0.0
) -> SessionState:
    """Take turn `number` of a session, from the message to the record."""
    text = material.message(number, mark)
    with journal.turn(session_id, text, wait_seconds=wait_seconds) as live:
        if not isinstance(live, LiveTurn):
            raise UnexpectedTurn(str(live))
        return live.record(pass_through(Turn(number, text, live.before)))


def pass_through(turn: Turn) -> list[ev.SessionEvent]:
    """The ten stages, one after the other."""
    signals = read(turn)
    routing = take_route(turn, signals)
    asked = plan(turn, routing)
    program, ast = write(turn, asked)
    compile_program(turn, program)
    found = run(turn, asked)
    state = gate(turn)
    sum_of_all = material.total(found)
    text = answer(turn, asked, ast, found, sum_of_all, state)
    guard(text, found, sum_of_all)
    record(turn, routing, text)
    return turn.events


def read(turn: Turn) -> tuple[Signal, ...]:
    opens = turn.message.startswith(material.OPENING)
    signals = (Signal.REQUEST, Signal.OPENS_ROOT) if opens else (Signal.SHIFT, Signal.SAME_DOMAIN)
    turn.events.append(ev.MessageRead(language="en", signals=signals))
    return signals


def take_route(turn: Turn, signals: tuple[Signal, ...]) -> Routing:
    routing = route(signals, resolve(turn.before))
    turn.events.append(
        ev.TurnRouted(entry_class=routing.entry_class, carryover=routing.carryover, reason=routing.reason)
    )
    return routing


def plan(turn: Turn, routing: Routing) -> material.Period:
    asked = material.period(turn.number)
    key, name = material.ORGANIZATION
    carried = Origin.MESSAGE if routing.carryover is CarryoverDepth.NONE else Origin.ROOT_FRAME
    bindings = (
        pr.Binding("organization", pr.Text(key), carried, name),
        pr.Binding("from", pr.Date(dt.date.fromisoformat(asked.start)), Origin.MESSAGE),
        pr.Binding("to", pr.Date(dt.date.fromisoformat(asked.end)), Origin.MESSAGE),
        pr.Binding("by", pr.Text("customer"), Origin.MESSAGE),
        pr.Binding("rows", pr.Integer(8), Origin.MESSAGE),
    )
    turn.events.append(ev.CheckpointTaken())
    turn.events.append(ev.IntentCaptured(route=material.ROUTE, domain=material.DOMAIN, bindings=bindings))
    return asked


def write(turn: Turn, asked: material.Period) -> tuple[tuple[material.Statement, ...], pr.Program]:
    program = material.statements(asked)
    ast = tuple([_statement(statement) for statement in program])
    turn.events.append(ev.OmlSynthesisStart())
    turn.events.append(
        ev.OmlSynthesisComplete(notation=Notation.VERBS, source=material.source(asked), ast=ast)
    )
    return program, ast


def _statement(statement: material.Statement) -> pr.Statement:
    verb, arguments, binds = statement
    made = [pr.Argument(name, MAKE_VALUE[kind](value), display) for name, kind, value, display in arguments]
    return pr.Statement(verb, tuple(made), binds)


def compile_program(turn: Turn, program: tuple[material.Statement, ...]) -> None:
    steps = tuple([pr.PlanStep(name, verb, needs) for name, verb, needs in material.steps(program)])
    turn.events.append(ev.SchemaGuardPass(stage=Stage.SYNTAX))
    turn.events.append(ev.SchemaGuardPass(stage=Stage.SEMANTICS))
    turn.events.append(ev.CompileStart())
    turn.events.append(ev.CompileComplete(plan=pr.Plan(f"{turn.number:032x}", steps)))


def run(turn: Turn, asked: material.Period) -> tuple[material.Row, ...]:
    found = material.rows(turn.number, asked)
    turn.events.append(ev.RunStarted(run_id=f"run-{turn.number}"))
    turn.events.append(ev.RunFinished(run_id=f"run-{turn.number}", ok=True, rows=len(found)))
    return found


def gate(turn: Turn) -> CoverageGateState:
    state = CoverageGateState(
        coverage_status=CoverageStatus.FULL,
        evidence_grade=EvidenceGrade.CHECKED,
        grounding_status=GroundingStatus.GROUNDED,
        truth_mode=TruthMode.CONFIRMED,
        carryover_eligibility=CarryoverDepth.FULL,
        reason_codes=("coverage_full", "recounted_from_lines"),
    )
    turn.events.append(ev.GateComputed(gate=state))
    return state


def answer(
    turn: Turn,
    asked: material.Period,
    ast: pr.Program,
    found: tuple[material.Row, ...],
    sum_of_all: str,
    state: CoverageGateState,
) -> str:
    result = f"result-{turn.number}"
    given = AnswerObject(
        ref=f"answer-{turn.number}",
        turn_index=turn.before.version + 1,
        route=material.ROUTE,
        gate=state,
        program=ast,
        result_set_id=result,
        columns=COLUMNS,
        rows=found,
        row_count=len(found),
        figures=(Figure("revenue_total", sum_of_all), Figure("customers", str(len(found)))),
        evidence=(
            EvidenceItem(EvidenceSource.DB, f"{result}/query", material.QUERY, 1.0),
            EvidenceItem(EvidenceSource.DB, f"{result}/recount", material.RECOUNT, 1.0),
        ),
    )
    key, name = material.ORGANIZATION
    frame = RootFrameState(
        domain_id=material.DOMAIN,
        root_route_id=material.ROUTE,
        organization_scope=EntityRef("organization", key, name),
        date_scope=DateScope(dt.date.fromisoformat(asked.start), dt.date.fromisoformat(asked.end)),
        root_result_set_id=result,
        root_answer_object_ref=given.ref,
        frame_status=FrameStatus.ACTIVE,
    )
    turn.events.append(ev.RootFrameSet(frame=frame))
    turn.events.append(ev.AnswerGiven(answer=given))
    return material.answer_text(asked, found, sum_of_all)


def guard(text: str, found: tuple[material.Row, ...], sum_of_all: str) -> None:
    unsaid = material.unsaid(text, found, sum_of_all)
    if unsaid:
        raise UnexpectedTurn(f"amounts that the answer leaves out: {unsaid}")


def record(turn: Turn, routing: Routing, text: str) -> None:
    turn.events.append(
        ev.TurnClosed(
            outcome_class=routing.entry_class,
            carryover=routing.carryover,
            answer_mode=AnswerMode.CONFIRMED,
            message=text,
        )
    )
