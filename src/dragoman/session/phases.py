"""The program's phases: which moves there are, and which event makes which."""

import typing
from collections.abc import Mapping

from dragoman.contracts import events as ev
from dragoman.contracts.errors import IllegalPhaseMove
from dragoman.contracts.transition import PhaseEdge
from dragoman.contracts.vocabulary import Phase, Stage

ERROR_OF_STAGE = {
    Stage.SYNTAX: Phase.SYNTAX_ERROR,
    Stage.SEMANTICS: Phase.SEMANTIC_ERROR,
    Stage.DEPENDENCIES: Phase.DEPENDENCY_ERROR,
}
ERRORS = tuple(ERROR_OF_STAGE.values())

AT_REST = (
    Phase.NEW,
    Phase.INTENT,
    Phase.INTENT_CLARIFY,
    Phase.UNRESOLVED_REFS,
    Phase.READY,
    Phase.DONE,
    *ERRORS,
)
"""Where a program may stand between two turns."""

_FORWARD = (
    (Phase.INTENT, Phase.INTENT_CLARIFY, "clarification_asked"),
    (Phase.INTENT_CLARIFY, Phase.INTENT, "clarification_cleared, question_dropped"),
    (Phase.UNRESOLVED_REFS, Phase.INTENT, "question_dropped"),
    (Phase.INTENT, Phase.DISCOVERY, "discovery_done"),
    (Phase.INTENT, Phase.SYNTHESIS, "oml_synthesis_start"),
    (Phase.DISCOVERY, Phase.SYNTHESIS, "oml_synthesis_start"),
    (Phase.SYNTHESIS, Phase.SYNTAX, "oml_synthesis_complete"),
    (Phase.SYNTAX, Phase.SEMANTICS, "schema_guard_pass"),
    (Phase.SYNTAX, Phase.SYNTAX_ERROR, "schema_guard_fail"),
    (Phase.SYNTAX, Phase.REGENERATE, "regeneration_attempt"),
    (Phase.SEMANTICS, Phase.DEPENDENCIES, "schema_guard_pass"),
    (Phase.SEMANTICS, Phase.SEMANTIC_ERROR, "schema_guard_fail"),
    (Phase.SEMANTICS, Phase.REGENERATE, "regeneration_attempt"),
    (Phase.SEMANTICS, Phase.UNRESOLVED_REFS, "refs_unresolved"),
    # A program that lacks an argument is in hand while a person is asked for it.
    (Phase.SEMANTICS, Phase.INTENT_CLARIFY, "clarification_asked"),
    (Phase.REGENERATE, Phase.SYNTAX, "oml_synthesis_complete"),
    (Phase.UNRESOLVED_REFS, Phase.SEMANTICS, "ref_settled"),
    (Phase.DEPENDENCIES, Phase.READY, "compile_complete"),
    (Phase.DEPENDENCIES, Phase.DEPENDENCY_ERROR, "schema_guard_fail"),
    (Phase.READY, Phase.RUNNING, "run_started"),
    (Phase.RUNNING, Phase.DONE, "run_finished"),
    (Phase.DONE, Phase.RUNNING, "run_started"),
)

_NEW_REQUEST = tuple((phase, Phase.INTENT, "intent_captured") for phase in AT_REST)
_EDIT = tuple((phase, Phase.SYNTAX, "program_edited, program_restored") for phase in Phase)
_UNDO = tuple(
    (phase, back, "program_restored") for phase in AT_REST for back in (Phase.INTENT, Phase.INTENT_CLARIFY)
)
_RESUMED = tuple((phase, Phase.UNRESOLVED_REFS, "resolution_resumed") for phase in AT_REST)
_CLEAR = tuple((phase, Phase.NEW, "program_cleared, program_restored") for phase in Phase)

PHASE_EDGES = tuple(
    PhaseEdge(source, target, by)
    for source, target, by in (*_FORWARD, *_NEW_REQUEST, *_EDIT, *_UNDO, *_RESUMED, *_CLEAR)
)
"""Every legal move. A new request starts a new epoch from wherever a program may rest; what was run and
failed may be run again as it is (DONE, RUNNING); undo may also bring back a question (INTENT_CLARIFY) or the
empty slate (NEW), where there is no text to read again. A resolution that waited for something to be created
is gone on with where it was."""

_KINDS = {str(kind.__struct_config__.tag): kind for kind in typing.get_args(ev.SessionEvent)}
_LEGAL = frozenset(
    (edge.source, edge.target, _KINDS[kind]) for edge in PHASE_EDGES for kind in edge.by.split(", ")
)


_TARGETS: Mapping[type[ev.Event], Phase] = {
    ev.IntentCaptured: Phase.INTENT,
    ev.DiscoveryDone: Phase.DISCOVERY,
    ev.OmlSynthesisStart: Phase.SYNTHESIS,
    ev.OmlSynthesisComplete: Phase.SYNTAX,
    ev.ProgramEdited: Phase.SYNTAX,
    ev.RegenerationAttempt: Phase.REGENERATE,
    ev.RefsUnresolved: Phase.UNRESOLVED_REFS,
    ev.RefSettled: Phase.SEMANTICS,
    ev.ResolutionResumed: Phase.UNRESOLVED_REFS,
    ev.CompileComplete: Phase.READY,
    ev.RunStarted: Phase.RUNNING,
    ev.RunFinished: Phase.DONE,
    ev.ProgramCleared: Phase.NEW,
}
MOVERS = frozenset({kind for _, _, kind in _LEGAL})
"""The kinds of events that move a program, or may."""

_PASSED = {Stage.SYNTAX: Phase.SEMANTICS, Stage.SEMANTICS: Phase.DEPENDENCIES}


def target(event: ev.SessionEvent) -> Phase | None:
    """The phase an event moves the program to; None when it does not move it.

    Undo and the end of a question are not here: where they lead depends on the state they meet.
    """
    kind = type(event)
    if kind in _TARGETS:
        return _TARGETS[kind]
    if isinstance(event, ev.SchemaGuardPass):
        return _PASSED.get(event.stage)
    if isinstance(event, ev.SchemaGuardFail):
        return ERROR_OF_STAGE[event.stage] if event.final else None
    if isinstance(event, ev.ClarificationAsked):
        return Phase.INTENT_CLARIFY if event.intent else None
    return None


def check_move(source: Phase, destination: Phase, event: ev.SessionEvent) -> None:
    """Raise unless the phase table has this move by this event."""
    if (source, destination, type(event)) not in _LEGAL:
        kind = type(event).__struct_config__.tag
        raise IllegalPhaseMove(
            f"the program cannot go from {source} to {destination} by {kind}",
            hint="this is a defect of Dragoman: report it with the trace of the turn",
            source=source,
            target=destination,
            event=str(kind),
        )
