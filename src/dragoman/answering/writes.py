"""X_EXTEND: a writer behind the program in hand. It is shown and asked about; a yes runs it on the engine."""

from msgspec.structs import replace

from dragoman.answering.boundaries import boundary
from dragoman.answering.compilation import compile_text
from dragoman.answering.context import TurnContext
from dragoman.answering.coverage import open_gate
from dragoman.answering.draft import Conclusion
from dragoman.answering.effects import Written
from dragoman.answering.sentences import written_by
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.components import component_signature
from dragoman.contracts import events as ev
from dragoman.contracts.answer import AnswerObject, EvidenceItem
from dragoman.contracts.errors import (
    DragomanError,
    PolicyViolation,
    WorkspaceError,
    WriteUnsettled,
)
from dragoman.contracts.program import Argument, Program, Sequence, Statement, Symbol, Text
from dragoman.contracts.state import CandidateScope, ClarificationState, SuspendedTarget
from dragoman.contracts.verb import Effect
from dragoman.contracts.vocabulary import (
    AnswerMode,
    ClarificationKind,
    EffectOutcome,
    EvidenceSource,
    Notation,
    Phase,
    ResumeFrame,
    TransitionClass,
)
from dragoman.databases.families.registry import family, family_named
from dragoman.guards.paths import judge_path
from dragoman.language.catalog import text_of
from dragoman.language.edits import difference
from dragoman.language.program_names import kebab_of
from dragoman.language.verbs.printer import print_program
from dragoman.reading.reading import ExtendMention

CONFIRM = "confirm"
_FORMATS = {"csv": "csv", "parquet": "parquet", "jsonl": "jsonl", "json": "jsonl", "ndjson": "jsonl"}
_DEFAULT_FORMAT = "csv"
_FILE = "file"


def extend(context: TurnContext) -> Conclusion:
    """Append the writer, compile, and ask for the yes. A file has to stay in the folder of the workspace."""
    mention = context.reading.extend or ExtendMention()
    before = context.before
    found = context.continuity.last_found
    ready = before.program.phase is Phase.READY or found is None
    read = _without_writer(before.program.ast if ready or found is None else found.program)
    if read and not read[-1].binds:
        read = (*read[:-1], replace(read[-1], binds=kebab_of(read[-1].verb)))
    if not read:
        return boundary(context, "no_result", context.phrases.say("no_result"))
    writer = _writer(mention, read, context)
    if isinstance(writer, str):
        what = mention.target or mention.path or mention.format
        return boundary(context, "no_writer", context.phrases.say("no_writer", what=what, problem=writer))
    program: Program = (*read, writer)
    source = print_program(program)
    past = _past_policies(program, context)
    if past:
        said = context.phrases.say("no_writer", what=written_by(program), problem=past)
        return boundary(context, PolicyViolation.code, said, route=writer.verb, source=source)
    compiled = compile_text(source, program, context.catalog)
    if compiled.fault:
        said = context.phrases.say("no_writer", what=written_by(program), problem=compiled.fault)
        return boundary(context, "no_writer", said, route=writer.verb, source=source)
    events = (
        ev.CheckpointTaken(),
        ev.IntentCaptured(writer.verb, writer.verb.partition(".")[0], ()),
        ev.OmlSynthesisStart(),
        ev.OmlSynthesisComplete(Notation.VERBS, source, program, difference(before.program.ast, program)),
        *compiled.events,
        ev.ClarificationAsked(awaiting_yes(writer.verb, TransitionClass.X_EXTEND), intent=False),
    )
    said = context.phrases.say("ask_write", what=written_by(program))
    return Conclusion(TransitionClass.X_EXTEND, AnswerMode.CLARIFICATION_REQUIRED, said, events)


def confirm(context: TurnContext) -> Conclusion:
    """T7 on a pending write: a no leaves the program as it is, a yes runs it on the engine."""
    before = context.before
    if not context.reading.affirm:
        dropped = (ev.CheckpointTaken(), ev.ClarificationCleared())
        return Conclusion(TransitionClass.T7, AnswerMode.NONE, context.phrases.say("not_run"), dropped)
    program, source = before.program.ast, before.program.source
    if not is_writing(program, context.catalog):
        # A yes is for the program it was asked about, and for no other.
        return boundary(context, "no_question", context.phrases.say("no_question"))
    compiled = compile_text(source, program, context.catalog, before.program.notation)
    writer = program[-1]
    past = _past_policies(program, context)
    if past:
        said = context.phrases.say("not_written", problem=past)
        return boundary(context, PolicyViolation.code, said, route=writer.verb, source=source)
    if not compiled.manifest:
        said = context.phrases.say("not_written", problem=compiled.fault)
        return boundary(context, "not_written", said, route=writer.verb, source=source)
    run_id = context.draft.new_id()
    what = written_by(program)
    context.draft.turn.intend_effect(run_id, context.runners.effect(program, context.catalog), what)
    try:
        written = context.runners.run(program, compiled.manifest, run_id, context.catalog)
    except DragomanError as failure:
        # It was refused before it began, or has undone itself; save one that nobody knows the end of.
        unsettled = isinstance(failure, WriteUnsettled)
        outcome = EffectOutcome.UNKNOWN if unsettled else EffectOutcome.UNDONE
        written = Written(outcome, problem=failure.message)
    context.draft.turn.effect_done(run_id, written.outcome)
    if written.outcome is not EffectOutcome.DONE:
        said = context.phrases.say("not_written", problem=written.problem)
        return boundary(context, "not_written", said, route=writer.verb, source=source)
    gate = open_gate((), checked=True)
    rows = context.phrases.rows(written.rows)
    said = context.phrases.say("written", what=what, rows=rows, target=f"run {run_id}")
    answer = AnswerObject(
        ref=f"answer-{context.index}",
        turn_index=context.index,
        route=writer.verb,
        gate=gate,
        program=program,
        row_count=written.rows,
        subject=what,
        evidence=(EvidenceItem(EvidenceSource.DB, f"run {run_id}", f"{written.rows} rows written", 1.0),),
    )
    events = (
        ev.CheckpointTaken(),
        ev.IntentCaptured(writer.verb, writer.verb.partition(".")[0], ()),
        ev.OmlSynthesisStart(),
        ev.OmlSynthesisComplete(before.program.notation, source, program),
        *compiled.events,
        ev.RunStarted(run_id),
        ev.RunFinished(run_id, ok=True, rows=written.rows),
        ev.GateComputed(gate),
        ev.ClarificationCleared(),
        ev.AnswerGiven(answer),
    )
    return Conclusion(TransitionClass.T7, AnswerMode.CONFIRMED, said, events)


def awaiting_yes(verb: str, entry: TransitionClass) -> ClarificationState:
    """The question whether to write, with its two answers."""
    return ClarificationState(
        clarification_kind=ClarificationKind.CONFIRM_RUN,
        missing_anchors=(CONFIRM,),
        candidate_scopes=(CandidateScope(CONFIRM, "yes", "yes"), CandidateScope(CONFIRM, "no", "no")),
        resume_target_route=verb,
        resume_target_frame=SuspendedTarget(ResumeFrame.PROGRAM, entry),
    )


def is_writing(program: Program, catalog: Catalog) -> bool:
    """Whether a program has a step that writes."""
    effects = catalog.effects()
    return any(effects.get(each.verb) is Effect.WRITE for each in program)


def ask_to_write(context: TurnContext) -> Conclusion:
    """X_RUN on a program that writes: the yes is asked for."""
    program = context.before.program.ast
    asked = ev.ClarificationAsked(awaiting_yes(program[-1].verb, TransitionClass.X_RUN), intent=False)
    events = (ev.CheckpointTaken(), asked)
    said = context.phrases.say("ask_write", what=written_by(program))
    return Conclusion(TransitionClass.X_RUN, AnswerMode.CLARIFICATION_REQUIRED, said, events)


def _past_policies(program: Program, context: TurnContext) -> str:
    """Which step would read a database whole, where only a part is for the viewer; empty for none."""
    workspace = context.catalog
    guarded = [spec for spec in workspace.databases.specs if workspace.guards(spec)]
    for step in program:
        own = component_signature(step.verb)
        named = (text_of(step, "connection") or "").removeprefix("@") if own is not None else ""
        if own is None or own.effect is Effect.WRITE or not guarded or not named:
            continue
        try:
            spec = workspace.databases.find(named)
        except WorkspaceError:
            continue
        # An extractor reads a table as it is; policies hold only for verbs of packs and tables. The whole
        # program is refused, since a writer would carry the rows out.
        if spec in guarded:
            return context.phrases.say("past_policies", verb=step.verb, name=spec.name)
    return ""


def _without_writer(program: Program) -> Program:
    """The reading steps of a program: asked to save again, the writer of before is replaced."""
    return tuple(each for each in program if not each.verb.endswith(".writer"))


def _writer(mention: ExtendMention, read: Program, context: TurnContext) -> Statement | str:
    """The step that writes what was read, or why there is none."""
    # The writer takes the rows of the last step, by its symbol.
    needed = read[-1].binds
    needs = Argument("needs", Sequence((Symbol(needed),)))
    stem = kebab_of(read[-1].verb)
    is_file = mention.target == _FILE or (mention.format and _unknown(mention.target, context))
    if mention.target and not is_file:
        return _table_writer(mention, needs, stem, context)
    chosen = _FORMATS.get((mention.format or _ending(mention.path) or _DEFAULT_FORMAT).lower())
    if chosen is None:
        return context.phrases.say("unknown_format", formats=", ".join(dict.fromkeys(_FORMATS.values())))
    path = mention.path or f"{stem}.{chosen}"
    if context.folder is not None:
        verdict = judge_path(str(context.folder), path)
        if verdict.resolved is None:
            return verdict.message
    return Statement(
        "duckdb.writer",
        (needs, Argument("format", Text(chosen)), Argument("path", Text(path))),
        f"write-{stem}-{chosen}",
    )


def _unknown(target: str, context: TurnContext) -> bool:
    """Whether a target is the name of no connection and no family: "as a csv file" names none."""
    wanted = target.removeprefix("@").casefold()
    specs = context.catalog.databases.specs
    return wanted not in {spec.alias.casefold() for spec in specs} and family_named(wanted) is None


def _table_writer(
    mention: ExtendMention, needs: Argument, stem: str, context: TurnContext
) -> Statement | str:
    databases = context.catalog.databases
    wanted = (mention.target or "").removeprefix("@").casefold()
    named = [spec for spec in databases.specs if spec.alias.casefold() == wanted]
    of_family = [spec for spec in databases.specs if spec.family == wanted]
    found = named or of_family
    if len(found) != 1:
        fitting = ", ".join(spec.name for spec in found or databases.specs) or "–"
        return context.phrases.say("several_connections" if found else "no_connection", known=fitting)
    spec = found[0]
    writer = family(spec.family).table_writer if spec.family is not None else ""
    if not writer:
        return context.phrases.say("no_tables_there", name=spec.name)
    table = mention.table or stem.replace("-", "_")
    arguments = (
        needs,
        Argument("connection", Text(spec.name)),
        Argument("table", Text(table)),
        # The one mode that cannot lose what is in the table. Replacing is said in the program.
        Argument("write_mode", Text("append")),
    )
    return Statement(writer, arguments, f"write-{table.replace('_', '-')}")


def _ending(path: str | None) -> str | None:
    return path.rpartition(".")[2] if path and "." in path else None
