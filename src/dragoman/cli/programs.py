"""`dragoman check` and `compile`: programs in files, in either notation."""

import sys
from pathlib import Path

import click

from dragoman.cli.assignments import pairs
from dragoman.cli.display import show_json
from dragoman.cli.failures import printable, warn
from dragoman.cli.options import files, json_option
from dragoman.contracts.errors import ProgramUnreadable
from dragoman.contracts.program import Diagnostic
from dragoman.contracts.vocabulary import Notation
from dragoman.workspace.findings import finding_object, refusal
from dragoman.workspace.programs import MAX_CODE_POINTS, Compilation, CompilerStage, Programs, findings_of
from dragoman.workspace.text import Source, show

ENDINGS = {".verbs": Notation.VERBS, ".yaml": Notation.OML, ".yml": Notation.OML, ".oml": Notation.OML}
MAX_BYTES = 4 * MAX_CODE_POINTS
"""More bytes than this are more code points than a reader takes."""
NOTATIONS = click.Choice([notation.value for notation in Notation])


def read_file(name: str, notation: str | None) -> tuple[Source, Notation]:
    """A program's text and its notation, taken from the file extension unless given."""
    try:
        data = _read_bounded(name)
        text = data.decode("utf-8")
    except OSError as error:
        raise ProgramUnreadable(f"{name} cannot be read: {error.strerror}", hint="check the path") from error
    except UnicodeDecodeError as error:
        raise ProgramUnreadable(
            f"{name} is not UTF-8 at byte {error.start + 1}", hint="save it as UTF-8"
        ) from error
    known = Notation(notation) if notation else ENDINGS.get(Path(name).suffix)
    if known is None:
        raise ProgramUnreadable(
            f"the notation of {name} is not known by its ending", hint="say it: --as verbs or --as oml"
        )
    return Source(text, "" if name == "-" else name), known


def _read_bounded(name: str) -> bytes:
    """The bytes of a file. What never ends, such as a device, must not fill the memory."""
    if name == "-":
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
    else:
        with Path(name).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        message = f"{name} is longer than {MAX_BYTES:,} bytes"
        raise ProgramUnreadable(message, hint="split the program")
    return data


profile_option = click.option("--profile", metavar="P", help="A profile of the pipeline.")
param_option = click.option(
    "--param", "params", multiple=True, metavar="K=V", help="A parameter; may be repeated."
)
workspace_option = click.option(
    "--workspace",
    "-w",
    envvar="DRAGOMAN_WORKSPACE",
    default=".",
    metavar="DIR",
    help="The workspace to check against. Default: this folder.",
)
as_option = click.option(
    "--as", "notation", type=NOTATIONS, help="The notation; needed if the file extension does not say."
)


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…", shell_complete=files)
@click.option(
    "--stage",
    type=click.Choice([stage.value for stage in CompilerStage]),
    default=CompilerStage.DEPENDENCIES.value,
    show_default=True,
    help="How far to check.",
)
@profile_option
@param_option
@as_option
@workspace_option
@json_option
@click.pass_context
def check(
    ctx: click.Context,
    files: tuple[str, ...],
    stage: str,
    profile: str | None,
    params: tuple[str, ...],
    notation: str | None,
    workspace: str,
    as_json: bool,
) -> None:
    """Check programs (.verbs, .yaml, or - for stdin) and show every error."""
    programs, given = opened_programs(workspace), pairs(params, "--param")
    reports = []
    for name in files:
        try:
            source, known = read_file(name, notation)
            done = programs.check(source, known, CompilerStage(stage), profile=profile, given=given)
        except ProgramUnreadable as error:
            # One file that cannot be read says nothing about the others.
            source = Source("", name)
            finding = Diagnostic(error.code, error.message, error.hint)
            done = Compilation(CompilerStage.SYNTAX, (finding,))
        reports.append(_report(name, done))
        if not as_json:
            _show(source, done, name)
    if as_json:
        show_json(reports)
    if not all(report["ok"] for report in reports):
        ctx.exit(1)


def opened_programs(workspace: str) -> Programs:
    """The programs of a folder. What of its packs is left out is told, since programs will miss it."""
    programs = Programs.open(workspace)
    for each in programs.left_out:
        warn(f"{each.what} is left out: {each.why}")
    return programs


def _report(name: str, done: Compilation) -> dict[str, object]:
    return {
        "file": name,
        "ok": done.ok,
        "stage": done.stage,
        "diagnostics": [finding_object(finding) for finding in findings_of(done)],
    }


def _show(source: Source, done: Compilation, name: str) -> None:
    for finding in findings_of(done):
        click.echo(printable(show(source, finding)))
    if done.ok:
        click.echo(f"{name}: ok")


@click.command("compile")
@click.argument("file", shell_complete=files)
@profile_option
@param_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(".dragoman/builds"),
    show_default=True,
    help="The folder for builds.",
)
@as_option
@workspace_option
@json_option
def compile_program(
    file: str,
    profile: str | None,
    params: tuple[str, ...],
    out: Path,
    notation: str | None,
    workspace: str,
    as_json: bool,
) -> None:
    """Compile a program into a manifest, stored under its fingerprint. LATEST names the newest."""
    source, known = read_file(file, notation)
    programs = opened_programs(workspace)
    done = programs.compile(source, known, profile=profile, given=pairs(params, "--param"))
    if done.manifest is None:
        if as_json:
            show_json({**_report(file, done), "unresolved": done.unresolved})
            raise click.exceptions.Exit(1)
        refused_with_findings(source, findings_of(done))
    else:
        path = programs.build(done.manifest, out)
        plan = done.manifest.plan
        if as_json:
            show_json({"ok": True, "fingerprint": plan.fingerprint, "manifest": str(path), "plan": plan})
            return
        click.echo(f"{plan.fingerprint}  {path}")
        for step in plan.steps:
            needs = f" after {', '.join(step.needs)}" if step.needs else ""
            click.echo(f"  {step.id}: {step.verb}{needs}")


def compiled_manifest(
    source: Source, notation: Notation, profile: str | None, params: tuple[str, ...], folder: Path
) -> bytes:
    """The manifest of a program, or an error after everything found was shown."""
    programs = opened_programs(str(folder))
    done = programs.compile(source, notation, profile=profile, given=pairs(params, "--param"))
    if done.manifest is None:
        refused_with_findings(source, findings_of(done))
        raise AssertionError
    return done.manifest.data


def refused_with_findings(source: Source, outcome: str | tuple[Diagnostic, ...]) -> str:
    """The text, or an error after everything found was shown."""
    if isinstance(outcome, str):
        return outcome
    for finding in outcome:
        click.echo(printable(show(source, finding)), err=True)
    raise refusal(outcome, source.name)
