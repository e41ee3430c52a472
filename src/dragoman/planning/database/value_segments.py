"""Values of the database in a message: written as they are, by their beginning, or with a slip."""

import re
from collections.abc import Iterator, Mapping, Sequence

from dragoman.databases.values import ValueIndex
from dragoman.locales.documents import lexicon_of
from dragoman.locales.registry import FALLBACK, language
from dragoman.planning.database import places
from dragoman.planning.database.cut_values import CutValues
from dragoman.planning.database.segments import Piece, Segment, text_of
from dragoman.planning.database.vocabulary import Words
from dragoman.planning.tables.cues import Cue, working_words
from dragoman.planning.tables.ordinary_words import is_ordinary
from dragoman.planning.tables.schema_names import Things
from dragoman.planning.tables.value_linker import Valued
from dragoman.planning.tables.words import Kind, Token

_OTHER_NAME, _CODE, _INSIDE = 0.9, 0.85, 0.25
_IN_ADDRESS = 0.7
_LONGEST = 4
_ARTICLES = frozenset({"the", "a", "an"})
_WITHIN = frozenset({"of", "and", "the"})
"""Small words that names have inside."""
_CAPITAL_INSIDE = re.compile(r"\w*[a-z][A-Z]\w*").fullmatch
_MOST_HELD = 3
_LEAST_SHARE = 0.2
_SHORT = 3
_DOERS = ("er", "or")
_PAIR = 2
"""So many links make a row one that links two things."""
_MOST_KINDS = 50
"""More different values than that are names, and no kinds."""


class ValueSegments:
    """Finds values of one database."""

    def __init__(self, things: Things, values: ValueIndex) -> None:
        self._things = things
        self._values = values
        self._cut = CutValues(things)
        english = language(FALLBACK)
        self._small = working_words() | english.function_words() | frozenset(lexicon_of(english)["fillers"])

    def knows(self, token: Token) -> bool:
        if self._values.exactly(token.text):
            return True
        # "Cats" are no categories where "Cat" is a value.
        return token.low.endswith("s") and bool(self._values.exactly(token.low.removesuffix("s")))

    def linked(
        self, tokens: Sequence[Token], at: int, valued: Sequence[Valued], words: Words
    ) -> list[Segment]:
        """Values that words were linked to, and places by their other names."""
        by_end: dict[int, list[Valued]] = {}
        for each in valued:
            marked = tokens[each.end - 1].kind is Kind.MARK and tokens[each.end - 1].text not in each.value
            if not marked and not self._by_chance(tokens[each.start], each, words):
                by_end.setdefault(each.end, []).append(each)
        near = (*self._places(tokens, at), *self._loosely(tokens, at), *self._parts_played(tokens, at, words))
        near = (*near, *self._cut.at(tokens, at))
        for each in near:
            by_end.setdefault(each.end, []).append(each)
        for end, known in by_end.items():
            known.extend(self._addresses(text_of(tokens, at, end), known, words))
        return [_segment(tokens, end, values) for end, values in by_end.items()]

    def _places(self, tokens: Sequence[Token], at: int) -> Iterator[Valued]:
        """ "German": Germany, or DE in a column of countries."""
        for end in range(at + 1, min(at + places.LONGEST, len(tokens)) + 1):
            text = " ".join(token.low for token in tokens[at:end])
            for known in places.other_names(text):
                for name in (*known.names, *known.codes):
                    code = name in known.codes
                    for place in self._values.exactly(name) if name != text else ():
                        thing = self._things.of_column.get((place.schema, place.table, place.column))
                        if thing is None or (code and not known.columns & set(thing.words)):
                            continue
                        yield Valued(at, end, thing, place.value, _CODE if code else _OTHER_NAME)

    def _loosely(self, tokens: Sequence[Token], at: int) -> Iterator[Valued]:
        """ "On the way", where data has "On Way"; "south island", where it has "SouthIsland"."""
        if tokens[at].kind is not Kind.WORD:
            return
        for end in range(at + 2, min(at + _LONGEST, len(tokens)) + 1):
            if tokens[end - 1].kind is not Kind.WORD:
                return
            said = [token.low for token in tokens[at:end]]
            told = [word for word in said if word not in _ARTICLES]
            without = self._values.exactly(" ".join(told)) if 1 < len(told) < len(said) else ()
            joined = "".join(said)
            forms = dict.fromkeys((joined, joined.removesuffix("s")))
            found = (place for form in forms for place in self._values.exactly(form))
            whole = (place for place in found if _CAPITAL_INSIDE(place.value))
            # "Isle of Man", where data has "I.O.M.": only initials are written so.
            names = all(token.text[:1].isupper() or token.low in _WITHIN for token in tokens[at:end])
            names = names and tokens[end - 1].text[:1].isupper()
            letters = "".join(f"{word[0]}." for word in told) if names and len(told) > 1 else ""
            dotted = (place for place in self._values.exactly(letters) if place.value.lower() == letters)
            for place in (*without, *whole, *dotted) if said[0] not in _ARTICLES else ():
                thing = self._things.of_column.get((place.schema, place.table, place.column))
                if thing is not None:
                    yield Valued(at, end, thing, place.value, _OTHER_NAME)

    def _parts_played(self, tokens: Sequence[Token], at: int, words: Words) -> Iterator[Valued]:
        """ "Organized": who did it is an organizer, where rows that link two things say who was what."""
        token = tokens[at]
        if token.kind is not Kind.WORD or token.low == token.stem or not token.stem.isascii():
            return
        if at and tokens[at - 1].low in words.they:
            # "What do we organize": those who ask are in no row.
            return
        base = token.stem
        for ending in (*(base + each for each in _DOERS), f"{base.removesuffix('at')}ant"):
            for place in self._values.exactly(ending) if len(base) > _SHORT and ending != token.low else ():
                thing = self._things.of_column.get((place.schema, place.table, place.column))
                if thing is None or len(thing.table.info.foreign_keys) < _PAIR:
                    continue
                valued = Valued(at, at + 1, thing, place.value, _CODE)
                if is_kind(valued):
                    yield valued

    def _addresses(self, text: str, known: Sequence[Valued], words: Words) -> list[Valued]:
        """The addresses in which a place stands that is a value elsewhere."""
        if not any(words.places & set(each.thing.words) for each in known):
            return []
        holding = (
            self._things.of_column.get((p.schema, p.table, p.column)) for p in self._values.holding(text)
        )
        held = {each.thing.number for each in known}
        texts = {thing.number: thing for thing in holding if thing is not None and "address" in thing.words}
        start, end = known[0].start, known[0].end
        return [
            Valued(start, end, thing, text, _IN_ADDRESS, inside=True)
            for number, thing in texts.items()
            if number not in held
        ]

    def _by_chance(self, token: Token, valued: Valued, words: Words) -> bool:
        """A small word is in data by chance, unless it is written as the data has it."""
        if valued.end != valued.start + 1 or valued.quoted or token.kind is not Kind.WORD:
            return False
        # "And" is not an airport, but "men" are those of the code M.
        coded = len(token.low) == _SHORT and len(valued.value) > 1 and valued.value.isupper()
        short = len(token.low) <= 2 or coded
        # "Delayed" grades something, and may be a state all the same.
        state = token.low.endswith("ed") and token.low == valued.value.casefold() and is_kind(valued)
        small = token.low in self._small or short or (token.low in words.plain and not state)
        # Any first word has a capital letter.
        written = token.text == valued.value and (token.start > 0 or not token.text.istitle())
        return (small and not written) or _by_its_form(token, valued)

    def nearly(self, at: int, token: Token) -> list[Segment]:
        """A value with a slip of the keyboard. An ordinary word is none."""
        if token.kind is not Kind.WORD or len(token.low) < 6 or is_ordinary(token):
            return []
        values = []
        for place, score in self._values.nearly(token.text)[:4]:
            thing = self._things.of_column.get((place.schema, place.table, place.column))
            if thing is not None:
                values.append(Valued(at, at + 1, thing, place.value, score * 0.7))
        if not values:
            return []
        return [Segment(at, at + 1, Piece.VALUE, token.text, token.stem, 0.4, values=tuple(values))]

    def begun(
        self,
        tokens: Sequence[Token],
        at: int,
        cues: Mapping[int, tuple[Cue, ...]],
        words: Words,
        *,
        known: bool,
    ) -> list[Segment]:
        """Names by their beginning, or by a word that only few values have: Harbour for Harbour Tools Ltd.
        `known`: the first word means something else alone."""
        token = tokens[at]
        capital = token.text[:1].isupper() and token.start > 0
        if token.kind is not Kind.WORD or len(token.low) < (2 if token.text.isupper() else 3):
            return []
        small = token.low in self._small or token.low in words.plain or (known and not capital)
        for end in range(min(at + 5, len(tokens)), at + small, -1):
            span = tokens[at:end]
            if any(each.kind is not Kind.WORD for each in span) or cues.get(end - 1):
                continue
            if all(each.low in self._small for each in span) or (end == at + 1 and _by_chance_alone(token)):
                continue
            text = text_of(tokens, at, end)
            inside = (capital or end > at + 1 or not is_ordinary(token)) and not small
            values = self._holding(text, at, end, inside=inside)
            if not values and inside and text.endswith("s"):
                values = self._holding(text.removesuffix("s"), at, end, inside=inside)
            if values:
                alone = 0.75 if capital else 0.35 if values[0].score > _INSIDE else 0.1
                score = alone if end == at + 1 else (0.95 if small else 1.05) * (end - at)
                return [Segment(at, end, Piece.VALUE, text, token.stem, score, values=tuple(values[:8]))]
        return []

    def _holding(self, text: str, start: int, end: int, *, inside: bool) -> list[Valued]:
        """The values of each column that begin with a text or, where `inside` allows it, hold it. Many values
        that hold it are those with the text inside."""
        columns: dict[tuple[str, str, str], list[str]] = {}
        for place in self._values.holding(text):
            columns.setdefault((place.schema, place.table, place.column), []).append(place.value)
        found: list[Valued] = []
        for key, held in columns.items():
            thing = self._things.of_column.get(key)
            if thing is None:
                continue
            begins = [value for value in held if value.casefold().startswith(text.casefold())]
            if len(held) > _MOST_HELD:
                if inside and thing.is_text and not thing.is_key:
                    found.append(Valued(start, end, thing, text, _INSIDE, inside=True))
                continue
            if not begins and not inside:
                continue
            score = 0.8 / len(begins) if begins else 0.6 / len(held)
            # A short beginning of a long text is there by chance.
            whole = [value for value in begins or held if len(text) >= _LEAST_SHARE * len(value)]
            found.extend(Valued(start, end, thing, value, score) for value in whole)
        return sorted(found, key=lambda each: -each.score)


def is_kind(valued: Valued) -> bool:
    """Whether a value is one of a few, or one of the most frequent."""
    column = valued.thing.column
    if column is None:
        return False
    frequent = valued.value in (*column.info.options, *column.info.samples)
    return frequent if column.info.distinct is None else column.info.distinct <= _MOST_KINDS


def _is_verb(token: Token) -> bool:
    """ "Living", "released": what somebody does, unless it is written as a name is."""
    return token.low.endswith(("ing", "ed")) and is_ordinary(token)


def _by_chance_alone(token: Token) -> bool:
    return _is_verb(token) or (len(token.low) <= _SHORT and is_ordinary(token))


def _by_its_form(token: Token, valued: Valued) -> bool:
    """Whether another form of an everyday word is a value by chance: times are no TIM, and what was released
    is not a song that is called Release."""
    if token.low == valued.value.casefold() or token.text[:1].isupper():
        return False
    column = valued.thing.column
    several = column is not None and (column.info.distinct or 0) > _MOST_KINDS
    if len(valued.value) == _SHORT and is_ordinary(token):
        # Of a few kinds the plural is meant: cats are of the kind Cat.
        kinds = not several and not valued.value.isupper() and token.low == f"{valued.value.casefold()}s"
        return not kinds and token.low.startswith(valued.value.casefold())
    return several and _is_verb(token)


def _segment(tokens: Sequence[Token], end: int, values: Sequence[Valued]) -> Segment:
    start = values[0].start
    token = tokens[start]
    top = max(each.score for each in values)
    if any(each.quoted for each in values):
        score = 1.6
    elif end > start + 1:
        score = 1.15 * (end - start) * top
    elif token.kind is Kind.NUMBER:
        score = 0.4
    elif len(token.low) <= 2 and not token.text.isupper():
        score = 0.2
    else:
        score = (1.05 if token.text[:1].isupper() and token.start > 0 else 0.86) * top
    return Segment(
        start, end, Piece.VALUE, text_of(tokens, start, end), token.stem, score, values=tuple(values)
    )
