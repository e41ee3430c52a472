"""Reads a statement that calls a table's verb, and says at once everything that is wrong with it."""

from collections import Counter
from collections.abc import Iterable, Iterator

from dragoman.contracts import program
from dragoman.contracts import verb as types
from dragoman.contracts.program import Statement
from dragoman.contracts.schema import ValueType
from dragoman.language.semantics import RESERVED
from dragoman.language.types import describe, misfits
from dragoman.tables.column_reader import MOST_COLUMNS, ColumnReader
from dragoman.tables.comparison_reader import ResultReader
from dragoman.tables.computation import Expressed
from dragoman.tables.condition_reader import ConditionReader
from dragoman.tables.conditions import Condition
from dragoman.tables.dates import read_dated
from dragoman.tables.findings import Findings, listed, nearest, quoted
from dragoman.tables.graph import Graph, Table
from dragoman.tables.groups import Figures, Groups, one_value
from dragoman.tables.order_reader import OrderReader
from dragoman.tables.paths import ColumnPath, Paths
from dragoman.tables.request import Measured, Ordering, ReadRequest, Shown
from dragoman.tables.together import check_distinct, check_shares, check_words
from dragoman.tables.verbs import (
    RANKED,
    VERBS,
    WORDS,
    TableVerb,
    Word,
)

MOST_ROWS = 1_000_000_000
DEFAULT_TOP = 10
MOST_CALLS = 8
"""How many calls may stand inside each other in the place of a value."""

_WITH_RESULTS = types.JsonType(results=True)
_TYPES: dict[Word, types.ArgumentType] = {
    Word.WHERE: _WITH_RESULTS,
    Word.THAT: _WITH_RESULTS,
    Word.HAVING: _WITH_RESULTS,
    Word.DURING: types.PeriodType(),
    Word.AS_OF: types.DateType(),
    Word.ON: types.StringType(),
    Word.WITH: types.StringType(),
    Word.DISTINCT: types.BoolType(),
    Word.GROUPS: types.BoolType(),
    Word.TIES: types.BoolType(),
    Word.TOP: types.IntType(minimum=1),
    Word.LIMIT: types.IntType(minimum=1),
    Word.CONNECTION: types.ConnectionType(),
}
"""The words whose values have one shape. The others are read where they are used."""


def type_of(word: Word) -> types.ArgumentType:
    return _TYPES.get(word, types.JsonType())


def read_request(
    graph: Graph, table: Table, verb: TableVerb, statement: Statement, findings: Findings, depth: int = 0
) -> ReadRequest:
    """What is asked. It may only be used when nothing was found wrong. `depth`: how many calls it is inside
    of."""

    def result(inner: Statement, where: str) -> tuple[ReadRequest, ValueType] | None:
        return _result(graph, inner, where, findings, depth + 1)

    return _Asking(graph, table, verb, statement, findings, result).request()


def _result(
    graph: Graph, statement: Statement, where: str, findings: Findings, depth: int
) -> tuple[ReadRequest, ValueType] | None:
    """A call in the place of a value."""
    domain, _, action = statement.verb.partition(".")
    table = graph.by_name.get(domain)
    if table is None or action not in VERBS:
        message = f"{quoted(statement.verb)} in :{where} is no verb of a table of this database"
        findings.error("unknown_verb", message, nearest(domain, graph.by_name))
        return None
    if depth > MOST_CALLS:
        findings.error("too_deep", f"calls in :{where} are nested too deeply", f"write at most {MOST_CALLS}")
        return None
    inner = Findings()
    request = read_request(graph, table, TableVerb(action), statement, inner, depth)
    for each in inner.all:
        findings.error(each.code, each.message, each.hint)
    if inner.all:
        return None
    kind = one_value(request)
    if kind is None:
        message = f"{statement.verb} in :{where} gives more than one value"
        hint = "write a measure without :by, or a list of one column with :order and :top 1"
        findings.error("not_one_value", message, hint)
        return None
    return request, kind


def requests_of(graph: Graph, statements: Iterable[Statement]) -> list[ReadRequest | None]:
    """What each statement asks; None where it calls no verb of a table, or something is wrong with it."""
    return [_request_of(graph, statement) for statement in statements]


def _request_of(graph: Graph, statement: Statement) -> ReadRequest | None:
    domain, _, action = statement.verb.partition(".")
    table = graph.by_name.get(domain)
    if table is None or action not in VERBS:
        return None
    findings = Findings()
    request = read_request(graph, table, TableVerb(action), statement, findings)
    return None if findings.all else request


class _Asking:
    def __init__(
        self,
        graph: Graph,
        table: Table,
        verb: TableVerb,
        statement: Statement,
        findings: Findings,
        results: ResultReader,
    ) -> None:
        self._table = table
        self._verb = verb
        self._findings = findings
        self._statement = statement
        self._words = self._read_words()
        self._paths = Paths(graph, findings)
        match self._words.get(Word.WITH):
            case program.Text(value=text):
                self._paths = self._paths.joined(table, text, Word.WITH)
        self._columns = ColumnReader(table, self._paths, findings)
        self._filtering = ConditionReader(graph, self._paths, findings, results)
        self._groups = Groups(graph, table, self._columns, self._filtering, findings)
        self._ordering = OrderReader(verb, self._columns, self._groups, findings)

    def request(self) -> ReadRequest:
        by = tuple(each for each in self._named(Word.BY) if isinstance(each, ColumnPath))
        of = self._of(grouped=bool(by))
        grouped = bool(by) or self._verb not in (TableVerb.LIST, TableVerb.TOP)
        figures = self._figures(of) if grouped else Figures()
        shown = self._shown(by, figures) if grouped else ()
        groups = self._flag(Word.GROUPS)
        columns = () if grouped else self._named(Word.COLUMNS) or self._all_columns()
        order = self._ordering.read(self._words.get(Word.ORDER), by, figures)
        top, limit = self._number(Word.TOP), self._number(Word.LIMIT)
        if self._verb is TableVerb.TOP and top is None:
            top = DEFAULT_TOP
        check_words(self._statement, self._verb, self._findings)
        request = ReadRequest(
            self._table,
            self._verb,
            columns=columns,
            joined=self._paths.joins,
            by=by,
            groups=groups,
            settled=_settled(by, shown, order),
            of=of,
            measures=_worked_out(figures, order),
            shown=shown,
            having=figures.having,
            distinct=self._flag(Word.DISTINCT),
            conditions=tuple(self._conditions()),
            dated=tuple(read_dated(self._table, self._statement, self._words, self._paths, self._findings)),
            order=order,
            top=top,
            ties=self._flag(Word.TIES),
            limit=limit,
        )
        check_distinct(request, self._findings)
        check_shares(request, self._findings)
        return request

    def _read_words(self) -> dict[Word, program.Value]:
        """The arguments that are words of the verb, each once and of its type."""
        for name, times in Counter(argument.name for argument in self._statement.arguments).items():
            if times > 1:
                message = f"the argument {quoted(name)} stands {times} times"
                self._findings.error("repeated_argument", message, "keep one")
        known = WORDS[self._verb]
        said = [(Word(a.name), a.value) for a in self._statement.arguments if a.name in known]
        unfit = misfits([(value, type_of(word)) for word, value in said]) if said else ()
        for place in unfit:
            word, _ = said[place]
            message = f":{word} of {self._statement.verb} does not fit"
            self._findings.error("argument_type", message, f"write {describe(type_of(word))}")
        return {word: value for place, (word, value) in enumerate(said) if place not in unfit}

    def _conditions(self) -> Iterator[Condition]:
        words = [word.value for word in WORDS[self._verb]]
        for argument in self._statement.arguments:
            if argument.name in words or argument.name in ("needs", "mode"):
                continue
            column = self._table.columns.get(argument.name)
            if column is None:
                self._unknown_argument(argument.name, words)
                continue
            condition = self._filtering.column(self._table, column, argument.value, argument.name)
            if condition is not None:
                yield condition
        where = self._words.get(Word.WHERE)
        if where is not None:
            yield from self._filtering.where(self._table, where, Word.WHERE)

    def _unknown_argument(self, name: str, words: list[str]) -> None:
        real = self._table.by_real_name.get(name)
        if name in RESERVED and real is None:
            hint = "name the step with :as @name"
        elif real is not None:
            hint = f"the column {quoted(name)} is called :{real.name} here"
        else:
            hint = nearest(name, [*self._table.columns, *words])
        self._findings.error(
            "unknown_argument", f"{self._statement.verb} has no argument {quoted(name)}", hint
        )

    def _of(self, *, grouped: bool) -> Expressed | None:
        if self._verb is TableVerb.LIST:
            return None
        value = self._words.get(Word.OF)
        if value is not None:
            path = self._columns.expressed(value, Word.OF, parts=False)
            return None if path is None else self._measurable(path, grouped=grouped)
        given = {argument.name for argument in self._statement.arguments}
        # A count or a share without :of is one of rows. A given :of that did not fit was reported already;
        # guessing another column would add a second, misleading error.
        if self._verb in (TableVerb.COUNT, TableVerb.SHARE) or Word.OF in given:
            return None
        # Only where exactly one column can be meant it may be left out.
        match self._table.measures:
            case (column,):
                return ColumnPath((), column)
            case ():
                message = f"{self._statement.verb} needs :of: {self._table.name} has no measure of its own"
                there = [column.name for column in self._table.columns.values() if column.type in RANKED]
            case several:
                message = f"{self._statement.verb} needs :of: {self._table.name} has several measures"
                there = [column.name for column in several]
        self._findings.error("missing_argument", message, f"say which: {listed(there)}")
        return None

    def _measurable(self, path: Expressed, *, grouped: bool) -> Expressed | None:
        added = self._verb is TableVerb.TOP and grouped
        found = self._groups.checked(Measured(self._verb, path), added=added)
        return None if found is None else path

    def _figures(self, of: Expressed | None) -> Figures:
        distinct = self._verb is TableVerb.COUNT and self._flag(Word.DISTINCT)
        own = Measured(self._verb, of, distinct, self._that(), self._per())
        return self._groups.figures(own, self._words.get(Word.ALSO), self._words.get(Word.HAVING))

    def _that(self) -> tuple[Condition, ...] | None:
        """The rows that are the part of a share."""
        value = self._words.get(Word.THAT)
        if value == program.Map(()):
            message = f":{Word.THAT} says which rows are the part, and its map is empty"
            self._findings.error("argument_type", message, 'write conditions, {:status "open"}')
        return None if value is None else self._filtering.where(self._table, value, Word.THAT)

    def _per(self) -> ColumnPath | None:
        value = self._words.get(Word.PER)
        return None if value is None else self._columns.column(value, Word.PER)

    def _shown(self, by: tuple[ColumnPath, ...], figures: Figures) -> tuple[Shown, ...]:
        """The columns of groups: those that were asked for, or else all there are."""
        told = figures.measures[: figures.told]
        if self._flag(Word.GROUPS):
            return (Measured(TableVerb.COUNT),)
        value = self._words.get(Word.COLUMNS)
        if value is None:
            return (*by, *told)
        return self._groups.shown(self._asked(value, Word.COLUMNS, told), by)

    def _all_columns(self) -> tuple[ColumnPath, ...]:
        return tuple(ColumnPath((), column) for column in self._table.columns.values())

    def _named(self, word: Word) -> tuple[Expressed, ...]:
        value = self._words.get(word)
        asked = () if value is None else self._asked(value, word)
        return tuple(each for each in asked if not isinstance(each, Measured))

    def _asked(self, value: program.Value, word: Word, told: tuple[Measured, ...] = ()) -> tuple[Shown, ...]:
        """Columns, and of groups their figures, each once."""
        items = value.items if isinstance(value, program.Sequence) else (value,)
        if not items or len(items) > MOST_COLUMNS:
            message = f":{word} takes one column or a list of up to {MOST_COLUMNS}"
            self._findings.error("argument_type", message, 'write "customer/country" or a list of such')
            return ()
        found = [self._groups.named(told, item) or self._column(item, word) for item in items]
        good = tuple(each for each in found if each is not None)
        for name, times in Counter(path.written for path in good).items():
            if times > 1:
                self._findings.error("repeated_column", f"{name} stands {times} times in :{word}", "keep one")
        return good

    def _column(self, value: program.Value, word: Word) -> Expressed | None:
        # Rows are gathered by what they have, not by what is worked out of it.
        if word is Word.BY:
            return self._columns.column(value, word)
        return self._columns.expressed(value, word)

    def _number(self, word: Word) -> int | None:
        value = self._words.get(word)
        if not isinstance(value, program.Integer):
            return None
        if value.value > MOST_ROWS:
            self._findings.error("number_out_of_range", f":{word} is too great", f"write at most {MOST_ROWS}")
            return None
        return value.value

    def _flag(self, word: Word) -> bool:
        value = self._words.get(word)
        return isinstance(value, program.Boolean) and value.value


def _settled(
    by: tuple[ColumnPath, ...], shown: tuple[Shown, ...], order: tuple[Ordering, ...]
) -> tuple[Expressed, ...]:
    """The columns of groups that they were not gathered by, each once."""
    wanted = dict.fromkeys([*shown, *(each.by for each in order)])
    return tuple(each for each in wanted if not isinstance(each, Measured) and each not in by) if by else ()


def _worked_out(figures: Figures, order: tuple[Ordering, ...]) -> tuple[Measured, ...]:
    """Every figure that is needed, the verb's own first."""
    ordered = (each.by for each in order if isinstance(each.by, Measured))
    return tuple(dict.fromkeys([*figures.measures, *ordered]))
