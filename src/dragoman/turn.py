"""The corridor of a turn: read → propose → object → route → compile → run → gate → answer → guard → record.

Read this first. A turn is one declared transition of one immutable state. It is opened in the store, every
stage adds events, and at the end all events are judged and recorded at once, or none of them.
"""

import datetime as dt
import os
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from dragoman.answering import answers
from dragoman.answering.boundaries import refuse
from dragoman.answering.context import TurnContext, begin
from dragoman.answering.draft import Conclusion, Draft
from dragoman.answering.effects import Runners
from dragoman.answering.phrases import phrases
from dragoman.answering.programs import write_program
from dragoman.answering.resolving import skipped_names
from dragoman.answering.roles.road import by_roles
from dragoman.answering.roles.turn_stages import Roles, TurnStages
from dragoman.answering.several_reads import run_each, several_reads
from dragoman.answering.steps import STEPS
from dragoman.answering.turn_report import guard
from dragoman.answering.write_questions import is_writing
from dragoman.catalog.catalog import Catalog
from dragoman.contracts import events as ev
from dragoman.contracts.actions import Action
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import QueryCancelled, TurnCancelled
from dragoman.contracts.record import Record
from dragoman.contracts.turn_result import ResultRows, TurnResult
from dragoman.contracts.vocabulary import Move, TransitionClass
from dragoman.guards.accepted import accepted_message
from dragoman.language.parameters import steps_of
from dragoman.planning.action_planner import planners_of
from dragoman.planning.contract import Asked, Objector, Planner, Refusal
from dragoman.planning.examination import Examined, propose
from dragoman.planning.packs.root_request import request_of
from dragoman.planning.sql.sql_planner import SqlPlanner
from dragoman.reading.acted import acted
from dragoman.reading.message import Reader
from dragoman.reports.validation import OutputValidation
from dragoman.session.continuity import resolve
from dragoman.session.journal import Journal, LiveTurn, RepeatedTurn
from dragoman.session.log import Listener, SessionLog
from dragoman.session.moves import move_of
from dragoman.session.results import result_of
from dragoman.session.routing import Routing, route


class TurnServices(Record, frozen=True, gc=True):
    """Everything a turn needs: where it is recorded, how messages are read, who proposes, what runs."""

    journal: Journal
    reader: Reader
    planners: tuple[Planner, ...]
    catalog: Catalog
    validation: OutputValidation
    objector: Objector | None = None
    """Who objects to what a planner would answer; nobody where there is none."""
    last: Planner | None = None
    """Who is asked when it is known what the planners propose: a model, where there is one."""
    objects_to_certain: bool = False
    """Whether it is asked about certain proposals too, a pack's for example."""
    runners: Runners = Runners()
    log: SessionLog | None = None
    folder: Path | None = None
    """The folder that written files must stay in; None where there is no folder to check against."""
    suggested: Callable[[], tuple[str, ...]] = tuple
    """Questions that work on the database, for whoever asks for help."""
    roles: Roles = Roles()
    clock: Callable[[], float] = time.perf_counter
    """What the stages of a turn are timed with."""

    def of_sql(self) -> "TurnServices":
        """The same for messages that are SQL, and are never read as words."""
        return replace(self, planners=(SqlPlanner(strict=True),), objector=None, last=None)


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
    cancel: Cancellation | None = None,
    connection: str = "",
    action: Action | None = None,
) -> TurnResult:
    """Take one turn of a session and return its result.

    `connection` names the only database that is asked, unless the message names one itself.
    Sending the same `client_key` again returns the first turn's result and does nothing. Secrets are removed
    from the message before anything else sees it: no event, log or answer can repeat what it never had.
    `cancel` stops what the turn reads or runs; a turn that has changed nothing outside is then abandoned,
    which raises `TurnCancelled`. An `action` is done instead of reading the message, which says it for the
    record.
    """
    clock, began = services.clock, services.clock()
    text = accepted_message(message)
    with services.journal.turn(
        session_id, text, client_key=client_key, expected_version=expected_version, wait_seconds=wait_seconds
    ) as turn:
        if isinstance(turn, RepeatedTurn):
            after = services.journal.state_at(session_id, turn.version)
            return result_of(session_id, turn.events, after, repeated=True)
        passed = {"open": clock()}
        draft = Draft(turn, listeners, services.journal.sources.new_id, on_result)
        asked = replace(_read(services, turn, text, connection, action), cancel=cancel, tell=draft.heard)
        passed["read"] = clock()
        # Planners propose before the turn is routed. Whether "and for April?" is a follow-up depends on what
        # it can mean, and only a planner knows that; routing first meant guessing, and correcting the guess
        # later. What wins is held against the message before it is an answer: a planner is eager, and a
        # second reader may object.
        _refuse_cancelled(cancel)
        examined = _propose(services, asked, action)
        # The pack planner has routed its own signals already, to know which anchors it may carry. Routing is
        # a pure function of signals and snapshot, so asking again cannot disagree.
        routing = route(examined.proposal.signals, asked.continuity)
        _refuse_cancelled(cancel)
        stages = partial(TurnStages, services.roles, clock, began, passed)
        context = _context(services, session_id, draft, asked, examined, routing, stages, cancel)
        try:
            concluded = _conclude(context)
        except QueryCancelled as error:
            raise _cancelled() from error
        guard(context, concluded, services.validation)
        # One commit for everything. Until here the store holds only the message, so a crash leaves an open
        # turn that the next opener settles, never half a turn.
        after = turn.record(draft.events, services.log, draft.tried)
        return result_of(session_id, draft.events, after)


def _read(services: TurnServices, turn: LiveTurn, text: str, connection: str, action: Action | None) -> Asked:
    """The message, read once for every planner, and the session as one snapshot."""
    before = turn.before
    continuity = resolve(before)
    if action is None:
        read = services.reader.read_message(text, before, continuity, connection)
    else:
        read = acted(action, text, before.turn.language, services.catalog.anchor)
    # Today is the day on which the turn was opened: its record says which that was.
    today = dt.datetime.fromisoformat(turn.opened.at).date()
    said, catalog = read.text, services.catalog
    return Asked(said, read.reading, continuity, before, catalog, today, read.signals, text, read.written)


def _propose(services: TurnServices, asked: Asked, action: Action | None) -> Examined:
    return propose(
        services.planners if action is None else planners_of(action, services.planners),
        asked,
        services.objector,
        spares_certain=not services.objects_to_certain,
        last=services.last,
    )


def _conclude(context: TurnContext) -> Conclusion:
    """Make the move of the class. Two of them run a program; the others change what the session holds."""
    entry, pending = context.routing.entry_class, context.continuity.clarification
    # Only X_RUN runs whatever is in hand, so only there it matters whether that writes. Every other class
    # either proposes a read or asks for a yes first.
    runs = entry is TransitionClass.X_RUN
    writes = runs and is_writing(context.before.program.ast, context.catalog)
    resolving = context.continuity.resolving is not None
    match move_of(entry, pending, writes=writes, resolving=resolving):
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
    # From here on the roles have it: what was found is drafted, and the guardian decides whether the draft
    # goes out, what the next try does otherwise, or how the turn ends.
    return by_roles(
        context, context.plan, partial(answers.looked_up, context, chosen.program, chosen.request)
    )


def _run_in_hand(context: TurnContext) -> Conclusion:
    """X_RUN: the program as it stands in the editor, which the compiler has passed."""
    # The head of a pipeline says how it is called and what its parameters are; what runs are its steps.
    program = steps_of(context.before.program.ast, os.environ)
    left_out = skipped_names(context.before.program)
    request = request_of(program, context.catalog)
    each = several_reads(program, context.catalog) if isinstance(request, Refusal) else ()
    if isinstance(request, Refusal) and not each:
        return refuse(context, request)
    # No write_program here: the text in hand was compiled when it was edited, restored or written, and
    # running it must not change it.
    context.draft.note(ev.CheckpointTaken())
    if each or isinstance(request, Refusal):
        return by_roles(context, context.plan, partial(run_each, context, each, left_out))
    look = partial(answers.looked_up, context, program, request, left_out, again=True)
    return by_roles(context, context.plan, look)


def _context(
    services: TurnServices,
    session_id: str,
    draft: Draft,
    asked: Asked,
    examined: Examined,
    routing: Routing,
    stages: Callable[[], TurnStages],
    cancel: Cancellation | None,
) -> TurnContext:
    def earlier() -> Iterator[AnswerObject]:
        for events, _ in services.journal.history(session_id):
            yield from (event.answer for event in events if isinstance(event, ev.AnswerGiven))

    return begin(
        draft,
        asked,
        examined,
        routing,
        phrases(asked.reading.language),
        stages,
        runners=services.runners,
        folder=services.folder,
        earlier=earlier,
        cancel=cancel,
        suggested=services.suggested,
    )


def _refuse_cancelled(cancel: Cancellation | None) -> None:
    if cancel is not None and cancel.cancelled:
        raise _cancelled()


def _cancelled() -> TurnCancelled:
    return TurnCancelled("the turn was cancelled", hint="nothing changed; ask again")
