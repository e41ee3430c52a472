"""Programs that read numbers in texts: only of these an answer says how many texts were none."""

from typing import Final

from dragoman.contracts.program import Call, Map, Program, Sequence, Value

_NUMBER: Final = "number"


def reads_numbers(program: Program) -> bool:
    return any(_reads(argument.value) for each in program for argument in each.arguments)


def _reads(value: Value) -> bool:
    match value:
        case Map(entries=entries):
            return any(each.key == _NUMBER or _reads(each.value) for each in entries)
        case Sequence(items=items):
            return any(map(_reads, items))
        case Call(statement=statement):
            return reads_numbers((statement,))
        case _:
            return False
