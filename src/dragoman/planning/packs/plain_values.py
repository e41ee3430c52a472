"""The plain arguments of a verb as a message says them: options, numbers, dates, yes or no, and texts."""

import datetime as dt
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.contracts.pack import ArgumentKind, PackArgument
from dragoman.contracts.program import Boolean, Date, Integer, Number, Text, Value
from dragoman.contracts.program import Sequence as Listed
from dragoman.contracts.record import Record
from dragoman.planning.packs.argument_options import known_values, last_words, plain_arguments, titles
from dragoman.planning.packs.currencies import are_currencies, currency
from dragoman.reading.languages import Spoken, spoken_with
from dragoman.reading.lemmas import keys_of
from dragoman.reading.periods import Bound, PeriodMention
from dragoman.reading.reading import MentionKind, Reading
from dragoman.reading.said_values import SaidText, ValueWords, titled, value_words
from dragoman.reading.tokens import Token, fold, tokens_of

_NUMBER: Final = re.compile(r"(?<![\w.,-])-?\d+(?:\.\d+)?(?![\w-])")
_ALIKE: Final = 4
"""A word of so many letters may have an ending more or less: closed, close."""


_BEGINS: Final = (Bound.SINCE, Bound.FROM)


class Plain(Record, frozen=True):
    """A value of an argument, and the part of the message that gives it."""

    name: str
    value: Value
    start: int
    end: int


class Heard(Record, frozen=True, gc=True):
    """A message as values are looked for in it."""

    text: str
    tokens: tuple[Token, ...]
    language: str
    periods: tuple[PeriodMention, ...]
    numbers: tuple[tuple[int, int, str], ...]
    negations: tuple[tuple[int, int], ...]
    taken: tuple[tuple[int, int], ...]
    """The parts that mean something else: names, periods, the words of the verb."""
    unknown: frozenset[str] = frozenset()
    """The words that nothing covers."""

    @property
    def spoken(self) -> Spoken:
        return spoken_with(self.language, self.text)

    @property
    def words(self) -> tuple[ValueWords, ...]:
        return tuple(value_words(each) for each in self.spoken.languages)

    def is_free(self, start: int, end: int) -> bool:
        return not any(start < stop and begin < end for begin, stop in self.taken)

    def without(self, spans: Iterable[tuple[int, int]]) -> "Heard":
        """The message with further parts taken."""
        return replace(self, taken=(*self.taken, *spans))


def heard(text: str, reading: Reading, taken: Iterable[tuple[int, int]] = ()) -> Heard:
    numbers = [(m.start, m.end, m.means) for m in reading.of_kind(MentionKind.NUMBER)]
    numbers += [(found.start(), found.end(), found.group()) for found in _NUMBER.finditer(text)]
    return Heard(
        text,
        tuple(tokens_of(text)),
        reading.language,
        reading.dates,
        tuple(dict.fromkeys(numbers)),
        tuple((m.start, m.end) for m in reading.of_kind(MentionKind.NEGATION)),
        tuple(taken),
        frozenset(reading.uncovered),
    )


def find_plain(
    verb: CatalogVerb,
    names: Iterable[str],
    message: Heard,
    catalog: Catalog,
    today: dt.date,
    *,
    asked: str = "",
) -> tuple[Plain, ...]:
    """The values of arguments that a message gives. `asked` is the one that was asked for: its value needs no
    word beside it."""
    wanting = _Wanting(verb, _longest_title_first(verb, names, message), catalog, today, asked)
    return _found(wanting, message, (_by_title, _by_value, _by_kind))


def find_titled(
    verb: CatalogVerb, names: Iterable[str], message: Heard, catalog: Catalog, today: dt.date
) -> tuple[Plain, ...]:
    """The values that stand behind the word for them."""
    wanting = _Wanting(verb, _longest_title_first(verb, names, message), catalog, today)
    return _found(wanting, message, (_by_title,))


class _Wanting(Record, frozen=True, gc=True):
    """What values are looked for: the arguments of a verb, and the one that was asked for."""

    verb: CatalogVerb
    names: tuple[str, ...]
    catalog: Catalog
    today: dt.date
    asked: str = ""

    def argument(self, name: str) -> PackArgument:
        return self.verb.spec.arguments[name]


_Step = Callable[[_Wanting, str, Heard], Plain | None]


def _longest_title_first(verb: CatalogVerb, names: Iterable[str], message: Heard) -> tuple[str, ...]:
    """The short name is no name: of two words for arguments the longer is looked for first."""
    arguments = plain_arguments(verb)
    known = (name for name in names if name in arguments)
    return tuple(sorted(known, key=lambda name: -len(titles(name, arguments[name], message.language)[0])))


def _found(wanting: _Wanting, message: Heard, steps: tuple[_Step, ...]) -> tuple[Plain, ...]:
    found: list[Plain] = []
    for step in steps:
        for name in wanting.names:
            if any(each.name == name for each in found):
                continue
            said = step(wanting, name, message)
            if said is not None:
                found.append(said)
                message = message.without([(said.start, said.end)])
    return tuple(found)


def _by_title(wanting: _Wanting, name: str, message: Heard) -> Plain | None:
    """A value behind the word for it: currency EUR."""
    argument, verb = wanting.argument(name), wanting.verb
    for title in (*titles(name, argument, message.language), *last_words(verb, name, message.language)):
        for words in message.words:
            said = titled(message.text, message.tokens, title, words, message.taken)
            if said is None or not message.is_free(said.start, said.end):
                continue
            values = known_values(verb, name, wanting.catalog)
            value = _value(said, argument, values, message, wanting.today)
            if value is not None:
                return Plain(name, value, said.start, said.end)
        if argument.kind is ArgumentKind.BOOLEAN:
            return _said_or_denied(name, title, message)
    return None


def _by_value(wanting: _Wanting, name: str, message: Heard) -> Plain | None:
    """One of the values that there are, wherever it stands: closed clients, funds in EUR."""
    values = known_values(wanting.verb, name, wanting.catalog)
    free = [token for token in message.tokens if message.is_free(token.start, token.end)]
    said = [(value, token) for value in values for token in free if _is_value(value, token, message)]
    if not said and are_currencies(values):
        said = [(code, token) for token in free if (code := currency(token, message.text, message.spoken))]
    whole = [
        each for each in said if each[0].casefold() == message.text[each[1].start : each[1].end].casefold()
    ]
    chosen = whole or said
    if len({value for value, _ in chosen}) != 1:
        return None
    value, token = chosen[0]
    return Plain(name, Text(value), token.start, token.end)


def _by_kind(wanting: _Wanting, name: str, message: Heard) -> Plain | None:
    """A number or a day, where only one argument can take it."""
    argument = wanting.argument(name)
    rivals = [each for each in wanting.names if wanting.argument(each).kind is argument.kind]
    if len(rivals) > 1 and wanting.asked != name:
        return None
    match argument.kind:
        case ArgumentKind.INTEGER | ArgumentKind.DECIMAL:
            free = [n for n in message.numbers if message.is_free(n[0], n[1]) and not _in_period(n, message)]
            return _number(name, argument, free[0]) if len({n[2] for n in free}) == 1 else None
        case ArgumentKind.DATE | ArgumentKind.PERIOD:
            free_periods = [p for p in message.periods if message.is_free(p.start, p.end)]
            if len(free_periods) != 1:
                return None
            value = _dated(free_periods[0], argument.kind, wanting.today)
            return None if value is None else Plain(name, value, free_periods[0].start, free_periods[0].end)
        case _:
            return None


def _value(
    said: SaidText, argument: PackArgument, values: tuple[str, ...], message: Heard, today: dt.date
) -> Value | None:
    text = said.text
    match argument.kind:
        case ArgumentKind.INTEGER | ArgumentKind.DECIMAL:
            inside = [n for n in message.numbers if said.start <= n[0] < said.end]
            plain = _number("", argument, inside[0]) if inside else None
            return plain.value if plain is not None else None
        case ArgumentKind.DATE | ArgumentKind.PERIOD:
            period = next((p for p in message.periods if p.start >= said.start), None)
            return _dated(period, argument.kind, today) if period is not None else None
        case ArgumentKind.BOOLEAN:
            return None
        case _:
            pass
    same = next((value for value in values if value.casefold() == text.casefold()), None)
    if same is not None:
        return Text(same)
    return None if argument.options else Text(text)


def _said_or_denied(name: str, title: tuple[str, ...], message: Heard) -> Plain | None:
    forms = [token.form for token in message.tokens]
    for at in range(len(forms) - len(title) + 1):
        if tuple(forms[at : at + len(title)]) == title:
            start, end = message.tokens[at].start, message.tokens[at + len(title) - 1].end
            denied = any(stop <= start and start - stop <= 2 for _, stop in message.negations)
            return Plain(name, Boolean(not denied), start, end)
    return None


def _is_value(value: str, token: Token, message: Heard) -> bool:
    wanted = fold(value)
    if token.form == wanted:
        return True
    if len(wanted) < _ALIKE or len(token.form) < _ALIKE:
        return False
    return wanted in keys_of(token.form, message.spoken) or token.form in _lemmas(wanted, message.spoken)


@lru_cache(maxsize=1_000)
def _lemmas(value: str, spoken: Spoken) -> tuple[str, ...]:
    return keys_of(value, spoken)


def _in_period(number: tuple[int, int, str], message: Heard) -> bool:
    return any(period.start <= number[0] < period.end for period in message.periods)


def _number(name: str, argument: PackArgument, said: tuple[int, int, str]) -> Plain | None:
    start, end, text = said
    if argument.kind is ArgumentKind.DECIMAL:
        return Plain(name, Number(text if "." in text else f"{text}.0"), start, end)
    return Plain(name, Integer(int(text)), start, end) if text.lstrip("-").isdecimal() else None


def _dated(period: PeriodMention, kind: ArgumentKind, today: dt.date) -> Value | None:
    if kind is ArgumentKind.DATE and period.bound in _BEGINS:
        # What is so since a day began on it.
        period = replace(period, open_ended=False, bound=None)
    scope = period.scope(None, today)
    if scope is None:
        return None
    if kind is ArgumentKind.PERIOD:
        return Listed((Date(scope.start), Date(scope.end)))
    return Date(scope.end) if scope.start == scope.end or period.is_day else None
