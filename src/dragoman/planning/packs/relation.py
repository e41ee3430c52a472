"""How a message relates to the session: the signals that entry conditions are made of."""

import datetime as dt

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.state import DateScope
from dragoman.contracts.vocabulary import (
    ClarificationKind,
    MetaQuestionKind,
    Origin,
    ResumeFrame,
    Signal,
)
from dragoman.planning.packs.anchors import DATE, bindings_of, bound, stated_dates
from dragoman.planning.packs.opened_object import opens_object
from dragoman.planning.packs.pending_answers import answers, gives_missing
from dragoman.reading.reading import Reading
from dragoman.reading.signals import message_signals
from dragoman.session.continuity import Continuity


def relate(
    reading: Reading,
    continuity: Continuity,
    catalog: Catalog,
    today: dt.date,
    given: tuple[AnswerObject, ...] = (),
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
        signals = _about(signals, reading, continuity, catalog, today, given)
    if Signal.RECAP in signals and _self_contained(reading, continuity, catalog, today):
        # "Remind me of the sales of Alfa Trade in April 2020" is a question of its own.
        signals = [signal for signal in signals if signal is not Signal.RECAP]
    # Talk about answers must not run anything. Other signals are dropped, or a verb named in passing would
    # make it a request.
    if Signal.ABOUT_ANSWER in signals or Signal.RECAP in signals:
        return tuple(s for s in signals if s in (Signal.ABOUT_ANSWER, Signal.RECAP))
    if reading.unknown is not None or opens_object(reading, continuity, catalog):
        return (Signal.REQUEST, Signal.OPENS_ROOT)
    signals = _in_context(signals, reading, continuity, catalog, today)
    if Signal.ANAPHOR in signals and _points_at_options(reading, continuity):
        signals = [s for s in signals if s is not Signal.ANAPHOR]
    if Signal.UNCOVERED in signals and not answers(reading, continuity, catalog):
        # A message that is not understood whole must not become a follow-up of what was.
        signals = [s for s in signals if s is not Signal.SHIFT]
    if Signal.REQUEST in signals:
        signals.extend(_request_signals(reading, continuity, catalog, today))
    elif answers(reading, continuity, catalog) and not _is_form(continuity, catalog):
        signals = [s for s in signals if s not in (Signal.SHIFT, Signal.CHAT)]
        signals.append(Signal.FITS_CLARIFICATION)
    return tuple(signals)


def _is_form(continuity: Continuity, catalog: Catalog) -> bool:
    """Whether what waits is the form of a write verb: whoever fills it has seen the message already."""
    pending = continuity.clarification
    return pending is not None and pending.resume_target_route in catalog.changes


def _points_at_options(reading: Reading, continuity: Continuity) -> bool:
    """Whether a pronoun can only mean what a pending question offers: nothing is selected, and nothing is
    asked of it. To ask which one is meant, of all rows now, would lose the question."""
    pending = continuity.clarification
    if pending is None or pending.resume_target_frame.frame is not ResumeFrame.OBJECT:
        return False
    return continuity.selected_object is None and not (reading.actions or reading.periods or reading.verbs)


def _about(
    signals: list[Signal],
    reading: Reading,
    continuity: Continuity,
    catalog: Catalog,
    today: dt.date,
    given: tuple[AnswerObject, ...],
) -> list[Signal]:
    """D10: a question about answers is one only where those in context suffice; where it speaks of a period,
    an organization or a figure that was not looked up, it is a request."""
    without: list[Signal] = [signal for signal in signals if signal is not Signal.ABOUT_ANSWER]
    wants = _wanted(reading, continuity, catalog, today)
    if not wants:
        return [Signal.ABOUT_ANSWER]
    if any(_is_of(answer, wants, catalog) for answer in given):
        return [Signal.ABOUT_ANSWER]
    return without if Signal.REQUEST in without or Signal.SHIFT in without else [Signal.ABOUT_ANSWER]


def answers_meant(
    reading: Reading,
    continuity: Continuity,
    catalog: Catalog,
    today: dt.date,
    given: tuple[AnswerObject, ...],
) -> tuple[AnswerObject, ...]:
    """The answers that a question about answers names, by a period, an organization or a figure."""
    wants = _wanted(reading, continuity, catalog, today)
    return tuple(answer for answer in given if _is_of(answer, wants, catalog)) if wants else ()


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
    if Signal.ANAPHOR in signals and _is_again(reading, continuity):
        # "Show it again": with nothing selected, it is the slice.
        return [Signal.SHIFT, *(s for s in signals if s not in (Signal.SHIFT, Signal.ANAPHOR))]
    if Signal.OBJECT_NAMED in signals and _narrows(reading, continuity, catalog):
        return [Signal.SHIFT, *(s for s in signals if s not in (Signal.SHIFT, *_OF_OBJECTS))]
    if reading.entities or reading.widen:
        # Another organization is another slice, whatever pronoun stands beside it.
        return [signal for signal in signals if signal is not Signal.ANAPHOR]
    if Signal.SHIFT in signals and Signal.ACTION in signals and continuity.selected_object is not None:
        # D8: a date beside an action is a date for the action; only a pronoun makes it a T5.
        return [signal for signal in signals if signal is not Signal.SHIFT]
    if Signal.SHIFT in signals and continuity.selected_object is not None:
        last = catalog.actions.get(continuity.program[0].verb) if continuity.program else None
        card = catalog.cards.get(continuity.selected_object.focus_object_kind, "")
        asked = last or catalog.actions.get(card)
        dated = asked is None or asked.date_use is not None
        others = [s for s in signals if s not in (Signal.SHIFT, Signal.ANAPHOR)]
        return [Signal.ANAPHOR, *others] if dated else [Signal.SHIFT, *others]
    return signals


def _is_again(reading: Reading, continuity: Continuity) -> bool:
    other = reading.objects or reading.picks or reading.actions
    return reading.carries_date and not other and continuity.selected_object is None


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
    fits = not self_contained and same_request and gives_missing(reading, pending, catalog)
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


def meta_kind(asked: MetaQuestionKind, sure: bool) -> MetaQuestionKind:
    """How sure an answer is, is explained where there is a limit to explain; otherwise it is judged."""
    if asked is MetaQuestionKind.BOUNDARY_EXPLANATION and sure:
        return MetaQuestionKind.EVALUATION
    return asked
