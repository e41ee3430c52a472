"""What a SELECT shows, gathers by and sorts by, as a verb names it: columns, parts of dates, measures."""

from collections.abc import Iterable
from typing import Final

from sqlglot import exp

from dragoman.contracts.program import Boolean, Entry, Map, Sequence, Text, Value
from dragoman.contracts.record import Record
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.planning.sql.date_parts import gathered_part
from dragoman.planning.sql.doubts import adds_alike, compares_alike, orders_alike
from dragoman.planning.sql.literals import number_of
from dragoman.planning.sql.sources import Sources
from dragoman.planning.sql.unsaid import Unsaid
from dragoman.tables.paths import ColumnPath
from dragoman.tables.verbs import NUMBERS, TableVerb

_VERBS: Final[dict[type[exp.Expr], TableVerb]] = {
    exp.Count: TableVerb.COUNT,
    exp.Sum: TableVerb.SUM,
    exp.Avg: TableVerb.AVERAGE,
    exp.Min: TableVerb.MIN,
    exp.Max: TableVerb.MAX,
}
_OPERATORS: Final[dict[type[exp.Expr], str]] = {exp.Mul: "times", exp.Add: "plus", exp.Sub: "minus"}
_OF_MEASURE: Final = frozenset({"this", "big_int", "expressions"})


class Measure(Record, frozen=True):
    """A figure: a verb, and what it is of; nothing where rows are counted."""

    verb: TableVerb
    of: Value | None = None
    distinct: bool = False

    @property
    def written(self) -> str:
        """What :columns and :order call it where others have the same verb."""
        if self.of is None:
            return self.verb.value
        if not isinstance(self.of, Text):
            raise Unsaid("two measures of one kind")
        return f"{self.verb}/{self.of.value}"

    @property
    def beside(self) -> Value:
        """As :also writes it."""
        if self.of is None:
            return Text(self.verb.value)
        rest = (Entry("distinct", Boolean(value=True)),) if self.distinct else ()
        return Map((Entry(self.verb.value, self.of), *rest))


class Shown(Record, frozen=True):
    """A column of the result, or something it is sorted by."""

    value: Value
    """As :columns writes a column; of a measure it is not used."""
    kind: ValueType
    nullable: bool
    measure: Measure | None = None


class ShownReader:
    """Reads what one query shows. `doubted`: whether data could make a difference."""

    def __init__(self, select: exp.Select, sources: Sources, dialect: Dialect) -> None:
        self._sources = sources
        self._dialect = dialect
        self._items: list[exp.Expr] = list(select.expressions)
        self.doubted = False

    def shown(self) -> list[Shown]:
        """The columns of the result, a star spelled out where it stands among others."""
        found: list[Shown] = []
        for item in self._items:
            plain = _unnamed(item)
            if isinstance(plain, exp.Star) or (isinstance(plain, exp.Column) and plain.is_star):
                found += self._starred(plain)
            else:
                found.append(self.read(plain))
        return found

    @property
    def is_everything(self) -> bool:
        """Whether all columns of the one table are shown as they are."""
        alone = len(self._items) == 1 and isinstance(self._items[0], exp.Star)
        return alone and self._sources.is_single and not any(self._items[0].args.values())

    def _starred(self, node: exp.Expr) -> list[Shown]:
        if any(value for name, value in node.args.items() if name not in ("this", "table")):
            raise Unsaid("a star with exceptions")
        if self._sources.merges_columns:
            raise Unsaid("a star behind USING")
        wanted = node.table.casefold() if isinstance(node, exp.Column) else ""
        sources = [each for each in self._sources.in_order() if wanted in ("", each.alias.casefold())]
        paths = [
            ColumnPath(source.links, column)
            for source in sources
            for column in (source.table.by_real_name[info.name] for info in source.table.info.columns)
        ]
        return [self._column(path) for path in paths]

    def read(self, node: exp.Expr) -> Shown:
        node = node.unnest()
        measure = self.measure(node)
        if measure is not None:
            return measure
        if isinstance(node, exp.Column):
            return self._column(self._sources.path(node))
        part = gathered_part(node, self._sources, self._dialect)
        if part is not None:
            self._doubt(compares_alike(part.column.type, self._dialect))
            return Shown(Text(part.written), part.type, part.column.info.nullable)
        return Shown(self._expressed(node), ValueType.OTHER, nullable=True)

    def gathered(self, nodes: Iterable[exp.Expr]) -> list[Shown]:
        """What rows are gathered by: a column, an alias or a place of the result."""
        found = [self.read(self.meant(node, columns_first=True)) for node in nodes]
        for each in found:
            if each.measure is not None or not isinstance(each.value, Text):
                raise Unsaid("a group of something worked out")
            self._doubt(compares_alike(each.kind, self._dialect))
        return found

    def sorted_by(self, node: exp.Ordered) -> tuple[Shown, bool]:
        found = self.read(self.meant(node.this, columns_first=False))
        descending = bool(node.args.get("desc"))
        # The parser has put down where they stand if nobody says so. Verbs put them last: where there are
        # none, that is the same.
        self._doubt(not (found.nullable and node.args.get("nulls_first")))
        if node.args.get("with_fill") is not None:
            raise Unsaid("WITH FILL")
        self._doubt(orders_alike(found.kind, self._dialect))
        return found, descending

    def meant(self, node: exp.Expr, *, columns_first: bool) -> exp.Expr:
        """What a place of the result or an alias stands for."""
        node = node.unnest()
        if isinstance(node, exp.Literal) and not node.is_string:
            place = int(node.this) if str(node.this).isdecimal() else 0
            if not 1 <= place <= len(self._items) or any(each.is_star for each in self._items):
                raise Unsaid("a place that the result does not have")
            return _unnamed(self._items[place - 1])
        if not isinstance(node, exp.Column) or node.table:
            return node
        alias = next((each for each in self._items if each.alias.casefold() == node.name.casefold()), None)
        if alias is None or not isinstance(alias, exp.Alias):
            return node
        if columns_first:
            try:
                self._sources.column(node)
            except Unsaid:
                return _unnamed(alias)
            return node
        return _unnamed(alias)

    def measure(self, node: exp.Expr) -> Shown | None:
        """A figure of groups; None where it is none."""
        verb = _VERBS.get(type(node))
        if verb is None:
            if isinstance(node, exp.AggFunc | exp.Window) or node.find(exp.AggFunc) is not None:
                raise Unsaid(f"{type(node).__name__.upper()}")
            return None
        if any(value for name, value in node.args.items() if name not in _OF_MEASURE) or node.expressions:
            raise Unsaid(f"{verb} of several")
        inner, distinct = node.this, False
        if isinstance(inner, exp.Distinct):
            if len(inner.expressions) != 1 or inner.args.get("on") is not None:
                raise Unsaid("DISTINCT of several")
            inner, distinct = inner.expressions[0], True
        if verb is TableVerb.COUNT and (isinstance(inner, exp.Star) or _is_number(inner)):
            if distinct:
                raise Unsaid("COUNT of different constants")
            return Shown(Text(verb.value), ValueType.INTEGER, nullable=False, measure=Measure(verb))
        return self._measured(verb, inner.unnest(), distinct=distinct)

    def _measured(self, verb: TableVerb, inner: exp.Expr, *, distinct: bool) -> Shown:
        if distinct and verb not in (TableVerb.COUNT, TableVerb.MIN, TableVerb.MAX):
            raise Unsaid(f"{verb} of different values")
        if isinstance(inner, exp.Column):
            path = self._sources.path(inner)
            of: Value = Text(path.written)
            kind = path.type
            self._doubt(self._alike(verb, kind, distinct=distinct))
        else:
            of, kind = self._expressed(inner), ValueType.DECIMAL
        if verb is TableVerb.COUNT:
            return Shown(of, ValueType.INTEGER, nullable=False, measure=Measure(verb, of, distinct))
        return Shown(of, kind, nullable=True, measure=Measure(verb, of))

    def _alike(self, verb: TableVerb, kind: ValueType, *, distinct: bool) -> bool:
        match verb:
            case TableVerb.COUNT:
                return not distinct or compares_alike(kind, self._dialect)
            case TableVerb.MIN | TableVerb.MAX:
                return orders_alike(kind, self._dialect)
            case _:
                return adds_alike(kind, self._dialect, divides=verb is TableVerb.AVERAGE)

    def _column(self, path: ColumnPath) -> Shown:
        nullable = path.column.info.nullable or bool(path.links)
        return Shown(Text(path.written), path.type, nullable)

    def _expressed(self, node: exp.Expr) -> Value:
        """A product, a sum or a difference of numbers."""
        node = node.unnest()
        if isinstance(node, exp.Column):
            path = self._sources.path(node)
            if path.type not in NUMBERS:
                raise Unsaid(f"{node.name} in an expression")
            return Text(path.written)
        operator = _OPERATORS.get(type(node))
        if operator is None:
            return number_of(node)
        # Whole numbers end at 64 bits in SQL, and fractions are rounded as the engine does.
        self.doubted = True
        sides = (self._expressed(node.this), self._expressed(node.args["expression"]))
        return Map((Entry(operator, Sequence(sides)),))

    def _doubt(self, alike: bool) -> None:
        self.doubted = self.doubted or not alike


def _unnamed(node: exp.Expr) -> exp.Expr:
    """What has a name of its own in the result, without it."""
    inner = node.this if isinstance(node, exp.Alias) else node
    return inner if isinstance(inner, exp.Expr) else node


def _is_number(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and not node.is_string
