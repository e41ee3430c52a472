"""Which words of a message stand in the data, and in which columns."""

from dragoman.contracts.record import Record
from dragoman.databases.values import ValueIndex
from dragoman.planning.tables.lexicon import lexicons
from dragoman.planning.tables.things import Thing, Things
from dragoman.planning.tables.words import Kind, Token, stem


class Valued(Record, frozen=True):
    """Words `start` to `end` are a value of a column."""

    start: int
    end: int
    thing: Thing
    value: str
    score: float
    quoted: bool = False


class ValueLinker:
    """Finds values of one database in messages."""

    def __init__(self, things: Things, values: ValueIndex) -> None:
        self._things = things
        self._values = values

    def valued(self, tokens: tuple[Token, ...], start: int) -> tuple[Valued, ...]:
        token = tokens[start]
        if token.kind is Kind.QUOTED:
            return self._quoted(token, start)
        if token.kind is Kind.MARK:
            return ()
        found: list[Valued] = []
        for end in range(min(start + 8, len(tokens)), start, -1):
            span = tokens[start:end]
            if any(each.kind is Kind.QUOTED for each in span):
                continue
            text = " ".join(each.text for each in span)
            for place in self._values.exactly(text)[:12]:
                thing = self._things.of_column.get((place.schema, place.table, place.column))
                if thing is not None and _worth(span, place.value):
                    same = place.value == text or place.value.casefold() != place.value
                    found.append(Valued(start, end, thing, place.value, 1.0 if same else 0.9))
            if len(span) == 1 and span[0].kind is Kind.WORD and not found:
                found.extend(self._otherwise(span[0], start))
        return tuple(found[:24])

    def _otherwise(self, token: Token, start: int) -> list[Valued]:
        """A word that is no value itself, but whose singular or code is."""
        found: list[Valued] = []
        low = token.low
        forms = (low.removesuffix("s"), low.removesuffix("es"), f"{low}d", f"{low}ed")
        for form in dict.fromkeys(forms):
            if form != token.low and len(form) > 2:
                for place in self._values.exactly(form)[:6]:
                    thing = self._things.of_column.get((place.schema, place.table, place.column))
                    if thing is not None:
                        found.append(Valued(start, start + 1, thing, place.value, 0.9))
        for each in lexicons():
            word = token.low if token.low in each.codes else stem(token.low)
            hints = {stem(hint) for hint in each.code_columns.get(word, ())}
            for code in each.codes.get(word, ()):
                for place in self._values.exactly(code)[:6]:
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

    def _quoted(self, token: Token, start: int) -> tuple[Valued, ...]:
        found = []
        exact = self._values.exactly(token.text)
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


def _worth(span: tuple[Token, ...], value: str) -> bool:
    """Whether a match says anything: single letters and small words stand in data by chance."""
    if len(span) > 1:
        return True
    token = span[0]
    if token.kind is Kind.NUMBER:
        return True
    return len(value) > 2 or token.text == value
