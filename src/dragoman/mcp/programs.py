"""The tools about programs: check, compile, resolve, run."""

from dragoman.contracts.decoding import converted
from dragoman.contracts.errors import DigestNeeded, WritesForbidden
from dragoman.contracts.program import Diagnostic
from dragoman.contracts.run import RunEvent, RunLimits, RunStatus, StepBegun, StepEnded
from dragoman.mcp.arguments import CheckArguments, ProgramArguments, ResolveArguments, RunArguments
from dragoman.mcp.call import Call
from dragoman.mcp.results import Checked, Compiled, Finding, OpenReference, Ran, Resolved, StepAhead, StepRows
from dragoman.workspace.findings import finding_object
from dragoman.workspace.gated import GatedWorkspace
from dragoman.workspace.pipelines import Look, read_order
from dragoman.workspace.programs import CompilerStage, findings_of, notation_of


def check(workspace: GatedWorkspace, given: CheckArguments, call: Call) -> Checked:
    done = workspace.check(
        given.program,
        notation=given.written_in,
        stage=CompilerStage(given.stage),
        profile=given.profile,
        parameters=given.parameters,
    )
    return Checked(done.ok, str(done.stage), _findings(findings_of(done)))


def compile_program(workspace: GatedWorkspace, given: ProgramArguments, call: Call) -> Compiled:
    done = workspace.compile(
        given.program, notation=given.written_in, profile=given.profile, parameters=given.parameters
    )
    found = _findings(findings_of(done))
    if done.manifest is None:
        return Compiled(done.ok, str(done.stage), found, unresolved=done.unresolved)
    order = read_order(done.manifest.data)
    steps = tuple(StepAhead(step.id, step.component, str(step.mode), step.needs) for step in order.steps)
    return Compiled(done.ok, str(done.stage), found, order.fingerprint, steps)


def resolve(workspace: GatedWorkspace, given: ResolveArguments, call: Call) -> Resolved:
    resolver = workspace.resolver(profile=given.profile, parameters=given.parameters)
    found = resolver.begin(given.program, given.written_in or notation_of(given.program))
    for choice in given.choices:
        if choice.search is not None:
            found = resolver.search(found, choice.ref_id, choice.search)
        if choice.key is not None:
            found = resolver.pick(found, choice.ref_id, choice.key)
        if choice.skip:
            found = resolver.skip(found, choice.ref_id)
    references = tuple(
        OpenReference(
            each.ref.ref_id,
            each.ref.location.verb,
            each.ref.location.arg_name,
            each.ref.entity_type,
            each.text,
            each in found.open,
            None if each.bound_by is None else str(each.bound_by),
            each.matches,
        )
        for each in found.references
    )
    program = resolver.program(found)
    diagnostics = _findings(found.diagnostics)
    return Resolved(found.ready, program, found.partial, len(found.left_out), references, diagnostics)


def run(workspace: GatedWorkspace, given: RunArguments, call: Call) -> Ran:
    ready = workspace.prepare(
        given.program, notation=given.written_in, profile=given.profile, parameters=given.parameters
    )
    if ready.writes and given.digest is None:
        return Ran(given.program, ready.digest, ran=False, writes=ready.intents, replaces=ready.replaces)
    if ready.writes and not workspace.allow_writes:
        raise WritesForbidden(
            "nothing is written here: this server only reads", hint="start it with --allow-writes"
        )
    if given.digest is not None and given.digest != ready.digest:
        raise DigestNeeded(
            "the digest is of another program",
            hint="read what this one does, and call again with its digest",
            digest=ready.digest,
        )

    def listen(event: RunEvent) -> None:
        if isinstance(event, StepBegun):
            call.tell(f"{event.step} begins")
        elif isinstance(event, StepEnded):
            call.tell(f"{event.step} is {event.state}")

    outcome = workspace.run(
        ready,
        yes=True,
        limits=RunLimits(rows=given.max_rows, seconds=given.max_seconds),
        cancel=call.cancel,
        listeners=(listen,),
    )
    return Ran(
        given.program,
        ready.digest,
        ran=True,
        writes=ready.intents,
        replaces=ready.replaces,
        ok=outcome.record.status is RunStatus.DONE,
        run=outcome.record,
        rows={step: _rows(look) for step, look in outcome.looks.items()},
    )


def _rows(look: Look) -> StepRows:
    rows = tuple(tuple(_plain(value) for value in row) for row in look.rows)
    return StepRows(tuple(look.columns), rows, look.more)


def _plain(value: object) -> str | int | bool | None:
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def _findings(found: tuple[Diagnostic, ...]) -> tuple[Finding, ...]:
    return tuple(converted(finding_object(each), Finding) for each in found)
