"""The corridor of a turn: read → route → plan → write → compile → run → gate → answer → guard → record.

Read this first. A turn is one declared transition of one immutable state: it is opened in the store, every
stage adds events, and all of them are judged and recorded at once, or none.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from dragoman.answering import extending, moves, pack_turns, resolving_turns, table_turns
from dragoman.answering.draft import Conclusion, Draft
from dragoman.answering.extending import Runners
from dragoman.answering.phrasing import FALLBACK, phrases
from dragoman.answering.reporting import emitted_report
from dragoman.answering.scene import Scene
from dragoman.answering.weighing import weighed
from dragoman.catalog.pack_catalog import PackCatalog
from dragoman.contracts import events as ev
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.record import Record
from dragoman.contracts.state import SessionState
from dragoman.contracts.turn_result import ResultRows, TurnResult
from dragoman.contracts.vocabulary import ClarificationKind, Signal, TransitionClass
from dragoman.guards.message import accept_message
from dragoman.guards.secrets import scrubbed
from dragoman.planning.context import in_context
from dragoman.planning.hand_written import hand_written
from dragoman.planning.indexed_names import with_indexed_names
from dragoman.planning.narrowing import narrowed_reading
from dragoman.planning.relation import message_signals, opens_card, relate
from dragoman.planning.table_talk import (
    Proposal,
    TableTalk,
    asks_tables,
    offers_readings,
    prefers_tables,
    table_signals,
)
from dragoman.reading.cues import cued
from dragoman.reading.hangul_names import spelled
from dragoman.reading.languages import language_of
from dragoman.reading.message import Reader
from dragoman.reading.reading import Reading
from dragoman.reports.validation import OutputValidation
from dragoman.session.continuity import Continuity, resolve
from dragoman.session.journal import Journal, RepeatedTurn
from dragoman.session.log import Listener
from dragoman.session.results import result_of
from dragoman.session.routing import route

_SHOWN_TABLES = 30


class Road(Record, frozen=True, gc=True):
    """Everything a turn passes: where it is recorded, how messages are read, what can be looked up."""

    journal: Journal
    reader: Reader
    catalog: PackCatalog
    validation: OutputValidation
    runners: Runners = Runners()
    tables: TableTalk | None = None
    folder: Path | None = None
    """Where files may be written; nowhere in particular where it is not said."""


def take_turn(
    road: Road,
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
    text = scrubbed(accept_message(message))
    with road.journal.turn(
        session_id, text, client_key=client_key, expected_version=expected_version, wait_seconds=wait_seconds
    ) as turn:
        if isinstance(turn, RepeatedTurn):
            after = road.journal.state_at(session_id, turn.version)
            return result_of(session_id, turn.events, after, repeated=True)
        draft = Draft(turn, listeners, road.journal.sources.new_id, on_result)
        scene = _read(road, draft, text)
        conclusion = _conclude(road, session_id, scene)
        draft.conclude(conclusion, scene.routing, emitted_report(road.validation, turn.before, conclusion))
        after = turn.record(draft.events)
        return result_of(session_id, draft.events, after)


def _read(road: Road, draft: Draft, text: str) -> Scene:
    """Read the message, resolve what the session holds into one snapshot, and route."""
    today = road.journal.sources.now().date()
    continuity = resolve(draft.before)
    program = hand_written(text)
    proposal: Proposal | None = None
    if program is not None:
        reading = Reading(FALLBACK)
        own: tuple[Signal, ...] = (Signal.ESCAPE_EDIT,)
        signals = own
    else:
        understood = with_indexed_names(text, _understood(road, text), road.catalog)
        reading = in_context(text, cued(text, understood), continuity, road.catalog)
        reading = narrowed_reading(reading, draft.before, road.catalog)
        own = message_signals(reading, road.catalog)
        signals = relate(reading, continuity, road.catalog, today, _in_context(draft.before))
        if road.tables is not None and asks_tables(reading, signals, continuity, road.catalog):
            found = road.tables.propose(text, continuity)
            if prefers_tables(found, signals, continuity, road.catalog, text):
                proposal, signals = found, table_signals(found, continuity)
    draft.note(ev.MessageRead(reading.language, own, reading.uncovered))
    if proposal is not None:
        draft.note(weighed(proposal))
    routing = route(signals, continuity)
    draft.note(ev.TurnRouted(routing.entry_class, routing.carryover, routing.reason))
    language = phrases(_language(text, reading, continuity))
    return Scene(draft, text, reading, continuity, routing, road.catalog, language, today, program, proposal)


def _language(text: str, reading: Reading, continuity: Continuity) -> str:
    """The language to answer in: the message's, and where it has no letters that of the answer before."""
    before = continuity.last_answer
    if before is None or any(letter.isalpha() for letter in text):
        return reading.language
    return language_of(before.subject)


def _understood(road: Road, text: str) -> Reading:
    """The message as it is read; a name that nothing covers may be one written as it sounds."""
    reading = road.reader.read(text)
    written = spelled(text, reading.uncovered, road.catalog.entities) if reading.uncovered else text
    return reading if written == text else road.reader.read(written)


def _conclude(road: Road, session_id: str, scene: Scene) -> Conclusion:
    entry = scene.routing.entry_class
    if scene.proposal is not None:
        return table_turns.answer_proposal(scene, scene.proposal)
    match entry:
        case TransitionClass.T7 if _pending_kind(scene.continuity) is ClarificationKind.CONFIRM_RUN:
            return extending.confirmed(scene, road.runners)
        case TransitionClass.T7 if offers_readings(scene.continuity):
            return table_turns.answer_choice(scene)
        case TransitionClass.T1 if opens_card(scene.reading, scene.continuity, scene.catalog):
            return pack_turns.answer_request(scene, about_object=True)
        case TransitionClass.T1 | TransitionClass.T2 | TransitionClass.T6 | TransitionClass.T7:
            return pack_turns.answer_request(scene)
        case TransitionClass.T3 | TransitionClass.T4 | TransitionClass.T5:
            return pack_turns.answer_request(scene, about_object=True)
        case TransitionClass.T0:
            return moves.talk(scene, _what_there_is(road, scene))
        case TransitionClass.T8:
            return moves.about_answer(scene)
        case TransitionClass.T9:
            return moves.recapped(scene, _older(road, session_id, scene))
        case TransitionClass.T10:
            return moves.lacking(scene)
        case TransitionClass.X_CLEAR:
            return moves.clear(scene)
        case TransitionClass.X_CANCEL:
            return moves.cancel(scene)
        case TransitionClass.X_UNDO:
            return moves.undo(scene)
        case TransitionClass.X_EDIT:
            return moves.edit(scene)
        case TransitionClass.X_HELP:
            return moves.offer_help(scene)
        case TransitionClass.X_NONE:
            return moves.none_of_these(scene)
        case TransitionClass.X_SKIP:
            return resolving_turns.skip(scene)
        case TransitionClass.X_CREATE:
            return resolving_turns.create(scene)
        case TransitionClass.X_SEARCH:
            return resolving_turns.search(scene)
        case TransitionClass.X_EXTEND:
            return extending.extend(scene, road.folder)
        case TransitionClass.X_RUN if extending.asks_to_write(scene):
            return extending.ask_again(scene)
        case TransitionClass.X_RUN:
            in_hand = scene.draft.before.program.ast
            if road.tables is not None and len(in_hand) == 1 and road.tables.knows(in_hand[0].verb):
                return table_turns.answer_statement(scene, in_hand[0], rerun=True)
            return pack_turns.run_in_hand(scene)


def _pending_kind(continuity: Continuity) -> ClarificationKind | None:
    pending = continuity.clarification
    return pending.clarification_kind if pending is not None else None


def _what_there_is(road: Road, scene: Scene) -> str:
    if road.catalog.verbs or road.tables is None:
        return scene.wording.data_scope()
    return scene.phrases.say("data_tables", names=", ".join(road.tables.tables()[:_SHOWN_TABLES]))


def _in_context(state: SessionState) -> tuple[AnswerObject, ...]:
    answers = state.answers
    return tuple(answer for answer in answers.items if answer.turn_index >= answers.context_from)


def _older(road: Road, session_id: str, scene: Scene) -> tuple[AnswerObject, ...]:
    """The answers that have left the state, from their records."""
    answers = scene.draft.before.answers
    if answers.grounded_count <= sum(answer.grounded for answer in answers.items):
        return ()
    known = {answer.ref for answer in answers.items}
    found = [
        event.answer
        for events, _ in road.journal.history(session_id)
        for event in events
        if isinstance(event, ev.AnswerGiven) and event.answer.ref not in known
    ]
    return tuple(found)
