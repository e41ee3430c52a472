"""Which tables and columns the words of a message may name, and how well."""

from functools import lru_cache

from dragoman.contracts.record import Record
from dragoman.databases.values import ValueIndex
from dragoman.locales.thesaurus import near
from dragoman.planning.tables.cues import working_words
from dragoman.planning.tables.initials import Initials
from dragoman.planning.tables.lexicon import Languages, spoken
from dragoman.planning.tables.name_words import likenesses, phrases
from dragoman.planning.tables.ordinary_words import ordinary_stems
from dragoman.planning.tables.schema_names import Thing, Things
from dragoman.planning.tables.value_linker import Valued, ValueLinker
from dragoman.planning.tables.word_likeness import begun_alike, slips
from dragoman.planning.tables.words import Kind, Token, stem

LONGEST = 5
"""How many words of a message name one thing at most."""
_LEAST = 0.4
_MOST_ALTERNATIVES = 8
_SLIP, _LIKELY_SLIP = 0.75, 0.85
_CALLED = 0.97
"""A word that a pack has for a table is as good as its name, which comes first all the same."""
_DETERMINERS = frozenset({"the", "all", "each", "every", "any", "a", "an", "different", "distinct"})
_SURE = 0.9
_KNOWN, _NEARLY = 0.8, 0.95
"""Words of the thesaurus help where no word of the lexicon does."""
_OUTDONE = 0.75
_HEADLESS = 0.02
_LONG = 6
_SHORTEST_NAME = 2
_WHOLE = -1
"""The place of a word that stands for a whole name."""
_LISTING = frozenset({",", "and", "or", "&", "и", "или"})
_INSIDE, _PAIR = frozenset({"on", "in", "at"}), 2
_WRITTEN = 0.85
_BETWEEN = frozenset({"of", "the", "'s", "a", "an", "'", "s", "-"})


Hits = dict[int, tuple[float, int]]
"""For things by their number: how like a word is, and which word of the thing it is like."""


class Named(Record, frozen=True):
    """Words `start` to `end` name a thing; how well, up to 1. `slip`: only with a slip of the keyboard."""

    start: int
    end: int
    thing: Thing
    score: float
    slip: bool = False


class Links(Record, frozen=True):
    """Everything that was found, by the word it begins with."""

    named: dict[int, tuple[Named, ...]]
    valued: dict[int, tuple[Valued, ...]]


class Linker:
    """Finds names and values of one database in messages."""

    def __init__(self, things: Things, values: ValueIndex, *, widely: bool = False) -> None:
        """`widely`: words of the thesaurus and letters that changed places count too."""
        self._widely = widely
        self._things = things
        self._values = ValueLinker(things, values, widely=widely)
        self._initials = Initials(things)
        self._hits = lru_cache(maxsize=4096)(self._hits_of)

    def links(self, tokens: tuple[Token, ...]) -> Links:
        languages = spoken(" ".join(token.text for token in tokens))
        hits = [self._token_hits(token, languages) for token in tokens]
        named: dict[int, tuple[Named, ...]] = {}
        for start in range(len(tokens)):
            found = self._names(tokens, hits, start, languages)
            if found:
                named[start] = found
        return Links(named, self._values.valued(tokens))

    def knows(self, token: Token) -> bool:
        """Whether a word is one of a name, or another word for it."""
        found = self._hits(token.stem, spoken(token.text))
        return any(weight >= _KNOWN for weight, _ in found.values())

    def _token_hits(self, token: Token, languages: Languages) -> Hits:
        if token.kind not in (Kind.WORD, Kind.NUMBER):
            return {}
        found = self._hits(token.stem, languages)
        if token.low in working_words():
            # A word that works in questions names a thing only when it is its name.
            return {
                number: hit
                for number, hit in found.items()
                if hit[0] >= 1.0 and self._says(token, number, hit[1])
            }
        return found

    def _says(self, token: Token, number: int, place: int) -> bool:
        """Whether a small word is more than the beginning of a name: "has" alone is not `has_garden`, and an
        article is not a column."""
        if not self._widely:
            return True
        if len(token.low) < _SHORTEST_NAME:
            return token.text.isupper()
        return place > 0 or len(self._things.all[number].required) == 1

    def _hits_of(self, word: str, languages: Languages) -> Hits:
        """For a stem the things with a word like it: how like, and which word of the thing."""
        found: dict[int, tuple[float, int]] = {}

        def add(other: str, weight: float) -> None:
            for number, place in self._things.by_word.get(other, ()):
                if weight > found.get(number, (0.0, 0))[0]:
                    found[number] = (weight, place)

        for number, place in self._things.aliases.get(word, ()):
            found[number] = (_CALLED, place)
        add(word, 1.0)
        for number, weight in self._things.also.get(word, {}).items() if self._widely else ():
            if weight > found.get(number, (0.0, 0))[0]:
                found[number] = (weight, _WHOLE)
        for other, weight in likenesses(languages, wider=self._widely).get(word, {}).items():
            add(other, weight)
        if self._widely and all(weight < _KNOWN for weight, _ in found.values()):
            for other, weight in near(word, stem).items():
                add(other, weight * _NEARLY)
        for other, weight in begun_alike(word, self._things.by_word, widely=self._widely):
            add(other, weight)
        if self._may_be_slip(word, found):
            likely = _LIKELY_SLIP if found else _SLIP
            for other, weight in slips(word, self._things.by_word, widely=self._widely):
                add(other, weight * likely)
        return self._exact_first(found)

    def _may_be_slip(self, word: str, found: Hits) -> bool:
        """Whether nothing is like a word, or a long one only begins as a name does; not an everyday word."""
        if not self._widely:
            return not found
        made = any(weight >= _KNOWN for weight, _ in found.values())
        return (not found or (len(word) > _LONG and not made)) and word not in ordinary_stems()

    def _exact_first(self, found: Hits) -> Hits:
        """Another word for a column means less where the table has a column with the word itself."""
        exact = {
            self._things.all[number].table.key
            for number, (weight, _) in found.items()
            if weight >= 1.0 and self._things.all[number].column is not None
        }
        if not exact:
            return found
        return {
            number: (weight * _OUTDONE if weight < 1.0 and self._outdone(number, exact) else weight, place)
            for number, (weight, place) in found.items()
        }

    def _outdone(self, number: int, exact: set[tuple[str, str]]) -> bool:
        thing = self._things.all[number]
        return thing.column is not None and thing.table.key in exact

    def _names(
        self, tokens: tuple[Token, ...], hits: list[Hits], start: int, languages: Languages
    ) -> tuple[Named, ...]:
        found: list[Named] = []
        places: list[int] = []
        for end in range(start, min(start + LONGEST + 2, len(tokens))):
            token = tokens[end]
            if places and (token.low in _BETWEEN or self._as_written(tokens, hits, [end, end + 1])):
                continue
            if (token.kind is not Kind.WORD and not (places and token.kind is Kind.NUMBER)) or len(
                places
            ) >= LONGEST:
                break
            places.append(end)
            ranked = self._of_span(tokens, hits, places, languages)
            if not ranked and end > start and not self._phrase_begins(tokens, places):
                break
            if len(places) == 1:
                ranked = self._shared_head(tokens, start, ranked)
            found.extend(Named(start, end + 1, thing, score) for thing, score in ranked)
        found.extend(self._named_by_name(tokens, hits, start, languages))
        return tuple(found)

    def _named_by_name(
        self, tokens: tuple[Token, ...], hits: list[Hits], start: int, languages: Languages
    ) -> list[Named]:
        """ "The names of the directors", where the director is a column: its values are the names."""
        if tokens[start].stem != "name" or start + 2 >= len(tokens) or tokens[start + 1].low != "of":
            return []
        first = start + 2
        while first + 1 < len(tokens) and tokens[first].low in _DETERMINERS:
            first += 1
        return [
            Named(start, first + 1, thing, score * 0.96)
            for thing, score in self._of_span(tokens, hits, [first], languages)
            if thing.is_text and "name" not in thing.words and score > _SURE
        ]

    def _shared_head(
        self, tokens: tuple[Token, ...], start: int, ranked: list[tuple[Thing, float]]
    ) -> list[tuple[Thing, float]]:
        """ "First and last name": the word that both share stands after the last of them."""
        if start + 1 >= len(tokens) or tokens[start + 1].low not in _LISTING:
            return ranked
        heads = {token.stem for token in tokens[start + 2 : start + 8] if token.kind is Kind.WORD}
        return [
            (
                thing,
                0.97
                if tokens[start].stem in thing.words and set(thing.required) <= heads | {tokens[start].stem}
                else score,
            )
            for thing, score in ranked
        ]

    def _phrase_begins(self, tokens: tuple[Token, ...], places: list[int]) -> bool:
        return len(places) <= 2

    def _of_span(
        self, tokens: tuple[Token, ...], hits: list[Hits], places: list[int], languages: Languages
    ) -> list[tuple[Thing, float]]:
        best: dict[int, float] = {}
        named = self._widely and tokens[places[0]].stem == "name"
        crossing = named and any(token.low == "of" for token in tokens[places[0] : places[-1]])
        candidates = set(hits[places[0]])
        for place in places[1:]:
            candidates &= set(hits[place])
        for number in sorted(candidates):
            thing = self._things.all[number]
            found = [hits[place][number] for place in places]
            if crossing and min(weight for weight, _ in found) < _SURE:
                # "The name of a client" is not the name of a user.
                continue
            if any(at == _WHOLE for _, at in found):
                score = found[0][0] if len(found) == 1 else 0.0
            else:
                score = _likeness(
                    thing, [weight for weight, _ in found], [thing.words[at] for _, at in found], len(places)
                )
            if score >= _LEAST:
                best[number] = score
        stems = tuple(tokens[place].stem for place in places)
        for other, weight in phrases(languages, wider=self._widely).get(stems, ()):
            for number, score in self._by_words(other).items():
                best[number] = max(best.get(number, 0.0), score * weight)
        if len(places) == 1:
            # Whoever writes a name as the database has it means it.
            best.update(dict.fromkeys(self._things.by_name.get(stems[0], ()), 1.0))
        for number in self._as_written(tokens, hits, places):
            best[number] = max(best.get(number, 0.0), _WRITTEN)
        if self._widely:
            whole = any(self._is_name(hits[place]) for place in places)
            for number, score in self._initials.of_words(
                [tokens[at] for at in places], named=whole or (len(places) == 1 and bool(best))
            ).items():
                best[number] = max(best.get(number, 0.0), score)
        ranked = sorted(best.items(), key=lambda item: (-item[1], item[0]))
        return [
            (self._things.all[number], score)
            for number, score in ranked[:_MOST_ALTERNATIVES]
            if score >= _LEAST
        ]

    def _as_written(self, tokens: tuple[Token, ...], hits: list[Hits], places: list[int]) -> list[int]:
        """Columns that have a small word and the one behind it side by side: `QuantityOnHand`."""
        inside = len(places) == _PAIR and tokens[places[0]].low in _INSIDE
        if not self._widely or not inside or places[1] >= len(tokens):
            return []
        said = f"{tokens[places[0]].low}{tokens[places[1]].low}"
        exact = [number for number, (weight, _) in hits[places[1]].items() if weight >= 1.0]
        columns = [(number, self._things.all[number].column) for number in exact]
        return [
            number
            for number, column in columns
            if column is not None and said in column.info.name.casefold().replace("_", "")
        ]

    def _is_name(self, hits: Hits) -> bool:
        """Whether a word alone is the name of something."""
        return any(
            weight >= _NEARLY and len(self._things.all[number].required) == 1
            for number, (weight, _) in hits.items()
        )

    def _by_words(self, words: tuple[str, ...]) -> dict[int, float]:
        sets = [{number for number, _ in self._things.by_word.get(word, ())} for word in words]
        if not sets or not all(sets):
            return {}
        found = set.intersection(*sets)
        return {
            number: _likeness(self._things.all[number], [1.0] * len(words), list(words), len(words))
            for number in found
        }


def _likeness(thing: Thing, weights: list[float], matched: list[str], length: int) -> float:
    """How well words name a thing: how like they are, and how much of its name they say."""
    said = set(matched)
    if len(said) < length:
        return 0.0
    required = set(thing.required)
    covered = len(said & required)
    whole = len(required | said)
    share = (covered + 0.5 * (len(said) - covered)) / whole if whole else 0.0
    if not covered:
        share *= 0.6
    score = sum(weights) / len(weights) * (0.4 + 0.6 * share)
    # The last word of a table says what its rows are: routes of deliveries are no deliveries.
    headless = thing.column is None and len(required) > 1 and thing.required[-1] not in said
    return score - _HEADLESS if headless else score
