"""Which actions a session accepts where it stands. It is asked before a turn: a refusal leaves no trace."""

from collections.abc import Iterator, Mapping
from typing import Final

from dragoman.answering.resolutions import maker_of
from dragoman.catalog.catalog import Catalog
from dragoman.contracts.actions import (
    Action,
    Choose,
    Confirm,
    Edit,
    Escape,
    EscapeAction,
    Resolve,
    Search,
    SelectRow,
)
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.errors import ActionRefused, MatchUnknown, ReferenceSettled, ReferenceUnknown
from dragoman.contracts.resolution import Reference
from dragoman.contracts.state import SessionState
from dragoman.contracts.vocabulary import Lifecycle, Prior, TransitionClass
from dragoman.session.continuity import resolve
from dragoman.session.registry import BY_CLASS

T = TransitionClass

_CLASSES: Final[Mapping[Escape, TransitionClass]] = {
    Escape.CLEAR: T.X_CLEAR,
    Escape.UNDO: T.X_UNDO,
    Escape.CANCEL: T.X_CANCEL,
    Escape.HELP: T.X_HELP,
    Escape.SKIP: T.X_SKIP,
    Escape.CREATE_NEW: T.X_CREATE,
    Escape.SEARCH_AGAIN: T.X_SEARCH,
    Escape.NONE_OF_THESE: T.X_NONE,
    Escape.RUN: T.X_RUN,
}
_OFFERED: Final[Mapping[EscapeAction, Escape | None]] = {
    EscapeAction.CLEAR: Escape.CLEAR,
    EscapeAction.UNDO: Escape.UNDO,
    EscapeAction.CANCEL: Escape.CANCEL,
    EscapeAction.SKIP: Escape.SKIP,
    EscapeAction.CREATE_NEW: Escape.CREATE_NEW,
    EscapeAction.EDIT: None,
}
"""How each is done; an edit brings a program with it."""


def available_actions(state: SessionState, catalog: Catalog) -> tuple[EscapeAction, ...]:
    """The escape actions that the state accepts: those whose class has everything that it needs."""
    if state.lifecycle is not Lifecycle.OPEN:
        return ()
    return tuple(
        action
        for action, escape in _OFFERED.items()
        if escape is None or not any(_lacking(escape, state, catalog))
    )


def can_run(state: SessionState) -> bool:
    """Whether the program in hand may be run now."""
    return state.lifecycle is Lifecycle.OPEN and Prior.READY in resolve(state).priors


def accept_action(action: Action, state: SessionState, catalog: Catalog) -> None:
    """Raise unless the session accepts the action. That one has ended is said when the turn is taken."""
    if state.lifecycle is not Lifecycle.OPEN:
        return
    match action:
        case Escape():
            lacking = next(_lacking(action, state, catalog), "")
            if lacking:
                raise _refused(str(action), lacking)
        case Confirm() | Choose():
            _accept_answer(action, state)
        case SelectRow(row=row, result_set=result_set):
            _accept_row(row, result_set, state)
        case Resolve(ref_id=ref_id, entity_id=key):
            kind = _open(ref_id, state).ref.entity_type
            if catalog.entity_name(kind, key) is None:
                raise MatchUnknown(
                    f"no {kind} has the key {key[:60]!r}", hint="search for it: its key is shown"
                )
        case Search(ref_id=ref_id):
            _open(ref_id, state)
        case Edit():
            return


def result_in_hand(state: SessionState, result_set: str) -> AnswerObject | None:
    """The answer with that result, where a row of it may be picked."""
    found = resolve(state)
    for answer in (found.root_answer, found.last_found, found.last_answer):
        if answer is not None and answer.result_set_id == result_set:
            return answer
    return None


def _lacking(escape: Escape, state: SessionState, catalog: Catalog) -> Iterator[str]:
    priors = resolve(state).priors
    needed = BY_CLASS[_CLASSES[escape]].required_prior_state
    yield from (_NEEDS[prior] for prior in needed if prior not in priors)
    if escape is Escape.CREATE_NEW and maker_of(state, catalog) is None:
        yield "no verb makes a new one of what is asked about"


_NEEDS: Final[Mapping[Prior, str]] = {
    Prior.HISTORY: "there is nothing to undo",
    Prior.UNRESOLVED_REFS: "no name waits to be resolved",
    Prior.CLARIFICATION: "no question waits for an answer",
    Prior.READY: "there is no program that is ready to run",
}


def _accept_answer(action: Confirm | Choose, state: SessionState) -> None:
    pending = state.frames.clarification
    what = "choose" if isinstance(action, Choose) else "confirm"
    if pending is None:
        raise _refused(what, _NEEDS[Prior.CLARIFICATION])
    offered = len(pending.candidate_scopes)
    if isinstance(action, Choose) and not 1 <= action.place <= offered:
        raise _refused(what, f"{offered} answers are offered, and there is no number {action.place}")


def _accept_row(row: int, result_set: str, state: SessionState) -> None:
    answer = result_in_hand(state, result_set)
    if answer is None or Prior.RESULT_SET not in resolve(state).priors:
        raise _refused("select a row", f"the result {result_set[:60]!r} is not in hand")
    if not 1 <= row <= answer.row_count:
        raise _refused("select a row", f"the result has {answer.row_count} rows")


def _open(ref_id: str, state: SessionState) -> Reference:
    """The reference, where it still waits for somebody."""
    program = state.program
    if program.resolution is None or program.open_reference is None:
        raise _refused("resolve", _NEEDS[Prior.UNRESOLVED_REFS])
    if not ref_id:
        return program.open_reference
    known = {each.ref.ref_id: each for each in program.resolution.references}
    reference = known.get(ref_id)
    if reference is None:
        raise ReferenceUnknown(
            f"the program has no reference {ref_id[:60]!r}", hint=f"its references: {', '.join(known)}"
        )
    if reference.is_settled:
        raise ReferenceSettled(f"{ref_id} is settled already", hint="undo brings the question back")
    return reference


def _refused(what: str, why: str) -> ActionRefused:
    return ActionRefused(
        f"the session does not accept “{what}” now: {why}",
        hint="available_actions says what it accepts; read the session again",
    )
