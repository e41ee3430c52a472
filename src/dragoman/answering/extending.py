"""X_EXTEND: a writer behind the program in hand. It is shown and asked about; a yes runs it on the engine."""

import re
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

from msgspec.structs import replace

from dragoman.answering import moves
from dragoman.answering.compilation import compile_text
from dragoman.answering.coverage import open_gate
from dragoman.answering.draft import Conclusion
from dragoman.answering.scene import Scene
from dragoman.answering.wording import written_by
from dragoman.catalog.components import component_signatures
from dragoman.catalog.pack_catalog import PackCatalog
from dragoman.contracts import events as ev
from dragoman.contracts.answer import AnswerObject, EvidenceItem
from dragoman.contracts.errors import (
    DragomanError,
    InternalError,
    PolicyViolation,
    WorkspaceError,
    WriteUnsettled,
)
from dragoman.contracts.program import Argument, Program, Sequence, Statement, Symbol, Text
from dragoman.contracts.record import Record
from dragoman.contracts.schema import Family
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
from dragoman.guards.paths import judge_path
from dragoman.language.catalog import text_of
from dragoman.language.verbs.printer import print_program
from dragoman.reading.reading import ExtendMention

CONFIRM = "confirm"
_FORMATS = {"csv": "csv", "parquet": "parquet", "jsonl": "jsonl", "json": "jsonl", "ndjson": "jsonl"}
_DEFAULT_FORMAT = "csv"
_FILE = "file"
_UNSAFE = re.compile(r"[^\w.-]+")


class Written(Record, frozen=True):
    """What came of a run that writes."""

    outcome: EffectOutcome
    rows: int = 0
    problem: str = ""


class Effects(StrEnum):
    """What a yes does outside the session: how it is settled when its turn was interrupted."""

    RUN = "run"
    WRITE = "write"


class Runners(Record, frozen=True, gc=True):
    """What runs a program that writes: a manifest on the engine, or one write verb of a pack."""

    pipeline: Callable[[bytes, str], Written] | None = None
    write: Callable[[Statement, str], Written] | None = None

    def effect(self, program: Program, catalog: PackCatalog) -> Effects:
        alone = len(program) == 1 and program[0].verb in catalog.workspace.packs.verbs
        return Effects.WRITE if alone else Effects.RUN

    def run(self, program: Program, manifest: bytes, run_id: str, catalog: PackCatalog) -> Written:
        match self.effect(program, catalog):
            case Effects.WRITE if self.write is not None:
                return self.write(program[0], run_id)
            case Effects.RUN if self.pipeline is not None:
                return self.pipeline(manifest, run_id)
            case _:
                raise InternalError("a conversation was opened without an engine")


def extend(scene: Scene, folder: Path | None = None) -> Conclusion:
    """Append the writer, compile, and ask for the yes. A file has to stay in `folder`."""
    mention = scene.reading.extend or ExtendMention()
    before = scene.draft.before
    found = scene.continuity.last_found
    ready = before.program.phase is Phase.READY or found is None
    read = _without_writer(before.program.ast if ready or found is None else found.program)
    if read and not read[-1].binds:
        read = (*read[:-1], replace(read[-1], binds=read[-1].verb.replace(".", "-")))
    if not read:
        return moves.boundary(scene, "no_result", scene.phrases.say("no_result"))
    writer = _writer(mention, read, scene, folder)
    if isinstance(writer, str):
        what = mention.target or mention.path or mention.format
        return moves.boundary(scene, "no_writer", scene.phrases.say("no_writer", what=what, problem=writer))
    program: Program = (*read, writer)
    source = print_program(program)
    past = _past_policies(program, scene)
    if past:
        said = scene.phrases.say("no_writer", what=written_by(program), problem=past)
        return moves.boundary(scene, PolicyViolation.code, said, route=writer.verb, source=source)
    compiled = compile_text(source, program, scene.catalog.programs)
    if compiled.fault:
        said = scene.phrases.say("no_writer", what=written_by(program), problem=compiled.fault)
        return moves.boundary(scene, "no_writer", said, route=writer.verb, source=source)
    events = (
        ev.CheckpointTaken(),
        ev.IntentCaptured(writer.verb, writer.verb.partition(".")[0], ()),
        ev.OmlSynthesisStart(),
        ev.OmlSynthesisComplete(Notation.VERBS, source, program),
        *compiled.events,
        ev.ClarificationAsked(awaiting_yes(writer.verb, TransitionClass.X_EXTEND), intent=False),
    )
    said = scene.phrases.say("ask_write", what=written_by(program))
    return Conclusion(TransitionClass.X_EXTEND, AnswerMode.CLARIFICATION_REQUIRED, said, events)


def confirmed(scene: Scene, runners: Runners) -> Conclusion:
    """T7 on a pending write: a no leaves the program as it is, a yes runs it on the engine."""
    before = scene.draft.before
    if not scene.reading.affirm:
        dropped = (ev.CheckpointTaken(), ev.ClarificationCleared())
        return Conclusion(TransitionClass.T7, AnswerMode.NONE, scene.phrases.say("not_run"), dropped)
    program, source = before.program.ast, before.program.source
    if not asks_to_write(scene):
        # A yes is for the program it was asked about, and for no other.
        return moves.boundary(scene, "no_question", scene.phrases.say("no_question"))
    compiled = compile_text(source, program, scene.catalog.programs, before.program.notation)
    writer = program[-1]
    past = _past_policies(program, scene)
    if past:
        said = scene.phrases.say("not_written", problem=past)
        return moves.boundary(scene, PolicyViolation.code, said, route=writer.verb, source=source)
    if not compiled.manifest:
        said = scene.phrases.say("not_written", problem=compiled.fault)
        return moves.boundary(scene, "not_written", said, route=writer.verb, source=source)
    run_id = scene.draft.new_id()
    what = written_by(program)
    scene.draft.turn.intend_effect(run_id, runners.effect(program, scene.catalog), what)
    try:
        written = runners.run(program, compiled.manifest, run_id, scene.catalog)
    except DragomanError as failure:
        # It was refused before it began, or has undone itself; save one that nobody knows the end of.
        unsettled = isinstance(failure, WriteUnsettled)
        outcome = EffectOutcome.UNKNOWN if unsettled else EffectOutcome.UNDONE
        written = Written(outcome, problem=failure.message)
    scene.draft.turn.effect_done(run_id, written.outcome)
    if written.outcome is not EffectOutcome.DONE:
        said = scene.phrases.say("not_written", problem=written.problem)
        return moves.boundary(scene, "not_written", said, route=writer.verb, source=source)
    gate = open_gate((), checked=True)
    rows = scene.phrases.rows(written.rows)
    said = scene.phrases.say("written", what=what, rows=rows, target=f"run {run_id}")
    answer = AnswerObject(
        ref=f"answer-{scene.index}",
        turn_index=scene.index,
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


def asks_to_write(scene: Scene) -> bool:
    """Whether the program in hand has a step that writes."""
    effects = scene.catalog.programs.effects()
    return any(effects.get(each.verb) is Effect.WRITE for each in scene.draft.before.program.ast)


def ask_again(scene: Scene) -> Conclusion:
    """X_RUN on a program that writes: the yes is asked for."""
    program = scene.draft.before.program.ast
    asked = ev.ClarificationAsked(awaiting_yes(program[-1].verb, TransitionClass.X_RUN), intent=False)
    events = (ev.CheckpointTaken(), asked)
    said = scene.phrases.say("ask_write", what=written_by(program))
    return Conclusion(TransitionClass.X_RUN, AnswerMode.CLARIFICATION_REQUIRED, said, events)


def _past_policies(program: Program, scene: Scene) -> str:
    """Which step would read a database whole, where only a part is for the viewer; empty for none."""
    workspace = scene.catalog.workspace
    guarded = [spec for spec in workspace.databases.specs if workspace.guards(spec)]
    for step in program:
        own = component_signatures().get(step.verb)
        named = (text_of(step, "connection") or "").removeprefix("@") if own is not None else ""
        if own is None or own.effect is Effect.WRITE or not guarded or not named:
            continue
        try:
            spec = workspace.databases.find(named)
        except WorkspaceError:
            continue
        if spec in guarded:
            return scene.phrases.say("past_policies", verb=step.verb, name=spec.name)
    return ""


def _without_writer(program: Program) -> Program:
    """The reading steps of a program: asked to save again, the writer of before is replaced."""
    return tuple(each for each in program if not each.verb.endswith(".writer"))


def _writer(mention: ExtendMention, read: Program, scene: Scene, folder: Path | None) -> Statement | str:
    """The step that writes what was read, or why there is none."""
    needed = read[-1].binds
    needs = Argument("needs", Sequence((Symbol(needed),)))
    stem = _UNSAFE.sub("-", read[-1].verb.replace(".", "-"))
    is_file = mention.target == _FILE or (mention.format and _unknown(mention.target, scene))
    if mention.target and not is_file:
        return _table_writer(mention, needs, stem, scene)
    chosen = _FORMATS.get((mention.format or _ending(mention.path) or _DEFAULT_FORMAT).lower())
    if chosen is None:
        return scene.phrases.say("unknown_format", formats=", ".join(dict.fromkeys(_FORMATS.values())))
    path = mention.path or f"{stem}.{chosen}"
    if folder is not None:
        verdict = judge_path(str(folder), path)
        if verdict.resolved is None:
            return verdict.message
    return Statement(
        "duckdb.writer",
        (needs, Argument("format", Text(chosen)), Argument("path", Text(path))),
        f"write-{stem}-{chosen}",
    )


def _unknown(target: str, scene: Scene) -> bool:
    """Whether a target is the name of no connection and no family: "as a csv file" names none."""
    wanted = target.removeprefix("@").casefold()
    specs = scene.catalog.workspace.databases.specs
    names = {spec.alias.casefold() for spec in specs} | {each.value for each in Family}
    return wanted not in names


def _table_writer(mention: ExtendMention, needs: Argument, stem: str, scene: Scene) -> Statement | str:
    databases = scene.catalog.workspace.databases
    wanted = (mention.target or "").removeprefix("@").casefold()
    named = [spec for spec in databases.specs if spec.alias.casefold() == wanted]
    family = [spec for spec in databases.specs if spec.family is not None and spec.family.value == wanted]
    found = named or family
    if len(found) != 1:
        fitting = ", ".join(spec.name for spec in found or databases.specs) or "–"
        return scene.phrases.say("several_connections" if found else "no_connection", known=fitting)
    spec = found[0]
    if spec.family in (None, Family.FILES, Family.DUCKDB):
        return scene.phrases.say("no_tables_there", name=spec.name)
    table = mention.table or stem.replace("-", "_")
    arguments = (
        needs,
        Argument("connection", Text(spec.name)),
        Argument("table", Text(table)),
        Argument("write_mode", Text("append")),
    )
    return Statement(f"{spec.family.value}.writer", arguments, f"write-{table.replace('_', '-')}")


def _ending(path: str | None) -> str | None:
    return path.rpartition(".")[2] if path and "." in path else None
