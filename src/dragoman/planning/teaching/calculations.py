"""A calculation that a phrase states, over columns that can be reached from one table.

Signs bind as in arithmetic. Words bind as people say them: “wins divided by wins plus losses” divides by the
sum, and “price times one minus discount” takes the discount off first. The question shows the brackets.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from dragoman.contracts.program import Entry, Integer, Map, Number, Sequence, Text, Value
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.teaching.named_things import NamedThings
from dragoman.reading.teaching import TeachingWords
from dragoman.tables.graph import Graph, Link, Table

_NUMBER: Final = re.compile(r"-?\d+(?:[.,]\d+)?")
_SUMS: Final = ("plus", "minus")
_PRODUCTS: Final = ("times", "divided")
_MOST_STEPS: Final = 2


class CalculationReader:
    """Understands calculations over one database."""

    def __init__(self, named: NamedThings, words: TeachingWords, graph: Graph) -> None:
        self._named = named
        self._words = words
        self._graph = graph

    def operands(self, meaning: str) -> list[str]:
        """What is calculated with, in the order it is said."""
        return [
            part
            for piece in self._bracketed(meaning)
            for _, term in self._split(piece, _SUMS)
            for _, part in self._split(term, _PRODUCTS)
            if part
        ]

    def read(self, meaning: str) -> tuple[Table, Value] | None:
        """The table from whose rows all of it can be reached, and the calculation."""
        operands = self.operands(meaning)
        if len(operands) < 2:
            return None
        choices = {part: self._numbers(part) for part in operands if self._digits(part) is None}
        if not choices or not all(choices.values()):
            return None
        found = self._together(choices)
        if found is None:
            return None
        base, paths = found
        one, *more = self._bracketed(meaning)
        value = self._value(one, paths)
        for rest in more:
            value = _joined_to(value, self._value(rest, paths))
        return base, value

    def _value(self, text: str, paths: dict[str, str]) -> Value:
        terms = [
            (operator, self._product(self._split(term, _PRODUCTS), paths))
            for operator, term in self._split(text, _SUMS)
        ]
        return _summed(terms)

    def _bracketed(self, meaning: str) -> list[str]:
        """A calculation in two where words put what follows in brackets: what is divided by a sum, and what
        is taken times so much less. The first part ends in what is done with the second."""
        text = self._operator_between(meaning)
        for operator, follows in (("divided", ""), ("times", self._words.whole)):
            for word in (word for known, word in self._words.operators if known == operator):
                found = re.search(_bounded(word) + follows, text, re.IGNORECASE) if word.isascii() else None
                if found is None or not _is_word(word) or (operator == "times" and not follows):
                    continue
                head, tail = text[: found.start()], text[found.start() + len(_lead(found, word)) :]
                if self._has_sum_of_words(tail) and not self._has_sum_of_words(head):
                    return [f"{head} {word} ", tail]
        return [text]

    def _has_sum_of_words(self, text: str) -> bool:
        return any(
            operator in _SUMS and _is_word(word) and re.search(_bounded(word), text, re.IGNORECASE)
            for operator, word in self._words.operators
        )

    def _split(self, text: str, operators: tuple[str, ...]) -> list[tuple[str, str]]:
        """The parts of a sum or a product, each with what is done with it; the first with nothing."""
        text = self._operator_between(text)
        known = [(operator, word) for operator, word in self._words.operators if operator in operators]
        pattern = "|".join(_bounded(word) for _, word in known)
        if not pattern:
            return [("", text.strip(" ,"))]
        parts: list[tuple[str, str]] = []
        at, before = 0, ""
        for found in re.finditer(pattern, text, re.IGNORECASE):
            parts.append((before, text[at : found.start()].strip(" ,")))
            said = found.group().strip().casefold()
            before = next(operator for operator, word in known if word.casefold() == said)
            at = found.end()
        return [*parts, (before, text[at:].strip(" ,"))]

    def _operator_between(self, text: str) -> str:
        """A calculation whose verb comes last, with an operator between its parts."""
        for operator, pattern in self._words.computed:
            found = pattern.fullmatch(text.strip())
            sign = next((word for known, word in self._words.operators if known == operator), "")
            if found is not None and sign:
                return f"{found['one']} {sign} {found['other']}"
        return text

    def _digits(self, part: str) -> str | None:
        """A number, in digits or as a word."""
        if _NUMBER.fullmatch(part):
            return part.replace(",", ".")
        return self._words.numbers.get(part.casefold())

    def _numbers(self, phrase: str) -> list[Thing]:
        """The columns with numbers that a phrase names: by its words, or by their first letters."""
        plain = self._named.without_articles(phrase)
        named = [thing for thing in self._named.columns(plain) if thing.is_number and not thing.is_key]
        return named or [thing for thing in self._named.initials(plain) if thing.is_number]

    def _product(self, parts: Iterable[tuple[str, str]], paths: dict[str, str]) -> Value:
        factors: list[Value] = []
        left: list[tuple[str, Value | None]] = []
        for operator, part in parts:
            if not part:
                # What this is done with stands in brackets, and is put here later.
                left.append((operator, None))
                continue
            digits = self._digits(part) if part not in paths else None
            operand = Text(paths[part]) if digits is None else _number(digits)
            if operator == "divided":
                factors = [Map((Entry("divided", Sequence((_times(factors), operand))),))]
            else:
                factors.append(operand)
        value = _times(factors)
        for operator, _ in left:
            value = Map((Entry(operator, Sequence((value, _OPEN))),))
        return value

    def _together(self, choices: dict[str, list[Thing]]) -> tuple[Table, dict[str, str]] | None:
        """The table from whose rows every column can be reached, and how. Its own columns count most."""
        tables = {thing.table.key: thing.table for things in choices.values() for thing in things}
        best: tuple[tuple[int, int], Table, dict[str, str]] | None = None
        for table in tables.values():
            ways = {part: self._way(table, things) for part, things in choices.items()}
            paths = {part: way for part, way in ways.items() if way is not None}
            if len(paths) < len(ways):
                continue
            near = sum("/" not in path for path in paths.values())
            worth = (near, table.info.rows or 0)
            if best is None or worth > best[0]:
                best = (worth, table, paths)
        return (best[1], best[2]) if best is not None else None

    def _way(self, table: Table, things: list[Thing]) -> str | None:
        """The path to the nearest of some columns along links that lead to one row."""
        wanted = {thing.table.key: thing for thing in reversed(things)}
        reached: list[tuple[Table, list[str]]] = [(table, [])]
        for _ in range(_MOST_STEPS + 1):
            for there, steps in reached:
                thing = wanted.get(there.key)
                if thing is not None and thing.column is not None:
                    return "/".join([*steps, thing.column.name])
            reached = [
                (self._graph.tables[link.target], [*steps, link.name])
                for there, steps in reached
                for link in self._single(there)
            ]
        return None

    def _single(self, table: Table) -> Iterator[Link]:
        return (link for link in self._graph.links(table).values() if link.single)


_OPEN: Final = Text("")
"""Where the second part of a calculation goes."""


def _joined_to(value: Value, rest: Value) -> Value:
    match value:
        case Map(entries=(Entry(key="times", value=Sequence(items=(Map() as first, last))),)) if (
            last == _OPEN
        ):
            # What is multiplied anyway is multiplied together.
            inner = first.entries[0]
            if inner.key == "times" and isinstance(inner.value, Sequence):
                return Map((Entry("times", Sequence((*inner.value.items, rest))),))
            return Map((Entry("times", Sequence((first, rest))),))
        case Map(entries=(Entry(key=key, value=Sequence(items=(first, last))),)):
            if last == _OPEN:
                return Map((Entry(key, Sequence((first, rest))),))
            return Map((Entry(key, Sequence((first, _joined_to(last, rest)))),))
        case _:
            return value


def _is_word(word: str) -> bool:
    return len(word) > 1 and any(map(str.isalpha, word))


def _lead(found: re.Match[str], word: str) -> str:
    """What of a match stands before the second part."""
    whole = found.group()
    return whole[: whole.casefold().index(word.casefold()) + len(word)]


def _bounded(word: str) -> str:
    """An operator as a pattern: a word stands between blanks, a sign anywhere."""
    return rf"\s+{re.escape(word)}(?:\s+|$)" if any(map(str.isalpha, word)) else rf"\s*{re.escape(word)}\s*"


def _times(factors: list[Value]) -> Value:
    return factors[0] if len(factors) == 1 else Map((Entry("times", Sequence(tuple(factors))),))


def _summed(terms: list[tuple[str, Value]]) -> Value:
    (_, value), *rest = terms
    for operator, term in rest:
        value = Map((Entry(operator, Sequence((value, term))),))
    return value


def _number(digits: str) -> Value:
    return Integer(int(digits)) if digits.lstrip("-").isdecimal() else Number(digits)
