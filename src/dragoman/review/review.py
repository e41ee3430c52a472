"""Reads a message and a program beside each other, without knowing how the one became the other."""

from collections.abc import Callable, Iterator
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.program import Program
from dragoman.databases.values import ValueIndex
from dragoman.review import (
    demanded_links,
    demanded_names,
    demanded_numbers,
    demanded_periods,
    demanded_ranks,
    demanded_roles,
    demanded_sets,
    demanded_values,
    demanded_words,
    unasked,
)
from dragoman.review.case import Case, case_of
from dragoman.review.collector import committed
from dragoman.review.inventory import commitments_of, demands_of
from dragoman.review.records import NOTHING, Carried, Granted, Objection, Review
from dragoman.tables.graph import Graph

Rule = Callable[[Case], Iterator[Objection]]

DEMANDED: Final[tuple[Rule, ...]] = (
    demanded_words.negation,
    demanded_numbers.numbers,
    demanded_numbers.limits,
    demanded_numbers.comparisons,
    demanded_numbers.compared,
    demanded_numbers.units,
    demanded_periods.periods,
    demanded_periods.date_verbs,
    demanded_words.superlatives,
    demanded_words.orders,
    demanded_words.measures,
    demanded_words.groups,
    demanded_sets.distinct,
    demanded_sets.both,
    demanded_sets.impossible,
    demanded_names.quoted,
    demanded_names.proper_names,
    demanded_values.values,
    demanded_names.nouns,
    demanded_names.shown,
    demanded_names.counted,
    demanded_names.when,
    demanded_names.full_names,
    demanded_ranks.ranked,
    demanded_ranks.spelled,
    demanded_ranks.ages,
    demanded_ranks.counted_instead,
    demanded_ranks.ordered,
    demanded_roles.numbered,
    demanded_roles.flags,
    demanded_roles.known_already,
    demanded_roles.siblings,
    demanded_links.self_links,
    demanded_roles.denied_rows,
    demanded_roles.only_keys,
)
"""What the message demands: each rule looks for one kind of thing that the program may lack."""

UNASKED: Final[tuple[Rule, ...]] = (
    unasked.filters,
    unasked.negations,
    unasked.limits,
    unasked.orders,
    unasked.measures,
    unasked.groups,
    unasked.lone_groups,
    unasked.repeats,
)
"""What the program commits to: each rule looks for one kind of thing that nobody may have asked for."""


def review(
    message: str,
    language: str,
    program: Program,
    graph: Graph,
    carried: Carried = NOTHING,
    values: ValueIndex | None = None,
) -> Review:
    """What a message demands of a program, what the program commits to, and where the two disagree.

    `graph` is the database that the program reads, `values` what is known of its data, `carried` what holds
    beside the message.
    """
    granting = [(said.by, frozenset(commitments_of(committed(said.program, graph)))) for said in carried.said]
    held = frozenset().union(*(parts for _, parts in granting))
    case = case_of(message, language, program, graph, values)
    case = replace(case, carried=frozenset(each.part for each in held))
    # Words of what is carried may ask for things; they demand nothing any more.
    texts = [said.text for said in carried.said if said.text and not said.program]
    asked = case_of(" . ".join([*texts, message]), language, program, graph, values) if texts else case
    found = [each for rule in DEMANDED for each in rule(case)]
    found += [
        each for rule in UNASKED for each in rule(asked) if each.part not in case.carried or not each.part
    ]
    commitments = commitments_of(case.committed)
    granted = [
        Granted(commitment, by) for commitment in commitments for by, parts in granting if commitment in parts
    ]
    return Review(
        demands_of(case), commitments, tuple(dict.fromkeys(found)), tuple(granted), case.committed.read
    )
