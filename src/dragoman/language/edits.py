"""Typed edits of a program: apply them, find those between two programs, say them in a line.

`apply(before, difference(before, after)) == after` for any two programs.
"""

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from msgspec.structs import replace

from dragoman.contracts.edits import (
    AddArgument,
    AddStatement,
    DropArgument,
    DropStatement,
    Edit,
    SetArgument,
    SetVerb,
)
from dragoman.contracts.program import Argument, Program, Statement
from dragoman.language.verbs.printer import print_program, print_value


def apply(program: Program, edits: Iterable[Edit]) -> Program:
    """The program with the edits made, one after the other."""
    statements = list(program)
    for edit in edits:
        match edit:
            case AddStatement(place=place, statement=statement):
                statements.insert(place, statement)
            case DropStatement(place=place):
                del statements[place]
            case _:
                statements[edit.place] = _edited(statements[edit.place], edit)
    return tuple(statements)


def _edited(statement: Statement, edit: SetVerb | AddArgument | SetArgument | DropArgument) -> Statement:
    arguments = statement.arguments
    match edit:
        case SetVerb(verb=verb, binds=binds):
            return replace(statement, verb=verb, binds=binds)
        case AddArgument(at=at, argument=added):
            return replace(statement, arguments=(*arguments[:at], added, *arguments[at:]))
        case SetArgument(argument=changed):
            kept = tuple(changed if each.name == changed.name else each for each in arguments)
            return replace(statement, arguments=kept)
        case DropArgument(name=name):
            return replace(statement, arguments=tuple(each for each in arguments if each.name != name))


def difference(before: Program, after: Program) -> tuple[Edit, ...]:
    """The edits that make one program of the other.

    Statements are paired by what they bind, so that a writer appended to a program, or a step put in before
    another, is one edit and not a change of everything behind it.
    """
    matcher = SequenceMatcher(a=[_key(s) for s in before], b=[_key(s) for s in after], autojunk=False)
    edits: list[Edit] = []
    place = 0
    for kind, start, end, first, last in matcher.get_opcodes():
        paired = min(end - start, last - first)
        for offset in range(paired):
            edits += _statement_edits(place, before[start + offset], after[first + offset])
            place += 1
        edits += [DropStatement(place, each.verb) for each in before[start + paired : end]]
        for statement in after[first + paired : last] if kind != "equal" else ():
            edits.append(AddStatement(place, statement))
            place += 1
    return tuple(edits)


def differences(pairs: Iterable[tuple[Program, Program]]) -> list[tuple[Edit, ...]]:
    """The edits between several pairs of programs."""
    return [difference(before, after) for before, after in pairs]


def _key(statement: Statement) -> str:
    return statement.binds or statement.verb


def _statement_edits(place: int, before: Statement, after: Statement) -> list[Edit]:
    if before == after:
        return []
    # Edits of arguments cannot say a change of comments or a repeated argument. Replacing the whole statement
    # can say anything, so the law above holds for every program.
    if not _comparable(before, after):
        return [DropStatement(place, before.verb), AddStatement(place, after)]
    edits: list[Edit] = []
    if (before.verb, before.binds) != (after.verb, after.binds):
        edits.append(SetVerb(place, after.verb, after.binds, before.verb))
    edits += _argument_edits(place, before.arguments, after.arguments)
    return edits


def _comparable(before: Statement, after: Statement) -> bool:
    """Whether edits of arguments can say the difference: none is given twice, and comments are the same."""
    unique = all(len({a.name for a in each.arguments}) == len(each.arguments) for each in (before, after))
    return unique and before.comments == after.comments and before.closing == after.closing


def _argument_edits(place: int, before: tuple[Argument, ...], after: tuple[Argument, ...]) -> Iterator[Edit]:
    order = [argument.name for argument in before]
    # An argument that moved is dropped and added again: edits name arguments, not positions, and the order of
    # arguments is part of a program's identity.
    staying = _in_order(order, [argument.name for argument in after])
    for name in order:
        if name not in staying:
            yield DropArgument(place, name)
    known = {argument.name: argument for argument in before if argument.name in staying}
    for at, argument in enumerate(after):
        was = known.get(argument.name)
        if was is None:
            yield AddArgument(place, at, argument)
        elif was != argument:
            yield SetArgument(place, argument, was.value, was.display)


def _in_order(before: list[str], after: list[str]) -> frozenset[str]:
    """The arguments that both have in the same order: those that keep their place."""
    blocks = SequenceMatcher(a=before, b=after, autojunk=False).get_matching_blocks()
    return frozenset(name for block in blocks for name in before[block.a : block.a + block.size])


def described(edit: Edit) -> str:
    """An edit in a line: `as-of: 2020-03-31 → 2020-04-30`."""
    match edit:
        case AddStatement(statement=statement):
            return f"+ {' '.join(print_program((statement,)).split())}"
        case DropStatement(verb=verb):
            return f"- ({verb} …)"
        case SetVerb(verb=verb, was=was):
            return f"{was} → {verb}"
        case AddArgument(argument=argument):
            return f"+ {argument.name}: {_value(argument)}"
        case SetArgument(argument=argument, was=was, was_display=display):
            return f"{argument.name}: {_in_line(display) or print_value(was)} → {_value(argument)}"
        case DropArgument(name=name):
            return f"- {name}"


def _value(argument: Argument) -> str:
    return _in_line(argument.display) or print_value(argument.value)


def _in_line(display: str) -> str:
    """The name of an entity may have any sign in it."""
    return " ".join(display.split())
