"""A program that a model wrote, taken through the compiler: a candidate like any other, or a fault."""

from typing import Final

from msgspec.structs import replace

from dragoman.contracts.program import Argument, Diagnostic, Program, Statement, Text, UnresolvedRef
from dragoman.contracts.vocabulary import Notation, Stage
from dragoman.language.compiler import Compilation, CompilerStage
from dragoman.language.edits import difference
from dragoman.language.front import compile_program, convert_source, read_program
from dragoman.language.inlined_calls import Unfit, bound_in, needs_values, with_calls
from dragoman.language.parameters import head_of
from dragoman.language.program_names import kebab_names
from dragoman.language.source import Source
from dragoman.planning.contract import POSSIBLE, Asked, Candidate, Refusal
from dragoman.planning.model.masked_values import MaskedValues
from dragoman.planning.model.occasion import asks_to_write
from dragoman.planning.model.reply_reader import Fault, notation_of, said
from dragoman.planning.packs.root_request import request_of

_MOST_FINDINGS: Final = 5
_MOST_KEYS: Final = 5


def judge(text: str, asked: Asked, masks: MaskedValues, *, continues: bool) -> Candidate | Fault:
    """The candidate that a text stands for. With `continues` it is an edit of the program in hand."""
    read = _read(text, asked)
    if isinstance(read, Fault):
        return read
    program = masks.unmasked(tuple(map(_plain, read)))
    writes = asked.catalog.writes(each.verb for each in program)
    if writes and not asks_to_write(asked):
        problem = "the program writes, and the question does not ask for that"
        return Fault(problem, text, Stage.SEMANTICS, (Diagnostic("effect_not_asked", problem),), program)
    if not writes:
        alone = _in_one(program, text)
        if isinstance(alone, Fault):
            return alone
        program = alone
    program = _named(program)
    compiled = compile_program(program, asked.catalog)
    if compiled.unresolved:
        program = _with_keys(program, compiled.unresolved)
        compiled = compile_program(program, asked.catalog)
    if not compiled.ok:
        return _faulty(compiled, text, program)
    return _candidate(program, asked, text, continues=continues, writes=writes)


def _read(text: str, asked: Asked) -> Program | Fault:
    """The statements of a text, in whichever notation it is."""
    notation = notation_of(text)
    document = read_program(Source(text), notation)
    if not document.ok:
        return _misread(document.diagnostics, text, document.statements)
    if notation is Notation.VERBS:
        return document.statements
    converted = convert_source(Source(text), notation, Notation.VERBS, asked.catalog.effects())
    if not isinstance(converted, str):
        return _misread(converted, text)
    return read_program(Source(converted), Notation.VERBS).statements


def _misread(findings: tuple[Diagnostic, ...], text: str, program: Program = ()) -> Fault:
    problem = "\n".join(said(each) for each in findings[:_MOST_FINDINGS])
    return Fault(problem, text, Stage.SYNTAX, findings, program)


def _plain(statement: Statement) -> Statement:
    """A statement without comments: nobody asked for what a model says beside the program."""
    arguments = tuple(Argument(each.name, each.value) for each in statement.arguments)
    return Statement(statement.verb, arguments, statement.binds)


def _in_one(program: Program, text: str) -> Program | Fault:
    """A program that reads, as the one statement that answers: others give it values."""
    steps = program if head_of(program) is None else program[1:]
    alone = with_calls(steps[-1], bound_in(steps)) if steps else Unfit.UNBOUND
    unused = len(steps) > 1 and not needs_values(steps[-1])
    if isinstance(alone, Statement) and not unused:
        return (alone,)
    problem = "a question is answered by one statement: where it needs a value, write a call inside of it"
    diagnostics = (Diagnostic("several_statements", problem),)
    return Fault(problem, text, Stage.SEMANTICS, diagnostics, program)


def _named(program: Program) -> Program:
    """The statements with symbols that convert to OML, where they have none."""
    if head_of(program) is not None or all(each.binds for each in program):
        return program
    symbols = kebab_names([each.verb for each in program])
    return tuple(each if each.binds else replace(each, binds=symbols[each.verb]) for each in program)


def _with_keys(program: Program, unresolved: tuple[UnresolvedRef, ...]) -> Program:
    """The program with keys in the place of names that only one entity has."""
    found = list(program)
    for ref in unresolved:
        said, place = ref.search_value.casefold(), ref.location.statement_index
        exact = [each for each in ref.initial_matches if each.display.casefold() == said]
        if len(exact) != 1 or place >= len(found) or found[place].verb != ref.location.verb:
            continue
        named, key = ref.location.arg_name, exact[0]
        arguments = tuple(
            Argument(each.name, Text(key.entity_id), key.display)
            if each.name == named and each.value == Text(ref.search_value)
            else each
            for each in found[place].arguments
        )
        found[place] = replace(found[place], arguments=arguments)
    return tuple(found)


def _faulty(compiled: Compilation, text: str, program: Program) -> Fault:
    # What a program's steps need of each other is a part of its meaning where a model wrote all of it.
    stage = Stage.SYNTAX if compiled.stage is CompilerStage.SYNTAX else Stage.SEMANTICS
    if not compiled.unresolved:
        problem = "\n".join(said(each) for each in compiled.diagnostics[:_MOST_FINDINGS])
        return Fault(problem, text, stage, compiled.diagnostics, program)
    lines, keys = [], []
    for ref in compiled.unresolved[:_MOST_FINDINGS]:
        lines.append(f"unresolved: {ref.search_value!r} is no key of {ref.entity_type}")
        matches = ref.initial_matches[:_MOST_KEYS]
        keys += [f'{ref.search_value!r} may be "{each.entity_id}" ; {each.display}' for each in matches]
    problem = "\n".join(lines)
    diagnostics = (Diagnostic("unresolved_reference", problem, "write the key"),)
    return Fault(problem, text, stage, diagnostics, program, keys="\n".join(keys))


def _candidate(
    program: Program, asked: Asked, text: str, *, continues: bool, writes: bool
) -> Candidate | Fault:
    request = None if writes and len(program) > 1 else request_of(program, asked.catalog)
    if isinstance(request, Refusal) and not writes:
        problem = "this program cannot run by itself: " + ", ".join((request.code, *request.words))
        return Fault(problem, text, Stage.SEMANTICS, (Diagnostic(request.code, problem),), program)
    base = asked.continuity.in_hand if continues else ()
    return Candidate(
        program,
        difference(base, program),
        POSSIBLE,
        notes=("written by a language model",),
        request=None if isinstance(request, Refusal) else request,
        follows=bool(base),
        writes=writes,
    )
