"""Everything that a message after a statement may mean: by itself, as a change of it, or of another table."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from dragoman.contracts.program import Statement
from dragoman.planning.tables.cues import cues_of
from dragoman.planning.tables.day_spans import DaySpan, placed
from dragoman.planning.tables.follow_up_cues import Context, context_of
from dragoman.planning.tables.follow_up_features import Candidate, edit_features, fresh_features
from dragoman.planning.tables.fragment import Fragment
from dragoman.planning.tables.fragment_builder import fragment_of
from dragoman.planning.tables.fragment_edits import edits
from dragoman.planning.tables.name_linker import Links
from dragoman.planning.tables.partial_reading import Draft
from dragoman.planning.tables.plan_search import MOST_READINGS, PlanSearch, WeighedPlan
from dragoman.planning.tables.probability import chances, evidence, odds, probability
from dragoman.planning.tables.reachable_tables import ReachableTables
from dragoman.planning.tables.reading_search import drafts_of
from dragoman.planning.tables.scope import Scope
from dragoman.planning.tables.scoped_message import ScopedMessage
from dragoman.planning.tables.statement_parts import StatementParts, all_parts_of, parts_of, statement_of
from dragoman.planning.tables.unnamed_edits import Edit, drilled, reversed_order, switched, widened
from dragoman.planning.tables.weights import Feature
from dragoman.planning.tables.words import tokens_of
from dragoman.tables.graph import Table
from dragoman.tables.paths import ColumnPath

_MOST_DRAFTS = 8
"""How many ways to read the words are put together with the statement in hand, in each scope."""
_MOST_SCOPES = 5
_MOST_FRESH = 14
_MOST_WORDS_SWITCHED = 6
_MOST_SWITCHED = 3
_RIDDLES = 3
"""What a message that means nothing by itself is taken to leave uncovered."""
_CHOICES = ("shape.", "default.", "count.", "distinct.", "list.", "group.", "kept.", "scope.", "one.")
"""Features of readings by themselves that are weighed anew: people say less amid a conversation."""
_UNNAMED = frozenset({"list.default.unnamed", "kept.default", "group.count.implied"})
"""Features of readings that make up what they show."""


class _Read(NamedTuple):
    """A way to read the words around the statement in hand, and what it says of that."""

    draft: Draft
    said: Fragment


class _FollowUp(NamedTuple):
    """A message after a statement that is known: how it leans, what it names, how it may be read there."""

    search: PlanSearch
    previous: Statement
    before: StatementParts
    context: Context
    links: Links
    reads: list[_Read]

    @property
    def about(self) -> str:
        return self.reads[0].said.about if self.reads else "nothing"


class _Alone(NamedTuple):
    """What the message is by itself: how sure its best reading, and how many of its words are a riddle."""

    strength: float
    riddles: int


def candidates(
    text: str, previous: Statement, search: PlanSearch, spans: Sequence[DaySpan] = ()
) -> list[Candidate]:
    """Everything that may be meant, each statement once."""
    before = parts_of(search.things.graph, previous)
    context = context_of(tokens_of(text))
    turn = None
    if before is not None:
        links = search.linker.links(context.rest)
        reads = _reads(context, links, before, search, spans)
        turn = _FollowUp(search, previous, before, context, links, reads)
    found: dict[bytes, Candidate] = {}
    for candidate in _fresh(text, previous, context, turn, search, spans):
        _keep(found, candidate)
    if turn is not None:
        alone = _Alone(
            max((each.alone for each in found.values()), default=0.0),
            min((len(each.uncovered) for each in found.values()), default=_RIDDLES),
        )
        for candidate in _edited(turn, alone):
            _keep(found, candidate)
        for candidate in _switched(turn, alone):
            _keep(found, candidate)
    return list(found.values())


def _keep(found: dict[bytes, Candidate], candidate: Candidate) -> None:
    found.setdefault(msgspec.json.encode(candidate.statement), candidate)


# What the message means by itself.


def _fresh(
    text: str,
    previous: Statement,
    context: Context,
    turn: _FollowUp | None,
    search: PlanSearch,
    spans: Sequence[DaySpan],
) -> Iterator[Candidate]:
    plans = list(_plans(text, search, spans))
    statements = [plan.statement for plan, _ in plans]
    owns = all_parts_of(search.things.graph, statements) if turn is not None else ()
    for place, (plan, alone) in enumerate(plans):
        features = _worth_features(plan, alone, previous)
        if turn is not None:
            features += fresh_features(context, place, owns[place], turn.before, turn.about)
        uncovered = context.uncovered(plan.plan.uncovered)
        yield Candidate(plan.statement, "fresh", features, uncovered, plan.plan.notes, alone)


def _plans(text: str, search: PlanSearch, spans: Sequence[DaySpan]) -> Iterator[tuple[WeighedPlan, float]]:
    """What the message means by itself, worth less than the best by so much, and how sure each is."""
    plans = search.plans(text, _MOST_FRESH, spans)
    shares = chances([each.worth for each in plans[:MOST_READINGS]])
    for place, plan in enumerate(plans):
        share = shares[place] if place < len(shares) else 0.0
        alone = probability(search.weights.calibration, evidence(plan.plan, share))
        yield msgspec.structs.replace(plan, worth=plan.worth - plans[0].worth), alone


def _worth_features(plan: WeighedPlan, alone: float, previous: Statement) -> tuple[Feature, ...]:
    told = plan.plan.features
    unnamed = any(name in _UNNAMED and value for name, value in told)
    return (
        ("fresh.worth", plan.worth),
        ("fresh.alone", odds(alone)),
        ("fresh.unnamed", 1.0 if unnamed else 0.0),
        ("repeats", 1.0 if plan.statement == previous else 0.0),
        *((f"plan:{name}", value) for name, value in told if value and name.startswith(_CHOICES)),
    )


# What it means as a change of the statement in hand.


def _reads(
    context: Context, links: Links, before: StatementParts, search: PlanSearch, spans: Sequence[DaySpan]
) -> list[_Read]:
    """Ways to read the words within the tables around the statement in hand, the best first."""
    tokens = context.rest
    reachable = ReachableTables(search.things.graph, before)
    cues = cues_of(tokens)
    dated = placed(spans, tokens)
    drafts: list[Draft] = []
    for scope in _scopes(links, reachable, search):
        message = ScopedMessage(tokens, cues, links, search.things, scope, search.weights, dated)
        drafts.extend(drafts_of(message)[:_MOST_DRAFTS])
    drafts.sort(key=lambda draft: -draft.score)
    said = ((draft, fragment_of(draft, before, reachable)) for draft in drafts)
    return [_Read(draft, fragment) for draft, fragment in said if fragment is not None]


def _scopes(links: Links, reachable: ReachableTables, search: PlanSearch) -> list[Scope]:
    """The table itself, and with each table beside it that the words name."""
    named = {name.thing.table.key for names in links.named.values() for name in names}
    named |= {value.thing.table.key for values in links.valued.values() for value in values}
    near = reachable.near()
    found = [Scope(reachable.table)]
    for pair in search.pairs:
        if pair.other is None:
            continue
        keys = {pair.root.key, pair.other.key}
        if reachable.table.key in keys and keys <= near and keys & named - {reachable.table.key}:
            found.append(pair)
    return found[:_MOST_SCOPES]


def _edited(turn: _FollowUp, alone: _Alone) -> Iterator[Candidate]:
    made: dict[bytes, tuple[Statement, _Read, Edit]] = {}
    for read in turn.reads:
        for edit in _edits(turn, read.said):
            statement = statement_of(edit.parts)
            made.setdefault(msgspec.json.encode(statement), (statement, read, edit))
    findings = turn.search.tables.findings_of([statement for statement, _, _ in made.values()])
    for (statement, (draft, said), edit), found in zip(made.values(), findings, strict=True):
        if found:
            continue
        uncovered = turn.context.uncovered(draft.uncovered)
        features: tuple[Feature, ...] = (
            ("edit.worth", draft.score - turn.reads[0].draft.score),
            ("edit.alone", odds(alone.strength)),
            ("edit.uncovered", float(len(uncovered))),
            ("edit.lost", float(max(0, len(uncovered) - alone.riddles))),
            ("repeats", 1.0 if statement == turn.previous else 0.0),
            *edit_features(turn.context, edit, said, turn.before),
        )
        notes = (f"the statement in hand, changed: {edit.kind}", *draft.notes)
        yield Candidate(statement, edit.kind, features, uncovered, notes)


def _edits(turn: _FollowUp, said: Fragment) -> Iterator[Edit]:
    before, context = turn.before, turn.context
    names = _names(before.table, turn.search)
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


# What it means of another table.


def _switched(turn: _FollowUp, alone: _Alone) -> Iterator[Candidate]:
    """The same of another table, where a message says little more than its name."""
    if turn.context.words > _MOST_WORDS_SWITCHED or turn.about not in ("table", "nothing"):
        return
    tables = _other_tables(turn.links, turn.before.table)
    for name, score in sorted(tables.items(), key=lambda item: (-item[1], item[0]))[:_MOST_SWITCHED]:
        table = turn.search.things.graph.by_name[name]
        for edit in switched(turn.before, table, _names(table, turn.search)):
            statement = statement_of(edit.parts)
            if turn.search.tables.findings(statement):
                continue
            features: tuple[Feature, ...] = (
                ("edit.alone", odds(alone.strength)),
                ("switch.score", score),
                *edit_features(turn.context, edit, Fragment(subjects=(table,)), turn.before),
            )
            yield Candidate(statement, edit.kind, features, (), (f"the same of {name}",))


def _other_tables(links: Links, own: Table) -> dict[str, float]:
    """The tables that are named beside the one in hand, and how well."""
    found: dict[str, float] = {}
    for names in links.named.values():
        for name in names:
            if name.thing.column is None and name.thing.table is not own:
                table = name.thing.table.name
                found[table] = max(found.get(table, 0.0), name.score)
    return found


def _names(table: Table, search: PlanSearch) -> tuple[ColumnPath, ...]:
    return tuple(
        ColumnPath((), thing.column) for thing in search.things.names_of(table) if thing.column is not None
    )
