"""`dragoman patch`: check a patch, or apply it to a file or folder, all or nothing."""

from pathlib import Path
from typing import BinaryIO

import click

from dragoman.cli.display import show_json
from dragoman.cli.failures import printable
from dragoman.cli.options import json_option
from dragoman.contracts.program import Diagnostic
from dragoman.workspace.guards import scrubbed
from dragoman.workspace.patches import (
    MAX_BYTES,
    Form,
    PatchChange,
    ReadPatch,
    apply_to_file,
    apply_to_folder,
    hunks_of,
    read_bytes,
    verdict,
)
from dragoman.workspace.text import Source, show

ascii_option = click.option(
    "--ascii", "ascii_only", is_flag=True, help="Refuse characters beyond ASCII, as reports do."
)


@click.group()
def patch() -> None:
    """Check and apply patches: *** Begin Patch … *** End Patch, or a unified diff."""


@patch.command()
@click.argument("file", type=click.File("rb"))
@ascii_option
@json_option
def check(file: BinaryIO, ascii_only: bool, as_json: bool) -> None:
    """Check the patch in FILE (- for stdin) and show every error."""
    source, read = _read(file, ascii_only=ascii_only)
    if read.patch is None:
        raise _rejected(source, read.form, read.diagnostics, as_json=as_json)
    if as_json:
        show_json(_verdict(read.form, ()))
        return
    hunks = sum(len(hunks_of(change)) for change in read.patch.changes)
    click.echo(
        f"ok: {read.patch.form}, {_counted(len(read.patch.changes), 'file')}, {_counted(hunks, 'hunk')}"
    )


@patch.command()
@click.argument("file", type=click.File("rb"))
@click.option(
    "--to", "target", metavar="TARGET", type=click.Path(path_type=Path), help="The one file to patch."
)
@click.option(
    "--root",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder to patch; paths in the patch are relative to it.",
)
@click.option("--write", is_flag=True, help="Change the files instead of printing the result.")
@ascii_option
@json_option
def apply(
    file: BinaryIO, target: Path | None, root: Path | None, write: bool, ascii_only: bool, as_json: bool
) -> None:
    """Apply the patch in FILE (- for stdin) to --to TARGET, or to the files below --root DIR.

    If any hunk does not fit exactly, nothing changes. With --to, file names in the patch are ignored. Without
    --write, the new text is printed.
    """
    if (target is None) == (root is None):
        raise click.UsageError("give either --to TARGET or --root DIR")
    source, read = _read(file, ascii_only=ascii_only)
    if read.patch is None:
        raise _rejected(source, read.form, read.diagnostics, as_json=as_json, applying=True)
    if root is not None:
        outcome = apply_to_folder(read.patch, root, write=write)
    else:
        outcome = apply_to_file(read.patch, target or Path(), write=write)
    if outcome.diagnostics:
        raise _rejected(source, read.form, outcome.diagnostics, as_json=as_json, applying=True)
    if as_json:
        files = [{"path": change.path, "text": change.text} for change in outcome.changes]
        show_json({**_verdict(read.form, ()), "written": write, "files": files})
    elif root is None and not write:
        for change in outcome.changes:
            click.echo((change.text or "").encode("utf-8"), nl=False)
    else:
        for change in outcome.changes:
            click.echo(_told(change, written=write))


def _read(file: BinaryIO, *, ascii_only: bool) -> tuple[Source, ReadPatch]:
    name = str(getattr(file, "name", "<stdin>")).replace("<stdin>", "patch")
    return read_bytes(file.read(MAX_BYTES + 1), name, ascii_only=ascii_only)


def _verdict(form: Form | None, diagnostics: tuple[Diagnostic, ...]) -> dict[str, object]:
    """The shape every answer has."""
    return {
        "ok": not diagnostics,
        "format": form,
        "code": verdict(diagnostics),
        "errors": [
            {
                "code": finding.code,
                "line": finding.span.line if finding.span else 1,
                "message": scrubbed(
                    f"{finding.message}; {finding.hint}" if finding.hint else finding.message
                ),
            }
            for finding in diagnostics
        ],
    }


def _rejected(
    source: Source,
    form: Form | None,
    diagnostics: tuple[Diagnostic, ...],
    *,
    as_json: bool,
    applying: bool = False,
) -> click.exceptions.Exit:
    """Prints the verdict; the exit code is all that is left to raise."""
    if as_json:
        applied: dict[str, object] = {"written": False, "files": []} if applying else {}
        show_json({**_verdict(form, diagnostics), **applied})
    else:
        for finding in diagnostics:
            click.echo(printable(show(source, finding)), err=True)
    return click.exceptions.Exit(1)


def _told(change: PatchChange, *, written: bool) -> str:
    what = "delete" if change.text is None else "update" if change.known else "add"
    path = printable(change.path)
    return f"{what.removesuffix('e')}ed {path}" if written else f"would {what} {path}"


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
