"""The living mode of a session, derived from its last turn."""

from dragoman.contracts.state import LivingModeState, SessionState
from dragoman.contracts.vocabulary import AnswerMode, LivingMode, Signal, TransitionClass

_DATA_SCOPE = frozenset({Signal.DATA_SCOPE, Signal.SCOPE_CHOICE})
_META = frozenset({TransitionClass.T8, TransitionClass.T9})


def living_mode(state: SessionState) -> LivingModeState:
    """The mode the last turn left the session in, why, and since which turn."""
    mode, reason, source = _decide(state)
    found = state.turn.found_mode
    lasted = found is not None and found.living_mode is mode
    since = found.mode_entry_turn_id if found is not None and lasted else state.turn.turn_id
    return LivingModeState(mode, reason, source, since)


def _decide(state: SessionState) -> tuple[LivingMode, str, str]:
    turn = state.turn
    outcome = turn.outcome_class
    source = f"turn:{turn.index}:{outcome}" if outcome else "session"
    if outcome is None and turn.found_mode is not None:
        return turn.found_mode.living_mode, "the turn since did not end; the mode before it stays", source
    if outcome is None:
        return LivingMode.CHAT, "no turn has ended yet", source
    if turn.answer_mode is AnswerMode.CLARIFICATION_REQUIRED:
        return LivingMode.CLARIFICATION, "the turn ended in a question", source
    if outcome in _META:
        return LivingMode.META_FOLLOWUP, "the turn spoke of answers already given", source
    recaps = turn.reason is not None and Signal.RECAP in turn.reason.signals
    if outcome is TransitionClass.T10 and (turn.entry_class is TransitionClass.T9 or recaps):
        return LivingMode.META_FOLLOWUP, "a recap that found nothing to recap", source
    if outcome is TransitionClass.T0:
        signals = turn.reason.signals if turn.reason else ()
        if _DATA_SCOPE.intersection(signals):
            return LivingMode.ASSISTANT_DATA_SCOPE, "the turn spoke of what data there is", source
        return LivingMode.CHAT, "small talk", source
    if outcome is TransitionClass.X_TEACH:
        return LivingMode.CHAT, "the turn spoke of what words mean", source
    if outcome is TransitionClass.X_CLEAR:
        return LivingMode.CHAT, "everything in hand was cleared", source
    if outcome is TransitionClass.X_HELP:
        if state.frames.clarification is not None:
            return LivingMode.CLARIFICATION, "help was given while a question is pending", source
        return LivingMode.CHAT, "help was given", source
    return LivingMode.ADDRESS_DATA, "the turn spoke of business data", source
