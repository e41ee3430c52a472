"""How a message relates to the session: the signals that entry conditions are made of."""

import datetime as dt

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.state import ClarificationState, DateScope
from dragoman.contracts.vocabulary import (
    ClarificationKind,
    MetaQuestionKind,
    Origin,
    ResumeFrame,
    Signal,
)
from dragoman.planning.packs.anchors import DATE, bindings_of, bound, stated_dates
from dragoman.reading.reading import Reading
from dragoman.reading.signals import message_signals
from dragoman.session.continuity import Continuity


def relate(
    reading: Reading,
    continuity: Continuity,
    catalog: Catalog,
    today: dt.date,
    answers: tuple[AnswerObject, ...] = (),
    own: tuple[Signal, ...] | None = None,
) -> tuple[Signal, ...]:
    """The message's own signals, and what they mean against what the session holds."""
    own = message_signals(reading, catalog.anchor) if own is None else own
    pending = continuity.clarification
    confirms = pending is not None and pending.clarification_kind is ClarificationKind.CONFIRM_RUN
    # Before everything else: while a write waits, a bare yes or no can mean nothing else, and nothing but a
    # yes or no may decide it.
    if confirms and reading.affirm is not None:
        return (Signal.FITS_CLARIFICATION,)
    signals = list(own)
    if Signal.ABOUT_ANSWER in signals:
        signals = _about(signals, reading, continuity, catalog, today, answers)
    if Signal.RECAP in signals and _self_contained(reading, continuity, catalog, today):
        # "Remind me of the sales of Alfa Trade in April 2020" is a question of its own.
        signals = [signal for signal in signals if signal is not Signal.RECAP]
    # Talk about answers must not run anything. Other signals are dropped, or a verb named in passing would
    # make it a request.
    if Signal.ABOUT_ANSWER in signals or Signal.RECAP in signals:
        return tuple(s for s in signals if s in (Signal.ABOUT_ANSWER, Signal.RECAP))
    if opens_card(reading, continuity, catalog):
        return (Signal.REQUEST, Signal.OPENS_ROOT)
    signals = _in_context(signals, reading, continuity, catalog, today)
    if Signal.UNCOVERED in signals and not _answers(reading, continuity):
        # A message that is not understood whole must not become a follow-up of what was.
        signals = [s for s in signals if s is not Signal.SHIFT]
    if Signal.REQUEST in signals:
        signals.extend(_request_signals(reading, continuity, catalog, today))
    elif _answers(reading, continuity):
        signals = [s for s in signals if s not in (Signal.SHIFT, Signal.CHAT)]
        signals.append(Signal.FITS_CLARIFICATION)
    return tuple(signals)


def opens_card(reading: Reading, continuity: Continuity, catalog: Catalog) -> bool:
    """Whether a message names an object that can be shown by itself, with nothing in hand: its card needs
    neither a scope nor a date."""
    if continuity.root is not None or continuity.clarification is not None or reading.verbs:
        return False
    if len(reading.objects) != 1 or reading.uncovered or reading.picks or reading.phrase is not None:
        return False
    kinds = {ref.kind for ref in reading.objects[0]}
    cards = [catalog.actions.get(catalog.cards.get(kind, "")) for kind in sorted(kinds)]
    return len(cards) == 1 and cards[0] is not None and not cards[0].needed and cards[0].date_use is None


def _about(
    signals: list[Signal],
    reading: Reading,
    continuity: Continuity,
    catalog: Catalog,
    today: dt.date,
    answers: tuple[AnswerObject, ...],
) -> list[Signal]:
    """D10: a question about answers is one only where those in context suffice; where it speaks of a period,
    an organization or a figure that was not looked up, it is a request."""
    without: list[Signal] = [signal for signal in signals if signal is not Signal.ABOUT_ANSWER]
    wants = _wanted(reading, continuity, catalog, today)
    if not wants:
        return [Signal.ABOUT_ANSWER]
    if any(_is_of(answer, wants, catalog) for answer in answers):
        return [Signal.ABOUT_ANSWER]
    return without if Signal.REQUEST in without or Signal.SHIFT in without else [Signal.ABOUT_ANSWER]


def _wanted(
    reading: Reading, continuity: Continuity, catalog: Catalog, today: dt.date
) -> dict[str, str | DateScope]:
    """What a question about answers says of the answer it means."""
    wants: dict[str, str | DateScope] = {}
    if reading.verb is not None:
        wants["route"] = reading.verb
    named = reading.entity(catalog.anchor)
    if named is not None:
        wants[catalog.anchor] = named.id
    dates = stated_dates(reading, continuity, today)
    if dates is not None:
        wants[DATE] = dates
    if wants and "route" not in wants and continuity.root is not None:
        wants["route"] = continuity.root.root_route_id
    if wants and DATE not in wants and continuity.date is not None and reading.verb is not None:
        wants[DATE] = continuity.date
    return wants


def _is_of(answer: AnswerObject, wants: dict[str, str | DateScope], catalog: Catalog) -> bool:
    verb = catalog.verb(answer.route)
    if verb is None or not answer.program or not answer.grounded:
        return False
    anchors = bound(verb, bindings_of(answer.program[0], Origin.ANSWER), Origin.ANSWER)
    for name, value in wants.items():
        anchor = anchors.get(name)
        if name == "route":
            fits = answer.route == value
        elif isinstance(value, DateScope):
            fits = anchor is not None and anchor.dates is not None and anchor.dates.end == value.end
        else:
            fits = anchor is not None and anchor.entity is not None and anchor.entity.id == value
        if not fits:
            return False
    return True


_OF_OBJECTS = frozenset({Signal.OBJECT_NAMED, Signal.OBJECT_PICKED, Signal.ACTION, Signal.ANAPHOR})


def _in_context(
    signals: list[Signal], reading: Reading, continuity: Continuity, catalog: Catalog, today: dt.date
) -> list[Signal]:
    """What words can mean depends on what is in hand: "who bought" is asked of an object where there is one.

    A date alone, while an object is selected, is asked of the object where its last action takes a date.
    """
    whole = not reading.anaphor and _self_contained(reading, continuity, catalog, today)
    if Signal.REQUEST in signals and (whole or not _fits_object(reading, continuity, catalog)):
        return [signal for signal in signals if signal not in _OF_OBJECTS]
    signals = [signal for signal in signals if signal is not Signal.REQUEST]
    if reading.picks and not _fits_object(reading, continuity, catalog):
        # "The item with the largest quantity": the word for what is picked is not an action.
        signals = [signal for signal in signals if signal is not Signal.ACTION]
    if reading.picks or reading.objects:
        # What is picked or named is meant, whatever points at the rows it is picked from.
        signals = [signal for signal in signals if signal is not Signal.ANAPHOR]
    if Signal.OBJECT_NAMED in signals and _narrows(reading, continuity, catalog):
        return [Signal.SHIFT, *(s for s in signals if s not in (Signal.SHIFT, *_OF_OBJECTS))]
    if reading.entities or reading.widen:
        # Another organization is another slice, whatever pronoun stands beside it.
        return [signal for signal in signals if signal is not Signal.ANAPHOR]
    if Signal.SHIFT in signals and continuity.selected_object is not None:
        last = catalog.actions.get(continuity.program[0].verb) if continuity.program else None
        card = catalog.cards.get(continuity.selected_object.focus_object_kind, "")
        asked = last or catalog.actions.get(card)
        dated = asked is None or asked.date_use is not None
        others = [s for s in signals if s not in (Signal.SHIFT, Signal.ANAPHOR)]
        return [Signal.ANAPHOR, *others] if dated else [Signal.SHIFT, *others]
    return signals


def _narrows(reading: Reading, continuity: Continuity, catalog: Catalog) -> bool:
    """Whether what is named narrows the slice in hand: its verb takes it, and its rows have none to open."""
    verb = catalog.verbs.get(continuity.root.root_route_id) if continuity.root is not None else None
    if verb is None or reading.actions or reading.picks:
        return False
    kinds = {ref.kind for refs in reading.objects for ref in refs}
    among_rows = {column.entity for column in verb.columns}
    # If the rows themselves are of that kind, naming one opens it (T3). Only otherwise it narrows the slice.
    return among_rows.isdisjoint(kinds) and all(kind in verb.takes for kind in kinds)


def _fits_object(reading: Reading, continuity: Continuity, catalog: Catalog) -> bool:
    """Whether an action that the message can mean is one of the object that is selected or named, or of the
    rows in hand. With a pronoun it is always one of an object, be there any or none."""
    if not reading.actions:
        return False
    if reading.anaphor:
        return True
    kinds = {ref.kind for refs in reading.objects for ref in refs}
    if continuity.selected_object is not None and not kinds:
        kinds = {continuity.selected_object.focus_object_kind}
    elif not kinds and continuity.root is not None:
        verb = catalog.verbs.get(continuity.root.root_route_id)
        kinds = {column.entity for column in verb.columns if column.entity} if verb is not None else set()
    return any(catalog.actions[name].spec.object in kinds for name in reading.actions)


def _request_signals(
    reading: Reading, continuity: Continuity, catalog: Catalog, today: dt.date
) -> list[Signal]:
    signals: list[Signal] = []
    self_contained = _self_contained(reading, continuity, catalog, today)
    if self_contained:
        signals.append(Signal.SELF_CONTAINED)
    pending = continuity.clarification
    same_request = pending is not None and reading.verbs == (pending.resume_target_route,)
    fits = not self_contained and same_request and _gives_missing(reading, pending, catalog)
    if fits:
        signals.append(Signal.FITS_CLARIFICATION)
    if self_contained or (continuity.root is None and not fits):
        signals.append(Signal.OPENS_ROOT)
    if continuity.root is not None:
        domains = {catalog.verbs[verb].signature.domain for verb in reading.verbs if verb in catalog.verbs}
        same = domains == {continuity.root.domain_id}
        signals.append(Signal.SAME_DOMAIN if same else Signal.OTHER_DOMAIN)
    return signals


def _self_contained(reading: Reading, continuity: Continuity, catalog: Catalog, today: dt.date) -> bool:
    """D11: the metric and every anchor it needs stand in the message, or were set for the session."""
    verb = catalog.verbs.get(reading.verb or "")
    if verb is None:
        return False
    for name in verb.needed:
        kind = verb.spec.arguments[name].entity
        in_session = kind == catalog.anchor and continuity.default_scope
        if reading.entity(kind) is None and not in_session:
            return False
    if verb.date_use is None:
        return bool(verb.needed) or continuity.root is None
    period = reading.period
    if period is None:
        return False
    # A relative date counts from the slice in hand, so with one in hand the message leans on it. Without one
    # it counts from today, and stands by itself.
    return period.absolute or (continuity.root is None and period.scope(None, today) is not None)


def _answers(reading: Reading, continuity: Continuity) -> bool:
    """Whether a message without a request is meant for the pending question.

    Any name, date or word that nothing covers is an answer: if it does not help, it is asked for again. A
    question about an object is answered by objects; another date or organization is another slice.
    """
    pending = continuity.clarification
    if pending is None or reading.phrase is not None or reading.chooses_scope or reading.actions:
        return False
    # Only a yes or no answers it, and that was decided above. Whatever else is said is about something else.
    if pending.clarification_kind is ClarificationKind.CONFIRM_RUN:
        return False
    chosen = bool(reading.objects or reading.picks)
    unknown = bool(reading.uncovered) and reading.meta is None and not reading.recap
    ambiguous = pending.clarification_kind is ClarificationKind.AMBIGUOUS
    if pending.missing_anchors == (DATE,) and pending.resume_target_frame.frame is ResumeFrame.OBJECT:
        return bool(reading.periods) or (unknown and not chosen and not reading.entities)
    if pending.resume_target_frame.frame is ResumeFrame.OBJECT or ambiguous:
        return chosen or (unknown and not reading.entities and not reading.periods)
    return chosen or unknown or bool(reading.entities or reading.periods)


def _gives_missing(reading: Reading, pending: ClarificationState | None, catalog: Catalog) -> bool:
    verb = catalog.verb(pending.resume_target_route) if pending is not None else None
    if pending is None or verb is None:
        return False
    for anchor in pending.missing_anchors:
        if anchor == DATE:
            given = reading.period is not None
        else:
            argument = verb.spec.arguments.get(anchor)
            given = argument is not None and reading.entity(argument.entity) is not None
        if given:
            return True
    return False


def meta_kind(asked: MetaQuestionKind, sure: bool) -> MetaQuestionKind:
    """How sure an answer is, is explained where there is a limit to explain; otherwise it is judged."""
    if asked is MetaQuestionKind.BOUNDARY_EXPLANATION and sure:
        return MetaQuestionKind.EVALUATION
    return asked
