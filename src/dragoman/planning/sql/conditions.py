"""Conditions of a query as conditions of a verb.

NOT is carried to the comparisons, where SQL and verbs can be held against each other: to SQL nothing is true
of a missing value, to a verb `{:not 5}` holds for it. So what is negated names missing values beside it.
"""

from collections.abc import Iterable
from itertools import product
from typing import Final

from sqlglot import exp

from dragoman.contracts.program import Boolean, Entry, Map, Nil, Sequence, Text, Value
from dragoman.contracts.record import Record
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.planning.sql.date_parts import numbered_part
from dragoman.planning.sql.doubts import compares_alike, orders_alike
from dragoman.planning.sql.literals import text_of, value_for
from dragoman.planning.sql.sources import Source, Sources
from dragoman.planning.sql.unsaid import Unsaid
from dragoman.tables.conditions import Sign
from dragoman.tables.graph import Column

_MOST_CHOICES: Final = 16
_SIGNS: Final[dict[type[exp.Expr], Sign]] = {
    exp.EQ: Sign.EQUAL,
    exp.GT: Sign.ABOVE,
    exp.LT: Sign.BELOW,
    exp.GTE: Sign.AT_LEAST,
    exp.LTE: Sign.AT_MOST,
}
_TURNED: Final = {
    Sign.EQUAL: Sign.EQUAL,
    Sign.ABOVE: Sign.BELOW,
    Sign.BELOW: Sign.ABOVE,
    Sign.AT_LEAST: Sign.AT_MOST,
    Sign.AT_MOST: Sign.AT_LEAST,
}
_OPPOSITE: Final = {
    Sign.ABOVE: Sign.AT_MOST,
    Sign.BELOW: Sign.AT_LEAST,
    Sign.AT_LEAST: Sign.BELOW,
    Sign.AT_MOST: Sign.ABOVE,
}


_THERE: Final = Map((Entry("not", Nil()),))
"""Something is there."""


class Tested(Record, frozen=True):
    """A test of a column at the end of a path."""

    path: tuple[str, ...]
    column: str
    test: Value


Choice = tuple[Tested, ...]
"""Tests that must all hold."""


class Conditions:
    """Reads the conditions of one query. `doubted`: whether data could make a difference."""

    def __init__(self, sources: Sources, dialect: Dialect) -> None:
        self._sources = sources
        self._dialect = dialect
        self.doubted = False

    def read(self, nodes: Iterable[exp.Expr]) -> tuple[list[Tested], list[list[Choice]]]:
        """What must hold, and of what else one of several choices."""
        plain: list[Tested] = []
        several: list[list[Choice]] = []
        for node in nodes:
            choices = _one_column(self._choices(node, negated=False))
            if len(choices) == 1:
                plain += choices[0]
            else:
                several.append(choices)
        return plain, several

    def _choices(self, node: exp.Expr, *, negated: bool) -> list[Choice]:
        """A condition as a list of choices, one of which must hold."""
        node = node.unnest()
        # NOT LIKE is a LIKE that says so itself.
        negated = negated is not bool(node.args.get("negate"))
        match node:
            case exp.Not():
                return self._choices(node.this, negated=not negated)
            case exp.And() | exp.Or():
                sides = [self._choices(each, negated=negated) for each in (node.this, node.expression)]
                if isinstance(node, exp.Or) is not negated:
                    return _few([*sides[0], *sides[1]])
                return _few([(*one, *other) for one, other in product(*sides)])
            case exp.Between():
                low = exp.GTE(this=node.this.copy(), expression=node.args["low"].copy())
                high = exp.LTE(this=node.this.copy(), expression=node.args["high"].copy())
                if node.args.get("symmetric"):
                    raise Unsaid("BETWEEN SYMMETRIC")
                return self._choices(exp.And(this=low, expression=high), negated=negated)
            case exp.NEQ():
                equal = exp.EQ(this=node.this.copy(), expression=node.expression.copy())
                return [(self._leaf(equal, negated=not negated),)]
            case _:
                return [(self._leaf(node, negated=negated),)]

    def _leaf(self, node: exp.Expr, *, negated: bool) -> Tested:
        match node:
            case exp.Is() if isinstance(node.expression, exp.Null):
                source, column = self._sources.column(_column(node.this))
                if source.outer and not negated:
                    raise Unsaid("IS NULL of a table behind a LEFT JOIN")
                return _tested(source, column, _THERE if negated else Nil())
            case exp.Column():
                source, column = self._sources.column(node)
                if column.type is not ValueType.BOOLEAN:
                    raise Unsaid(f"{node.name} as a condition")
                return _tested(source, column, Boolean(not negated))
            case exp.In():
                return self._among(node, negated=negated)
            case exp.Like() | exp.ILike():
                return self._like(node, negated=negated)
            case _ if type(node) in _SIGNS:
                return self._compared(node, _SIGNS[type(node)], negated=negated)
            case _:
                raise Unsaid(f"{type(node).__name__.upper()} in a condition")

    def _compared(self, node: exp.Expr, sign: Sign, *, negated: bool) -> Tested:
        left, right = node.this.unnest(), node.args["expression"].unnest()
        dated = self._of_part(left, right, sign, negated=negated)
        if dated is not None:
            return dated
        if not isinstance(left, exp.Column):
            left, right, sign = right, left, _TURNED[sign]
        source, column = self._sources.column(_column(left))
        if negated and sign in _OPPOSITE:
            sign, negated = _OPPOSITE[sign], False
        alike = compares_alike if sign is Sign.EQUAL else orders_alike
        self._doubt(alike(column.type, self._dialect))
        if isinstance(right, exp.Column):
            value: Value = self._other(source, right)
        else:
            value = value_for(right, column, sign, self._dialect)
        if sign is not Sign.EQUAL:
            return _tested(source, column, Map((Entry(sign.value, value),)))
        if negated and isinstance(right, exp.Column):
            raise Unsaid("two columns that differ")
        return _tested(source, column, _not_one_of((value,)) if negated else value)

    def _other(self, source: Source, node: exp.Column) -> Value:
        """Another column, as a path from the row whose column it is held against."""
        other, column = self._sources.column(node)
        if other.links[: len(source.links)] != source.links or source.outer or other.outer:
            raise Unsaid("two columns of different rows")
        path = (*other.path[len(source.path) :], column.name)
        return Map((Entry("column", Text("/".join(path))),))

    def _of_part(self, left: exp.Expr, right: exp.Expr, sign: Sign, *, negated: bool) -> Tested | None:
        """A part of a date held against a number."""
        found = numbered_part(left, right, self._sources, self._dialect)
        if found is None or negated:
            return None
        source, column, part, number = found
        self._doubt(compares_alike(column.type, self._dialect))
        value = number if sign is Sign.EQUAL else Map((Entry(sign.value, number),))
        return _tested(source, column, Map((Entry(part.value, value),)))

    def _among(self, node: exp.In, *, negated: bool) -> Tested:
        if node.args.get("query") is not None or node.args.get("unnest") is not None or not node.expressions:
            raise Unsaid("IN with a query")
        source, column = self._sources.column(_column(node.this))
        self._doubt(compares_alike(column.type, self._dialect))
        values = tuple(value_for(each, column, Sign.EQUAL, self._dialect) for each in node.expressions)
        if column.type in (ValueType.DATETIME, ValueType.INSTANT) and negated:
            raise Unsaid("NOT IN of moments")
        return _tested(source, column, _not_one_of(values) if negated else Sequence(values))

    def _like(self, node: exp.Expr, *, negated: bool) -> Tested:
        """A piece of text. Verbs ignore case, as ILIKE does and LIKE in some dialects."""
        folds = isinstance(node, exp.ILike) or self._dialect.like_ignores_case
        pattern = text_of(node.args["expression"])
        piece = pattern.strip("%")
        if not folds or not piece or not pattern.isascii() or any(each in piece for each in "%_\\"):
            raise Unsaid("a pattern that is no piece of text")
        source, column = self._sources.column(_column(node.this))
        if column.type is not ValueType.TEXT:
            raise Unsaid(f"LIKE of a column of type {column.type}")
        places = {(True, True): "contains", (False, True): "starts", (True, False): "ends"}
        place = places.get((pattern.startswith("%"), pattern.endswith("%")))
        if place is None:
            raise Unsaid("LIKE without a wildcard")
        self._doubt(alike=False)
        test = Map((Entry(place, Text(piece)),))
        return _tested(source, column, _not_one_of((test,)) if negated else test)

    def _doubt(self, alike: bool) -> None:
        self.doubted = self.doubted or not alike


def where_of(plain: list[Tested], several: list[list[Choice]]) -> tuple[list[Entry], Value | None]:
    """The arguments of a verb for its own columns, and its :where."""
    own: dict[str, Value] = {}
    rest: list[Tested] = []
    for each in plain:
        merged = _together(own.get(each.column), each.test) if not each.path else None
        if merged is None:
            rest.append(each)
        else:
            own[each.column] = merged
    entries = [Entry(name, value) for name, value in own.items()]
    if not rest and not several:
        return entries, None
    choices = _few([tuple(t for choice in chosen for t in choice) for chosen in product(*several)])
    maps = [_map((*rest, *choice)) for choice in choices]
    return entries, maps[0] if len(maps) == 1 else Sequence(tuple(maps))


def _map(choice: Choice) -> Map:
    """Tests as a map of columns and links; what stands twice in it, as several maps that must all hold."""
    maps: list[dict[str, object]] = [{}]
    for each in choice:
        for place in (*maps, {}):
            if place not in maps:
                maps.append(place)
            if _put(place, each):
                break
    made = [_as_map(each) for each in maps if each]
    return made[0] if len(made) == 1 else Map((Entry("all", Sequence(tuple(made))),))


def _put(place: dict[str, object], tested: Tested) -> bool:
    at = place
    for step in tested.path:
        inner = at.setdefault(step, {})
        if not isinstance(inner, dict):
            return False
        at = inner
    held = at.get(tested.column)
    if isinstance(held, dict):
        return False
    merged = _together(held, tested.test)  # type: ignore[arg-type]
    if merged is None:
        return False
    at[tested.column] = merged
    return True


def _as_map(place: dict[str, object]) -> Map:
    entries = [
        Entry(name, _as_map(each) if isinstance(each, dict) else each)  # type: ignore[arg-type]
        for name, each in place.items()
    ]
    return Map(tuple(entries))


def _together(held: Value | None, test: Value) -> Value | None:
    """Two tests of a column as one; None where no value says both."""
    if held is None:
        return test
    for one, other in ((held, test), (test, held)):
        # Whatever is compared is there.
        if one == _THERE and not _takes_missing(other):
            return other
    if not isinstance(held, Map) or not isinstance(test, Map):
        return None
    entries = {entry.key: entry.value for entry in held.entries}
    if any(entry.key in entries or entry.key == "column" for entry in test.entries) or "column" in entries:
        return None
    low, high = entries.get("at-least"), {entry.key: entry.value for entry in test.entries}.get("at-most")
    if len(entries) == 1 and len(test.entries) == 1 and low is not None and high is not None:
        return Map((Entry("between", Sequence((low, high))),))
    return Map((*held.entries, *test.entries))


def _takes_missing(test: Value) -> bool:
    """Whether a test may hold for a missing value."""
    match test:
        case Nil():
            return True
        case Sequence(items=items):
            return any(_takes_missing(each) for each in items)
        case Map(entries=entries):
            return all(e.key == "not" and not _takes_missing(e.value) for e in entries)
        case _:
            return False


def _one_column(choices: list[Choice]) -> list[Choice]:
    """Choices that are all of one column are one test of it: any of a list."""
    first = choices[0][0] if choices[0] else None
    alike = (
        all(
            len(each) == 1 and (each[0].path, each[0].column) == (first.path, first.column)
            for each in choices
        )
        if first
        else False
    )
    if first is None or len(choices) == 1 or not alike:
        return choices
    tests: list[Value] = []
    for (each,) in choices:
        tests += each.test.items if isinstance(each.test, Sequence) else (each.test,)
    return [(Tested(first.path, first.column, Sequence(tuple(dict.fromkeys(tests)))),)]


def _few(choices: list[Choice]) -> list[Choice]:
    if len(choices) > _MOST_CHOICES:
        raise Unsaid("a condition with too many choices")
    return choices


def _not_one_of(values: tuple[Value, ...]) -> Value:
    """Something is there, and it is none of these."""
    return Map((Entry("not", Sequence((*values, Nil()))),))


def _tested(source: Source, column: Column, test: Value) -> Tested:
    return Tested(source.path, column.name, test)


def _column(node: exp.Expr) -> exp.Column:
    plain = node.unnest()
    if not isinstance(plain, exp.Column):
        raise Unsaid("a comparison of something worked out")
    return plain
