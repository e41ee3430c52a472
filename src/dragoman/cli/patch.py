"""`dragoman patch`: check a patch, or apply it to a file or folder, all or nothing."""

import os
from pathlib import Path
from typing import BinaryIO

import click

from dragoman.cli.display import show_json
from dragoman.cli.failures import printable
from dragoman.cli.options import json_option
from dragoman.contracts.program import Diagnostic, Span
from dragoman.guards.secrets import scrubbed
from dragoman.language.patches import (
    Applied,
    Form,
    Outcome,
    Patch,
    PatchCode,
    ReadPatch,
    apply_patch,
    read_patch,
)
from dragoman.language.patches.folder import Files, read_files, retargeted
from dragoman.language.patches.model import hunks_of, verdict
from dragoman.language.patches.patch_reader import MAX_BYTES, too_large_finding
from dragoman.language.patches.patched_files import write_files
from dragoman.language.source import Source, show

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
    folder, aimed = (root, read.patch) if root is not None else _aimed(read.patch, target or Path())
    applied, files = _applied(folder, aimed)
    if isinstance(applied, Applied) and write:
        applied = tuple(write_files(folder, applied, files.stamps)) or applied
    if not isinstance(applied, Applied):
        raise _rejected(source, read.form, applied, as_json=as_json, applying=True)
    if as_json:
        outcomes = [{"path": outcome.path, "text": outcome.text} for outcome in applied.outcomes]
        show_json({**_verdict(read.form, ()), "written": write, "files": outcomes})
    elif root is None and not write:
        for outcome in applied.outcomes:
            click.echo((outcome.text or "").encode("utf-8"), nl=False)
    else:
        for outcome in applied.outcomes:
            click.echo(_told(outcome, files, written=write))


def _read(file: BinaryIO, *, ascii_only: bool) -> tuple[Source, ReadPatch]:
    data = file.read(MAX_BYTES + 1)
    name = str(getattr(file, "name", "<stdin>")).replace("<stdin>", "patch")
    if len(data) > MAX_BYTES:
        return Source("", name), ReadPatch(diagnostics=(too_large_finding(),))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        span = Span(0, 0, line, 1, line, 1)
        finding = Diagnostic(PatchCode.NOT_UTF8, "the patch is not UTF-8 text", "save it as UTF-8", span=span)
        return Source("\n" * line, name), ReadPatch(diagnostics=(finding,))
    return Source(text, name), read_patch(text, ascii_only=ascii_only)


def _aimed(patch: Patch, target: Path) -> tuple[Path, Patch | Diagnostic]:
    """A target on the command line is taken as named: through links, whatever the patch calls it."""
    place = Path(os.path.realpath(target))
    return place.parent, retargeted(patch, place.name)


def _applied(folder: Path, patch: Patch | Diagnostic) -> tuple[Applied | tuple[Diagnostic, ...], Files]:
    if isinstance(patch, Diagnostic):
        return (patch,), Files({}, {})
    files = read_files(folder, patch)
    if files.diagnostics:
        return files.diagnostics, files
    applied = apply_patch(patch, files.texts)
    return (applied if isinstance(applied, Applied) else applied.diagnostics), files


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


def _told(outcome: Outcome, files: Files, *, written: bool) -> str:
    known = outcome.path in files.texts
    change = "delete" if outcome.text is None else "update" if known else "add"
    path = printable(outcome.path)
    return f"{change.removesuffix('e')}ed {path}" if written else f"would {change} {path}"


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
