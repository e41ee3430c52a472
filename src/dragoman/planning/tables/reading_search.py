"""Reads a message from left to right within one scope, and keeps the best ways to do so."""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from dragoman.planning.tables.cue_roles import after_cue
from dragoman.planning.tables.cues import Cue, linking_words, naming_words, number_of
from dragoman.planning.tables.day_spans import PlacedSpan, after_span, covered
from dragoman.planning.tables.lexicon import spoken
from dragoman.planning.tables.name_linker import Links
from dragoman.planning.tables.name_roles import after_name
from dragoman.planning.tables.partial_reading import Draft, forgotten
from dragoman.planning.tables.schema_names import Scope, Thing, Things
from dragoman.planning.tables.value_roles import (
    after_moment,
    after_number,
    after_quoted,
    after_value,
    is_moment,
)
from dragoman.planning.tables.weights import Feature, Weights
from dragoman.planning.tables.words import Kind, Token, stem

WIDTH = 6
"""So many drafts go on from each word. Of three hundred questions none is read better with fifty."""
_ARTICLES = frozenset(
    {"the", "a", "an", "all", "any", "their", "its", "his", "her", "every", "some", "those", "these"}
)
_NEAR = 4
_OPENING = frozenset({"and", "please", "then", "also", "to", "you", "can"})
_TELLING = frozenset(
    {"average", "sum", "max", "min", "most", "least", "common", "rare", "not", "missing"}
    | {"above", "below", "at-least", "at-most", "between", "contains", "starts", "ends"}
)
"""Kinds of phrases that change what is asked: a reading that passes over one does not cover the message."""
_SMALL = frozenset({"of", "by", "with", "where", "and", "or"})


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
        spans: Mapping[int, PlacedSpan] | None = None,
    ) -> None:
        self.tokens = tokens
        self._spans = spans or {}
        self._dated = covered(self._spans)
        self.things = things
        self.scope = scope
        self._cues = cues
        self._links = links
        self._weights = weights
        languages = spoken(" ".join(token.low for token in tokens))
        self._numbers = [number_of(token, languages) for token in tokens]
        named = {
            at: tuple(name for name in names if scope.holds(name.thing.table))
            for at, names in links.named.items()
        }
        valued = {
            at: tuple(value for value in values if scope.holds(value.thing.table))
            for at, values in links.valued.items()
        }
        self._named = {at: names for at, names in named.items() if names}
        self._valued = {at: values for at, values in valued.items() if values}
        self.columns = [
            thing
            for table in (scope.root, scope.other)
            if table is not None
            for thing in things.of_table[table.key]
        ]
        self._has_date = any(thing.is_date for thing in self.columns)

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
            if cue.kind == "show" and cue.words in naming_words() and not self._begins(at):
                # "The state of CA": inside a sentence the word is a noun.
                continue
            longest = max(longest, cue.end)
            for further in after_cue(self, draft, cue):
                short = [("cue.short", 1.0)] if cue.end < longest else []
                yield self.gained(further, short, at=cue.end)
        number = self._numbers[at]
        if number is not None:
            named = True
            for further in after_number(self, draft, number, token):
                if not self._misses_period(draft, further):
                    yield self._moved(draft, further, at + 1)
        for name in self._named.get(at, ()):
            for further in after_name(self, draft, name):
                named = True
                yield self._moved(draft, further, name.end)
        for value in self._valued.get(at, ()):
            for further in after_value(self, draft, value):
                named = True
                yield self._moved(draft, further, value.end)
        spelled = draft.waiting.like and at and draft.waiting.text == "" and token.kind is not Kind.MARK
        if token.kind is Kind.QUOTED or (spelled and self._cue_ends(at)):
            for further in after_quoted(self, draft, token):
                yield self._moved(draft, further, at + 1)
        span = self._spans.get(at)
        for further in after_span(self, draft, span) if span is not None else ():
            yield self._moved(draft, further, span.end if span is not None else at)
        if is_moment(token) and not (at in self._dated and self._has_date):
            for further in after_moment(self, draft, token):
                yield self._moved(draft, further, at + 1)
        if token.kind is Kind.WORD and token.text[:1].isupper() and at and not longest and not named:
            waiting = msgspec.structs.replace(draft.waiting, text=token.text)
            yield self.gained(draft, [("word.wait", 1.0)], waiting=waiting, at=at + 1)
        yield self._skipped(draft, token, known=bool(longest), named=named)

    def _misses_period(self, draft: Draft, further: Draft) -> bool:
        """Whether a number inside of a period was asked of a date by itself: the 2020 of "since 2020"."""
        if draft.at not in self._dated or draft.at in self._spans:
            return False
        asked = further.conditions[len(draft.conditions) :]
        return any(condition.thing.is_date for condition in asked)

    def _moved(self, draft: Draft, further: Draft, at: int) -> Draft:
        """The draft a few words on. What waited and was neither used nor kept counts against it."""
        lost = forgotten(draft, further)
        if not lost:
            return further.changed(at=at)
        uncovered = (*further.uncovered, *lost)
        return self.gained(further, [("lost", float(len(lost)))], at=at, uncovered=uncovered)

    def _leads_on(self, at: int) -> bool:
        """Whether something is named or said in the next words: a verb then only links it."""
        return any(
            place in self._named or place in self._valued or self._numbers[place] is not None
            for place in range(at, min(at + _NEAR, len(self.tokens)))
        )

    def _begins(self, at: int) -> bool:
        return at == 0 or self.tokens[at - 1].kind is Kind.MARK or self.tokens[at - 1].low in _OPENING

    def _skipped(self, draft: Draft, token: Token, *, known: bool, named: bool) -> Draft:
        if token.kind is Kind.MARK:
            zone = draft.zone
            if token.low in ",?.;" and zone in ("group",):
                zone = "show"
            if token.low in "?.;":
                zone = "show"
            return draft.changed(at=draft.at + 1, zone=zone)
        if known:
            said = all(cue.kind in _TELLING for cue in self._cues.get(draft.at, ()))
            uncovered = (*draft.uncovered, token.text) if said else draft.uncovered
            return self.gained(draft, [("skip.cue", 1.0)], at=draft.at + 1, uncovered=uncovered)
        if token.low in linking_words() and not named and self._leads_on(draft.at + 1):
            return self.gained(draft, [("skip.linking", 1.0)], at=draft.at + 1)
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

    def before(self, start: int) -> str:
        """The small word that stands before a name, past an article."""
        at = start - 1
        while at >= 0 and self.tokens[at].low in _ARTICLES:
            at -= 1
        if at < 0:
            return "start"
        token = self.tokens[at]
        if token.kind is Kind.MARK:
            return "mark"
        kinds = [cue.kind for cue in self._cues.get(at, ()) if cue.end == at + 1]
        return token.low if any(kind in _SMALL for kind in kinds) else kinds[0] if kinds else "word"

    def after(self, end: int) -> str:
        """What kind of thing follows a name."""
        if end >= len(self.tokens):
            return "end"
        token = self.tokens[end]
        if token.kind is not Kind.WORD:
            return "end" if token.low in "?.!" else token.kind.value
        cues = self._cues.get(end)
        if cues:
            return token.low if cues[0].kind in _SMALL else cues[0].kind
        return "value" if end in self._links.valued else "name" if end in self._links.named else "word"

    def _cue_ends(self, at: int) -> bool:
        """Whether the word before says what a text holds or begins with: this one is the text then."""
        for start in range(max(0, at - 6), at):
            cues = self._cues.get(start, ())
            # Of phrases that begin alike only the longest one counts: "ending with the letter".
            if cues and cues[0].end == at and cues[0].kind in ("contains", "starts", "ends"):
                return True
        return False

    def names_exactly(self, start: int, end: int) -> bool:
        """Whether these words are the whole name of something."""
        return any(name.end == end and name.score > 0.97 for name in self._links.named.get(start, ()))

    def is_value(self, start: int, end: int) -> bool:
        """Whether these words stand in the data of this scope."""
        return any(value.end == end for value in self._valued.get(start, ()))

    def names_follow(self, at: int) -> bool:
        """Whether a column is named right here."""
        return any(name.thing.column is not None for name in self._named.get(at, ()))

    def hinted(self, hints: Iterable[str]) -> list[tuple[int, Thing]]:
        """The columns that an adjective speaks of, in the order in which it prefers them."""
        found: list[tuple[int, Thing]] = []
        for rank, hint in enumerate(hints):
            for thing in self.columns:
                known = thing.is_number or thing.is_date or thing.is_text
                if stem(hint) in thing.words and known and not (thing.is_key and "id" in thing.words):
                    found.append((rank, thing))
        return found[:3]


def _best(drafts: list[Draft]) -> list[Draft]:
    """The best of each kind: two drafts that will go on alike are one, the better."""
    drafts.sort(key=lambda draft: -draft.score)
    kept: dict[object, Draft] = {}
    for draft in drafts:
        kept.setdefault(_state(draft), draft)
        if len(kept) == WIDTH:
            break
    return list(kept.values())


def _state(draft: Draft) -> object:
    return (
        (draft.zone, draft.waiting, _number(draft.held), draft.top, draft.everything, len(draft.counted)),
        (_numbers(draft.shown), _numbers(draft.subjects), _numbers(draft.groups), _numbers(draft.counted)),
        tuple((each.verb, _number(each.thing)) for each in draft.measures),
        tuple((each.thing.number, each.operation, each.values, each.negative) for each in draft.conditions),
        tuple((each.operation, each.number) for each in draft.having),
        tuple((_number(each.thing), each.descending) for each in draft.orders),
        draft.extreme and (_number(draft.extreme.thing), draft.extreme.descending, draft.extreme.measure),
        (draft.descending, draft.ordering, draft.distinct, draft.count_distinct, _number(draft.last)),
    )


def _number(thing: Thing | None) -> int:
    return -1 if thing is None else thing.number


def _numbers(things: Iterable[Thing | None]) -> tuple[int, ...]:
    return tuple(_number(thing) for thing in things)
