"""A statement without what it can do without: another planner writes the same at greater length."""

from msgspec.structs import replace

from dragoman.contracts.program import Argument, Sequence, Statement, Text, Value

_SEVERAL = "-by-"


def without_spare(statement: Statement) -> Statement:
    """The statement without the rows that each row points at, which are there anyway where something is said
    of them, and without what only parts groups that are equal."""
    by = [item for each in statement.arguments if each.name == "by" for item in _items(each.value)]
    kept = (_shorter(each, by) for each in statement.arguments)
    return replace(statement, arguments=tuple(each for each in kept if each is not None))


def _shorter(argument: Argument, by: list[Value]) -> Argument | None:
    match argument.name:
        case "with":
            return _of(argument, [each for each in _items(argument.value) if _SEVERAL in _text(each)])
        case "order" if by:
            return _of(argument, list(_items(argument.value))[:1])
        case "also":
            return _of(argument, list(_items(argument.value)))
        case _:
            return argument


def _of(argument: Argument, items: list[Value]) -> Argument | None:
    if not items:
        return None
    return replace(argument, value=items[0] if len(items) == 1 else Sequence(tuple(items)))


def _items(value: Value) -> tuple[Value, ...]:
    return value.items if isinstance(value, Sequence) else (value,)


def _text(value: Value) -> str:
    return value.value if isinstance(value, Text) else ""
