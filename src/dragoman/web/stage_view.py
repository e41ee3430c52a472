"""A stage of a turn as it is told: what happened, and where the program stands by it.

What is told may still be taken back, and a draft that is not let out is told to nobody. So an event is not
sent as it is stored: each kind says what a page can show of it.
"""

from collections.abc import Iterable
from typing import Any, Final

from dragoman.contracts import events as ev
from dragoman.contracts.run import RunEvent, StepBegun, StepEnded, StepProgress
from dragoman.contracts.vocabulary import Lifecycle
from dragoman.web.shape import Document
from dragoman.web.state_view import TAGS, compiler_error
from dragoman.workspace.turn_stages import TurnStage

END: Final = "end"


class StageTold(Document):
    """The data of the event `stage`."""

    turn: int
    number: int
    kind: str
    session_state: str
    detail: dict[str, Any]


class Dropped(Document):
    """The data of the event `dropped`: what was told under these numbers is not so. `reason` is the code of
    an error, `taken_back` where the turn ended at a boundary, `interrupted` where its server was lost."""

    turn: int
    numbers: list[int]
    reason: str


class RunTold(Document):
    """The data of the event `run`: how far a step of the pipeline is that this turn runs."""

    run_id: str
    step: str
    state: str
    rows: int | None


class TextTold(Document):
    """The data of the event `text`: a piece of what a model is writing."""

    attempt: int
    text: str


def told(stage: TurnStage) -> StageTold:
    ended = isinstance(stage.event, ev.SessionCancelled) and Lifecycle.CANCELLED
    return StageTold(
        turn=stage.turn,
        number=stage.number,
        kind=stage.kind,
        session_state="Cancelled" if ended else TAGS[stage.phase],
        detail=_detail(stage.event),
    )


def run_told(event: RunEvent) -> RunTold | None:
    """What a page shows of a run while it goes on; None where that is nothing."""
    match event:
        case StepBegun(run=run, step=step):
            return RunTold(run_id=run, step=step, state="running", rows=None)
        case StepProgress(run=run, step=step, rows=rows):
            return RunTold(run_id=run, step=step, state="running", rows=rows)
        case StepEnded(run=run, step=step, state=state, rows=rows):
            return RunTold(run_id=run, step=step, state=state.value, rows=rows)
        case _:
            return None


def _detail(event: ev.SessionEvent) -> dict[str, Any]:
    match event:
        case ev.TurnOpened(trace_id=trace_id):
            return {"trace_id": trace_id}
        case ev.MessageRead(language=language):
            return {"language": language}
        case ev.TurnRouted(entry_class=entry, reason=reason):
            return {"transition": entry.value, "rule": reason.rule}
        case ev.IntentCaptured(route=route):
            return {"route": route}
        case ev.DiscoveryDone(connection=connection, tables=tables):
            return {"connection": connection, "tables": tables}
        case (
            ev.OmlSynthesisComplete(notation=notation, source=source)
            | ev.ProgramEdited(notation=notation, source=source)
        ):
            return {"notation": notation.value, "dsl_source": source}
        case ev.SchemaGuardPass(stage=stage):
            return {"stage": stage.value}
        case ev.SchemaGuardFail(stage=stage, diagnostics=found, final=final):
            errors = [compiler_error(each).model_dump() for each in found]
            return {"stage": stage.value, "errors": errors, "final": final}
        case ev.RegenerationAttempt(attempt=attempt):
            return {"attempt": attempt}
        case ev.RefsUnresolved(refs=refs):
            return {"names": [each.search_value for each in refs]}
        case ev.RunStarted(run_id=run_id):
            return {"run_id": run_id}
        case ev.RunFinished(run_id=run_id, ok=ok, rows=rows, error_code=code):
            return {"run_id": run_id, "ok": ok, "rows": rows, "code": code}
        case _:
            return {}


def message(event: str, data: Document | str, event_id: str = "") -> bytes:
    """One event of a stream. JSON has no line breaks of its own."""
    text = data if isinstance(data, str) else data.model_dump_json()
    head = f"id: {event_id}\n" if event_id else ""
    return f"{head}event: {event}\ndata: {text}\n\n".encode()


def stage_message(stage: TurnStage) -> bytes:
    return message("stage", told(stage), stage_id(stage))


def stage_id(stage: TurnStage) -> str:
    """It tells all that was heard before it: whoever shows it can be told the rest, by any server."""
    return f"{stage.turn}-{stage.number}-{stage.digest}"


def missing(heard: Iterable[TurnStage], recorded: Iterable[TurnStage]) -> list[int]:
    """The numbers of what was told and is not on record. What is on record was told in that order."""
    left = iter(recorded)
    following = next(left, None)
    numbers: list[int] = []
    for stage in heard:
        if following is not None and stage.event == following.event:
            following = next(left, None)
        else:
            numbers.append(stage.number)
    return numbers
