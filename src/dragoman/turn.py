"""The corridor of a turn: read → propose → route → compile → run → gate → answer → guard → record.

Read this first. A turn is one declared transition of one immutable state: it is opened in the store, every
stage adds events, and all of them are judged and recorded at once, or none.
"""

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from dragoman.answering import answers
from dragoman.answering.boundaries import refuse
from dragoman.answering.context import TurnContext, begin
from dragoman.answering.draft import Conclusion, Draft
from dragoman.answering.effects import Runners
from dragoman.answering.phrasing import phrases
from dragoman.answering.programs import write_program
from dragoman.answering.steps import STEPS
from dragoman.answering.turn_report import guard
from dragoman.answering.writes import is_writing
from dragoman.catalog.catalog import Catalog
from dragoman.contracts import events as ev
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.record import Record
from dragoman.contracts.turn_result import ResultRows, TurnResult
from dragoman.contracts.vocabulary import Move, TransitionClass
from dragoman.guards.accepted import accepted_message
from dragoman.planning.chooser import choose
from dragoman.planning.contract import Asked, Planner, Proposal, Refusal
from dragoman.planning.packs.root_request import request_of
from dragoman.reading.languages import language_of
from dragoman.reading.message import Reader
from dragoman.reports.validation import OutputValidation
from dragoman.session.continuity import resolve
from dragoman.session.journal import Journal, LiveTurn, RepeatedTurn
from dragoman.session.log import Listener, SessionLog
from dragoman.session.moves import move_of
from dragoman.session.results import result_of
from dragoman.session.routing import Routing, route


class TurnServices(Record, frozen=True, gc=True):
    """What turns are taken with: where they are recorded, how messages are read, who proposes, what runs."""

    journal: Journal
    reader: Reader
    planners: tuple[Planner, ...]
    catalog: Catalog
    validation: OutputValidation
    runners: Runners = Runners()
    log: SessionLog | None = None
    folder: Path | None = None
    """Where files may be written; nowhere in particular where it is not said."""


def take_turn(
    services: TurnServices,
    session_id: str,
    message: str | bytes,
    *,
    client_key: str | None = None,
    expected_version: int | None = None,
    wait_seconds: float = 0.0,
    listeners: Sequence[Listener] = (),
    on_result: Callable[[ResultRows], None] | None = None,
) -> TurnResult:
    """Take one turn of a session and say what came of it.

    The same `client_key` sent again gives the first turn's result and does nothing. A secret in the message
    is left out before anything is made of it: no event, log or answer can repeat what it never had.
    """
    text = accepted_message(message)
    with services.journal.turn(
        session_id, text, client_key=client_key, expected_version=expected_version, wait_seconds=wait_seconds
    ) as turn:
        if isinstance(turn, RepeatedTurn):
            after = services.journal.state_at(session_id, turn.version)
            return result_of(session_id, turn.events, after, repeated=True)
        draft = Draft(turn, listeners, services.journal.sources.new_id, on_result)
        asked = _read(services, turn, text)
        proposal = choose(services.planners, asked)
        routing = route(proposal.signals, asked.continuity)
        context = _context(services, session_id, draft, asked, proposal, routing)
        conclusion = _conclude(context)
        guard(context, conclusion, services.validation)
        after = turn.record(draft.events, services.log)
        return result_of(session_id, draft.events, after)


def _read(services: TurnServices, turn: LiveTurn, text: str) -> Asked:
    """The message, read once for every planner, and the session as one snapshot."""
    before = turn.before
    continuity = resolve(before)
    read = services.reader.read_message(text, before, continuity)
    # Today is the day on which the turn was opened: its record says which that was.
    today = dt.datetime.fromisoformat(turn.opened.at).date()
    return Asked(text, read.reading, continuity, before, services.catalog, today, read.signals, read.written)


def _conclude(context: TurnContext) -> Conclusion:
    """Make the move of the class. Two of them run a program; the others change what the session holds."""
    entry, pending = context.routing.entry_class, context.continuity.clarification
    runs = entry is TransitionClass.X_RUN
    writes = runs and is_writing(context.before.program.ast, context.catalog)
    match move_of(entry, pending, writes=writes):
        case Move.ANSWER:
            return _answer(context)
        case Move.RUN:
            return _run_in_hand(context)
        case move:
            return STEPS[move](context)


def _answer(context: TurnContext) -> Conclusion:
    """The chosen program, stage by stage. A stage that cannot go on ends the turn."""
    chosen = answers.settle(context)
    if isinstance(chosen, Conclusion):
        return chosen
    faulty = write_program(context, chosen)
    if faulty is not None:
        return faulty
    result = answers.run(context, chosen.program, chosen.request)
    if isinstance(result, Conclusion):
        return result
    return answers.answer(context, result, answers.gate(context, result))


def _run_in_hand(context: TurnContext) -> Conclusion:
    """X_RUN: the program as it stands in the editor, which the compiler has passed."""
    program = context.before.program.ast
    request = request_of(program, context.catalog)
    if isinstance(request, Refusal):
        return refuse(context, request)
    context.draft.note(ev.CheckpointTaken())
    result = answers.run(context, program, request)
    if isinstance(result, Conclusion):
        return result
    return answers.answer(context, result, answers.gate(context, result), again=True)


def _context(
    services: TurnServices, session_id: str, draft: Draft, asked: Asked, proposal: Proposal, routing: Routing
) -> TurnContext:
    def earlier() -> Iterator[AnswerObject]:
        for events, _ in services.journal.history(session_id):
            yield from (event.answer for event in events if isinstance(event, ev.AnswerGiven))

    return begin(
        draft,
        asked,
        proposal,
        routing,
        phrases(_language(asked)),
        runners=services.runners,
        folder=services.folder,
        earlier=earlier,
    )


def _language(asked: Asked) -> str:
    """The language to answer in: the message's, and where it has no letters that of the answer before."""
    before = asked.continuity.last_answer
    if before is None or any(letter.isalpha() for letter in asked.text):
        return asked.reading.language
    return language_of(before.subject)
