"""Follow-ups: a message read as a change of the statement in hand, beside what it means by itself."""

import math
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from dragoman.contracts.program import Statement
from dragoman.planning.tables.cues import cues_of
from dragoman.planning.tables.day_spans import DaySpan, placed
from dragoman.planning.tables.follow_up_cues import Context, context_of
from dragoman.planning.tables.follow_up_features import Candidate, edit_features, fresh_features
from dragoman.planning.tables.fragment_builder import fragment_of
from dragoman.planning.tables.fragment_edits import Fragment, edits
from dragoman.planning.tables.name_linker import Links
from dragoman.planning.tables.partial_reading import Draft
from dragoman.planning.tables.probability import chances, probability
from dragoman.planning.tables.probability import evidence as plan_evidence
from dragoman.planning.tables.reachable_tables import Places
from dragoman.planning.tables.reading_search import Stepper
from dragoman.planning.tables.schema_names import Scope
from dragoman.planning.tables.statement_parts import Meaning, meaning_of, meanings_of, statement_of
from dragoman.planning.tables.unnamed_edits import Edit, drilled, reversed_order, switched, widened
from dragoman.planning.tables.weights import Feature, Weights
from dragoman.planning.tables.words import tokens_of
from dragoman.tables.graph import Table
from dragoman.tables.paths import ColumnPath

if TYPE_CHECKING:
    from dragoman.planning.tables.table_planner import TablePlanner, TableReading, WeighedPlan

MOST_READINGS = 10
MOST_DRAFTS = 8
"""How many ways to read the words are put together with the statement in hand, in each scope."""
MOST_SCOPES = 5
MOST_FRESH = 14
MOST_WORDS_SWITCHED = 6
_RIDDLES = 3
"""What a message that means nothing by itself is taken to leave uncovered."""
_CHOICES = ("shape.", "default.", "count.", "distinct.", "list.", "group.", "kept.", "scope.", "one.")
"""Features of readings by themselves that are weighed anew: people say less amid a conversation."""
_TELLING = ("edit.about=nothing", "edit:short", "edit:long", "edit.joins", "edit.lost")
"""Features of changes that tell how sure they are."""
_UNNAMED = frozenset({"list.default.unnamed", "kept.default", "group.count.implied"})
"""Features of readings that make up what they show."""


@cache
def follow_up_weights() -> Weights:
    place = files("dragoman.planning.tables").joinpath("follow_up_weights.json")
    return msgspec.json.decode(place.read_bytes(), type=Weights)


def follow_ups(
    text: str, previous: Statement, planner: "TablePlanner", spans: Sequence[DaySpan] = ()
) -> "tuple[TableReading, ...]":
    """The readings of a message after a statement, also those that owe nothing to it; the best first."""
    from dragoman.planning.tables.table_planner import TableReading

    weights = follow_up_weights()
    ranked = sorted(
        (
            (weights.of(each.features), n, each)
            for n, each in enumerate(candidates(text, previous, planner, spans))
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
        "odds": _odds(share),
        "uncovered": float(min(len(candidate.uncovered), 4)),
        "uncovered.any": 1.0 if candidate.uncovered else 0.0,
    }
    if candidate.kind == "fresh":
        return found | {"alone": _odds(candidate.alone)}
    said = {name for name, value in candidate.features if value}
    leans = "edit:none" not in said
    found |= {"edit": 1.0, "edit.odds": found["odds"], "edit.leans": 1.0 if leans else 0.0}
    found[f"edit={candidate.kind.partition('.')[0]}"] = 1.0
    return found | {name: 1.0 for name in _TELLING if name in said}


def _odds(share: float) -> float:
    return max(-6.0, min(6.0, math.log(max(share, 1e-6) / max(1.0 - share, 1e-6))))


class _Read(NamedTuple):
    """A way to read the words around the statement in hand, and what it says of that."""

    draft: Draft
    said: Fragment


def candidates(
    text: str, previous: Statement, planner: "TablePlanner", spans: Sequence[DaySpan] = ()
) -> list[Candidate]:
    """Everything that may be meant, each statement once."""
    graph = planner.things.graph
    before = meaning_of(graph, previous)
    tokens = tokens_of(text)
    context = context_of(tokens)
    links = planner.linker.links(context.rest)
    reads = [] if before is None else _reads(context, links, before, planner, spans)
    about = reads[0].said.about if reads else "nothing"
    found: dict[bytes, Candidate] = {}
    fresh = list(_fresh(text, planner, spans))
    owns = meanings_of(graph, [plan.statement for plan, _ in fresh]) if before is not None else ()
    for place, (plan, alone) in enumerate(fresh):
        unnamed = any(name in _UNNAMED and value for name, value in plan.plan.features)
        features: tuple[Feature, ...] = (
            ("fresh.worth", plan.worth),
            ("fresh.alone", _odds(alone)),
            ("fresh.unnamed", 1.0 if unnamed else 0.0),
            ("repeats", 1.0 if plan.statement == previous else 0.0),
        )
        features += tuple(
            (f"plan:{name}", value)
            for name, value in plan.plan.features
            if value and name.startswith(_CHOICES)
        )
        if before is not None:
            features += fresh_features(context, place, owns[place], before, about)
        uncovered = context.uncovered(plan.plan.uncovered)
        _keep(found, Candidate(plan.statement, "fresh", features, uncovered, plan.plan.notes, alone))
    if before is not None:
        strength = max((each.alone for each in found.values()), default=0.0)
        riddles = min((len(each.uncovered) for each in found.values()), default=_RIDDLES)
        for candidate in _edited(reads, context, previous, before, planner, strength, riddles):
            _keep(found, candidate)
        for candidate in _switched(reads, links, context, before, planner, strength):
            _keep(found, candidate)
    return list(found.values())


def _fresh(
    text: str, planner: "TablePlanner", spans: Sequence[DaySpan]
) -> "Iterator[tuple[WeighedPlan, float]]":
    """What the message means by itself, worth less than the best by so much, and how sure each is."""
    plans = planner.plans(text, MOST_FRESH, spans)
    shares = chances([each.worth for each in plans[:MOST_READINGS]])
    for place, plan in enumerate(plans):
        share = shares[place] if place < len(shares) else 0.0
        alone = probability(planner.weights.calibration, plan_evidence(plan.plan, share))
        yield msgspec.structs.replace(plan, worth=plan.worth - plans[0].worth), alone


def _keep(found: dict[bytes, Candidate], candidate: Candidate) -> None:
    found.setdefault(msgspec.json.encode(candidate.statement), candidate)


def _reads(
    context: Context, links: Links, before: Meaning, planner: "TablePlanner", spans: Sequence[DaySpan]
) -> list[_Read]:
    """Ways to read the words within the tables around the statement in hand, the best first."""
    tokens = context.rest
    places = Places(planner.things.graph, before)
    cues = cues_of(tokens)
    dated = placed(spans, tokens)
    drafts: list[Draft] = []
    for scope in _scopes(links, places, planner):
        stepper = Stepper(tokens, cues, links, planner.things, scope, planner.weights, dated)
        drafts.extend(stepper.drafts()[:MOST_DRAFTS])
    drafts.sort(key=lambda draft: -draft.score)
    said = ((draft, fragment_of(draft, before, places)) for draft in drafts)
    return [_Read(draft, fragment) for draft, fragment in said if fragment is not None]


def _edited(
    reads: list[_Read],
    context: Context,
    previous: Statement,
    before: Meaning,
    planner: "TablePlanner",
    strength: float,
    riddles: int,
) -> Iterator[Candidate]:
    """`strength`: how sure the message is by itself; `riddles`: how many of its words are a riddle then."""
    made: dict[bytes, tuple[Statement, _Read, Edit]] = {}
    for read in reads:
        for edit in _edits(read.said, context, before, planner):
            statement = statement_of(edit.meaning)
            made.setdefault(msgspec.json.encode(statement), (statement, read, edit))
    findings = planner.tables.findings_of([statement for statement, _, _ in made.values()])
    for (statement, (draft, said), edit), found in zip(made.values(), findings, strict=True):
        if found:
            continue
        uncovered = context.uncovered(draft.uncovered)
        features: tuple[Feature, ...] = (
            ("edit.worth", draft.score - reads[0].draft.score),
            ("edit.alone", _odds(strength)),
            ("edit.uncovered", float(len(uncovered))),
            ("edit.lost", float(max(0, len(uncovered) - riddles))),
            ("repeats", 1.0 if statement == previous else 0.0),
            *edit_features(context, edit, said, before),
        )
        notes = (f"the statement in hand, changed: {edit.kind}", *draft.notes)
        yield Candidate(statement, edit.kind, features, uncovered, notes)


def _edits(said: Fragment, context: Context, before: Meaning, planner: "TablePlanner") -> Iterator[Edit]:
    names = _names(before.table, planner)
    if context.has("reverse"):
        yield from reversed_order(before)
        said = msgspec.structs.replace(said, most=None)
    yield from edits(before, said, names)
    if context.has("by") and said.shown and not (said.by or said.order or said.measures):
        yield from edits(before, msgspec.structs.replace(said, by=said.shown, shown=()), names)
    if said.bare:
        if context.has("undo"):
            yield from widened(before)
        if said.most is None and said.top is None:
            yield from drilled(before, names)


def _switched(
    reads: list[_Read],
    links: Links,
    context: Context,
    before: Meaning,
    planner: "TablePlanner",
    strength: float,
) -> Iterator[Candidate]:
    """The same of another table, where a message says little more than its name."""
    if context.words > MOST_WORDS_SWITCHED or (reads and reads[0].said.about not in ("table", "nothing")):
        return
    tables: dict[str, float] = {}
    for names in links.named.values():
        for name in names:
            if name.thing.column is None and name.thing.table is not before.table:
                table = name.thing.table.name
                tables[table] = max(tables.get(table, 0.0), name.score)
    for table, score in sorted(tables.items(), key=lambda item: (-item[1], item[0]))[:3]:
        thing = planner.things.graph.by_name[table]
        for edit in switched(before, thing, _names(thing, planner)):
            statement = statement_of(edit.meaning)
            if planner.tables.findings(statement):
                continue
            features: tuple[Feature, ...] = (
                ("edit.alone", _odds(strength)),
                ("switch.score", score),
                *edit_features(context, edit, Fragment(subjects=(thing,)), before),
            )
            yield Candidate(statement, edit.kind, features, (), (f"the same of {table}",))


def _names(table: Table, planner: "TablePlanner") -> tuple[ColumnPath, ...]:
    return tuple(
        ColumnPath((), thing.column) for thing in planner.things.names_of(table) if thing.column is not None
    )


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
