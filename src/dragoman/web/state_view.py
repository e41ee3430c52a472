"""From the state of a session to the tagged union of 001."""

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from dragoman.contracts import program as p
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.resolution import Reference
from dragoman.contracts.state import READING, ClarificationState, SessionState
from dragoman.contracts.vocabulary import Lifecycle, Phase
from dragoman.web import states as s

TAGS: Final[Mapping[Phase, str]] = {
    Phase.NEW: "New",
    Phase.INTENT: "IntentCapture",
    Phase.INTENT_CLARIFY: "IntentClarify",
    Phase.DISCOVERY: "Discovery",
    Phase.SYNTHESIS: "DslAssembly",
    Phase.SYNTAX: "SyntaxValidation",
    Phase.SYNTAX_ERROR: "SyntaxError",
    Phase.SEMANTICS: "SemanticValidation",
    Phase.SEMANTIC_ERROR: "SemanticError",
    Phase.UNRESOLVED_REFS: "UnresolvedRefs",
    Phase.REGENERATE: "Regenerate",
    Phase.DEPENDENCIES: "DependencyResolution",
    Phase.DEPENDENCY_ERROR: "DependencyError",
    Phase.READY: "ReadyToRun",
    Phase.RUNNING: "Executing",
    Phase.DONE: "Executed",
}
"""001's name of each phase."""

_PLAIN: Final[Mapping[Phase, type]] = {
    Phase.NEW: s.New,
    Phase.INTENT: s.IntentCapture,
    Phase.DISCOVERY: s.Discovery,
    Phase.SYNTHESIS: s.DslAssembly,
    Phase.SYNTAX: s.SyntaxValidation,
    Phase.SEMANTICS: s.SemanticValidation,
    Phase.REGENERATE: s.Regenerate,
    Phase.DEPENDENCIES: s.DependencyResolution,
    Phase.READY: s.ReadyToRun,
    Phase.RUNNING: s.Executing,
}
"""Those without a payload."""


def session_state(state: SessionState, original_message: str) -> s.SessionState:
    program = state.program
    if state.lifecycle is Lifecycle.CANCELLED:
        return s.Cancelled()
    if state.lifecycle is Lifecycle.CLOSED:
        return s.Closed()
    match program.phase:
        case Phase.INTENT_CLARIFY:
            pending = state.frames.clarification
            return s.IntentClarify(options=options(pending), original_message=original_message)
        case Phase.SYNTAX_ERROR:
            return s.SyntaxError(errors=errors(state), partial_ast=_partial(program.ast))
        case Phase.SEMANTIC_ERROR:
            return s.SemanticError(errors=errors(state))
        case Phase.DEPENDENCY_ERROR:
            return s.DependencyError(errors=errors(state))
        case Phase.UNRESOLVED_REFS:
            return s.UnresolvedRefs(refs=references(state), current_index=current_index(state) or 0)
        case Phase.DONE:
            last = last_result(state)
            results = [result_of(last)] if last is not None and program.run_ok else []
            return s.Executed(success=bool(program.run_ok), results=results)
        case plain:
            found: s.SessionState = _PLAIN[plain]()
            return found


def errors(state: SessionState) -> list[s.CompilerError]:
    return [compiler_error(each) for each in state.program.diagnostics if each.severity is p.Severity.ERROR]


def compiler_error(found: p.Diagnostic) -> s.CompilerError:
    return s.CompilerError(
        code=found.code,
        message=found.message,
        hint=found.hint,
        severity="error" if found.severity is p.Severity.ERROR else "warning",
        span=span(found.span),
    )


def span(found: p.Span | None) -> s.Span | None:
    if found is None:
        return None
    return s.Span(
        start=found.start,
        end=found.end,
        line=found.line,
        column=found.column,
        end_line=found.end_line,
        end_column=found.end_column,
    )


def options(pending: ClarificationState | None) -> list[s.IntentOption]:
    """The closed answers to the question that waits, in the order in which they are counted."""
    if pending is None:
        return []
    return [
        s.IntentOption(
            place=place,
            label=each.label,
            key=each.key,
            anchor=each.anchor,
            program=each.key if each.anchor == READING else None,
        )
        for place, each in enumerate(pending.candidate_scopes, 1)
    ]


def current_index(state: SessionState) -> int | None:
    """Where the reference that is asked about stands among all of the program."""
    program, current = state.program, state.program.open_reference
    if program.resolution is None or current is None:
        return None
    return program.resolution.references.index(current)


def references(state: SessionState) -> list[s.UnresolvedRef]:
    held = state.program.resolution
    return [reference(each) for each in held.references] if held is not None else []


def reference(found: Reference) -> s.UnresolvedRef:
    ref = found.ref
    return s.UnresolvedRef(
        ref_id=ref.ref_id,
        location=s.RefLocation(
            statement_index=ref.location.statement_index,
            verb=ref.location.verb,
            arg_name=ref.location.arg_name,
            span=span(ref.location.span),
        ),
        search_value=ref.search_value,
        entity_type=ref.entity_type,
        config=resolution_config(ref.config),
        initial_matches=matches(ref.initial_matches),
        matches=matches(found.matches),
        status=_status(ref.status),
    )


def resolution_config(config: p.EntityResolutionConfig) -> s.EntityResolutionConfig:
    return s.EntityResolutionConfig(
        search_keys=[
            s.SearchKeyField(name=each.name, label=each.label, required=each.required)
            for each in config.search_keys
        ],
        discriminators=[
            s.DiscriminatorField(name=each.name, label=each.label, options=list(each.options))
            for each in config.discriminators
        ],
        resolution_mode=config.resolution_mode,
        return_key_type=config.return_key_type,
    )


def matches(found: Iterable[p.EntityMatch]) -> list[s.EntityMatch]:
    return [
        s.EntityMatch(entity_id=each.entity_id, display=each.display, score=each.score, detail=each.detail)
        for each in found
    ]


def _status(status: p.RefResolutionStatus) -> s.RefResolutionStatus:
    match status:
        case p.Pending():
            return s.Pending()
        case p.Resolved(entity_id=key, display=display):
            return s.Resolved(entity_id=key, display=display)
        case p.Skipped():
            return s.Skipped()
        case p.CreatedNew(entity_id=key):
            return s.CreatedNew(entity_id=key)


def last_result(state: SessionState) -> AnswerObject | None:
    """What the last run gave, if that was rows. A refusal since then ran nothing."""
    found = next((each for each in reversed(state.answers.items) if each.grounded), None)
    return found if found is not None and found.result_set_id else None


def result_of(answer: AnswerObject) -> s.ExecutionResult:
    headings = answer.headings or (None,) * len(answer.columns)
    return s.ExecutionResult(
        result_set=answer.result_set_id,
        route=answer.route,
        columns=[
            s.Column(
                name=column.name,
                type=column.type.value,
                heading=heading.text if heading is not None else column.name,
                rounded=heading is not None and heading.rounded,
            )
            for column, heading in zip(answer.columns, headings, strict=True)
        ],
        rows=[list(row) for row in answer.rows],
        row_count=answer.row_count,
        rows_total=answer.rows_total,
    )


def _partial(program: p.Program) -> list[s.Statement] | None:
    if not program:
        return None
    return [
        s.Statement(
            verb=each.verb,
            binds=each.binds,
            arguments=[msgspec.to_builtins(argument) for argument in each.arguments],
        )
        for each in program
    ]
