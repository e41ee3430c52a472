"""What a definition means in one database: a name, a figure or a condition, or why it is none."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.program import Argument, Entry, Integer, Map, Number, Sequence, Statement, Text, Value
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ValueType
from dragoman.contracts.taught import TaughtKind, TaughtWord
from dragoman.language.verbs.printer import print_value
from dragoman.planning.database.joint import JointPlanner
from dragoman.planning.message_periods import MessagePeriods
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.teaching.conditions import ConditionReader
from dragoman.planning.teaching.named_things import NamedThings
from dragoman.reading.teaching import Definition, TeachingWords
from dragoman.tables.graph import Graph, Link, Table
from dragoman.tables.verbs import NUMBERS, Word

_WORD: Final = re.compile(r"[^\W_][\w' &-]*")
_NUMBER: Final = re.compile(r"-?\d+(?:[.,]\d+)?")
_SUMS: Final = ("plus", "minus")
_PRODUCTS: Final = ("times", "divided")
_MOST_TABLES: Final = 4
_MOST_STEPS: Final = 2
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
        self._conditions = ConditionReader(planner, self._named, words, language, periods)

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
            None
            if self._is_computed(definition.meaning)
            else self._condition(lemma, noun, definition.meaning)
        )
        if condition is not None:
            return _told(condition, said, self._language)
        if noun is not None:
            found = self._name(lemma, definition.meaning) or self._figure(lemma, definition.meaning)
            if found is not None:
                return _told(found, said, self._language)
        return self._unknown(definition)

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
        if not definition.surely or not nameable or known or len(self._operands(word)) > 1:
            return None
        lemma = " ".join(map(self._lemma, word.split()))
        found = self._name(lemma, f"{definition.noun} {definition.word}".strip())
        return _told(found, said, self._language) if found is not None else None

    def _is_computed(self, meaning: str) -> bool:
        """Whether a meaning is a calculation: a column is in it. A date has signs too."""
        operands = self._operands(meaning)
        return len(operands) > 1 and any(self._named.columns(self._plain(part)) for part in operands)

    def _unknown(self, definition: Definition) -> Unteachable:
        texts = [part for part in self._operands(definition.meaning) if self._is_text(part)]
        if texts:
            return Unteachable("teach_not_number", (texts[0],))
        return Unteachable("teach_unknown", (self._plain(definition.meaning),))

    def _is_text(self, phrase: str) -> bool:
        named = self._named.columns(phrase)
        return bool(named) and not any(thing.is_number for thing in named)

    def _plain(self, phrase: str) -> str:
        """A phrase without quotes and articles."""
        words = phrase.strip(" \"'“”„«»‘’`").split()
        while len(words) > 1 and words[0].casefold() in self._words.articles:
            words.pop(0)
        return " ".join(words)

    # Names.

    def _name(self, word: str, meaning: str) -> TaughtWord | None:
        phrase = self._without_sum(self._plain(meaning))
        counted = self._without(phrase, self._words.counts)
        rows = self._named.table(counted) if counted != phrase else None
        if rows is not None:
            return TaughtWord(word, TaughtKind.COUNT, rows.name)
        table = self._named.table(phrase)
        if table is not None:
            return TaughtWord(word, TaughtKind.TABLE, table.name)
        named = self._named.columns(phrase)
        if not named or named[0].column is None:
            return None
        thing = self._likeliest(named)
        if thing is None or thing.column is None:
            return None
        return TaughtWord(word, TaughtKind.COLUMN, thing.table.name, print_value(Text(thing.column.name)))

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

    # Figures.

    def _operands(self, meaning: str) -> list[str]:
        return [part for _, term in self._split(meaning, _SUMS) for _, part in self._split(term, _PRODUCTS)]

    def _split(self, text: str, operators: tuple[str, ...]) -> list[tuple[str, str]]:
        """The parts of a sum or a product, each with what is done with it; the first with nothing."""
        text = self._operator_between(text)
        known = [(operator, word) for operator, word in self._words.operators if operator in operators]
        pattern = "|".join(_bounded(word) for _, word in known)
        if not pattern:
            return [("", text)]
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

    def _figure(self, word: str, meaning: str) -> TaughtWord | None:
        operands = self._operands(meaning)
        if len(operands) < 2:
            return None
        choices = {part: self._numbers(part) for part in operands if not _NUMBER.fullmatch(part)}
        if not choices or not all(choices.values()):
            return None
        found = self._together(choices)
        if found is None:
            return None
        base, paths = found
        terms = [
            (operator, _joined(self._split(term, _PRODUCTS), paths))
            for operator, term in self._split(meaning, _SUMS)
        ]
        value = _summed(terms)
        return TaughtWord(word, TaughtKind.FIGURE, base.name, print_value(value))

    def _numbers(self, phrase: str) -> list[Thing]:
        named = self._named.columns(self._plain(phrase))
        return [thing for thing in named if thing.is_number and not thing.is_key]

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

    # Conditions.

    def _condition(self, word: str, noun: tuple[str, Table] | None, meaning: str) -> TaughtWord | None:
        said, rest = self._plain(meaning), self._without_ones(meaning)
        inside = self._named.after_noun(rest)
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


def _bounded(word: str) -> str:
    """An operator as a pattern: a word stands between blanks, a sign anywhere."""
    return rf"\s+{re.escape(word)}\s+" if any(map(str.isalpha, word)) else rf"\s*{re.escape(word)}\s*"


def _joined(parts: Iterable[tuple[str, str]], paths: dict[str, str]) -> Value:
    value: Value | None = None
    factors: list[Value] = []
    for operator, part in parts:
        operand = _operand(part, paths)
        if operator == "divided":
            value = Map((Entry("divided", Sequence((_product(factors), operand))),))
            factors = [value]
        else:
            factors.append(operand)
    return _product(factors)


def _product(factors: list[Value]) -> Value:
    return factors[0] if len(factors) == 1 else Map((Entry("times", Sequence(tuple(factors))),))


def _summed(terms: list[tuple[str, Value]]) -> Value:
    (_, value), *rest = terms
    for operator, term in rest:
        value = Map((Entry(operator, Sequence((value, term))),))
    return value


def _operand(part: str, paths: dict[str, str]) -> Value:
    if part in paths:
        return Text(paths[part])
    plain = part.replace(",", ".")
    return Integer(int(plain)) if plain.lstrip("-").isdecimal() else Number(plain)
