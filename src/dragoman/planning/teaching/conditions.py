"""The condition on rows that a phrase states, as the planner that will use it reads the phrase.

“Orders above 1,000”, “orders since 2024” and “customers with more than 5 orders” are asked as questions; what
they are held to is the condition. That a column has something in it is told without asking: as a question
“customers that have a phone” is about the phones.
"""

from collections.abc import Callable
from typing import Final

from dragoman.contracts.program import Argument, Entry, Map, Nil, Sequence, Statement, Text, Value
from dragoman.contracts.schema import ValueType
from dragoman.language.verbs.printer import print_value
from dragoman.planning.database.joint import JointPlanner
from dragoman.planning.message_periods import MessagePeriods
from dragoman.planning.teaching.named_things import NamedThings, noun_of
from dragoman.planning.teaching.plain_tests import PlainTests
from dragoman.reading.teaching import TeachingWords
from dragoman.tables.graph import Graph, Link, Table
from dragoman.tables.verbs import HOW_MANY, Word

_LIKELY: Final = 0.25
_POSSIBLE: Final = 0.1
_BETWEEN: Final = ("", "with", "where")
"""What may stand between the rows and what is said of them."""

Tested = tuple[float, Table, Map]
"""How likely a condition is meant, the table, and the condition as `:where` takes it."""


class ConditionReader:
    """Understands conditions over one database."""

    def __init__(
        self,
        planner: JointPlanner,
        named: NamedThings,
        words: TeachingWords,
        language: str,
        periods: Callable[[str], MessagePeriods],
        tests: PlainTests,
    ) -> None:
        """`periods` are those of a text, by the calendar."""
        self._tests = tests
        self._planner = planner
        self._named = named
        self._words = words
        self._language = language
        self._periods = periods

    @property
    def _graph(self) -> Graph:
        return self._planner.graph

    def tested(self, table: Table, said: str, rest: str) -> Tested | None:
        """The condition on the rows of a table: `said` as it is, and the `rest` of it without small words."""
        there = self._present(table, said)
        if there is not None:
            return there
        plain = self._tests.read(table, self._named.without_articles(rest))
        if plain is not None:
            return 1.0, table, plain
        best: Tested | None = None
        for between in _BETWEEN:
            text = " ".join(f"{noun_of(table)} {between} {rest}".split())
            found = self._asked(table, text)
            if found is not None and (best is None or found[0] > best[0]):
                best = found
        return best

    def dated_table(self, said: str) -> Table | None:
        """The one table with dates, where a phrase speaks of a time and of nothing that has a name."""
        if not self._periods(said).periods:
            return None
        dated = [table for table in self._graph.tables.values() if table.dates]
        return dated[0] if len(dated) == 1 else None

    def counted_as(self, noun: str) -> list[Table]:
        """The tables whose rows may be counted where a question asks how many of something there are, the
        likeliest first."""
        if not self._words.how_many:
            return []
        asked = f"{self._words.how_many} {noun}"
        found = self._planner.readings(asked, None, (), (), None, self._language)
        counted = [
            each.statement.verb.removesuffix(".count")
            for each in found
            if not each.uncovered and each.score >= _POSSIBLE and not each.statement.arguments
        ]
        return [table for name in dict.fromkeys(counted) if (table := self._graph.by_name.get(name))]

    def _asked(self, table: Table, text: str) -> Tested | None:
        periods = self._periods(text)
        if periods.relative:
            # "Recent is the last month" means other days every month, and a meaning is kept as it is.
            return None
        readings = self._planner.readings(text, None, periods.spans, periods.periods, None, self._language)
        for reading in readings[:2]:
            where = self._where(table, reading.statement)
            if where is None or reading.uncovered or reading.score < _LIKELY:
                continue
            if not self._counts_other_rows(table, text) or HOW_MANY in print_value(where):
                return reading.score, table, where
        return None

    def _counts_other_rows(self, table: Table, text: str) -> bool:
        """Whether a phrase ends in a number of rows of another table: with more than 30 rentals."""
        *_, number, last = ["", *text.split()]
        counted = self._named.table(last) if number.isdecimal() else None
        return counted is not None and counted.key != table.key

    def _where(self, table: Table, statement: Statement) -> Map | None:
        if statement.verb == f"{table.name}.list":
            return conditions_of(statement, table)
        return self._counted(table, statement)

    def _counted(self, table: Table, statement: Statement) -> Map | None:
        """ "Customers with more than 5 orders" counts orders by customer: how many orders a customer has."""
        domain, _, verb = statement.verb.rpartition(".")
        counted, by = self._graph.by_name.get(domain), statement.argument(Word.BY)
        having = statement.argument(Word.HAVING)
        if verb != "count" or counted is None or by is None or having is None:
            return None
        link = self._link_back(table, counted, by.value)
        test = _count_test(having.value)
        rest = Statement(
            f"{domain}.list", tuple(each for each in statement.arguments if each.name not in _GROUPS)
        )
        conditions = conditions_of(rest, counted) if rest.arguments else Map(())
        if link is None or test is None or conditions is None:
            return None
        return Map((Entry(link.name, Map((Entry(HOW_MANY, test), *conditions.entries))),))

    def _link_back(self, table: Table, counted: Table, by: Value) -> Link | None:
        """The link from a table to rows that are counted by their key to it."""
        if not isinstance(by, Text):
            return None
        column = counted.column(by.value)
        links = [
            link
            for link in self._graph.links(table).values()
            if link.target == counted.key and not link.single and len(link.pairs) == 1
        ]
        own = [link for link in links if column is not None and link.pairs[0][1] == column.info.name]
        return own[0] if len(own) == 1 else None

    def _present(self, table: Table, said: str) -> Tested | None:
        """ "That have a phone", "without a phone": something is in the column, or nothing."""
        words = said.split()
        leads = {each.split()[0] for each in (*self._words.has, *self._words.lacks)}
        while len(words) > 1 and words[0].casefold() in self._words.ones - leads:
            words.pop(0)
        low = " ".join(words).casefold()
        lacks = next((each for each in self._words.lacks if low.startswith(f"{each} ")), "")
        if not lacks and (len(words) < 2 or words[0].casefold() not in self._words.has):
            return None
        phrase = self._without_filled(" ".join(words[len(lacks.split()) or 1 :]))
        own = self._named.columns_of(table, phrase)
        if len(own) != 1 or own[0].column is None or own[0].is_taught:
            return None
        test = Nil() if lacks else Map((Entry("not", Nil()),))
        return 1.0, table, Map((Entry(own[0].column.name, test),))

    def _without_filled(self, phrase: str) -> str:
        """A column without what says that something is in it: a company filled in."""
        low = phrase.casefold()
        said = next((each for each in self._words.filled if low.endswith(f" {each}")), "")
        return phrase[: len(phrase) - len(said)].strip() if said else phrase


def conditions_of(statement: Statement, table: Table) -> Map | None:
    """The conditions of a statement as one map; None where it has none, or does more than that."""
    entries: list[Entry] = []
    for argument in statement.arguments:
        if argument.name == Word.WHERE:
            if not isinstance(argument.value, Map):
                return None
            entries += argument.value.entries
        elif argument.name == Word.DURING:
            during = _during(statement, argument, table)
            if during is None:
                return None
            entries.append(during)
        elif argument.name in _SHOWN:
            continue
        elif argument.name in _WORDS:
            return None
        else:
            entries.append(Entry(argument.name, argument.value))
    return Map(tuple(entries)) if entries else None


def _during(statement: Statement, during: Argument, table: Table) -> Entry | None:
    """The days of a column as a condition on it. Of a moment the last day would end when it begins."""
    on = statement.argument(Word.ON)
    column = table.column(on.value.value) if on is not None and isinstance(on.value, Text) else None
    if column is None or column.type is not ValueType.DATE or not isinstance(during.value, Sequence):
        return None
    return Entry(column.name, Map((Entry("between", during.value),)))


def _count_test(having: Value) -> Value | None:
    match having:
        case Map(entries=(Entry(key="count", value=test),)):
            return test
        case Map(entries=(Entry(value=inner),)) if not isinstance(inner, Map):
            return having
        case _:
            return None


_WORDS: Final = frozenset(word.value for word in Word)
_SHOWN: Final = frozenset({Word.COLUMNS.value, Word.DISTINCT.value, Word.ON.value})
_GROUPS: Final = frozenset({Word.BY.value, Word.HAVING.value, Word.COLUMNS.value})
