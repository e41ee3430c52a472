"""Follow-ups: a message read as a change of the statement in hand, beside what it means by itself."""

import math
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec

from dragoman.catalog.tables.graph import Table
from dragoman.catalog.tables.paths import ColumnPath
from dragoman.contracts.program import Statement
from dragoman.planning.tables import judging
from dragoman.planning.tables.context import Context, context_of
from dragoman.planning.tables.cues import cues_of
from dragoman.planning.tables.follow_up_features import Candidate, edit_features, fresh_features
from dragoman.planning.tables.fragments import fragment_of
from dragoman.planning.tables.judging import chances, probability
from dragoman.planning.tables.linking import Links
from dragoman.planning.tables.meaning import Meaning, meaning_of, statement_of
from dragoman.planning.tables.merging import Edit, Fragment, drilled, edits, reversed_order, switched, widened
from dragoman.planning.tables.placing import Places
from dragoman.planning.tables.reading import Draft
from dragoman.planning.tables.stepping import Stepper
from dragoman.planning.tables.things import Scope
from dragoman.planning.tables.weighing import Weights
from dragoman.planning.tables.words import Token, tokens_of

if TYPE_CHECKING:
    from dragoman.planning.tables.planner import TablePlanner, TableReading

MOST_READINGS = 10
MOST_DRAFTS = 8
"""How many ways to read the words are put together with the statement in hand, in each scope."""
MOST_SCOPES = 5
MOST_FRESH = 14


@cache
def follow_up_weights() -> Weights:
    place = files("dragoman.planning.tables").joinpath("follow_up_weights.json")
    return msgspec.json.decode(place.read_bytes(), type=Weights)


def follow_ups(text: str, previous: Statement, planner: "TablePlanner") -> "tuple[TableReading, ...]":
    """The readings of a message after a statement, also those that owe nothing to it; the best first."""
    from dragoman.planning.tables.planner import TableReading

    weights = follow_up_weights()
    ranked = sorted(
        ((weights.of(each.features), n, each) for n, each in enumerate(candidates(text, previous, planner))),
        key=lambda item: (-item[0], item[1]),
    )[:MOST_READINGS]
    shares = chances([worth for worth, _, _ in ranked])
    found: list[TableReading] = []
    left = 1.0
    for (_, _, each), share in zip(ranked, shares, strict=True):
        score = min(probability(weights.calibration, evidence(each, share)), left)
        found.append(TableReading(each.statement, round(score, 4), each.uncovered, each.notes, each.kind != "fresh"))
        left = max(0.0, left - score)
    return tuple(found)


def evidence(candidate: Candidate, share: float) -> dict[str, float]:
    """What a probability is made of."""
    fresh = candidate.kind == "fresh"
    return {
        "bias": 1.0,
        "odds": _odds(share),
        "uncovered": float(min(len(candidate.uncovered), 4)),
        "uncovered.any": 1.0 if candidate.uncovered else 0.0,
        "edit": 0.0 if fresh else 1.0,
        "alone": _odds(candidate.alone) if fresh else 0.0,
    }


def _odds(share: float) -> float:
    return max(-6.0, min(6.0, math.log(max(share, 1e-6) / max(1.0 - share, 1e-6))))


def candidates(text: str, previous: Statement, planner: "TablePlanner") -> list[Candidate]:
    """Everything that may be meant, each statement once."""
    before = meaning_of(planner.things.graph, previous)
    fresh = planner.plans(text, MOST_FRESH)
    tokens = tokens_of(text)
    context = context_of(tokens)
    found: dict[bytes, Candidate] = {}
    best = fresh[0].worth if fresh else 0.0
    shares = chances([each.worth for each in fresh[:MOST_READINGS]])
    for place, plan in enumerate(fresh):
        share = shares[place] if place < len(shares) else 0.0
        alone = probability(planner.weights.calibration, judging.evidence(plan.plan, share))
        own = None if before is None else meaning_of(planner.things.graph, plan.statement)
        features = (
            (("fresh.worth", plan.worth - best),)
            if before is None
            else fresh_features(context, plan.worth - best, place, own, before, plan.statement, previous)
        )
        uncovered, notes = plan.plan.uncovered, plan.plan.notes
        _keep(found, Candidate(plan.statement, "fresh", features, uncovered, notes, alone))
    if before is not None:
        for candidate in _edited(tokens, context, previous, before, planner):
            _keep(found, candidate)
    return list(found.values())


def _keep(found: dict[bytes, Candidate], candidate: Candidate) -> None:
    found.setdefault(msgspec.json.encode(candidate.statement), candidate)


def _edited(
    tokens: tuple[Token, ...], context: Context, previous: Statement, before: Meaning, planner: "TablePlanner"
) -> Iterator[Candidate]:
    links = planner.linker.links(tokens)
    places = Places(planner.things.graph, before)
    drafts = _drafts(tokens, links, places, planner)
    best = max((draft.score for draft in drafts), default=0.0)
    seen: set[bytes] = set()
    for draft in drafts:
        said = fragment_of(draft, before, places)
        if said is None:
            continue
        for edit in _edits(said, context, before, planner):
            statement = statement_of(edit.meaning)
            key = msgspec.json.encode(statement)
            if key in seen:
                continue
            seen.add(key)
            if planner.tables.findings(statement):
                continue
            features = edit_features(
                context,
                edit.kind,
                draft.score - best,
                said,
                edit.meaning,
                before,
                len(draft.uncovered),
                statement,
                previous,
            )
            notes = (f"the statement in hand, changed: {edit.kind}", *draft.notes)
            yield Candidate(statement, edit.kind, features, draft.uncovered, notes)


def _edits(said: Fragment, context: Context, before: Meaning, planner: "TablePlanner") -> Iterator[Edit]:
    names = _names(before.table, planner)
    yield from edits(before, said, names)
    bare = not (said.shown or said.holds or said.measures or said.by or said.everything)
    if bare and not said.order and said.extreme is None:
        if context.has("reverse") or said.most is not None:
            yield from reversed_order(before)
        if context.has("undo"):
            yield from widened(before)
        for table in said.subjects:
            yield from switched(before, table, _names(table, planner))
        if said.most is None:
            yield from drilled(before, names)


def _names(table: Table, planner: "TablePlanner") -> tuple[ColumnPath, ...]:
    return tuple(
        ColumnPath((), thing.column) for thing in planner.things.names_of(table) if thing.column is not None
    )


def _drafts(tokens: tuple[Token, ...], links: Links, places: Places, planner: "TablePlanner") -> list[Draft]:
    """Ways to read the words within the tables around the statement in hand, each once."""
    cues = cues_of(tokens)
    found: list[Draft] = []
    for scope in _scopes(links, places, planner):
        stepper = Stepper(tokens, cues, links, planner.things, scope, planner.weights)
        found.extend(stepper.drafts()[:MOST_DRAFTS])
    found.sort(key=lambda draft: -draft.score)
    return found


def _scopes(links: Links, places: Places, planner: "TablePlanner") -> list[Scope]:
    """The table itself, and with each table beside it that the words name."""
    named = {name.thing.table.key for names in links.named.values() for name in names}
    named |= {value.thing.table.key for values in links.valued.values() for value in values}
    near = places.near()
    found = [Scope(places.table)]
    for pair in planner.pairs:
        if pair.other is None:
            continue
        keys = {pair.root.key, pair.other.key}
        if places.table.key in keys and keys <= near and keys & named - {places.table.key}:
            found.append(pair)
    return found[:MOST_SCOPES]
