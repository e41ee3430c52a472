"""Writing the program of a turn: the intent, the edits, the text, each stage of the compiler as an event."""

from dragoman.answering.boundaries import boundary
from dragoman.answering.compilation import compile_text
from dragoman.answering.context import TurnContext
from dragoman.answering.draft import Conclusion
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.discovered import discovered
from dragoman.contracts import events as ev
from dragoman.contracts.program import Program
from dragoman.contracts.vocabulary import Notation
from dragoman.language.verbs.printer import print_program
from dragoman.planning.contract import Candidate, Request


def domain_of(program: Program, request: Request | None) -> str:
    """The domain of a program of one statement: a pack says it, a table is one by itself."""
    return program[0].verb.rpartition(".")[0] if request is None else request.verb.signature.domain


def _discovered(program: Program, catalog: Catalog) -> tuple[ev.DiscoveryDone, ...]:
    """What a program over tables is written from. A verb of a pack needs no discovery."""
    found = discovered(catalog, program[0])
    if found is None:
        return ()
    return (ev.DiscoveryDone(found.connection, found.schema_version, found.tables),)


def write_program(context: TurnContext, candidate: Candidate) -> Conclusion | None:
    """Write and compile the program of a candidate; a boundary where it does not compile."""
    program, draft = candidate.program, context.draft
    verb, source = program[0].verb, print_program(program)
    draft.note(
        ev.CheckpointTaken(),
        ev.IntentCaptured(verb, domain_of(program, candidate.request), candidate.bindings),
        *_discovered(program, context.catalog),
        *(context.proposal.synthesis or (ev.OmlSynthesisStart(),)),
        ev.OmlSynthesisComplete(Notation.VERBS, source, program, candidate.edits),
    )
    # Compiled although a planner made it: planners propose, and only the compiler decides what may run. A
    # model's program goes the same way.
    compiled = compile_text(source, program, context.catalog)
    draft.note(*compiled.events)
    if not compiled.fault:
        return None
    said = context.phrases.say("does_not_compile", problem=compiled.fault)
    return boundary(context, "does_not_compile", said, route=verb, source=source)
