"""Reads a message and a program beside each other, without knowing how the one became the other."""

from collections.abc import Callable, Iterator
from typing import Final

from dragoman.contracts.program import Program
from dragoman.review import demanded_names, demanded_numbers, demanded_periods, demanded_words, unasked
from dragoman.review.case import Case, case_of
from dragoman.review.records import NOTHING, Carried, Commitment, Demand, Granted, Objection, Review
from dragoman.tables.graph import Graph

Rule = Callable[[Case], Iterator[Objection]]

DEMANDED: Final[tuple[Rule, ...]] = (
    demanded_words.negation,
    demanded_numbers.numbers,
    demanded_numbers.limits,
    demanded_numbers.comparisons,
    demanded_numbers.units,
    demanded_periods.periods,
    demanded_periods.date_verbs,
    demanded_words.superlatives,
    demanded_words.orders,
    demanded_words.measures,
    demanded_words.groups,
    demanded_words.distinct,
    demanded_words.both,
    demanded_names.quoted,
    demanded_names.proper_names,
    demanded_names.nouns,
    demanded_names.shown,
    demanded_names.counted,
    demanded_names.when,
)
UNASKED: Final[tuple[Rule, ...]] = (
    unasked.filters,
    unasked.negations,
    unasked.limits,
    unasked.orders,
    unasked.measures,
    unasked.groups,
    unasked.repeats,
)


def review(
    message: str, language: str, program: Program, graph: Graph, carried: Carried = NOTHING
) -> Review:
    """What a message demands of a program, what the program commits to, and where the two disagree."""
    case = case_of(message, language, program, graph)
    found = [each for rule in (*DEMANDED, *UNASKED) for each in rule(case)]
    return Review((), (), tuple(found), (), case.committed.read)
