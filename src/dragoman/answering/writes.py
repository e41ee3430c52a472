"""X_EXTEND: a writer behind the program in hand. It is shown and asked about; a yes runs it on the engine."""

from collections.abc import Callable

from msgspec.structs import replace

from dragoman.answering.boundaries import boundary
from dragoman.answering.compilation import compile_text
from dragoman.answering.context import TurnContext
from dragoman.answering.coverage import open_gate
from dragoman.answering.draft import Conclusion
from dragoman.answering.effects import Effects, Written
from dragoman.answering.failures import failed_run
from dragoman.answering.frames import object_frame
from dragoman.answering.made import made_by
from dragoman.answering.pipelines.kept_programs import ask_to_keep, keep
from dragoman.answering.pipelines.outcome import cut_off_pipeline, is_of_pipeline, pipeline_run
from dragoman.answering.write_questions import agreed_files, awaiting_yes, is_writing, replaced_by
from dragoman.answering.write_target import written_by
from dragoman.catalog.components import component_signature
from dragoman.contracts import events as ev
from dragoman.contracts.answer import AnswerObject, EvidenceItem
from dragoman.contracts.errors import (
    DragomanError,
    PolicyViolation,
    StepRefused,
    TargetReserved,
    WriteUnsettled,
)
from dragoman.contracts.program import Argument, Program, Sequence, Statement, Symbol, Text
from dragoman.contracts.state import EntityRef, RootFrameState
from dragoman.contracts.verb import Effect
from dragoman.contracts.vocabulary import (
    AnswerMode,
    EffectOutcome,
    EvidenceSource,
    FrameStatus,
    Notation,
    Prior,
    TransitionClass,
    TurnStatus,
)
from dragoman.databases.families.registry import family, family_named
from dragoman.language.catalog import text_of
from dragoman.language.edits import difference
from dragoman.language.program_names import kebab_of
from dragoman.language.verbs.printer import print_program
from dragoman.locales.plural import counted
from dragoman.reading.reading import ExtendMention

_NOT_WRITTEN = "not_written"
"""The code of a write that failed, where nothing says why."""
_FORMATS = {"csv": "csv", "parquet": "parquet", "jsonl": "jsonl", "json": "jsonl", "ndjson": "jsonl"}
_DEFAULT_FORMAT = "csv"
_FILE = "file"
_OUT = "out"


def extend(context: TurnContext) -> Conclusion:
    """Append the writer, compile, and ask for the yes. A file has to stay in the folder of the workspace."""
    if context.proposal.keeps:
        return ask_to_keep(context)
    mention = context.reading.extend or ExtendMention()
    before = context.before
    found = context.continuity.last_found
    # What compiled or has failed is in hand, and waits to be run; what gave something is behind an answer.
    ready = Prior.READY in context.continuity.priors or found is None
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

    def refused(code: str, problem: str) -> Conclusion:
        said = context.phrases.say("no_writer", what=written_by(program), problem=problem)
        return boundary(context, code, said, route=writer.verb, source=source)

    past = _past_policies(program, context)
    if past:
        return refused(PolicyViolation.code, past)
    compiled = compile_text(source, program, context.catalog)
    if compiled.fault:
        return refused("no_writer", compiled.fault)
    try:
        replaced = replaced_by(program, context)
    except StepRefused as error:
        return refused(error.code, error.message)
    events = (
        ev.CheckpointTaken(),
        ev.IntentCaptured(writer.verb, writer.verb.partition(".")[0], ()),
        ev.OmlSynthesisStart(),
        ev.OmlSynthesisComplete(Notation.VERBS, source, program, difference(before.program.ast, program)),
        *compiled.events,
        ev.ClarificationAsked(awaiting_yes(writer.verb, TransitionClass.X_EXTEND, replaced), intent=False),
    )
    said = context.wording.write_question(program, replaced)
    return Conclusion(TransitionClass.X_EXTEND, AnswerMode.CLARIFICATION_REQUIRED, said, events)


Then = Callable[[tuple[ev.SessionEvent, ...], str, Written], Conclusion]
"""What goes on behind a write: with its events, what is said of it, and what it has written."""


def confirm(context: TurnContext, then: Then | None = None) -> Conclusion:
    """T7 on a pending write: a no leaves the program as it is, a yes runs it on the engine."""
    before = context.before
    if context.reading.affirm and "?" in context.text:
        return _asked_again(context)
    if not context.reading.affirm:
        dropped = (ev.CheckpointTaken(), ev.ClarificationCleared())
        return Conclusion(TransitionClass.T7, AnswerMode.NONE, context.phrases.say("not_run"), dropped)
    pending = context.continuity.clarification
    if pending is not None and pending.keeps:
        return keep(context, pending.keeps)
    program, source = before.program.ast, before.program.source
    if not is_writing(program, context.catalog):
        # A yes is for the program it was asked about, and for no other.
        return boundary(context, "no_question", context.phrases.say("no_question"))
    cut_off = _cut_off(context)
    if cut_off is not None:
        return cut_off
    compiled = compile_text(source, program, context.catalog, before.program.notation)
    writer = program[-1]
    past = _past_policies(program, context)
    if past:
        said = context.phrases.say("not_written", problem=past)
        return boundary(context, PolicyViolation.code, said, route=writer.verb, source=source)
    run_id = context.draft.new_id()
    if not compiled.manifest:
        return _not_written(
            context, run_id, Written(EffectOutcome.UNDONE, problem=compiled.fault, code="does_not_compile")
        )
    what = written_by(program)
    effect = context.runners.effect(program, context.catalog)
    context.draft.turn.intend_effect(run_id, effect, what)
    written = _run(context, program, compiled.manifest, run_id)
    context.draft.turn.effect_done(run_id, written.outcome)
    if written.tables:
        return pipeline_run(context, run_id, written, compiled.events)
    if written.outcome is not EffectOutcome.DONE:
        return _not_written(context, run_id, written)
    run = (
        ev.CheckpointTaken(),
        ev.IntentCaptured(writer.verb, writer.verb.partition(".")[0], ()),
        ev.OmlSynthesisStart(),
        ev.OmlSynthesisComplete(before.program.notation, source, program),
        *compiled.events,
        ev.RunStarted(run_id),
        ev.RunFinished(run_id, ok=True, rows=written.rows),
    )
    rows = context.phrases.rows(written.rows)
    # A change that fits no row has run, and has changed nothing: only a draft can be discarded.
    key = "written" if written.rows or effect != Effects.WRITE else "written_nothing"
    said = context.phrases.say(key, what=what, rows=rows, target=f"run {run_id}")
    if written.warnings:
        said += context.phrases.say("written_note", notes="; ".join(written.warnings))
    if then is not None:
        return then(run, said, written)
    return _answer_of_write(context, run, said, written)


def _run(context: TurnContext, program: Program, manifest: bytes, run_id: str) -> Written:
    """Run what a yes was given to; what is refused on the way is an outcome."""
    try:
        agreed = agreed_files(context)
        return context.runners.run(
            program,
            manifest,
            run_id,
            context.catalog,
            context.cancel,
            agreed,
            keep_going=is_of_pipeline(context),
            progress=context.draft.run_goes_on,
        )
    except DragomanError as failure:
        # It was refused before it began, or has undone itself; save one that nobody knows the end of.
        unsettled = isinstance(failure, WriteUnsettled)
        outcome = EffectOutcome.UNKNOWN if unsettled else EffectOutcome.UNDONE
        return Written(outcome, problem=failure.message, code=failure.code)


def _asked_again(context: TurnContext) -> Conclusion:
    """A yes with a question mark is a question: what is asked is asked again."""
    said = context.wording.write_question(context.before.program.ast, agreed_files(context))
    return Conclusion(TransitionClass.T7, AnswerMode.CLARIFICATION_REQUIRED, said)


def _cut_off(context: TurnContext) -> Conclusion | None:
    """The yes before this one was given, and its turn was cut off behind the write: a second yes would write
    it twice. None where nothing was written, or nothing was cut off."""
    last = context.before.turn
    written = [each for each in last.effects if each.outcome is not EffectOutcome.UNDONE]
    if last.status is not TurnStatus.SETTLED or not written:
        return None
    if is_of_pipeline(context):
        return cut_off_pipeline(context, written[0].key)
    done = written[0].outcome is EffectOutcome.DONE
    said = context.phrases.say("already_written" if done else "maybe_written", run=written[0].key)
    return Conclusion(
        TransitionClass.T7, AnswerMode.NONE, said, (ev.CheckpointTaken(), ev.ClarificationCleared())
    )


def _answer_of_write(
    context: TurnContext, run: tuple[ev.SessionEvent, ...], said: str, written: Written
) -> Conclusion:
    program, rows = context.before.program.ast, written.rows
    gate = open_gate((), checked=True)
    run_id = next(each.run_id for each in run if isinstance(each, ev.RunStarted))
    answer = AnswerObject(
        ref=f"answer-{context.index}",
        turn_index=context.index,
        route=program[-1].verb,
        gate=gate,
        program=program,
        row_count=rows,
        subject=written_by(program),
        evidence=evidence_of(context, program, run_id, written),
    )
    frames = _made_in_hand(context, made_by(program, written.key, context.catalog), answer)
    events = (*run, ev.GateComputed(gate), *frames, ev.ClarificationCleared(), ev.AnswerGiven(answer))
    return Conclusion(TransitionClass.T7, AnswerMode.CONFIRMED, said, events)


def _made_in_hand(
    context: TurnContext, made: EntityRef | None, answer: AnswerObject
) -> tuple[ev.SessionEvent, ...]:
    """What was made is in hand: what is asked next is asked of it."""
    if made is None or made.kind not in context.catalog.cards:
        return ()
    # The names that were read before do not have it.
    context.catalog.forget_names()
    selected = ev.ObjectFrameSet(object_frame(made, answer, None))
    if context.before.frames.root is not None:
        return (selected,)
    # Every object belongs to a root. This one has no rows behind it, and no program that could be edited.
    card = context.catalog.actions[context.catalog.cards[made.kind]]
    root = RootFrameState(
        domain_id=card.domain,
        root_route_id=card.signature.name,
        organization_scope=None,
        date_scope=None,
        root_result_set_id="",
        root_answer_object_ref="",
        frame_status=FrameStatus.ACTIVE,
    )
    return (ev.RootFrameSet(root), selected)


def _not_written(context: TurnContext, run_id: str, written: Written) -> Conclusion:
    """The yes was given, and the run failed: the program stays in hand, and another yes can try again."""
    program = context.before.program.ast
    unknown = written.outcome is EffectOutcome.UNKNOWN
    said = context.phrases.say("write_unsettled" if unknown else "write_failed", problem=written.problem)
    context.draft.note(ev.CheckpointTaken(), ev.RunStarted(run_id))
    ended = ev.RunFinished(run_id, ok=False, rows=0, error_code=written.code or _NOT_WRITTEN)
    what = written_by(program)
    return failed_run(
        context, TransitionClass.T7, ended, said, program=program, subject=what, ends_question=True
    )


def evidence_of(
    context: TurnContext, program: Program, run_id: str, written: Written
) -> tuple[EvidenceItem, ...]:
    """The run, and what it made where it made something."""
    run = EvidenceItem(EvidenceSource.DB, f"run {run_id}", f"{counted(written.rows, 'row')} written", 1.0)
    made = made_by(program, written.key, context.catalog)
    if made is None:
        return (run,)
    return (run, EvidenceItem(EvidenceSource.DB, f"{made.kind} {made.id}", f"made {made.name}", 1.0))


def _past_policies(program: Program, context: TurnContext) -> str:
    """Which step would write a table that the viewer sees only in part; empty for none. What a step reads is
    narrowed when it runs."""
    # Imported for programs that write: it brings the engine along, and most turns only read.
    from dragoman.engine.policy_wall import PolicyWall

    wall = PolicyWall(lambda: context.catalog)
    for step in program:
        own = component_signature(step.verb)
        if own is None or own.effect is not Effect.WRITE:
            continue
        written = {"connection": text_of(step, "connection"), "table": text_of(step, "table")}
        if wall.is_kept_from_writing(written):
            return context.phrases.say("past_policies", table=written["table"], name=written["connection"])
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
    path = mention.path or _free_path(f"{stem}.{chosen}", context)
    if context.folder is not None:
        # Most turns write no file, and need none of the rules for its name.
        from dragoman.guards.paths import judge_path

        verdict = judge_path(str(context.folder), path)
        if verdict.resolved is None:
            return verdict.message
    return Statement(
        "duckdb.writer",
        (needs, Argument("format", Text(chosen)), Argument("path", Text(path))),
        f"write-{stem}-{chosen}",
    )


def _free_path(name: str, context: TurnContext) -> str:
    """Where a file goes that nobody named. In a folder that a connection reads it would become a table."""
    try:
        if context.runners.replaced is not None:
            context.runners.replaced((name,))
    except TargetReserved:
        return f"{_OUT}/{name}"
    except StepRefused:
        pass
    return name


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
