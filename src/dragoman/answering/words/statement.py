"""A statement over a table as a noun phrase: `number of orders where status is open`."""

from collections.abc import Iterator

from dragoman.answering.words.conditions import (
    NOT_A_CONDITION,
    argument_in_words,
    tested,
    unwrapped,
    where_in_words,
)
from dragoman.answering.words.grouped_rows import GroupedRow, row_grouped, without_row
from dragoman.answering.words.measures import (
    MEASURES,
    SHARE,
    Measure,
    measure_in_words,
    measure_named,
)
from dragoman.answering.words.periods import period_in_words
from dragoman.answering.words.places import (
    Named,
    Place,
    link_of,
    link_rows,
    own_column,
    reached_by,
    row_of,
    rows_of,
)
from dragoman.answering.words.speaker import Speaker
from dragoman.answering.words.values import column_value, items_of, value_in_words
from dragoman.contracts.program import (
    Argument,
    Boolean,
    Date,
    Entry,
    Integer,
    Map,
    Sequence,
    Statement,
    Text,
    Value,
)
from dragoman.contracts.schema import ValueType
from dragoman.tables.request_reader import DEFAULT_TOP
from dragoman.tables.verbs import COMPARISONS, Word

_WORDS = frozenset(word.value for word in Word)
_OF_SHARE, _OF_COUNT = "that", "groups"
_DIVIDED, _DIVIDING = "per", ("count", "sum")


class Told:
    """One statement, part by part; `sentence` puts them in the order of the language."""

    def __init__(self, speaker: Speaker, place: Place, statement: Statement, *, inside: bool = False) -> None:
        """`inside` of another statement nobody has to say again which database is asked."""
        self._inside = inside
        self._speaker = speaker
        self._place = place
        self._statement = statement
        self._verb = statement.verb.partition(".")[2]
        self._given = {argument.name: argument.value for argument in reversed(statement.arguments)}
        self._by = items_of(self._given.get("by"))
        self._grouped = bool(self._by) or self._verb in MEASURES
        distinct = self._given.get("distinct") == Boolean(True)
        self._own = Measure(
            "sum" if self._verb == "top" else self._verb if self._verb in MEASURES else "count",
            self._given.get("of") or self._only_measure(),
            distinct and self._verb == "count",
        )

    def sentence(self) -> str:
        parts = {
            "what": self._what(),
            "connection": self._connection(),
            "with": self._with(),
            "where": self._where(),
            "period": self._period(),
            "by": self._gathered(),
            "having": self._having(),
            "also": self._also(),
            "shown": self._shown(),
            "order": self._order(),
            "limit": self._limits(),
        }
        return "".join(parts[name] for name in self._speaker.words.listed("order_of_parts")).strip(" ,")

    def _only_measure(self) -> Value | None:
        """What is measured where a program leaves it out, because only one column can be meant."""
        table = self._place.table
        needs = self._verb not in ("list", "count", SHARE)
        if not needs or table is None or len(table.measures) != 1:
            return None
        return Text(table.measures[0].name)

    # What is asked for.

    def _what(self) -> str:
        if self._verb == "list":
            return self._listed()
        if self._verb == SHARE:
            return self._share()
        if self._verb == "top" and not self._by:
            return self._greatest()
        if self._verb == "count" and self._given.get(_OF_COUNT) == Boolean(True):
            return self._put("count_groups", rows=self._rows())
        said = measure_in_words(self._speaker, self._place, self._own)
        per = self._given.get(_DIVIDED) if self._verb in _DIVIDING else None
        return said if per is None else self._put("for_each", what=said, column=self._each(per))

    def _listed(self) -> str:
        columns = items_of(self._given.get("columns"))
        distinct = self._given.get("distinct") == Boolean(True)
        rows = self._rows()
        if not columns:
            return self._put("list_distinct", rows=rows) if distinct else rows
        said = self._speaker.words.both(self._column(each).words for each in columns)
        return self._put("list_columns_distinct" if distinct else "list_columns", columns=said, rows=rows)

    def _greatest(self) -> str:
        """The rows with the greatest value, of `top` without groups."""
        column = self._column(self._own.of) if self._own.of is not None else Named(self._put("value"))
        number = self._given.get("top") or Integer(DEFAULT_TOP)
        key = "greatest_date" if column.is_date else "greatest"
        rows = self._counted(key, number, rows=self._rows(), column=column.words)
        columns = items_of(self._given.get("columns"))
        if not columns:
            return rows
        said = self._speaker.words.both(self._column(each).words for each in columns)
        return self._put("list_columns", columns=said, rows=rows)

    def _share(self) -> str:
        that, of = self._given.get(_OF_SHARE), self._given.get("of")
        whole = self._put("count", rows=self._rows())
        if of is not None:
            whole = measure_in_words(self._speaker, self._place, Measure("sum", of))
        if that is None:
            return self._put("share_groups", whole=whole)
        conditions = self._speaker.words.both(where_in_words(self._speaker, self._place, that))
        if of is None:
            return self._put("share_that", rows=self._rows(), conditions=conditions)
        return self._put("share_of_that", whole=whole, conditions=conditions)

    def _connection(self) -> str:
        """Which database is asked, where the statement says so."""
        match self._given.get(Word.CONNECTION):
            case Text(value=name) if name and not self._inside:
                return self._put("connection", name=name)
            case _:
                return ""

    # Which rows.

    def _with(self) -> str:
        value = self._given.get("with")
        match value:
            case None:
                return ""
            case Text(value=path):
                *before, last = path.split("/")
                place = self._place
                for step in before:
                    place = reached_by(self._speaker, place, step)
                link = link_of(place, last)
                key = "with_others" if link is not None and link.apart else "with"
                key = "with_pairs" if any(map(self._parts_pairs, self._statement.arguments)) else key
                return self._put(key, rows=link_rows(self._speaker, place, last))
            case _:
                return self._put("with", rows=self._value(value))

    def _where(self) -> str:
        said = [*self._conditions()]
        if len(said) == 1:
            said = [unwrapped(said[0])]
        key = "where_of_share" if self._verb == SHARE and _OF_SHARE in self._given else "where"
        return self._put(key, conditions=self._speaker.words.both(said)) if said else ""

    def _conditions(self) -> Iterator[str]:
        for argument in self._statement.arguments:
            if self._is_condition(argument) and not self._parts_pairs(argument):
                yield argument_in_words(self._speaker, self._place, argument)
        where = self._given.get("where")
        if where is not None:
            yield from where_in_words(self._speaker, self._place, where)

    def _parts_pairs(self, argument: Argument) -> bool:
        """Whether a condition only makes each pair come once: the key of one is below that of the other."""
        step, table = self._given.get("with"), self._place.table
        link = link_of(self._place, step.value) if isinstance(step, Text) else None
        column = None if table is None else own_column(table, argument.name)
        if link is None or not link.apart or column is None or column.info.name not in link.apart:
            return False
        other = Map((Entry("column", Text(f"{link.name}/{column.name}")),))
        return argument.value == Map((Entry("below", other),))

    def _is_condition(self, argument: Argument) -> bool:
        if argument.name == _OF_SHARE:
            return self._verb != SHARE
        if argument.name == _OF_COUNT:
            return self._verb != "count"
        if argument.name == _DIVIDED:
            return self._verb not in _DIVIDING
        return argument.name not in _WORDS and argument.name not in NOT_A_CONDITION

    def _period(self) -> str:
        words, during, as_of = self._speaker.words, self._given.get("during"), self._given.get("as-of")
        said = []
        match during:
            case None:
                pass
            case Sequence(items=(Date(value=first), Date(value=last))):
                said.append(self._put("period", period=period_in_words(first, last, words)))
            case _:
                said.append(self._put("period", period=self._value(during)))
        if as_of is not None:
            said.append(self._put("as_of", day=self._value(as_of)))
        on = self._given.get("on")
        if on is not None:
            said.append(self._put("on_column", column=self._column(on).words))
        return "".join(said)

    # Groups, order, size.

    def _each(self, per: Value) -> str:
        row = row_grouped(self._speaker, self._place, per)
        return row.words if row is not None else self._column(per).words

    def _gathered(self) -> str:
        if not self._by:
            return ""
        columns = [self._column(each) for each in self._by]
        rows = [self._row_shown(each) for each in self._by]
        said = [row.words if row else column.words for row, column in zip(rows, columns, strict=True)]
        key = "per" if all(each.part for each in columns) else "by"
        return self._put(key, columns=self._speaker.words.both(said))

    def _row_shown(self, by: Value) -> GroupedRow | None:
        """The row that a group is, where columns of it are shown in the place of its key."""
        row = row_grouped(self._speaker, self._place, by)
        columns = [each for each in items_of(self._given.get("columns")) if isinstance(each, Text)]
        shown = row is not None and any(
            each.value.startswith(row.path) and each != by and not self._is_measure(each) for each in columns
        )
        return row if shown else None

    def _is_measure(self, value: Value) -> bool:
        return measure_named(self._place, value, self._own) is not None

    @property
    def _says_own(self) -> bool:
        """Whether the measure that comes first has to be said again: where there is another one, and where
        every name is said as it is written."""
        if self._speaker.exact or self._speaker.whole or self._verb == "top":
            return True
        return any(each in self._given for each in ("also", _OF_COUNT, _DIVIDED))

    def _is_own(self, value: Value) -> bool:
        return measure_named(self._place, value, self._own) == self._own

    def _having(self) -> str:
        value = self._given.get("having")
        if value is None:
            return ""
        own = Named(self._short(self._own))
        if isinstance(value, Map) and not all(entry.key in COMPARISONS for entry in value.entries):
            said = [self._kept(entry) for entry in value.entries]
        else:
            said = [tested(self._speaker, self._place, own, value)]
        return self._put("having", conditions=self._speaker.words.both(said))

    def _kept(self, entry: Entry) -> str:
        measure = measure_named(self._place, Text(entry.key), self._own)
        words = entry.key if measure is None else self._short(measure)
        return tested(self._speaker, self._place, Named(words), entry.value)

    def _short(self, measure: Measure) -> str:
        """A measure in a condition on groups."""
        if measure.of is not None and measure == self._own and not self._says_own:
            return self._put("own_measure")
        return measure_in_words(self._speaker, self._place, measure, short=True)

    def _also(self) -> str:
        said = [self._figure(each) for each in items_of(self._given.get("also"))]
        return self._put("also", measures=self._speaker.words.both(said)) if said else ""

    def _shown(self) -> str:
        """Of groups; a list has said its columns first."""
        columns = items_of(self._given.get("columns"))
        if not columns or not self._grouped:
            return ""
        others = [each for each in columns if not self._is_own(each)]
        if not self._says_own and len(others) < len(columns):
            # Whatever is measured is shown beside the groups: only what is shown besides has to be said.
            columns = tuple(others)
            rows = [self._row_shown(each) for each in self._by]
            keys = [Text(row.key) for row in rows if row is not None]
            if all(each in (*self._by, *keys) for each in others):
                return ""
        row = self._row_shown(self._by[0]) if len(self._by) == 1 else None
        said = [without_row(self._figure(each), row.words if row else "") for each in columns]
        return self._put("shown", columns=self._speaker.words.both(said))

    def _order(self) -> str:
        top = self._given.get("top")
        said = [self._key(each) for each in items_of(self._given.get("order"))]
        keys = self._speaker.words.both(said)
        if self._verb == "top":
            number = top or Integer(DEFAULT_TOP)
            return self._counted("top_groups", number) if self._by else ""
        own = self._own_direction()
        if top is None:
            if own:
                return self._put("ordered_by_own", direction=own)
            return self._put("ordered", keys=keys) if said else ""
        if own:
            return self._counted("first_by_own", top, direction=own)
        if said:
            return self._counted("first_by", top, keys=keys)
        return self._counted("top_groups" if self._grouped else "first_rows", top)

    def _own_direction(self) -> str:
        """Which way groups are ordered, where that is by their measure alone."""
        keys = items_of(self._given.get("order"))
        if len(keys) != 1 or not self._grouped or self._says_own:
            return ""
        way, inner = _way(keys[0])
        return self._put(f"{way}_number") if self._is_own(inner) else ""

    def _key(self, value: Value) -> str:
        way, inner = _way(value)
        measure = measure_named(self._place, inner, self._own) if self._grouped else None
        if measure is not None:
            words, kind = measure_in_words(self._speaker, self._place, measure, short=True), "number"
        else:
            column = self._column(inner)
            words, kind = column.words, _kind(column)
        return self._put("order_key", column=words, direction=self._put(f"{way}_{kind}"))

    def _limits(self) -> str:
        said = self._put("ties") if self._given.get("ties") == Boolean(True) else ""
        limit = self._given.get("limit")
        return said if limit is None else said + self._counted("limit", limit)

    # Words for its parts.

    def _rows(self) -> str:
        return rows_of(self._speaker, self._place)

    def _figure(self, value: Value) -> str:
        measure = measure_named(self._place, value, self._own)
        if measure is None:
            return self._column(value).words
        return measure_in_words(self._speaker, self._place, measure, short=True)

    def _column(self, value: Value) -> Named:
        return column_value(self._speaker, self._place, value)

    def _value(self, value: Value) -> str:
        return value_in_words(self._speaker, self._place, value)

    def _counted(self, key: str, number: Value, **values: object) -> str:
        """A phrase with a number, which says one otherwise than more."""
        if number == Integer(1):
            return self._put(f"{key}_one", row=row_of(self._speaker, self._place), **values)
        return self._put(key, n=self._value(number), **values)

    def _put(self, key: str, **values: object) -> str:
        return self._speaker.put(key, **values)


def _way(key: Value) -> tuple[str, Value]:
    """Which way a key orders, and what it orders by."""
    match key:
        case Map(entries=(Entry(key="asc" | "desc" as way, value=inner),)):
            return way, inner
        case _:
            return "asc", key


def _kind(column: Named) -> str:
    if column.is_date:
        return "date"
    return "text" if column.type is ValueType.TEXT and not column.part else "number"
