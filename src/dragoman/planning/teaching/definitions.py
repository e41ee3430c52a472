"""What a definition means in one database: a name, a figure or a condition, or why it is none."""

import re
from collections.abc import Callable, Iterable
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.program import Argument, Entry, Integer, Map, Sequence, Statement, Text, Value
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ValueType
from dragoman.contracts.taught import TaughtKind, TaughtWord
from dragoman.language.verbs.printer import print_value
from dragoman.planning.database.joint import JointPlanner
from dragoman.planning.message_periods import MessagePeriods
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.teaching.calculations import CalculationReader
from dragoman.planning.teaching.conditions import ConditionReader
from dragoman.planning.teaching.named_things import NamedThings
from dragoman.planning.teaching.plain_tests import PlainTests
from dragoman.reading.teaching import Definition, TeachingWords
from dragoman.tables.graph import Graph, Table
from dragoman.tables.verbs import NUMBERS, Word

_WORD: Final = re.compile(r"[^\W_][\w' &-]*")
_MOST_TABLES: Final = 4
_LONGEST_NAME: Final = 3


class Unteachable(Record, frozen=True):
    """Why a definition teaches nothing: the sentence that says so, and the words it is about."""

    code: str
    words: tuple[str, ...] = ()


class DefinitionReader:
    """Understands definitions over one database, with the planner that will use them."""

    def __init__(
        self,
        planner: JointPlanner,
        words: TeachingWords,
        rows: Callable[[Statement], int | None],
        lemma: Callable[[str], str],
        language: str,
        periods: Callable[[str], MessagePeriods],
    ) -> None:
        """`rows` tells how many rows a statement gives, where that is soon known; `lemma` is a word as a
        dictionary has it; `periods` are those of a text, by the calendar."""
        self._planner = planner
        self._words = words
        self._rows = rows
        self._lemma = lemma
        self._language = language
        self._named = NamedThings(planner.things, words.articles, planner.in_english)
        self._graph: Graph = planner.graph
        self._calculations = CalculationReader(self._named, words, self._graph)
        tests = PlainTests(self._named, words, rows)
        self._conditions = ConditionReader(planner, self._named, words, language, periods, tests)

    def read(self, definition: Definition, said: str) -> TaughtWord | Unteachable:
        """The word with its meaning. The first reading that the database bears out is taken."""
        word = self._plain(definition.word)
        code = self._code(definition, said)
        if code is not None:
            return code
        if not _WORD.fullmatch(word):
            return Unteachable("teach_odd_word", (word,))
        if self._named.is_name(word):
            return self._other_way(definition, said) or Unteachable("teach_named", (word,))
        lemma = " ".join(map(self._lemma, word.split()))
        noun = self._named.with_noun(word)
        if noun is None:
            found = self._name(lemma, definition.meaning) or self._figure(lemma, definition.meaning)
            if found is not None:
                return _told(found, said, self._language)
        condition = (
            None if self.is_computed(definition.meaning) else self._condition(lemma, noun, definition.meaning)
        )
        if condition is not None:
            return _told(condition, said, self._language)
        if noun is not None:
            found = self._name(lemma, definition.meaning) or self._figure(lemma, definition.meaning)
            if found is not None:
                return _told(found, said, self._language)
        value = self._value(word, definition)
        return _told(value, said, self._language) if value is not None else self._unknown(definition)

    def alike(self, definition: Definition, found: TaughtWord) -> tuple[TaughtWord, ...]:
        """The same word for columns of the same name in other tables, where a sentence explains a name of the
        database and does not say whose."""
        written = self._plain(definition.word)
        if found.kind is not TaughtKind.COLUMN or definition.noun or not self._named.is_name(written):
            return ()
        same = [thing for thing in self._named.columns(written) if thing.table.name != found.of]
        return tuple(
            replace(found, of=thing.table.name)
            for thing in same
            if thing.column is not None
            and print_value(Text(thing.column.name)) == found.means
            and not (thing.is_key or thing.is_taught)
        )

    def is_known(self, definition: Definition) -> bool:
        """Whether both sides name the same thing already: there is nothing to learn."""
        one = self._named.columns(f"{definition.noun} {self._plain(definition.word)}".strip())
        other = self._named.columns(self._plain(definition.meaning))
        return bool({_place(thing) for thing in one} & {_place(thing) for thing in other})

    def _other_way(self, definition: Definition, said: str) -> TaughtWord | None:
        """ "HR means home runs": the word that people use comes second where the first is a name already."""
        word = self._plain(definition.meaning)
        nameable = _WORD.fullmatch(word) and len(word.split()) <= _LONGEST_NAME
        known = not self._named.leaves_out(word) and (
            self._named.is_name(word) or self._named.table(word) or self._named.columns(word)
        )
        if not definition.surely or not nameable or known or len(self._calculations.operands(word)) > 1:
            return None
        lemma = " ".join(map(self._lemma, word.split()))
        found = self._name(lemma, f"{definition.noun} {definition.word}".strip())
        return _told(found, said, self._language) if found is not None else None

    def names_both(self, definition: Definition) -> bool:
        """Whether a sentence says of something in the database what it is, in words of the database."""
        meaning = self._plain(definition.meaning)
        return self._named.is_name(self._plain(definition.word)) and (
            self._named.table(meaning) is not None or self._named.after_noun(meaning) is not None
        )

    def is_computed(self, meaning: str) -> bool:
        """Whether a meaning is a calculation: a column is in it. A date has signs too."""
        operands = self._calculations.operands(meaning)
        return len(operands) > 1 and any(self._named.columns(self._plain(part)) for part in operands)

    def _unknown(self, definition: Definition) -> Unteachable:
        texts = [part for part in self._calculations.operands(definition.meaning) if self._is_text(part)]
        if texts:
            return Unteachable("teach_not_number", (texts[0],))
        listed = self._listed(definition.meaning)
        strange = [text for text in listed if not self._places(text)]
        if strange and len(strange) < len(listed):
            return Unteachable("teach_unknown", tuple(strange))
        return Unteachable("teach_unknown", (self._plain(definition.meaning),))

    def _is_text(self, phrase: str) -> bool:
        named = self._named.columns(phrase)
        return bool(named) and not any(thing.is_number for thing in named)

    def _plain(self, phrase: str) -> str:
        """A phrase without quotes and articles."""
        return self._named.without_articles(phrase)

    # Names.

    def _name(self, word: str, meaning: str) -> TaughtWord | None:
        phrase = self._without_sum(self._plain(meaning))
        counted = self._without(phrase, self._words.counts)
        rows = self._named.table(counted) if counted != phrase else None
        if rows is not None:
            return TaughtWord(word, TaughtKind.COUNT, rows.name)
        table, named = self._rows_named(phrase), self._named.columns(phrase)
        # One salary is a figure, whatever the table of salaries is called.
        measured = [
            thing for thing in named if thing.is_number and not thing.is_key and _is_called(thing, phrase)
        ]
        if table is not None and not (measured and table.info.name.casefold() != phrase.casefold()):
            return TaughtWord(word, TaughtKind.TABLE, table.name)
        named = measured or named
        if not named or named[0].column is None:
            return None
        thing = self._likeliest(named)
        if thing is None or thing.column is None:
            return None
        return TaughtWord(word, TaughtKind.COLUMN, thing.table.name, print_value(Text(thing.column.name)))

    def _rows_named(self, phrase: str) -> Table | None:
        """The table that a phrase names, perhaps with a word that any rows go by: inventory item."""
        table, words = self._named.table(phrase), phrase.split()
        if table is None and len(words) > 1 and words[-1].casefold() in self._words.fillers:
            return self._named.table(" ".join(words[:-1]))
        return table

    def _without_sum(self, phrase: str) -> str:
        """What is totalled: a figure is totalled anyway."""
        return self._without(phrase, self._words.sums)

    def _without(self, phrase: str, leads: Iterable[str]) -> str:
        """A phrase without what leads it in."""
        low = phrase.casefold()
        said = next((each for each in leads if low.startswith(f"{each} ")), "")
        return self._plain(phrase[len(said) :].strip()) if said else phrase

    def _likeliest(self, named: list[Thing]) -> Thing | None:
        """Of columns that are called the same, the one that is no key, of the table with the most rows."""
        plain = [thing for thing in named if not thing.is_key] or named
        return max(plain, key=lambda thing: thing.table.info.rows or 0, default=None)

    def _value(self, word: str, definition: Definition) -> TaughtWord | None:
        """ "Newark is EWR", "DACH means Germany, Austria or Switzerland": another name for a text that stands
        in a column just so, or for several of one column."""
        whole = self._plain(definition.meaning)
        places = self._places(whole)
        texts = [whole]
        if not places:
            texts = self._listed(whole)
            places = set.intersection(*map(self._places, texts)) if len(texts) > 1 else set()
        tables = [self._graph.tables[schema, table] for schema, table, _ in places]
        odd = any(text.isdecimal() or word.casefold() == text.casefold() for text in texts)
        if not tables or odd:
            return None
        # Of many rows that have it, the fewest are those that it is the name of.
        table = min(tables, key=lambda each: (each.info.rows or 0, each.name))
        values = tuple(map(Text, texts))
        means = values[0] if len(values) == 1 else Sequence(values)
        return TaughtWord(word, TaughtKind.VALUE, table.name, print_value(means))

    def _listed(self, meaning: str) -> list[str]:
        return [self._plain(part) for part in re.split(self._words.either, meaning, flags=re.IGNORECASE)]

    def _places(self, text: str) -> set[tuple[str, str, str]]:
        """The columns that have a text just so: schema, table and column."""
        return {
            (place.schema, place.table, place.column)
            for place in self._planner.values.exactly(text)
            if place.value == text and (place.schema, place.table) in self._graph.tables
        }

    # Figures.

    def _figure(self, word: str, meaning: str) -> TaughtWord | None:
        found = self._calculations.read(meaning)
        if found is None:
            return None
        base, value = found
        return TaughtWord(word, TaughtKind.FIGURE, base.name, print_value(value))

    # Conditions.

    def _condition(self, word: str, noun: tuple[str, Table] | None, meaning: str) -> TaughtWord | None:
        said, rest = self._plain(meaning), self._without_ones(meaning)
        inside = self._named.after_noun(rest)
        if noun is None and inside is None:
            counted = self._of_counted(word, said, rest)
            if counted is not None:
                return counted
        if noun is not None:
            word, tables = " ".join(map(self._lemma, noun[0].split())), [noun[1]]
            if inside is not None and inside[0].key == noun[1].key:
                said, rest = inside[1], self._without_ones(inside[1])
        elif inside is not None:
            tables, said, rest = [inside[0]], inside[1], self._without_ones(inside[1])
        else:
            tables = self._named.tables_of_columns(rest)[:_MOST_TABLES]
            dated = None if tables else self._conditions.dated_table(rest)
            tables = tables if dated is None else [dated]
        found = [each for table in tables if (each := self._conditions.tested(table, said, rest)) is not None]
        if not found:
            return None
        _, table, where = max(found, key=lambda each: (each[0], each[1].info.rows or 0))
        return TaughtWord(word, TaughtKind.CONDITION, table.name, print_value(where))

    def _of_counted(self, word: str, said: str, rest: str) -> TaughtWord | None:
        """ "An online order": rows that a question counts under a name that their table does not have."""
        *before, last = word.split()
        ones = said.casefold().split()[0] in self._words.stands_for
        for table in self._conditions.counted_as(last) if before and ones else ():
            tested = self._conditions.tested(table, said, rest)
            if tested is not None:
                return TaughtWord(" ".join(before), TaughtKind.CONDITION, table.name, print_value(tested[2]))
        return None

    def _without_ones(self, meaning: str) -> str:
        words = self._plain(meaning).split()
        while len(words) > 1 and words[0].casefold() in self._words.ones:
            words.pop(0)
        return " ".join(words)

    # Codes.

    def _code(self, definition: Definition, said: str) -> TaughtWord | Unteachable | None:
        """ "Status 4 means completed", "M stands for male in gender": a value of a column, and its word."""
        word, meaning = self._plain(definition.word), self._plain(definition.meaning)
        if definition.column:
            return self._coded(definition.column, word, meaning, said)
        parts = re.split(r"\s*=\s*|\s+(?=\S+\Z)", word)
        if len(parts) == 2 and _is_code(parts[1]) and self._named.columns(parts[0]):
            return self._coded(parts[0], parts[1], self._attribute(meaning), said)
        inside = (
            re.fullmatch(self._words.in_column, meaning, re.IGNORECASE) if self._words.in_column else None
        )
        if inside is not None and " " not in word and self._named.columns(inside["column"]):
            coded = self._coded(inside["column"], word, inside["value"], said)
            # "Revenue means the sum of amounts" speaks of no code.
            return coded if isinstance(coded, TaughtWord) or _is_code(word) else None
        return None

    def _attribute(self, meaning: str) -> str:
        """ "The member is current", "a completed order": the word for the rows, without what they are."""
        inside = self._named.after_noun(meaning)
        rest = self._without_ones(inside[1]) if inside is not None else meaning
        return rest or meaning

    def _coded(self, column: str, value: str, word: str, said: str) -> TaughtWord | Unteachable | None:
        name = self._plain(word)
        if self._named.table(name) is not None or self._named.is_name(name) or not _WORD.fullmatch(name):
            return Unteachable("teach_named", (name,))
        found: list[tuple[int, Thing, Map]] = []
        for thing in self._named.columns(column):
            test = _value_for(thing, value)
            if thing.column is None or test is None:
                continue
            where = Map((Entry(thing.column.name, test),))
            rows = self._rows(Statement(f"{thing.table.name}.list", (Argument(Word.WHERE, where),)))
            if rows is None or rows > 0:
                found.append((thing.table.info.rows or 0, thing, where))
        if not found:
            return Unteachable("teach_no_code", (column, value))
        _, thing, where = max(found, key=lambda each: each[0])
        noun = self._named.with_noun(name)
        name = noun[0] if noun is not None and noun[1].key == thing.table.key else name
        name = " ".join(map(self._lemma, name.split()))
        taught = TaughtWord(name, TaughtKind.CONDITION, thing.table.name, print_value(where))
        return _told(taught, said, self._language)


def _is_called(thing: Thing, phrase: str) -> bool:
    """Whether a phrase is the name of a column as it is written."""
    return thing.column is not None and thing.column.info.name.casefold() == phrase.casefold()


def _place(thing: Thing) -> tuple[str, str]:
    return thing.table.name, thing.column.name if thing.column is not None else ""


def _told(word: TaughtWord, said: str, language: str) -> TaughtWord:
    return TaughtWord(word.word, word.kind, word.of, word.means, said, language)


def _is_code(text: str) -> bool:
    return text.isdecimal() or (len(text) <= 3 and text.isalnum() and text.upper() == text)


def _value_for(thing: Thing, text: str) -> Value | None:
    if thing.column is None:
        return None
    if thing.column.type in NUMBERS:
        return Integer(int(text)) if text.lstrip("-").isdecimal() else None
    return Text(text) if thing.column.type in (ValueType.TEXT, ValueType.OTHER) else None
