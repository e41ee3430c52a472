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
    if reading.uncovered:
        signals.append(Signal.UNCOVERED)
    return tuple(signals)


def relate(reading: Reading, continuity: Continuity, catalog: TradeCatalog) -> tuple[Signal, ...]:
    """The message's own signals, and what they mean against what the session holds."""
    signals = list(message_signals(reading))
    if Signal.UNCOVERED in signals and not _answers(reading, continuity.clarification):
        # A message that is not understood whole must not become a follow-up of what was.
        signals = [s for s in signals if s is not Signal.SHIFT]
    if Signal.REQUEST in signals:
        signals.extend(_request_signals(reading, continuity, catalog))
    elif _answers(reading, continuity.clarification):
        signals.append(Signal.FITS_CLARIFICATION)
    return tuple(signals)


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
    return bool(reading.entities or reading.periods or reading.uncovered)


def _gives_missing(reading: Reading, pending: ClarificationState | None) -> bool:
    if pending is None:
        return False
    given = {
        ORGANIZATION: reading.entity(ORGANIZATION) is not None,
        DATE: reading.period is not None,
    }
    return any(given.get(anchor, False) for anchor in pending.missing_anchors)
