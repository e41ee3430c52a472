"""Whether two statements ask the same of the same rows, whatever of it they show."""

from collections.abc import Sequence

from dragoman.contracts.program import Argument, Date, Entry, Map, Nil, Statement, Text, Value
from dragoman.contracts.program import Sequence as Sequence_

_THERE = Map((Entry("not", Nil()),))
_UNSAID = frozenset({"columns", "distinct", "as", "ties", "on"})
"""Arguments in which two programs may differ that mean the same."""
_FIGURES = frozenset({"count", "sum", "average", "min", "max"})
_GATHERED = frozenset({"by", "per", "having", "top", "groups"})
BOUNDS = frozenset({"above", "below", "at-least", "at-most", "between", "not"})


def alike(one: Statement, other: Statement) -> bool:
    """Whether two statements ask the same of the same rows, whatever of it they show."""
    if one.verb != other.verb:
        return False
    return rows_said(one) == rows_said(other) and _same_dates(_dates(one), _dates(other))


def _dates(statement: Statement) -> list[str]:
    """The columns that periods are of, as far as they are named."""
    found = [argument.name for argument in statement.arguments if _between(argument.value) is not None]
    if any(argument.name == "during" for argument in statement.arguments):
        on = next((argument.value for argument in statement.arguments if argument.name == "on"), None)
        found.append(on.value if isinstance(on, Text) else "")
    return found


def _same_dates(one: list[str], other: list[str]) -> bool:
    """A period that names no date is of the only one that the table has."""
    return len(one) == len(other) and all(
        mine == yours or (not (mine and yours) and "/" not in mine + yours)
        for mine, yours in zip(one, other, strict=True)
    )


def _between(value: Value) -> Sequence_ | None:
    """The two days that a column is between."""
    match value:
        case Map(entries=(Entry(key="between", value=Sequence_(items=(Date(), Date())) as days),)):
            return days
    return None


def rows_said(statement: Statement) -> dict[str, Value]:
    """The arguments that decide which rows there are. Days between two dates are a period."""
    found: dict[str, Value] = {}
    gathered = [value for each in statement.arguments if each.name == "by" for value in items_of(each.value)]
    for argument in statement.arguments:
        if argument.name in _UNSAID or _is_silent(argument, gathered):
            continue
        if (days := _between(argument.value)) is not None:
            found["during"] = days
            continue
        match argument.value:
            case Map(entries=(Entry(key=key), *_)) as bound if argument.name == "having" and key in BOUNDS:
                # A bound that names no figure is one of the figure that the verb asks for.
                found["having"] = Map((Entry(statement.verb.rpartition(".")[2], bound),))
            case Sequence_(items=(first, *_)) if argument.name == "order":
                # What comes behind only parts rows that are equal in the first.
                found["order"] = first
            case Sequence_(items=items) if argument.name == "where":
                # Of conditions of which one is enough the order says nothing.
                found["where"] = Sequence_(tuple(sorted(items, key=repr)))
            case Sequence_(items=(alone,)):
                found[argument.name] = alone
            case value:
                found[argument.name] = value
    return found


def _is_silent(argument: Argument, gathered: list[Value]) -> bool:
    """Whether an argument takes nothing away that is asked for: a row that is pointed at is one at most, and
    nothing is gathered by what is missing."""
    if argument.name == "with":
        return not any("-by-" in each.value for each in items_of(argument.value) if isinstance(each, Text))
    return argument.value == _THERE and Text(argument.name) in gathered


def is_one_figure(statement: Statement) -> bool:
    """Whether a statement asks for one figure of all its rows."""
    gathers = any(argument.name in _GATHERED for argument in statement.arguments)
    return statement.verb.rpartition(".")[2] in _FIGURES and not gathers


def place_of(statement: Statement, others: Sequence[Statement]) -> int | None:
    """The first of the others that asks the same."""
    return next((place for place, each in enumerate(others) if alike(statement, each)), None)


def items_of(value: Value) -> tuple[Value, ...]:
    return value.items if isinstance(value, Sequence_) else (value,)


def columns_shown(statement: Statement) -> set[Value]:
    """The columns that a statement names to be shown."""
    return {item for each in statement.arguments if each.name == "columns" for item in items_of(each.value)}
