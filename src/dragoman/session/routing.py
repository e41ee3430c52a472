"""Which transition a turn takes: the registry decides, and the weighing is kept."""

from collections.abc import Iterable

from dragoman.contracts.record import Record
from dragoman.contracts.state import RoutingReason, Weighed
from dragoman.contracts.transition import EntryCondition, Transition
from dragoman.contracts.vocabulary import CarryoverDepth, Prior, Signal, TransitionClass
from dragoman.session.continuity import Continuity, effective_depth
from dragoman.session.registry import REGISTRY


class Routing(Record, frozen=True):
    entry_class: TransitionClass
    carryover: CarryoverDepth
    reason: RoutingReason


def holds(condition: EntryCondition, signals: frozenset[Signal]) -> bool:
    return (
        signals.issuperset(condition.all_of)
        and signals.isdisjoint(condition.none_of)
        and (not condition.any_of or not signals.isdisjoint(condition.any_of))
    )


def _by_signal() -> dict[Signal, tuple[Transition, ...]]:
    """For each signal, the classes that need it or accept it as one of several."""
    needing: dict[Signal, list[Transition]] = {signal: [] for signal in Signal}
    for transition in REGISTRY:
        condition = transition.entry_condition
        for signal in condition.all_of[:1] or condition.any_of:
            needing[signal].append(transition)
    return {signal: tuple(transitions) for signal, transitions in needing.items()}


_BY_SIGNAL = _by_signal()
_ALWAYS = tuple(t for t in REGISTRY if not (t.entry_condition.all_of or t.entry_condition.any_of))


def _fitting(noticed: frozenset[Signal]) -> list[Transition]:
    """The classes whose entry condition holds, by precedence."""
    candidates = {t.id: t for signal in noticed for t in _BY_SIGNAL[signal]}
    found = [t for t in (*candidates.values(), *_ALWAYS) if holds(t.entry_condition, noticed)]
    found.sort(key=_precedence)
    return found


def _precedence(transition: Transition) -> int:
    return transition.precedence


def route(signals: Iterable[Signal], continuity: Continuity) -> Routing:
    """The first class, by precedence, whose entry condition holds and whose prior state is there.

    T10 holds always and needs nothing, so there is always one.
    """
    # Every class that fits is weighed and kept, not only the winner: `why` has to show what the session
    # lacked for the others.
    noticed = frozenset(signals)
    fitting = _fitting(noticed)
    weighed = tuple(Weighed(t.id, _missing(t, continuity)) for t in fitting)
    chosen = next(t for t, w in zip(fitting, weighed, strict=True) if not w.missing)
    reason = RoutingReason(_rule(chosen, weighed), tuple(sorted(noticed)), weighed)
    return Routing(chosen.id, effective_depth(chosen, continuity), reason)


def _missing(transition: Transition, continuity: Continuity) -> tuple[Prior, ...]:
    return tuple(p for p in transition.required_prior_state if p not in continuity.priors)


def _rule(chosen: Transition, weighed: tuple[Weighed, ...]) -> str:
    others = [w for w in weighed if w.transition is not chosen.id]
    if not others:
        return f"{chosen.id} alone fits: {chosen.entry_condition.text}"
    lacking = [f"{w.transition} lacks {', '.join(w.missing)}" for w in others if w.missing]
    behind = [str(w.transition) for w in others if not w.missing]
    parts = [f"{chosen.id}: {chosen.entry_condition.text}"]
    if behind:
        parts.append(f"before {', '.join(behind)}")
    if lacking:
        parts.append("; ".join(lacking))
    return "; ".join(parts)
