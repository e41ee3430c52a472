"""Reads a message and a program beside each other, without knowing how the one became the other."""

import datetime as dt

from msgspec.structs import replace

from dragoman.contracts.program import Program
from dragoman.databases.values import ValueIndex
from dragoman.review.case import case_of
from dragoman.review.collector import committed
from dragoman.review.commitments import tails_of
from dragoman.review.demand_rules import DEMANDED
from dragoman.review.inventory import commitments_of, demands_of
from dragoman.review.records import NOTHING, Carried, Granted, Review
from dragoman.review.rules import OTHERWISE, UNASKED
from dragoman.tables.graph import Graph


def review(
    message: str,
    language: str,
    program: Program,
    graph: Graph,
    carried: Carried = NOTHING,
    values: ValueIndex | None = None,
    reference: dt.date | None = None,
) -> Review:
    """What a message demands of a program, what the program commits to, and where the two disagree.

    `graph` is the database that the program reads, `values` what is known of its data, `carried` what holds
    beside the message, `reference` the day that its relative periods count from, where that is known.
    """
    before = [committed(said.program, graph) for said in carried.said]
    granting = [
        (said.by, frozenset(commitments_of(each))) for said, each in zip(carried.said, before, strict=True)
    ]
    held = frozenset().union(*(parts for _, parts in granting))
    case = case_of(message, language, program, graph, values)
    leant_on = tuple(each for each in before if each.requests)
    if reference is not None and not leant_on:
        case = replace(case, message=case.message.counted_from(reference))
    case = replace(case, carried=frozenset(each.part for each in held), before=leant_on)
    # Words of what is carried may ask for things; they demand nothing any more.
    texts = [said.text for said in carried.said if said.text and not said.program]
    asked = case
    if texts:
        asked = case_of(" . ".join([*texts, message]), language, program, graph, values)
        asked = replace(asked, before=leant_on)
    granted_tails = {tail for each in before for tail in tails_of(each)}
    found = [each for rule in DEMANDED for each in rule(case)]
    found += [
        each
        for rule in UNASKED
        for each in rule(asked)
        if not each.part or not (each.part in case.carried or _is_granted(each.part, granted_tails))
    ]
    if not found:
        found += [each for rule in OTHERWISE for each in rule(case)][:1]
    commitments = commitments_of(case.committed)
    granted = [
        Granted(commitment, by) for commitment in commitments for by, parts in granting if commitment in parts
    ]
    return Review(
        demands_of(case), commitments, tuple(dict.fromkeys(found)), tuple(granted), case.committed.read
    )


def _is_granted(part: str, tails: set[str]) -> bool:
    """The same of the same column was asked for before, reached in whatever way: a list of albums of an
    artist grants a count of tracks on albums of that artist."""
    return any(part == tail or part.endswith(f"/{tail}") for tail in tails)
