"""Which words of a message stand in the data, and in which columns."""

from collections.abc import Mapping

from dragoman.contracts.record import Record
from dragoman.databases.values import ValueIndex, ValuePlace
from dragoman.planning.tables.cues import linking_words
from dragoman.planning.tables.known_values import LONGEST as LONGEST_NAME
from dragoman.planning.tables.known_values import KnownValues
from dragoman.planning.tables.lexicon import lexicons
from dragoman.planning.tables.schema_names import Thing, Things
from dragoman.planning.tables.words import Kind, Token, stem

LONGEST = 8
"""How many words of a message are one value at most."""
_WRITTEN, _KNOWN = 0.9, 0.88
_COMPOUND = 0.95
_SIGNS = frozenset("+-#*")
_ADVERB, _SHORTEST_BASE = "ly", 3
_MOST_KINDS = 50
"""More different values than that are names: an adverb is made of none of them."""

Span = tuple[str, tuple[Token, ...]]
"""Words beside each other, as a text and one by one."""

Known = Mapping[str, tuple[ValuePlace, ...]]
"""Where each text stands as a value."""


class Valued(Record, frozen=True):
    """Words `start` to `end` are a value of a column."""

    start: int
    end: int
    thing: Thing
    value: str
    score: float
    quoted: bool = False
    inside: bool = False
    """The value is only part of what the column holds."""


class ValueLinker:
    """Finds values of one database in messages."""

    def __init__(self, things: Things, values: ValueIndex, *, widely: bool = False) -> None:
        """`widely`: more forms of a word are looked for."""
        self._things = things
        self._values = values
        self._widely = widely
        self._known = KnownValues(things, values)

    def valued(self, tokens: tuple[Token, ...]) -> dict[int, tuple[Valued, ...]]:
        """Everything that was found, by the word it begins with."""
        spans = {start: _spans(tokens, start) for start in range(len(tokens))}
        if self._widely:
            # A value ends with its last word, not with the mark behind it.
            spans = {at: [s for s in each if not _ends_in_mark(s[1])] for at, each in spans.items()}
        others = [
            form for token in tokens if token.kind is Kind.WORD for form in self._other_forms(token.low)
        ]
        # All that may be needed is looked up at once.
        known = self._values.exact([*(text for each in spans.values() for text, _ in each), *others])
        found: dict[int, tuple[Valued, ...]] = {}
        for start, token in enumerate(tokens):
            if token.kind is Kind.QUOTED:
                held = self._quoted(token, start, known[token.text])
            else:
                held = self._spoken(start, spans[start], known)
            if held:
                found[start] = held
        return found

    def _spoken(self, start: int, spans: list[Span], known: Known) -> tuple[Valued, ...]:
        found: list[Valued] = []
        for text, span in spans:
            end = start + len(span)
            for place in known[text][:12]:
                thing = self._things.of_column.get((place.schema, place.table, place.column))
                if thing is not None and _worth(span, place.value):
                    same = place.value == text or place.value.casefold() != place.value
                    found.append(Valued(start, end, thing, place.value, 1.0 if same else 0.9))
            if len(span) == 1 and span[0].kind is Kind.WORD and not found:
                found.extend(self._compound(span[0], start) or self._otherwise(span[0], start, known))
            elif self._widely and not known[text] and span[-1].low.endswith("s"):
                found.extend(self._singular(text, start, end))
        found.extend(self._by_other_names(start, spans, found))
        return tuple(found[:24])

    def _by_other_names(self, start: int, spans: list[Span], found: list[Valued]) -> list[Valued]:
        """Values in columns that have none by the name that was said."""
        columns = {each.thing.number for each in found if each.score >= _WRITTEN}
        return [
            Valued(start, start + len(span), thing, place.value, _KNOWN)
            for text, span in spans
            if len(span) <= LONGEST_NAME
            for thing, place in self._known.places(text)
            if thing.number not in columns
        ]

    def _singular(self, text: str, start: int, end: int) -> list[Valued]:
        """Several words the last of which is a plural: "roof ladders"."""
        found: list[Valued] = []
        for place in self._values.exactly(text.casefold().removesuffix("s"))[:6]:
            thing = self._things.of_column.get((place.schema, place.table, place.column))
            if thing is not None:
                found.append(Valued(start, end, thing, place.value, 0.95))
        return found

    def _compound(self, token: Token, start: int) -> list[Valued]:
        """A value and a form of its column's name in one word: A-rated, high-priority."""
        value, hyphen, name = token.text.rpartition("-")
        if not hyphen or not value or not name:
            return []
        places = [
            (place, self._things.of_column.get(_column(place))) for place in self._values.exactly(value)
        ]
        return [
            Valued(start, start + 1, thing, place.value, _COMPOUND)
            for place, thing in places
            if thing is not None and stem(name.casefold()) in thing.words
        ]

    def _other_forms(self, low: str) -> tuple[str, ...]:
        """What a word is looked for as, where it is no value itself."""
        return (*self._shorter(low), *(code for _, code in _codes(low)))

    def _shorter(self, low: str) -> list[str]:
        forms = [low.removesuffix("s"), low.removesuffix("es"), f"{low}d", f"{low}ed"]
        if self._widely:
            forms += _more_forms(low)
        if low in linking_words():
            # "Carts that depart from Brill" need not be those of the state Departed.
            forms = [form for form in forms if not form.endswith("ed")]
        shortest = 3 if self._widely else 4
        return [form for form in dict.fromkeys(forms) if form != low and len(form) >= shortest]

    def _otherwise(self, token: Token, start: int, known: Known) -> list[Valued]:
        """A word that is not a value itself, but whose singular or code is."""
        found: list[Valued] = []
        low = token.low
        adverb = low.endswith(_ADVERB)
        for form in self._shorter(low):
            for place in known[form][:6]:
                thing = self._things.of_column.get(_column(place))
                if thing is not None and not (adverb and _holds_names(thing)):
                    found.append(Valued(start, start + 1, thing, place.value, 0.9))
        for hints, code in _codes(low):
            for place in known[code][:6]:
                thing = self._things.of_column.get((place.schema, place.table, place.column))
                # A single letter means something only in a column that is about it.
                if thing is not None and (len(code) > 1 or hints & set(thing.words)):
                    found.append(Valued(start, start + 1, thing, place.value, 0.75))
        if not found and token.text[:1].isupper() and start > 0:
            for place, score in self._values.nearly(token.text)[:4]:
                thing = self._things.of_column.get((place.schema, place.table, place.column))
                if thing is not None:
                    found.append(Valued(start, start + 1, thing, place.value, score * 0.7))
        return found

    def _quoted(self, token: Token, start: int, exact: tuple[ValuePlace, ...]) -> tuple[Valued, ...]:
        found = []
        for place in exact[:12]:
            thing = self._things.of_column.get((place.schema, place.table, place.column))
            if thing is not None:
                found.append(Valued(start, start + 1, thing, place.value, 1.0, quoted=True))
        if not exact:
            for place, score in self._values.nearly(token.text)[:3]:
                thing = self._things.of_column.get((place.schema, place.table, place.column))
                if thing is not None:
                    found.append(Valued(start, start + 1, thing, place.value, score * 0.8, quoted=True))
        return tuple(found)


def _spans(tokens: tuple[Token, ...], start: int) -> list[Span]:
    """The words from one on that may be a value together, the longest first. A quoted text is one by
    itself."""
    if tokens[start].kind is Kind.QUOTED:
        return [(tokens[start].text, tokens[start : start + 1])]
    if tokens[start].kind is Kind.MARK:
        return []
    spans = (tokens[start:end] for end in range(min(start + LONGEST, len(tokens)), start, -1))
    unquoted = (span for span in spans if all(each.kind is not Kind.QUOTED for each in span))
    return [(" ".join(each.text for each in span), span) for span in unquoted]


def _ends_in_mark(span: tuple[Token, ...]) -> bool:
    """Whether a mark follows words. A sign that is written onto the last of them is a part of it: A+."""
    last = span[-1]
    glued = len(span) > 1 and last.text in _SIGNS and last.start == span[-2].end
    return last.kind is Kind.MARK and not glued


def _column(place: ValuePlace) -> tuple[str, str, str]:
    return place.schema, place.table, place.column


def _holds_names(thing: Thing) -> bool:
    return thing.column is not None and (thing.column.info.distinct or 0) > _MOST_KINDS


def _more_forms(low: str) -> list[str]:
    """Refunded is Refund, cancelled is Canceled, motorcycle is Motorcycles, remotely is Remote."""
    found = [f"{low}s", f"{low}es"]
    bases = [low.removesuffix(ending) for ending in ("ally", _ADVERB) if low.endswith(ending)]
    found += [base for base in bases if len(base) > _SHORTEST_BASE]
    if low.endswith("ies"):
        found.append(f"{low[:-3]}y")
    for ending in ("ed", "ing"):
        base = low.removesuffix(ending)
        if base != low and len(base) > 3:
            found += [base, f"{base}e", f"{base}ed", f"{base}ing"]
            twice = base[-1] == base[-2]
            found += [base[:-1], f"{base[:-1]}{ending}"] if twice else [f"{base}{base[-1]}{ending}"]
    return found


def _worth(span: tuple[Token, ...], value: str) -> bool:
    """Whether a match says anything: single letters and small words stand in data by chance."""
    if len(span) > 1:
        return True
    token = span[0]
    if token.kind is Kind.NUMBER:
        return True
    return len(value) > 2 or token.text == value


def _codes(low: str) -> list[tuple[frozenset[str], str]]:
    """The codes of a word in every language, each with the words of the columns that it may stand in."""
    found = []
    for each in lexicons():
        word = low if low in each.codes else stem(low)
        hints = frozenset(stem(hint) for hint in each.code_columns.get(word, ()))
        found += [(hints, code) for code in each.codes.get(word, ())]
    return found
