"""Reads a message from left to right within one scope, and keeps the best ways to do so."""

from collections.abc import Iterable, Iterator

from dragoman.planning.tables.cueing import after_cue
from dragoman.planning.tables.cues import Cue, number_of
from dragoman.planning.tables.linking import Links
from dragoman.planning.tables.naming import after_name, after_number, after_quoted, after_value
from dragoman.planning.tables.reading import Draft
from dragoman.planning.tables.things import Scope, Things
from dragoman.planning.tables.weighing import Feature, Weights
from dragoman.planning.tables.words import Kind, Token

WIDTH = 14
_QUIET = frozenset({"fill", "show", "of", "and", "times"})


class Stepper:
    """One message in one scope."""

    def __init__(
        self,
        tokens: tuple[Token, ...],
        cues: dict[int, tuple[Cue, ...]],
        links: Links,
        things: Things,
        scope: Scope,
        weights: Weights,
    ) -> None:
        self.tokens = tokens
        self.things = things
        self.scope = scope
        self._cues = cues
        self._links = links
        self._weights = weights
        self.columns = [
            thing
            for table in (scope.root, scope.other)
            if table is not None
            for thing in things.of_table[table.key]
        ]

    def drafts(self) -> list[Draft]:
        waiting: dict[int, list[Draft]] = {0: [Draft()]}
        for at in range(len(self.tokens)):
            for draft in _best(waiting.pop(at, [])):
                for further in self._further(draft):
                    waiting.setdefault(further.at, []).append(further)
        return _best(waiting.get(len(self.tokens), []))

    def gained(self, draft: Draft, features: Iterable[Feature], **changes: object) -> Draft:
        """The draft with what was found, and with what that is worth."""
        found = tuple(features)
        return draft.changed(
            features=draft.features + found, score=draft.score + self._weights.of(found), **changes
        )

    def _further(self, draft: Draft) -> Iterator[Draft]:
        at = draft.at
        token = self.tokens[at]
        longest = 0
        named = False
        for cue in self._cues.get(at, ()):
            longest = max(longest, cue.end)
            for further in after_cue(self, draft, cue):
                short = [("cue.short", 1.0)] if cue.end < longest else []
                yield self.gained(further, short, at=cue.end)
        number = number_of(token)
        if number is not None:
            named = True
            for further in after_number(self, draft, number, token):
                yield further.changed(at=at + 1)
        for name in self._links.named.get(at, ()):
            if self.scope.holds(name.thing.table):
                for further in after_name(self, draft, name):
                    named = True
                    yield further.changed(at=name.end)
        for value in self._links.valued.get(at, ()):
            if self.scope.holds(value.thing.table):
                for further in after_value(self, draft, value):
                    named = True
                    yield further.changed(at=value.end)
        if token.kind is Kind.QUOTED:
            for further in after_quoted(self, draft, token):
                yield further.changed(at=at + 1)
        yield self._skipped(draft, token, known=bool(longest), named=named)

    def _skipped(self, draft: Draft, token: Token, *, known: bool, named: bool) -> Draft:
        if token.kind is Kind.MARK:
            zone = draft.zone
            if token.low in ",?.;" and zone in ("group",):
                zone = "show"
            if token.low in "?.;":
                zone = "show"
            return draft.changed(at=draft.at + 1, zone=zone)
        if known:
            return self.gained(draft, [("skip.cue", 1.0)], at=draft.at + 1)
        feature = (
            "skip.quoted"
            if token.kind is Kind.QUOTED
            else "skip.number"
            if token.kind is Kind.NUMBER
            else "skip.word"
        )
        return self.gained(
            draft,
            [(feature, 1.0), *([("skip.named", 1.0)] if named else [])],
            at=draft.at + 1,
            uncovered=(*draft.uncovered, token.text),
        )

    def hinted(self, hints: Iterable[str]) -> list[tuple[int, object]]:
        """The columns that an adjective speaks of, in the order in which it prefers them."""
        from dragoman.planning.tables.words import stem

        found: list[tuple[int, object]] = []
        for rank, hint in enumerate(hints):
            for thing in self.columns:
                if (
                    stem(hint) in thing.words
                    and (thing.is_number or thing.is_date or thing.is_text)
                    and not thing.is_key
                ):
                    found.append((rank, thing))
        return found[:3]


def _best(drafts: list[Draft]) -> list[Draft]:
    drafts.sort(key=lambda draft: -draft.score)
    kept: list[Draft] = []
    seen: set[object] = set()
    for draft in drafts:
        key = (
            draft.zone,
            draft.waiting,
            draft.held and draft.held.number,
            _n(draft.shown),
            _n(draft.subjects),
            draft.counted and _n(t for t in draft.counted if t),
            len(draft.counted),
            draft.measures and tuple((m.verb, m.thing and m.thing.number) for m in draft.measures),
            _n(draft.groups),
            tuple((c.thing.number, c.operation, c.values, c.negative) for c in draft.conditions),
            len(draft.having),
            tuple((o.thing and o.thing.number, o.descending) for o in draft.orders),
            draft.extreme and (draft.extreme.thing and draft.extreme.thing.number, draft.extreme.descending),
            draft.top,
            draft.everything,
        )
        if key not in seen:
            seen.add(key)
            kept.append(draft)
            if len(kept) == WIDTH:
                break
    return kept


def _n(things: Iterable[object]) -> tuple[int, ...]:
    return tuple(thing.number for thing in things)  # type: ignore[attr-defined]
