"""Routing: total, deterministic, true to the registry; and the order in which classes are tried."""

import itertools
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dragoman.contracts.state import SessionState
from dragoman.contracts.vocabulary import CarryoverDepth, Origin, Prior, Signal, TransitionClass
from dragoman.session.carryover import ORIGINS, narrower
from dragoman.session.continuity import Continuity, effective_depth, resolve
from dragoman.session.registry import BY_CLASS, REGISTRY
from dragoman.session.routing import holds, route
from tests import strategies as some

T = TransitionClass
S = Signal

signals = st.frozensets(st.sampled_from(Signal), max_size=6) | st.frozensets(st.sampled_from(Signal))
continuities = some.of(Continuity) | some.states.map(resolve)

EMPTY: Final = resolve(SessionState())
EVERYTHING: Final = replace(
    EMPTY,
    priors=frozenset(Prior),
    root_eligibility=CarryoverDepth.FULL,
    object_eligibility=CarryoverDepth.FULL,
    answer_eligibility=CarryoverDepth.FULL,
)
"""A session that has whatever a class may ask for."""


def holding(*priors: Prior) -> Continuity:
    return replace(EVERYTHING, priors=frozenset(priors))


# Laws.


@given(signals, continuities)
def test_every_message_has_a_route_and_the_route_is_lawful(
    noticed: frozenset[Signal], continuity: Continuity
) -> None:
    routing = route(noticed, continuity)
    chosen = BY_CLASS[routing.entry_class]
    assert holds(chosen.entry_condition, noticed)
    assert set(chosen.required_prior_state) <= continuity.priors
    assert routing.carryover is effective_depth(chosen, continuity)
    assert narrower(routing.carryover, chosen.allowed_carryover_depth) is routing.carryover


@given(st.lists(st.sampled_from(Signal), max_size=8), continuities)
def test_the_order_in_which_signals_were_noticed_does_not_matter(
    noticed: list[Signal], continuity: Continuity
) -> None:
    routing = route(noticed, continuity)
    assert route(reversed(noticed), continuity) == routing
    assert route([*noticed, *sorted(noticed)], continuity) == routing


@given(signals, continuities)
def test_the_reason_names_everything_that_was_weighed(
    noticed: frozenset[Signal], continuity: Continuity
) -> None:
    """`why` can tell from the reason alone why no class before the chosen one was taken."""
    routing = route(noticed, continuity)
    reason = routing.reason
    assert reason.signals == tuple(sorted(noticed))
    assert reason.rule.startswith(str(routing.entry_class))
    by_precedence = sorted(REGISTRY, key=lambda transition: transition.precedence)
    fitting = [t for t in by_precedence if holds(t.entry_condition, noticed)]
    assert [weighed.transition for weighed in reason.weighed] == [t.id for t in fitting]
    for weighed in reason.weighed:
        lacking = set(BY_CLASS[weighed.transition].required_prior_state) - continuity.priors
        assert set(weighed.missing) == lacking
        if weighed.transition is routing.entry_class:
            break
        assert weighed.missing, "a class that fitted was passed over"


@given(signals)
def test_nothing_needs_more_than_there_can_be(noticed: frozenset[Signal]) -> None:
    """With every prior there, the first fitting class by precedence is taken."""
    first = min((t for t in REGISTRY if holds(t.entry_condition, noticed)), key=lambda t: t.precedence)
    assert route(noticed, EVERYTHING).entry_class is first.id


@pytest.mark.parametrize("entry", TransitionClass)
def test_every_class_can_be_reached(entry: TransitionClass) -> None:
    condition = BY_CLASS[entry].entry_condition
    noticed = {*condition.all_of, *condition.any_of[:1]}
    assert route(noticed, holding(*BY_CLASS[entry].required_prior_state)).entry_class is entry


@given(st.frozensets(st.sampled_from(Signal)), st.data())
def test_an_entry_condition_is_all_and_any_and_none(noticed: frozenset[Signal], data: st.DataObject) -> None:
    condition = data.draw(st.sampled_from(REGISTRY)).entry_condition
    wanted = all(signal in noticed for signal in condition.all_of)
    one = not condition.any_of or any(signal in noticed for signal in condition.any_of)
    unwanted = any(signal in noticed for signal in condition.none_of)
    assert holds(condition, noticed) is (wanted and one and not unwanted)


# Precedence, by example.


@pytest.mark.parametrize(
    ("noticed", "continuity", "expected"),
    [
        pytest.param(
            {S.REQUEST, S.SELF_CONTAINED, S.OPENS_ROOT, S.FITS_CLARIFICATION, S.SAME_DOMAIN},
            EVERYTHING,
            T.T1,
            id="a self-contained request beats the pending question",
        ),
        pytest.param(
            {S.REQUEST, S.SELF_CONTAINED, S.OPENS_ROOT, S.OTHER_DOMAIN},
            EVERYTHING,
            T.T1,
            id="a self-contained request of another domain is no pivot",
        ),
        pytest.param(
            {S.REQUEST, S.OPENS_ROOT, S.OBJECT_NAMED},
            EVERYTHING,
            T.T1,
            id="a self-contained request that names an object opens a root",
        ),
        pytest.param({S.REQUEST, S.OPENS_ROOT, S.ANAPHOR}, EVERYTHING, T.T1, id="T1 before T5"),
        pytest.param({S.SHIFT, S.FITS_CLARIFICATION}, EVERYTHING, T.T7, id="T7 before T2"),
        pytest.param({S.REQUEST, S.OTHER_DOMAIN, S.FITS_CLARIFICATION}, EVERYTHING, T.T7, id="T7 before T6"),
        pytest.param({S.OBJECT_NAMED, S.FITS_CLARIFICATION}, EVERYTHING, T.T7, id="T7 before T3"),
        pytest.param({S.FITS_CLARIFICATION, S.SHIFT}, holding(Prior.ROOT), T.T2, id="no question, no T7"),
        pytest.param({S.ACTION, S.ANAPHOR}, EVERYTHING, T.T5, id="an anaphor makes it T5"),
        pytest.param({S.ACTION}, EVERYTHING, T.T4, id="an action without one is T4"),
        pytest.param({S.ACTION, S.SHIFT}, EVERYTHING, T.T4, id="T4 before T2"),
        pytest.param({S.ANAPHOR, S.OBJECT_NAMED}, EVERYTHING, T.T5, id="T5 before T3"),
        pytest.param({S.ACTION, S.OBJECT_NAMED}, EVERYTHING, T.T3, id="T3 before T4"),
        pytest.param({S.ABOUT_ANSWER, S.ANAPHOR}, EVERYTHING, T.T8, id="T8 before T5"),
        pytest.param({S.ABOUT_ANSWER, S.SHIFT}, EVERYTHING, T.T8, id="T8 before T2"),
        pytest.param(
            {S.ABOUT_ANSWER, S.SHIFT}, holding(Prior.ROOT), T.T2, id="T2 where the answers do not suffice"
        ),
        pytest.param({S.RECAP, S.ABOUT_ANSWER}, EVERYTHING, T.T9, id="T9 before T8"),
        pytest.param({S.RECAP}, holding(Prior.ROOT), T.T10, id="nothing to recap"),
        pytest.param({S.REQUEST, S.SAME_DOMAIN}, EVERYTHING, T.T2, id="another root of the domain is T2"),
        pytest.param({S.REQUEST, S.OTHER_DOMAIN}, EVERYTHING, T.T6, id="a root of another domain is T6"),
        pytest.param(
            {S.REQUEST, S.OTHER_DOMAIN}, holding(Prior.ROOT), T.T6, id="T6 without an object selected"
        ),
        pytest.param({S.REQUEST, S.OTHER_DOMAIN, S.SHIFT}, EVERYTHING, T.T6, id="T6 with a date of its own"),
        pytest.param({S.SHIFT}, EMPTY, T.T10, id="nothing to follow up on"),
        pytest.param({S.ACTION}, EMPTY, T.T10, id="nothing to act on"),
        pytest.param({S.CHAT, S.SHIFT}, EVERYTHING, T.T2, id="a follow-up with a greeting"),
        pytest.param({S.CHAT, S.REQUEST, S.OPENS_ROOT}, EMPTY, T.T1, id="a request with a greeting"),
        pytest.param({S.CHAT, S.REQUEST}, EMPTY, T.T10, id="a request is never small talk"),
        pytest.param({S.DATA_SCOPE}, EMPTY, T.T0, id="what do you have"),
        pytest.param({S.SCOPE_CHOICE}, EVERYTHING, T.T0, id="let's work with"),
        pytest.param({S.EXTEND, S.ANAPHOR}, EVERYTHING, T.X_EXTEND, id="save it as parquet"),
        pytest.param({S.EXTEND}, EMPTY, T.T10, id="nothing to save"),
        pytest.param({S.RUN}, EVERYTHING, T.X_RUN, id="run it"),
        pytest.param({S.RUN}, EMPTY, T.T10, id="nothing to run"),
        pytest.param({S.ESCAPE_UNDO}, EMPTY, T.T10, id="nothing to undo"),
        pytest.param({S.ESCAPE_NONE}, EMPTY, T.T10, id="no question that none would answer"),
        pytest.param({S.WRITE_REQUEST}, EVERYTHING, T.T10, id="a write that no verb does"),
        pytest.param({S.UNCOVERED}, EVERYTHING, T.T10, id="nothing covers it"),
        pytest.param((), EVERYTHING, T.T10, id="nothing was noticed"),
    ],
)
def test_precedence(noticed: set[Signal], continuity: Continuity, expected: TransitionClass) -> None:
    assert route(noticed, continuity).entry_class is expected


ESCAPES: Final = {
    S.ESCAPE_CANCEL: T.X_CANCEL,
    S.ESCAPE_CLEAR: T.X_CLEAR,
    S.ESCAPE_UNDO: T.X_UNDO,
    S.ESCAPE_EDIT: T.X_EDIT,
    S.ESCAPE_HELP: T.X_HELP,
    S.ESCAPE_SKIP: T.X_SKIP,
    S.ESCAPE_CREATE: T.X_CREATE,
    S.ESCAPE_SEARCH: T.X_SEARCH,
    S.ESCAPE_NONE: T.X_NONE,
}


@pytest.mark.parametrize("escape", ESCAPES)
@given(noticed=st.frozensets(st.sampled_from(sorted(set(Signal) - set(ESCAPES)))))
@some.examples(0.2)
def test_an_escape_comes_before_everything_else(escape: Signal, noticed: frozenset[Signal]) -> None:
    assert route({escape, *noticed}, EVERYTHING).entry_class is ESCAPES[escape]


# How deep a turn may reach.

depths = tuple(CarryoverDepth)


@pytest.mark.parametrize(("a", "b"), list(itertools.product(depths, repeat=2)))
def test_the_narrower_of_two_is_the_same_from_both_sides(a: CarryoverDepth, b: CarryoverDepth) -> None:
    assert narrower(a, b) is narrower(b, a)


@pytest.mark.parametrize(("a", "b", "c"), list(itertools.product(depths, repeat=3)))
def test_the_narrowest_of_three_does_not_depend_on_where_one_begins(
    a: CarryoverDepth, b: CarryoverDepth, c: CarryoverDepth
) -> None:
    assert narrower(narrower(a, b), c) is narrower(a, narrower(b, c))


@pytest.mark.parametrize("depth", depths)
def test_full_narrows_nothing_and_none_everything(depth: CarryoverDepth) -> None:
    assert narrower(depth, depth) is depth
    assert narrower(depth, CarryoverDepth.FULL) is depth
    assert narrower(depth, CarryoverDepth.NONE) is CarryoverDepth.NONE


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (CarryoverDepth.ROOT_ONLY, CarryoverDepth.OBJECT_ONLY),
        (CarryoverDepth.ROOT_ONLY, CarryoverDepth.META_ONLY),
        (CarryoverDepth.OBJECT_ONLY, CarryoverDepth.META_ONLY),
    ],
)
def test_the_three_in_the_middle_do_not_compare(a: CarryoverDepth, b: CarryoverDepth) -> None:
    assert narrower(a, b) is CarryoverDepth.NONE


@pytest.mark.parametrize(("a", "b"), list(itertools.product(depths, repeat=2)))
def test_what_is_narrower_reaches_no_further(a: CarryoverDepth, b: CarryoverDepth) -> None:
    assert ORIGINS[narrower(a, b)] <= ORIGINS[a] & ORIGINS[b]


def test_the_message_and_the_scope_of_the_session_are_always_within_reach() -> None:
    assert {Origin.MESSAGE, Origin.SESSION_SCOPE} == ORIGINS[CarryoverDepth.NONE]
    assert frozenset(Origin) == ORIGINS[CarryoverDepth.FULL]
