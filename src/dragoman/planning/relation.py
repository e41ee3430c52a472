"""How a message relates to the session: the signals that entry conditions are made of."""

from dragoman.catalog.trade.catalog import ORGANIZATION, TradeCatalog
from dragoman.contracts.state import ClarificationState
from dragoman.contracts.vocabulary import Signal
from dragoman.reading.message import Reading
from dragoman.session.continuity import Continuity

DATE = "date"


def message_signals(reading: Reading) -> tuple[Signal, ...]:
    """What the message says by itself."""
    signals: list[Signal] = []
    if reading.phrase is not None:
        return (reading.phrase,)
    if reading.verbs:
        signals.append(Signal.REQUEST)
    elif reading.chooses_scope and reading.entity(ORGANIZATION) is not None:
        signals.append(Signal.SCOPE_CHOICE)
    elif reading.entities or reading.periods:
        signals.append(Signal.SHIFT)
    if reading.objects:
        signals.append(Signal.OBJECT_NAMED)
    if reading.picks:
        signals.append(Signal.OBJECT_PICKED)
    if reading.actions:
        signals.append(Signal.ACTION)
    if reading.anaphor:
        signals.append(Signal.ANAPHOR)
    if reading.uncovered:
        signals.append(Signal.UNCOVERED)
    return tuple(signals)


def relate(reading: Reading, continuity: Continuity, catalog: TradeCatalog) -> tuple[Signal, ...]:
    """The message's own signals, and what they mean against what the session holds."""
    signals = _in_context(list(message_signals(reading)), reading, continuity)
    if Signal.UNCOVERED in signals and not _answers(reading, continuity.clarification):
        # A message that is not understood whole must not become a follow-up of what was.
        signals = [s for s in signals if s is not Signal.SHIFT]
    if Signal.REQUEST in signals:
        signals.extend(_request_signals(reading, continuity, catalog))
    elif _answers(reading, continuity.clarification):
        signals.append(Signal.FITS_CLARIFICATION)
    return tuple(signals)


_OF_OBJECTS = frozenset({Signal.OBJECT_NAMED, Signal.OBJECT_PICKED, Signal.ACTION, Signal.ANAPHOR})


def _in_context(signals: list[Signal], reading: Reading, continuity: Continuity) -> list[Signal]:
    """What words can mean depends on what is in hand: "who bought" is asked of an object where there is one.

    A date alone, while an object is selected, is asked of the object.
    """
    about_object = continuity.selected_object is not None or Signal.OBJECT_NAMED in signals
    if Signal.REQUEST in signals and not (reading.actions and about_object):
        return [signal for signal in signals if signal not in _OF_OBJECTS]
    signals = [signal for signal in signals if signal is not Signal.REQUEST]
    if reading.entities:
        # Another organization is another slice, whatever pronoun stands beside it.
        return [signal for signal in signals if signal is not Signal.ANAPHOR]
    if Signal.SHIFT in signals and continuity.selected_object is not None:
        signals = [Signal.ANAPHOR, *(s for s in signals if s not in (Signal.SHIFT, Signal.ANAPHOR))]
    return signals


def _request_signals(reading: Reading, continuity: Continuity, catalog: TradeCatalog) -> list[Signal]:
    signals: list[Signal] = []
    has_organization = reading.entity(ORGANIZATION) is not None or bool(continuity.default_scope)
    has_date = reading.period is not None and reading.period.scope() is not None
    self_contained = reading.verb is not None and has_organization and has_date
    if self_contained:
        signals.append(Signal.SELF_CONTAINED)
    pending = continuity.clarification
    same_request = pending is not None and reading.verbs == (pending.resume_target_route,)
    fits = not self_contained and same_request and _gives_missing(reading, pending)
    if fits:
        signals.append(Signal.FITS_CLARIFICATION)
    if self_contained or (continuity.root is None and not fits):
        signals.append(Signal.OPENS_ROOT)
    if continuity.root is not None:
        domains = {catalog.verbs[verb].signature.domain for verb in reading.verbs}
        same = domains == {continuity.root.domain_id}
        signals.append(Signal.SAME_DOMAIN if same else Signal.OTHER_DOMAIN)
    return signals


def _answers(reading: Reading, pending: ClarificationState | None) -> bool:
    """Whether a message without a request is meant for the pending question.

    Any name, date or word that nothing covers is an answer: if it does not help, it is asked for again.
    """
    if pending is None or reading.phrase is not None or reading.chooses_scope:
        return False
    given = reading.entities or reading.periods or reading.objects or reading.picks
    return bool(given or reading.uncovered)


def _gives_missing(reading: Reading, pending: ClarificationState | None) -> bool:
    if pending is None:
        return False
    given = {
        ORGANIZATION: reading.entity(ORGANIZATION) is not None,
        DATE: reading.period is not None,
    }
    return any(given.get(anchor, False) for anchor in pending.missing_anchors)
