"""Readings of a message after a statement: everything that may be meant, weighed together, the best first."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from dragoman.contracts.decoding import decoded
from dragoman.contracts.program import Statement
from dragoman.planning.tables.day_spans import DaySpan
from dragoman.planning.tables.follow_up_candidates import candidates
from dragoman.planning.tables.follow_up_features import Candidate
from dragoman.planning.tables.plan_search import MOST_READINGS, PlanSearch
from dragoman.planning.tables.probability import chances, odds, probability
from dragoman.planning.tables.table_reading import TableReading
from dragoman.planning.tables.weights import Weights

_TELLING = ("edit.about=nothing", "edit:short", "edit:long", "edit.joins", "edit.lost")
"""Features of changes that tell how sure they are."""


@cache
def follow_up_weights() -> Weights:
    place = files("dragoman.planning.tables").joinpath("follow_up_weights.json")
    return decoded(place.read_bytes(), Weights)


def follow_ups(
    text: str, previous: Statement, search: PlanSearch, spans: Sequence[DaySpan] = ()
) -> tuple[TableReading, ...]:
    """The readings of a message after a statement, also those that owe nothing to it; the best first."""
    weights = follow_up_weights()
    ranked = sorted(
        (
            (weights.of(each.features), n, each)
            for n, each in enumerate(candidates(text, previous, search, spans))
        ),
        key=lambda item: (-item[0], item[1]),
    )[:MOST_READINGS]
    shares = chances([worth for worth, _, _ in ranked])
    found: list[TableReading] = []
    left = 1.0
    for (_, _, each), share in zip(ranked, shares, strict=True):
        score = min(probability(weights.calibration, evidence(each, share)), left)
        found.append(
            TableReading(each.statement, round(score, 4), each.uncovered, each.notes, each.kind != "fresh")
        )
        left = max(0.0, left - score)
    return tuple(found)


def evidence(candidate: Candidate, share: float) -> dict[str, float]:
    """What a probability is made of."""
    found = {
        "bias": 1.0,
        "odds": odds(share),
        "uncovered": float(min(len(candidate.uncovered), 4)),
        "uncovered.any": 1.0 if candidate.uncovered else 0.0,
    }
    if candidate.kind == "fresh":
        return found | {"alone": odds(candidate.alone)}
    said = {name for name, value in candidate.features if value}
    leans = "edit:none" not in said
    found |= {"edit": 1.0, "edit.odds": found["odds"], "edit.leans": 1.0 if leans else 0.0}
    found[f"edit={candidate.kind.partition('.')[0]}"] = 1.0
    return found | {name: 1.0 for name in _TELLING if name in said}
