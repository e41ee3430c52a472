"""The stages a program passes before it may run: syntax, semantics, dependencies, plan."""

import hashlib
import re
from collections.abc import Iterator

import msgspec

from dragoman.contracts.program import (
    Argument,
    Date,
    Diagnostic,
    Number,
    Plan,
    PlanStep,
    Program,
    Sequence,
    Statement,
    Symbol,
    Text,
    Value,
)
from dragoman.contracts.verb import ArgumentType, Signatures, VerbSignature

COMPILER_VERSION = "1"

RESERVED = frozenset({"as", "id", "mode"})
"""Names that mean something of their own in a program."""

_VERB = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\.[A-Za-z_][A-Za-z0-9_-]*\Z")
_DECIMAL = re.compile(r"-?\d+(\.\d+)?\Z", re.ASCII)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z")


def check_syntax(program: Program) -> list[Diagnostic]:
    """What the program alone decides: names of the right shape, no argument twice."""
    return [d for number, statement in enumerate(program, 1) for d in _syntax_faults(number, statement)]


def _syntax_faults(number: int, statement: Statement) -> Iterator[Diagnostic]:
    if not _VERB.match(statement.verb):
        yield Diagnostic("bad_verb", f"statement {number} calls {statement.verb!r}", "write domain.verb")
    if statement.binds and not _NAME.match(statement.binds):
        yield Diagnostic("bad_symbol", f"{statement.binds!r} cannot be bound", "use letters, digits, - and _")
    for value in _values(statement):
        if isinstance(value, Symbol) and not _NAME.match(value.name):
            yield Diagnostic("bad_symbol", f"@{value.name} is no symbol", "use letters, digits, - and _")
        if isinstance(value, Number) and not _DECIMAL.match(value.value):
            yield Diagnostic("bad_number", f"{value.value!r} is no number", "write digits, for example 12.50")
    names = [argument.name for argument in statement.arguments]
    for name in dict.fromkeys(names):
        if not _NAME.match(name):
            yield Diagnostic("bad_argument_name", f"{name!r} is not a name", "use letters, digits, - and _")
        if name in RESERVED:
            yield Diagnostic("reserved_name", f":{name} is no argument", "it has a place of its own")
        if names.count(name) > 1:
            yield Diagnostic("duplicate_argument", f":{name} stands twice in {statement.verb}", "keep one")


def check_semantics(program: Program, signatures: Signatures) -> list[Diagnostic]:
    """What the catalog decides: the verb is known, its arguments are known, typed and present."""
    return [d for statement in program for d in _semantic_faults(statement, signatures)]


def _semantic_faults(statement: Statement, signatures: Signatures) -> Iterator[Diagnostic]:
    signature = signatures.get(statement.verb)
    if signature is None:
        known = ", ".join(sorted(signatures))
        yield Diagnostic("unknown_verb", f"there is no verb {statement.verb}", f"the verbs are {known}")
        return
    yield from _argument_faults(statement, signature)


def _argument_faults(statement: Statement, signature: VerbSignature) -> Iterator[Diagnostic]:
    declared = {argument.name: argument for argument in signature.arguments}
    for argument in statement.arguments:
        declaration = declared.get(argument.name)
        if declaration is None:
            takes = ", ".join(f":{name}" for name in declared)
            message = f"{statement.verb} has no argument :{argument.name}"
            yield Diagnostic("unknown_argument", message, f"it takes {takes}")
        elif not fits(argument, declaration.type):
            message = f":{argument.name} of {statement.verb} is not a {declaration.type}"
            yield Diagnostic("argument_type", message, f"write {_EXAMPLES[declaration.type]}")
    given = {argument.name for argument in statement.arguments}
    for wanted in signature.arguments:
        if wanted.required and wanted.name not in given:
            message = f"{statement.verb} needs :{wanted.name}"
            yield Diagnostic("missing_argument", message, f"add :{wanted.name} {_EXAMPLES[wanted.type]}")


_EXAMPLES = {
    ArgumentType.ENTITY: 'a key in quotes, for example "1"',
    ArgumentType.DATE: "2020-03-31",
    ArgumentType.PERIOD: "[2020-03-01 2020-03-31]",
}


def fits(argument: Argument, wanted: ArgumentType) -> bool:
    value: Value = argument.value
    match wanted:
        case ArgumentType.ENTITY:
            return isinstance(value, Text)
        case ArgumentType.DATE:
            return isinstance(value, Date)
        case ArgumentType.PERIOD:
            return isinstance(value, Sequence) and _is_period(value.items)


def _is_period(items: tuple[Value, ...]) -> bool:
    match items:
        case (Date(value=start), Date(value=end)):
            return start <= end
        case _:
            return False


def check_dependencies(program: Program) -> list[Diagnostic]:
    """Every symbol is bound once, and before it is used."""
    faults: list[Diagnostic] = []
    bound: set[str] = set()
    for statement in program:
        faults.extend(
            Diagnostic("undefined_symbol", f"nothing above binds @{name}", "bind it with :as")
            for name in _symbols(statement)
            if name not in bound
        )
        if statement.binds in bound:
            faults.append(Diagnostic("duplicate_symbol", f"@{statement.binds} is bound twice", "rename one"))
        if statement.binds:
            bound.add(statement.binds)
    return faults


def _symbols(statement: Statement) -> Iterator[str]:
    return (value.name for value in _values(statement) if isinstance(value, Symbol))


def _values(statement: Statement) -> Iterator[Value]:
    """Every value of a statement, those inside lists too."""
    pending: list[Value] = [argument.value for argument in reversed(statement.arguments)]
    while pending:
        value = pending.pop()
        yield value
        if isinstance(value, Sequence):
            pending.extend(reversed(value.items))


def plan(program: Program, signatures: Signatures) -> Plan:
    """The steps in order, under a fingerprint of the program, the verbs it uses, and the compiler."""
    used = [signatures[statement.verb] for statement in program]
    content = msgspec.json.encode([COMPILER_VERSION, program, used])
    steps = tuple(
        PlanStep(statement.binds or f"step-{number}", statement.verb, tuple(_symbols(statement)))
        for number, statement in enumerate(program, 1)
    )
    return Plan(hashlib.blake2b(content, digest_size=16).hexdigest(), steps)
