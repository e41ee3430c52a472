"""A declared transition: 003's six properties and the state owner, as data."""

from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import (
    AnswerMode,
    CarryoverDepth,
    Forbidden,
    Part,
    Phase,
    Prior,
    Signal,
    TransitionClass,
)


class EntryCondition(Record, frozen=True):
    """Holds when all of `all_of`, one of `any_of` (if there are any) and none of `none_of` was noticed."""

    text: str
    all_of: tuple[Signal, ...] = ()
    any_of: tuple[Signal, ...] = ()
    none_of: tuple[Signal, ...] = ()


class Transition(Record, frozen=True):
    """One class of turns. `owner` is the part of the state whose continuity the class answers for;
    `precedence` breaks ties between classes that fit the same message, lower first."""

    id: TransitionClass
    title: str
    owner: Part
    precedence: int
    entry_condition: EntryCondition
    required_prior_state: tuple[Prior, ...]
    allowed_carryover_depth: CarryoverDepth
    state_mutations: tuple[Part, ...]
    forbidden_carryover: tuple[Forbidden, ...]
    expected_answer_modes: tuple[AnswerMode, ...]
    source: str


class PhaseEdge(Record, frozen=True):
    """A legal move of the program, and what makes it."""

    source: Phase
    target: Phase
    by: str
