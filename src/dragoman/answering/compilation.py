"""Compiling inside a turn: a program's text through the stages, each of them an event."""

from dragoman.contracts import events as ev
from dragoman.contracts.program import Program, UnresolvedRef
from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import Notation, Stage
from dragoman.language.catalog import CompilerCatalog
from dragoman.language.compiler import CompilerStage
from dragoman.language.front import compile_source

_STAGES = {
    CompilerStage.SYNTAX: Stage.SYNTAX,
    CompilerStage.SEMANTICS: Stage.SEMANTICS,
    CompilerStage.REFERENCES: Stage.SEMANTICS,
    CompilerStage.DEPENDENCIES: Stage.DEPENDENCIES,
}
"""The stage of the phase table that a stage of the compiler belongs to."""

_MATCHES = 5
"""So many keys are named where a name is none."""


class Compiled(Record, frozen=True):
    """The events of compiling, and the first thing that is wrong, in words."""

    events: tuple[ev.SessionEvent, ...]
    fault: str = ""
    manifest: bytes = b""
    unresolved: tuple[UnresolvedRef, ...] = ()


def compile_text(
    text: str, program: Program, catalog: CompilerCatalog, notation: Notation = Notation.VERBS
) -> Compiled:
    """Read what is shown of a program and take it to a plan. What is shown has to be what was meant."""
    done = compile_source(text, notation, catalog, meant=program)
    # The phase table knows three stages, the compiler four: references are part of the semantics there.
    passed = [stage for stage in (Stage.SYNTAX, Stage.SEMANTICS) if _is_behind(stage, done.stage)]
    events: list[ev.SessionEvent] = [ev.SchemaGuardPass(stage) for stage in passed]
    if done.manifest is not None:
        events += [ev.CompileStart(), ev.CompileComplete(done.manifest.plan)]
        return Compiled(tuple(events), manifest=done.manifest.data)
    if done.unresolved:
        ref = done.unresolved[0]
        # The semantics hold only when every name is known.
        waiting = (ev.SchemaGuardPass(Stage.SYNTAX), ev.RefsUnresolved(done.unresolved))
        keys = ", ".join(f'"{match.entity_id}" ; {match.display}' for match in ref.initial_matches[:_MATCHES])
        fault = f"{ref.search_value!r} is no key of {ref.entity_type}"
        fault += f"; keys are {keys}" if keys else ""
        return Compiled(waiting, fault, unresolved=done.unresolved)
    stage = _STAGES[done.stage]
    if stage is Stage.DEPENDENCIES:
        # The order of the steps is found by compiling, so compiling has begun.
        events.append(ev.CompileStart())
    events.append(ev.SchemaGuardFail(stage, done.diagnostics, final=True))
    return Compiled(tuple(events), f"{done.diagnostics[0].message}; {done.diagnostics[0].hint}")


def _is_behind(stage: Stage, reached: CompilerStage) -> bool:
    order = list(CompilerStage)
    return order.index(reached) > order.index(CompilerStage(stage.value))
