"""Groups and their figures as SQL: rows are gathered first, then each level is worked out over the last."""

from itertools import chain

from sqlglot import exp

from dragoman.contracts.query import ResultColumn
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.tables import computation_sql, expressions
from dragoman.tables.condition_sql import both
from dragoman.tables.conditions import Condition
from dragoman.tables.frame import Frame, Selected, Sorted, group, group_shown, named, result, ties_of
from dragoman.tables.measures import Measure, measure_of
from dragoman.tables.ratios import ratio_of
from dragoman.tables.request import Having, Measured, ReadRequest, Shown
from dragoman.tables.shares import share_of
from dragoman.tables.templates import filled
from dragoman.tables.verbs import TableVerb

_ADDING = (TableVerb.SUM, TableVerb.AVERAGE, TableVerb.TOP, TableVerb.SHARE)
_RANKING = (TableVerb.MIN, TableVerb.MAX)


def gather(frame: Frame, request: ReadRequest) -> Selected:
    return _Gathering(frame, request).selected()


class _Gathering:
    """One query over groups. What they were gathered by is `g1`, `g2`…; a figure's levels have its number."""

    def __init__(self, frame: Frame, request: ReadRequest) -> None:
        self._frame = frame
        self._request = request
        self._dialect = frame.dialect
        self._keys = (*request.by, *request.settled)
        self._places = {path: n for n, path in enumerate(self._keys, 1)}
        self._numbers = {measured: n for n, measured in enumerate(request.measures, 1)}
        self._measures = {each: _measure(each, frame.dialect) for each in request.measures}

    def selected(self) -> Selected:
        request = self._request
        query = self._worked_out()
        shown = [] if request.groups else [self._shown(each) for each in request.shown]
        order = list(chain.from_iterable(self._sorted(each.by, each.descending) for each in request.order))
        if request.top is not None and not request.order:
            order.extend(self._sorted(request.measures[0], descending=True))
        settled = [Sorted(group("q", self._places[path])) for path in request.by]
        outer = exp.Select().from_(query.subquery("q", copy=False))
        if request.having:
            outer = outer.where(both([self._kept(each) for each in request.having]), copy=False)
        if request.groups:
            counted = outer.select(*named([exp.Count(this=exp.Star())]), copy=False)
            name = TableVerb.COUNT.value
            return Selected(counted, (ResultColumn(name, ValueType.INTEGER, ""),), exact=True, ties="")
        outer = self._frame.ranked(outer, shown, order, settled)
        columns = tuple(self._column(each) for each in request.shown)
        exact = all(self._exact(each) for each in request.shown)
        ties = "" if request.top is None or request.ties else ties_of(request.by)
        return Selected(outer, columns, exact, ties)

    def _exact(self, each: Shown) -> bool:
        if not isinstance(each, Measured):
            return computation_sql.is_exact(each, self._dialect)
        counts = each.of is None or each.verb is TableVerb.COUNT
        return self._measures[each].exact and (
            counts or each.of is None or computation_sql.is_exact(each.of, self._dialect)
        )

    def _worked_out(self) -> exp.Select:
        """The groups with the last level of every figure."""
        keys = [self._frame.gathered(path) for path in self._keys]
        first = [tree for each in self._measures for tree in self._first(each)]
        query = self._frame.start(exp.Select(), []).select(*named(keys, "g"), *first, copy=False)
        if keys:
            query = query.group_by(*(key.copy() for key in keys), copy=False)
        # Levels are nested subqueries, not repeated expressions: an exact average on SQLite mentions its sum
        # many times, and would be written out, and computed, as often.
        for number in range(1, max(len(measure.levels) for measure in self._measures.values())):
            carried = [exp.alias_(group("q", n), f"g{n}", quoted=True) for n in self._places.values()]
            worked_out = [tree for each in self._measures for tree in self._next(each, number)]
            query = exp.select(*carried, *worked_out).from_(query.subquery("q", copy=False))
        return query

    def _first(self, measured: Measured) -> list[exp.Expr]:
        """The level over the rows. A column inside of MIN, MAX and DISTINCT is its key; what is added up is
        itself."""
        of, parts = measured.of, self._constants(measured)
        if of is not None:
            adding = measured.verb in _ADDING
            parts["x"] = self._frame.column(of) if adding else self._frame.gathered(of)
        if measured.per is not None:
            parts["y"] = self._frame.gathered(measured.per)
        if measured.verb is TableVerb.SHARE:
            parts["x"] = parts.get("x", exp.Literal.number(1))
            parts["y"] = self._part(parts["x"], measured.that)
        return self._level(measured, 0, parts)

    def _part(self, tree: exp.Expr, that: tuple[Condition, ...] | None) -> exp.Expr:
        """What of a value belongs to the part of a share."""
        if that is None:
            return tree
        holds = both(self._frame.narrowing.all("t0", that))
        return exp.Case(ifs=[exp.If(this=holds, true=tree.copy())])

    def _next(self, measured: Measured, number: int) -> list[exp.Expr]:
        """A level over the one before; a figure that is finished is carried along."""
        levels = self._measures[measured].levels
        if number >= len(levels):
            names = [self._name(measured, name) for name in levels[-1]]
            return [exp.alias_(expressions.column("q", name), name, quoted=True) for name in names]
        before = {name: self._value(measured, name) for name in levels[number - 1]}
        return self._level(measured, number, self._constants(measured) | before)

    def _level(self, measured: Measured, number: int, parts: dict[str, exp.Expr]) -> list[exp.Expr]:
        return [
            exp.alias_(filled(template, self._dialect, **parts), self._name(measured, name), quoted=True)
            for name, template in self._measures[measured].levels[number].items()
        ]

    def _constants(self, measured: Measured) -> dict[str, exp.Expr]:
        numbers = self._measures[measured].numbers
        parts: dict[str, exp.Expr] = {n: exp.Literal.number(v) for n, v in numbers.items()}
        digits = numbers.get("places")
        if digits:
            parts["smallest"] = exp.Literal.string(f"0.{'1'.rjust(digits, '0')}")
        return parts

    def _name(self, measured: Measured, name: str) -> str:
        number = self._numbers[measured]
        return name if number == 1 else f"{name}_{number}"

    def _value(self, measured: Measured, name: str = "value") -> exp.Expr:
        return expressions.column("q", self._name(measured, name))

    def _shown(self, each: Shown) -> exp.Expr:
        if not isinstance(each, Measured):
            return group_shown(self._places[each], each, self._dialect)
        value = self._value(each)
        if each.of is None or each.verb not in _RANKING:
            return value
        return computation_sql.shown(value, each.of, self._dialect)

    def _sorted(self, each: Shown, descending: bool) -> list[Sorted]:
        if not isinstance(each, Measured):
            return [Sorted(group("q", self._places[each]), descending)]
        last = self._measures[each].levels[-1]
        names = [name for name in ("rank", "rank_low") if name in last] or ["value"]
        return [Sorted(self._value(each, name), descending) for name in names]

    def _kept(self, having: Having) -> exp.Expr:
        value = self._shown(having.measured)
        value = expressions.from_digits(value, having.known.type, self._dialect)
        return self._frame.narrowing.test(value, having.known, having.test)

    def _column(self, each: Shown) -> ResultColumn:
        if not isinstance(each, Measured):
            return result(each, self._request.shown)
        alike = sum(isinstance(other, Measured) and other.verb is each.verb for other in self._request.shown)
        native = each.of.column.info.native if each.of is not None and each.verb in _RANKING else ""
        name = each.verb.value if alike == 1 else each.written
        return ResultColumn(name, self._measures[each].type, native)


def _measure(measured: Measured, dialect: Dialect) -> Measure:
    column = None if measured.of is None else measured.of.column
    units = computation_sql.in_units(measured.of, dialect)
    if measured.verb is TableVerb.SHARE:
        return share_of(column, dialect, inside=measured.that is not None, units=units)
    if measured.per is not None:
        return ratio_of(measured.verb, column, dialect, units=units)
    return measure_of(measured.verb, column, dialect, distinct=measured.distinct, units=units)
