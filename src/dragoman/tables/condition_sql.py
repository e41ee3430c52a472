"""Conditions as SQL."""

import datetime as dt
from collections.abc import Callable, Iterable

from sqlglot import exp

from dragoman.contracts.query import Value
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.tables import expressions
from dragoman.tables.bound_values import Binding
from dragoman.tables.comparison_reader import WRITTEN_NUMBER, counted
from dragoman.tables.conditions import (
    Against,
    AgainstResult,
    AllTests,
    AnyCondition,
    AnyTest,
    ColumnCondition,
    Compared,
    Condition,
    CountedCondition,
    LinkedCondition,
    Matching,
    Missing,
    Never,
    Not,
    NumberTest,
    OneOf,
    PartTest,
    Place,
    Sign,
    Test,
    Within,
)
from dragoman.tables.graph import Column, Graph, Link
from dragoman.tables.link_sql import LinkSql, key
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import ReadRequest
from dragoman.tables.templates import apart, filled, has_trait, piece_of

ESCAPE = "!"

_SIGNS: dict[Sign, type[exp.Binary]] = {
    Sign.EQUAL: exp.EQ,
    Sign.ABOVE: exp.GT,
    Sign.BELOW: exp.LT,
    Sign.AT_LEAST: exp.GTE,
    Sign.AT_MOST: exp.LTE,
}
_DAY = dt.timedelta(days=1)
_WHOLE = counted("")
"""A number of rows, or a part of a date."""


class ConditionSql:
    """Writes conditions. Linked rows are looked for and never joined: no row is counted twice. Only of rows
    that stand beside a row already, joined on purpose, a condition speaks itself."""

    def __init__(
        self,
        graph: Graph,
        dialect: Dialect,
        binding: Binding,
        alias: Callable[[], str],
        nested: Callable[[ReadRequest], exp.Select],
    ) -> None:
        self._graph = graph
        self._dialect = dialect
        self._binding = binding
        self._alias = alias
        self._nested = nested
        self._links = LinkSql(graph, dialect)
        self.beside: dict[tuple[str, Link], str] = {}

    def all(self, alias: str, conditions: Iterable[Condition]) -> list[exp.Expr]:
        return [self._condition(alias, condition) for condition in conditions]

    def _condition(self, alias: str, condition: Condition) -> exp.Expr:
        match condition:
            case ColumnCondition(column=known, test=test):
                return self.test(expressions.column(alias, known.info.name), known, test, alias)
            case LinkedCondition(links=links, conditions=inner, absent=absent):
                found = self._linked(alias, links, inner)
                if not absent:
                    return found
                # An EXISTS is never unknown, and engines know what to do with its plain opposite.
                return exp.Not(this=found) if isinstance(found, exp.Exists) else self._untrue(found)
            case CountedCondition(links=links, conditions=inner, test=test):
                return self._counted(alias, links, inner, test)
            case AnyCondition(choices=choices):
                return either([both(self.all(alias, choice)) for choice in choices])

    def _linked(self, alias: str, links: tuple[Link, ...], inner: tuple[Condition, ...]) -> exp.Expr:
        """A row behind the first link, behind which the rest holds."""
        link, rest = links[0], links[1:]
        there = self.beside.get((alias, link), "")
        if there:
            return both([self._linked(there, rest, inner)] if rest else self.all(there, inner))
        there = self._alias()
        target = self._graph.tables[link.target]
        further = [self._linked(there, rest, inner)] if rest else self.all(there, inner)
        near, far = self._links.near(alias, link), self._links.far(there, link)
        rows = source(target.info.schema, target.info.name, there)
        if link.apart:
            return self._others(alias, link, exp.select(*far).from_(rows), further)
        if has_trait("lists_keys", self._dialect):
            keys = exp.select(*far).from_(rows)
            keys = keys.where(both(further), copy=False) if further else keys
            return exp.In(this=_together(near), query=keys.subquery(copy=False))
        on: list[exp.Expr] = [exp.EQ(this=b, expression=a) for a, b in zip(near, far, strict=True)]
        return exp.Exists(this=exp.select("1").from_(rows).where(both([*on, *further]), copy=False))

    def _others(self, alias: str, link: Link, rows: exp.Select, further: list[exp.Expr]) -> exp.Expr:
        """Another row with the same value, for which the rest holds: two such rows have it, or one has it
        that is not this row. Asked so, neither list depends on the row, and each is made once."""
        there = rows.args["from_"].this.alias
        near, far = self._links.near(alias, link), [each.copy() for each in rows.expressions]
        rows = rows.where(both(further), copy=False) if further else rows
        several = exp.Count(this=exp.Star())
        more = exp.GT(this=several, expression=exp.Literal.number(1))
        shared = rows.copy().group_by(*far, copy=False).having(more, copy=False)
        found = exp.In(this=_together(near), query=shared.subquery(copy=False))
        if not further:
            return found
        one = exp.In(this=_together(_copies(near)), query=rows.subquery(copy=False))
        such = rows.copy().select(*key(there, link), append=False, copy=False)
        itself = exp.In(this=_together(key(alias, link)), query=such.subquery(copy=False))
        return exp.Paren(this=either([found, both([one, self._untrue(itself)])]))

    def _counted(
        self, alias: str, links: tuple[Link, ...], inner: tuple[Condition, ...], test: Test
    ) -> exp.Expr:
        """So many rows at the end of the links. Gathered by their key, they are counted in one go; a count
        for every row would look through the other table as often where no index helps."""
        count = exp.Count(this=exp.Star())
        if links[0].apart:
            # The row itself is in the group of the others, and never counted: each row has its own number.
            others = self._keys(links, inner, alias).select(count, append=False, copy=False)
            return self._numbered(others.subquery(copy=False), test)
        near = self._links.near(alias, links[0])
        counted = self._keys(links, inner)
        far = [each.copy() for each in counted.expressions]
        kept = counted.copy().group_by(*far, copy=False).having(self._numbered(count, test), copy=False)
        some = exp.In(this=_together(near), query=kept.subquery(copy=False))
        # A row without any is in no group.
        none = self._untrue(exp.In(this=_together(_copies(near)), query=counted.subquery(copy=False)))
        return exp.Paren(this=either([some, both([self._numbered(exp.Literal.number(0), test), none])]))

    def _keys(self, links: tuple[Link, ...], inner: tuple[Condition, ...], of: str = "") -> exp.Select:
        """Of all rows at the end of the links that fit, the columns that lead to them. `of`: the row whose
        they must be."""
        aliases = [self._alias() for _ in links]
        targets = [self._graph.tables[link.target].info for link in links]
        sources = [
            source(each.schema, each.name, there) for each, there in zip(targets, aliases, strict=True)
        ]
        query = exp.select(*self._links.far(aliases[0], links[0]))
        query = query.from_(sources[0])
        for before, there, link, rows in zip(aliases, aliases[1:], links[1:], sources[1:], strict=False):
            query = query.join(rows, on=both(self._links.matched(before, there, link)), copy=False)
        conditions = self._links.matched(of, aliases[0], links[0]) if of else []
        conditions += self.all(aliases[-1], inner)
        return query.where(both(conditions), copy=False) if conditions else query

    def _numbered(self, tree: exp.Expr, test: Test) -> exp.Expr:
        return self.test(tree, _WHOLE, test)

    def value(self, alias: str, path: ColumnPath) -> exp.Expr:
        """What a column has that a path leads to from a row, which is of one row at most."""
        links = path.links
        while links and (there := self.beside.get((alias, links[0]), "")):
            alias, links = there, links[1:]
        if not links:
            return expressions.column(alias, path.column.info.name)
        aliases = [self._alias() for _ in links]
        query = exp.select(expressions.column(aliases[-1], path.column.info.name))
        for before, there, link in zip([alias, *aliases], aliases, links, strict=False):
            info = self._graph.tables[link.target].info
            rows, pairs = (
                source(info.schema, info.name, there),
                both(self._links.matched(before, there, link)),
            )
            first = there is aliases[0]
            query = query.from_(rows).where(pairs) if first else query.join(rows, on=pairs, copy=False)
        return query.subquery(copy=False)

    def _untrue(self, condition: exp.Expr) -> exp.Expr:
        """Not true: false, or unknown because something is missing."""
        # NOT of an unknown is unknown and drops the row. People who say "not from France" mean those without
        # a country, too.
        truth = exp.Is(this=exp.Paren(this=condition), expression=exp.true())
        return exp.Not(this=exp.Paren(this=truth))

    def test(self, tree: exp.Expr, known: Column, test: Test, alias: str = "t0") -> exp.Expr:
        """A test of a value. `alias`: the row that it is of, where the test speaks of other columns of it."""
        match test:
            case Missing():
                return exp.Is(this=tree.copy(), expression=exp.Null())
            case Never():
                return exp.EQ(this=exp.Literal.number(1), expression=exp.Literal.number(0))
            case Compared(sign=Sign.EQUAL, value=value):
                return self._equal(tree, known, (value,))
            case Compared(sign=sign, value=value):
                return _SIGNS[sign](this=apart(self._key(tree, known)), expression=self._value(known, value))
            case Against():
                return self._against(tree, known, test, alias)
            case AgainstResult():
                return self._against_result(tree, known, test)
            case PartTest(part=part, test=inner):
                return self._numbered(
                    expressions.numbered(tree.copy(), known.type, part, self._dialect), inner
                )
            case NumberTest(test=inner):
                number = expressions.written_number(tree.copy(), known, self._dialect)
                return self.test(number, WRITTEN_NUMBER, inner, alias)
            case OneOf(values=values):
                return self._equal(tree, known, values)
            case Within(first=first, last=last):
                return self._within(tree, known, first, last)
            case Matching(place=place, text=text):
                return self._matching(tree, known, place, text)
            case Not(test=inner):
                return self._untrue(self.test(tree, known, inner, alias))
            case AllTests(tests=tests):
                return both([self.test(tree, known, each, alias) for each in tests])
            case AnyTest(tests=tests):
                return either([self.test(tree, known, each, alias) for each in tests])

    def _against(self, tree: exp.Expr, known: Column, test: Against, alias: str) -> exp.Expr:
        ours, theirs, path = tree.copy(), self.value(alias, test.path), test.path
        if test.by_day:
            sides = [expressions.day(ours, known.type, self._dialect)]
            sides.append(expressions.day(theirs, path.type, self._dialect))
        elif test.written:
            number = expressions.written_number(theirs, path.column, self._dialect)
            sides = [self._key(ours, known), number]
        else:
            sides = [self._key(ours, known), self._key(theirs, path.column)]
        return _SIGNS[test.sign](this=apart(sides[0]), expression=apart(sides[1]))

    def _against_result(self, tree: exp.Expr, known: Column, test: AgainstResult) -> exp.Expr:
        ours, theirs = tree.copy(), self._nested(test.request).subquery(copy=False)
        if test.by_day:
            sides = [expressions.day(ours, known.type, self._dialect)]
            sides.append(expressions.day(theirs, test.type, self._dialect))
        else:
            value = expressions.from_digits(theirs, test.type, self._dialect)
            sides = [self._key(ours, known), expressions.key(value, test.type, self._dialect)]
        return _SIGNS[test.sign](this=apart(sides[0]), expression=apart(sides[1]))

    def _key(self, tree: exp.Expr, known: Column) -> exp.Expr:
        whole = expressions.plain(tree.copy(), known, self._dialect)
        return expressions.key(whole, known.type, self._dialect)

    def _value(self, known: Column, value: Value) -> exp.Expr:
        """A parameter, made comparable with the key of the column."""
        bound = self._binding.bound(value, known.type)
        if has_trait("keyed_texts", self._dialect) and isinstance(value, str):
            return expressions.key(bound, ValueType.TEXT, self._dialect)
        return bound

    def _equal(self, tree: exp.Expr, known: Column, values: tuple[Value, ...]) -> exp.Expr:
        text = known.type is ValueType.TEXT
        plainly = text and has_trait("plain_texts", self._dialect)
        left = expressions.plain(tree.copy(), known, self._dialect) if plainly else self._key(tree, known)
        exact = self._among(left, [self._value(known, value) for value in values])
        indexed = text and has_trait("keyed_texts", self._dialect)
        if not indexed or not all(isinstance(value, str) and value.isascii() for value in values):
            return exact
        # The first of the two can use an index, the second tells capital from small letters.
        bound = [self._binding.bound(value, known.type) for value in values]
        return both([self._among(tree.copy(), bound), exact])

    def _among(self, tree: exp.Expr, values: list[exp.Expr]) -> exp.Expr:
        if len(values) == 1:
            return exp.EQ(this=apart(tree), expression=values[0])
        return exp.In(this=apart(tree), expressions=values)

    def _within(self, tree: exp.Expr, known: Column, first: dt.date | None, last: dt.date | None) -> exp.Expr:
        """From the first moment of a day to the last of another. Moments in a zone have their days in UTC."""
        found: list[exp.Expr] = []
        if first is not None:
            found.append(self._compared(tree, known, Sign.AT_LEAST, first))
        if last is not None and last < dt.date.max:
            dates = known.type is ValueType.DATE
            found.append(
                self._compared(tree, known, Sign.AT_MOST, last)
                if dates
                else self._compared(tree, known, Sign.BELOW, last + _DAY)
            )
        if not found:
            found.append(exp.Not(this=exp.Is(this=tree.copy(), expression=exp.Null())))
        return both(found)

    def _compared(self, tree: exp.Expr, known: Column, sign: Sign, day: dt.date) -> exp.Expr:
        match known.type:
            case ValueType.DATE:
                value: dt.date = day
            case ValueType.INSTANT:
                value = dt.datetime(day.year, day.month, day.day, tzinfo=dt.UTC)
            case _:
                value = dt.datetime(day.year, day.month, day.day)  # noqa: DTZ001 - the column has no zone
        return _SIGNS[sign](this=self._key(tree, known), expression=self._binding.bound(value, known.type))

    def _matching(self, tree: exp.Expr, known: Column, place: Place, text: str) -> exp.Expr:
        whole = tree.copy()
        if known.type is not ValueType.TEXT or expressions.plain(whole, known, self._dialect) is not whole:
            whole = filled(piece_of("as_text", self._dialect), self._dialect, x=whole)
        folded = filled(piece_of("folded", self._dialect), self._dialect, x=whole)
        wanted = "".join(_small(letter) for letter in text)
        # LOWER of SQLite, and of PostgreSQL in the C locale, knows ASCII only. Letters beyond it are replaced
        # one by one, and only those that are looked for.
        for letter in dict.fromkeys(wanted):
            if not letter.isascii() and (capital := _capital(letter)):
                bound = [self._binding.bound(each, ValueType.TEXT) for each in (capital, letter)]
                folded = exp.Anonymous(this="REPLACE", expressions=[folded, *bound])
        pattern = "".join(f"{ESCAPE}{each}" if each in f"%_{ESCAPE}" else each for each in wanted)
        if place is not Place.START:
            pattern = f"%{pattern}"
        if place is not Place.END:
            pattern = f"{pattern}%"
        compared = filled(piece_of("compared_folded", self._dialect), self._dialect, x=folded)
        like = exp.Like(this=apart(compared), expression=self._binding.bound(pattern, ValueType.TEXT))
        return exp.Escape(this=like, expression=exp.Literal.string(ESCAPE))


def source(schema: str, name: str, alias: str) -> exp.Table:
    """A table under its real name, called by an alias of ours."""
    return exp.Table(
        this=exp.to_identifier(name, quoted=True),
        db=exp.to_identifier(schema, quoted=True) if schema else None,
        alias=exp.TableAlias(this=exp.to_identifier(alias, quoted=True)),
    )


def _copies(columns: list[exp.Expr]) -> list[exp.Expr]:
    return [each.copy() for each in columns]


def _together(columns: list[exp.Expr]) -> exp.Expr:
    return columns[0] if len(columns) == 1 else exp.Tuple(expressions=list(columns))


def both(conditions: list[exp.Expr]) -> exp.Expr:
    if not conditions:
        return exp.EQ(this=exp.Literal.number(1), expression=exp.Literal.number(1))
    return exp.and_(*conditions, copy=False) if len(conditions) > 1 else conditions[0]


def either(conditions: list[exp.Expr]) -> exp.Expr:
    if not conditions:
        return exp.EQ(this=exp.Literal.number(1), expression=exp.Literal.number(0))
    return exp.or_(*conditions, copy=False) if len(conditions) > 1 else conditions[0]


def _small(letter: str) -> str:
    small = letter.lower()
    return small if len(small) == 1 else letter


def _capital(letter: str) -> str:
    """The one capital letter of a small one."""
    capital = letter.upper()
    return capital if len(capital) == 1 and capital != letter and capital.lower() == letter else ""
