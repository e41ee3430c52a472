"""Writing the program of a turn: the intent, the text, and every stage of the compiler as events."""

from dragoman.answering import moves
from dragoman.answering.compilation import compile_text
from dragoman.answering.draft import Conclusion
from dragoman.answering.scene import Scene
from dragoman.contracts import events as ev
from dragoman.contracts.program import Binding, Program
from dragoman.contracts.vocabulary import Notation
from dragoman.language.verbs.printer import print_program


def write_program(
    scene: Scene, program: Program, domain: str, bindings: tuple[Binding, ...] = ()
) -> Conclusion | None:
    """Write and compile a program of one statement; a boundary where it does not compile."""
    verb, source, draft = program[0].verb, print_program(program), scene.draft
    draft.note(ev.CheckpointTaken())
    draft.note(ev.IntentCaptured(verb, domain, bindings))
    draft.note(ev.OmlSynthesisStart())
    draft.note(ev.OmlSynthesisComplete(Notation.VERBS, source, program))
    compiled = compile_text(source, program, scene.catalog.programs)
    for event in compiled.events:
        draft.note(event)
    if not compiled.fault:
        return None
    said = scene.phrases.say("does_not_compile", problem=compiled.fault)
    return moves.boundary(scene, "does_not_compile", said, route=verb, source=source)
