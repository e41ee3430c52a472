"""`dragoman replay` and `dragoman why`: verify a session, and explain a turn."""

import click

from dragoman.cli.display import show_json, show_turn
from dragoman.cli.failures import printable
from dragoman.cli.options import json_option, workspace_options
from dragoman.cli.sql import show_sql
from dragoman.contracts import events as ev
from dragoman.contracts.readings import RivalResult, WeighedReading
from dragoman.contracts.turn_result import TurnResult
from dragoman.workspace import Workspace
from dragoman.workspace.text import counted, described, print_value


@click.command()
@click.argument("session_id", metavar="ID")
@workspace_options
@json_option
def replay(session_id: str, workspace: str, store: str | None, as_json: bool) -> None:
    """Replay session ID from its first record and compare the state with the stored one, byte for byte."""
    with Workspace.open(workspace, store=store, create=False) as opened:
        again = opened.replay(session_id)
    if as_json:
        show_json(
            {"ok": True, **{f: getattr(again, f) for f in ("session_id", "records", "events", "digest")}}
        )
        return
    click.echo(
        f"{again.session_id}: {again.records} records, {again.events} events fold to the stored state; "
        f"digest {again.digest}"
    )


@click.command()
@click.argument("session_id", metavar="ID")
@click.argument("turn", type=int)
@click.option("--sql", "only_sql", is_flag=True, help="Show only the SQL behind the answer.")
@workspace_options
@json_option
def why(session_id: str, turn: int, only_sql: bool, workspace: str, store: str | None, as_json: bool) -> None:
    """Explain turn TURN of session ID: what was noticed, weighed, bound, edited and refused."""
    with Workspace.open(workspace, store=store, create=False) as opened:
        if only_sql:
            show_sql(opened, session_id, turn, as_json=as_json)
            return
        events, result = opened.turn_events(session_id, turn), opened.turn_result(session_id, turn)
    if as_json:
        show_json({"result": result, "events": events})
        return
    explain(events, result)


def _say(text: str) -> None:
    """Everything here may come from an imported file."""
    click.echo(printable(text))


def _explain_reading(reading: WeighedReading) -> None:
    _say(f"  {reading.score:.2f}  {reading.text or reading.program}")
    if reading.text and reading.text != reading.program:
        _say(f"        {reading.program}")
    if reading.uncovered:
        _say(f"        nothing accounts for {', '.join(reading.uncovered)}")
    for note in reading.notes:
        _say(f"        {note}")


def _explain_weighing(event: ev.ReadingsWeighed | ev.RivalsRun | ev.ReadingReviewed) -> None:
    match event:
        case ev.ReadingsWeighed(readings=readings, rule=rule):
            _say(f"readings, {rule}")
            for reading in readings:
                _explain_reading(reading)
        case ev.RivalsRun(results=results):
            for result in results:
                _say(f"  ran {result.program}: {_outcome(result)}")
        case ev.ReadingReviewed():
            _explain_review(event)


def _outcome(result: RivalResult) -> str:
    if result.problem:
        return f"failed, {result.problem}"
    return f"{counted(result.rows, 'row')}, {'the same' if result.same else 'others'}"


def _explain_review(review: ev.ReadingReviewed) -> None:
    if not review.objections:
        _say(f"second reader: no objection to {review.program}")
    for objection in review.objections:
        about = objection.sentence or ", ".join(objection.words)
        _say(f"second reader objects to {review.program}: {objection.code}: {about}")


def _explain_model(event: ev.ModelAsked | ev.QuestionRefused | ev.EmptyLlmResponse) -> None:
    match event:
        case ev.ModelAsked(outcome=outcome, tries=tries, problem=problem):
            asked = ", ".join(f"{each.provider} {each.code or 'answered'}" for each in tries)
            tokens = counted(event.input_tokens + event.output_tokens, "token")
            why = f": {problem}" if problem else ""
            role = f" as the {event.role}" if event.role else ""
            _say(f"a language model was asked{role} ({asked}; {tokens}), outcome {outcome}{why}")
        case ev.QuestionRefused(question=question):
            _say(f"the model's open question was dropped: {question}")
        case ev.EmptyLlmResponse(provider=provider):
            _say(f"the model of {provider} answered with nothing")


def _explain_routing(routed: ev.TurnRouted) -> None:
    reason = routed.reason
    _say(f"noticed: {', '.join(reason.signals) or 'nothing'}")
    for weighed in reason.weighed:
        lacks = f"lacks {', '.join(weighed.missing)}" if weighed.missing else "fits"
        _say(f"  weighed {weighed.transition}: {lacks}")
    _say(f"entered as {routed.entry_class}, carrying {routed.carryover}, because {reason.rule}")


def _explain_end(event: ev.SessionEvent) -> None:
    match event:
        case ev.AttemptRefused(code=code):
            _say(f"refused: {code}")
        case ev.QuestionDropped(question=question, why=why):
            asked = f"{question.clarification_kind} of {question.resume_target_route}"
            _say(f"the open question was dropped ({asked}): {why}")
        case ev.RunFinished(run_id=run_id, ok=False, error_code=code):
            _say(f"run {run_id} failed: {code}")
        case ev.TurnAbandoned() | ev.TurnSettled():
            _say("the process that took this turn was gone before it was recorded")
        case ev.SessionClosed():
            _say("the session was closed")
        case _:
            return


def _explain_decision(event: ev.TurnRouted | ev.PlanMade | ev.DraftJudged) -> None:
    match event:
        case ev.TurnRouted():
            _explain_routing(event)
        case ev.PlanMade(plan=plan, track=track, route_reason=reason):
            _say(f"plan: {plan.request_type} on {track}, {reason}")
        case ev.DraftJudged(track=track, report=report):
            why = f": {', '.join(report.reasons)}" if report.reasons else ""
            then = f", {', '.join(report.required_actions)}" if report.required_actions else ""
            _say(f"guardian on {track}: {report.verdict}{why}{then}")


def explain(events: list[ev.SessionEvent], result: TurnResult) -> None:
    for event in events:
        match event:
            case ev.TurnOpened(message=message, at=at):
                click.secho(f"> {printable(message)}", bold=True)
                _say(f"taken at {at}")
            case ev.ReadingsWeighed() | ev.RivalsRun() | ev.ReadingReviewed():
                _explain_weighing(event)
            case ev.MessageRead(language=language, uncovered=uncovered):
                _say(f"read as {language}")
                if uncovered:
                    _say(f"nothing covers: {', '.join(map(printable, uncovered))}")
            case ev.TurnRouted() | ev.PlanMade() | ev.DraftJudged():
                _explain_decision(event)
            case ev.ModelAsked() | ev.QuestionRefused() | ev.EmptyLlmResponse():
                _explain_model(event)
            case ev.IntentCaptured(route=route, bindings=bindings):
                _say(f"understood as {route}")
                for binding in bindings:
                    name = binding.display or print_value(binding.value)
                    _say(f"  {binding.name} = {printable(name)} (from {binding.origin})")
            case ev.OmlSynthesisComplete(edits=edits):
                for edit in edits:
                    _say(f"  edit {described(edit)}")
            case ev.AttemptKept(attempt=attempt) if attempt.program:
                _say("kept as an attempt: a follow-up on it is asked about")
            case _:
                _explain_end(event)
    show_turn(result)
