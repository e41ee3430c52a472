"""`dragoman fmt` and `convert`: the text of a program, laid out or in the other notation."""

from pathlib import Path

import click

from dragoman.cli.display import show_json
from dragoman.cli.options import json_option
from dragoman.cli.programs import (
    NOTATIONS,
    as_option,
    opened_programs,
    read_file,
    refused_with_findings,
    workspace_option,
)
from dragoman.contracts.errors import ProgramUnreadable, ProgramUnwritable
from dragoman.contracts.program import Diagnostic
from dragoman.contracts.vocabulary import Notation
from dragoman.workspace.findings import finding_object
from dragoman.workspace.programs import Programs
from dragoman.workspace.text import write_whole


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@as_option
@workspace_option
@click.option("--check", "only_check", is_flag=True, help="Do not write; exit with 1 if a file would change.")
@json_option
@click.pass_context
def fmt(
    ctx: click.Context,
    files: tuple[str, ...],
    notation: str | None,
    workspace: str,
    only_check: bool,
    as_json: bool,
) -> None:
    """Format programs in place and keep their comments; - reads stdin and writes stdout."""
    programs = opened_programs(workspace)
    if as_json:
        laid_out = [_laid_out(programs, name, notation, write=not only_check) for name in files]
        show_json(laid_out)
        stale = only_check and any(each["changed"] for each in laid_out)
        ctx.exit(1 if stale or not all(each["ok"] for each in laid_out) else 0)
    changed = []
    for name in files:
        source, known = read_file(name, notation)
        text = refused_with_findings(source, programs.format(source, known))
        if name == "-":
            click.echo(text, nl=False)
        elif text != source.text:
            changed.append(name)
            if not only_check:
                _rewrite(Path(name), text)
                click.echo(f"laid out {name}", err=True)
    if only_check and changed:
        click.echo("\n".join(f"{name} would change" for name in changed), err=True)
        ctx.exit(1)


def _laid_out(programs: Programs, name: str, notation: str | None, *, write: bool) -> dict[str, object]:
    """One file formatted, and written where it changed. A bad file says nothing about the others."""
    try:
        source, known = read_file(name, notation)
        outcome = programs.format(source, known)
        changed = isinstance(outcome, str) and outcome != source.text
        if isinstance(outcome, str) and changed and write and name != "-":
            _rewrite(Path(name), outcome)
    except (ProgramUnreadable, ProgramUnwritable) as error:
        outcome, changed = (Diagnostic(error.code, error.message, error.hint),), False
    return {"file": name, "changed": changed, **_text_object(outcome)}


def _text_object(outcome: str | tuple[Diagnostic, ...]) -> dict[str, object]:
    """A text that was made of a program, or the findings that stood in the way."""
    made = isinstance(outcome, str)
    findings = [] if isinstance(outcome, str) else [finding_object(finding) for finding in outcome]
    return {"ok": made, "text": outcome if made else None, "diagnostics": findings}


@click.command()
@click.argument("file")
@click.option("--to", "target", type=NOTATIONS, required=True, help="The notation to write.")
@as_option
@workspace_option
@json_option
@click.pass_context
def convert(
    ctx: click.Context, file: str, target: str, notation: str | None, workspace: str, as_json: bool
) -> None:
    """Convert a program to the other notation without loss, and print it."""
    source, known = read_file(file, notation)
    converted = opened_programs(workspace).convert(source, known, Notation(target))
    if as_json:
        show_json({"file": file, "notation": target, **_text_object(converted)})
        ctx.exit(0 if isinstance(converted, str) else 1)
    click.echo(refused_with_findings(source, converted), nl=False)


def _rewrite(path: Path, text: str) -> None:
    try:
        write_whole(path, text.encode("utf-8"))
    except OSError as error:
        raise ProgramUnwritable(
            f"{path} cannot be written: {error.strerror}", hint="fmt - writes to standard output"
        ) from error
