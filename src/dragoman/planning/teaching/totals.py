"""A taught measure that is shown and nothing else, as its total: nobody wants to see every row of it."""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.program import Argument, Entry, Integer, Map, Number, Sequence, Statement, Text, Value
from dragoman.contracts.taught import TaughtKind, TaughtWord
from dragoman.planning.database.column_words import column_words
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.teaching.said_words import meaning_of
from dragoman.tables.verbs import Word

AddsUp = Callable[[str, str], bool]
"""Whether a column of a table, both as programs call them, is an amount of which many make one."""


def shown_alone(statement: Statement) -> str:
    """The path of the one column that a statement lists; empty where it does anything else."""
    shown = statement.argument(Word.COLUMNS)
    if shown is None or not statement.verb.endswith(".list") or not isinstance(shown.value, Text):
        return ""
    return shown.value.value


def totalled(statement: Statement) -> Statement:
    """The total of the one column that a statement lists."""
    domain = statement.verb.removesuffix(".list")
    of = Argument(Word.OF, Text(shown_alone(statement)))
    rest = [each for each in statement.arguments if each.name not in (Word.COLUMNS, Word.DISTINCT)]
    return replace(statement, verb=f"{domain}.sum", arguments=(of, *rest))


def is_ratio(word: TaughtWord) -> bool:
    """Whether a word is one column divided by another: of many rows it is no sum."""
    match meaning_of(word) if word.kind is TaughtKind.FIGURE else None:
        case Map(entries=(Entry(key="divided", value=Sequence(items=(_, by))),)):
            return not isinstance(by, Integer | Number)
        case _:
            return False


def averaged(statement: Statement) -> Statement:
    """The average in place of a total, wherever the statement speaks of it."""
    domain = statement.verb.removesuffix(f".{_SUM}")
    arguments = tuple(
        each if each.name == Word.OF else replace(each, value=_renamed(each.value))
        for each in statement.arguments
    )
    return replace(statement, verb=f"{domain}.{_AVERAGE}", arguments=arguments)


def _renamed(value: Value) -> Value:
    match value:
        case Text(value="sum"):
            return Text(_AVERAGE)
        case Sequence(items=items):
            return Sequence(tuple(map(_renamed, items)))
        case Map(entries=entries):
            return Map(
                tuple(
                    Entry(_AVERAGE if each.key == _SUM else each.key, _renamed(each.value))
                    for each in entries
                )
            )
        case _:
            return value


def may_be_total(statement: Statement) -> bool:
    """Whether what is listed is held to something and ranked by nothing: units sold in May."""
    names = {each.name for each in statement.arguments}
    return bool(names & _HELD or names - _WORDS) and not names & _RANKED


def amounts(knowledge: Knowledge) -> AddsUp:
    """What the columns of a database tell: what is sold by the piece, totals, and money that is no price."""

    def adds_up(table: str, column: str) -> bool:
        thing = next(
            (
                each
                for each in knowledge.things.all
                if each.column is not None and each.table.name == table and each.column.name == column
            ),
            None,
        )
        if thing is None or not thing.is_number or thing.is_key:
            return False
        if thing in knowledge.quantities or thing in knowledge.totals:
            return True
        each = column_words().wages | column_words().each
        return knowledge.facts[thing.number].money and not each & set(thing.words)

    return adds_up


_SUM: Final = "sum"
_AVERAGE: Final = "average"
_WORDS: Final = frozenset(word.value for word in Word)
_HELD: Final = frozenset({Word.WHERE.value, Word.DURING.value})
_RANKED: Final = frozenset({Word.ORDER.value, Word.TOP.value})
