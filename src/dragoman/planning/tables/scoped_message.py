"""A message as one scope sees it: its words, and the cues, names, values and numbers that they may be."""

from collections.abc import Iterable, Mapping

from dragoman.planning.tables.cues import Cue, linking_words, naming_words, number_of
from dragoman.planning.tables.day_spans import PlacedSpan, covered
from dragoman.planning.tables.lexicon import spoken
from dragoman.planning.tables.name_linker import Links
from dragoman.planning.tables.partial_reading import Draft
from dragoman.planning.tables.schema_names import Thing, Things
from dragoman.planning.tables.scope import Scope
from dragoman.planning.tables.weights import Feature, Weights
from dragoman.planning.tables.words import Kind, Token, stem

EXACT = 0.97
"""Above this words are the whole name of something."""
_ARTICLES = frozenset(
    {"the", "a", "an", "all", "any", "their", "its", "his", "her", "every", "some", "those", "these"}
)
_NEAR = 4
_LONGEST_CUE = 6
_OPENING = frozenset({"and", "please", "then", "also", "to", "you", "can"})
_SMALL = frozenset({"of", "by", "with", "where", "and", "or"})
_LIKE = ("contains", "starts", "ends")


class ScopedMessage:
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
        self.cues = cues
        self.spans = spans or {}
        self.dated = covered(self.spans)
        self.things = things
        self.scope = scope
        self._links = links
        self._weights = weights
        languages = spoken(" ".join(token.low for token in tokens))
        self.numbers = [number_of(token, languages) for token in tokens]
        named = {
            at: tuple(name for name in names if scope.holds(name.thing.table))
            for at, names in links.named.items()
        }
        valued = {
            at: tuple(value for value in values if scope.holds(value.thing.table))
            for at, values in links.valued.items()
        }
        self.named = {at: names for at, names in named.items() if names}
        self.valued = {at: values for at, values in valued.items() if values}
        self.columns = [
            thing
            for table in (scope.root, scope.other)
            if table is not None
            for thing in things.of_table[table.key]
        ]
        self.has_date = any(thing.is_date for thing in self.columns)

    def gained(self, draft: Draft, features: Iterable[Feature], **changes: object) -> Draft:
        """The draft with what was found, and with what that is worth."""
        found = tuple(features)
        return draft.changed(
            features=draft.features + found, score=draft.score + self._weights.of(found), **changes
        )

    def usable_cues(self, at: int) -> tuple[Cue, ...]:
        """The phrases that begin here, the longest first."""
        return tuple(
            cue
            for cue in self.cues.get(at, ())
            # "The state of CA": inside a sentence the word is a noun.
            if cue.kind != "show" or cue.words not in naming_words() or self._begins(at)
        )

    def _begins(self, at: int) -> bool:
        return at == 0 or self.tokens[at - 1].kind is Kind.MARK or self.tokens[at - 1].low in _OPENING

    def only_links(self, at: int) -> bool:
        """Whether a word is a verb that only links what is named or said in the next words."""
        return self.tokens[at].low in linking_words() and any(
            place in self.named or place in self.valued or self.numbers[place] is not None
            for place in range(at + 1, min(at + 1 + _NEAR, len(self.tokens)))
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
        kinds = [cue.kind for cue in self.cues.get(at, ()) if cue.end == at + 1]
        return token.low if any(kind in _SMALL for kind in kinds) else kinds[0] if kinds else "word"

    def after(self, end: int) -> str:
        """What kind of thing follows a name."""
        if end >= len(self.tokens):
            return "end"
        token = self.tokens[end]
        if token.kind is not Kind.WORD:
            return "end" if token.low in "?.!" else token.kind.value
        cues = self.cues.get(end)
        if cues:
            return token.low if cues[0].kind in _SMALL else cues[0].kind
        return "value" if end in self._links.valued else "name" if end in self._links.named else "word"

    def text_is_due(self, at: int) -> bool:
        """Whether the word before says what a text holds or begins with: this one is the text then."""
        for start in range(max(0, at - _LONGEST_CUE), at):
            cues = self.cues.get(start, ())
            # Of phrases that begin alike only the longest one counts: "ending with the letter".
            if cues and cues[0].end == at and cues[0].kind in _LIKE:
                return True
        return False

    def names_exactly(self, start: int, end: int) -> bool:
        """Whether these words are the whole name of something."""
        return any(name.end == end and name.score > EXACT for name in self._links.named.get(start, ()))

    def is_value(self, start: int, end: int) -> bool:
        """Whether these words stand in the data of this scope."""
        return any(value.end == end for value in self.valued.get(start, ()))

    def names_follow(self, at: int) -> bool:
        """Whether a column is named right here."""
        return any(name.thing.column is not None for name in self.named.get(at, ()))

    def hinted(self, hints: Iterable[str]) -> list[tuple[int, Thing]]:
        """The columns that an adjective speaks of, in the order in which it prefers them."""
        found: list[tuple[int, Thing]] = []
        for rank, hint in enumerate(hints):
            for thing in self.columns:
                known = thing.is_number or thing.is_date or thing.is_text
                if stem(hint) in thing.words and known and not (thing.is_key and "id" in thing.words):
                    found.append((rank, thing))
        return found[:3]
