"""`dragoman resolve`: resolve the names in a program to keys."""

from pathlib import Path

import click

from dragoman.cli.assignments import pairs
from dragoman.cli.creation import run_id_option, set_option, tell, yes_option
from dragoman.cli.display import show_json
from dragoman.cli.exit_codes import ExitCode, exit_by
from dragoman.cli.failures import printable, warn
from dragoman.cli.options import files, json_option
from dragoman.cli.programs import (
    as_option,
    opened_programs,
    param_option,
    profile_option,
    read_file,
    workspace_option,
)
from dragoman.contracts.program import CreatedNew, Resolved
from dragoman.workspace.entities import Entities
from dragoman.workspace.findings import finding_object
from dragoman.workspace.resolution import NewEntity, Reference, Resolution, Resolver
from dragoman.workspace.text import Source, show

_NUMBER = "#"
_FEW = 12


@click.command()
@click.argument("file", shell_complete=files)
@click.option("--search", "searches", multiple=True, metavar="REF=TEXT", help="Search with other words.")
@click.option("--filter", "filters", multiple=True, metavar="REF:K=V", help="Narrow the search.")
@click.option("--none", "none", multiple=True, metavar="REF", help="Reject all matches.")
@click.option("--pick", "picks", multiple=True, metavar="REF=KEY", help="Choose a match: its key, or #2.")
@click.option("--skip", "skips", multiple=True, metavar="REF", help="Leave out its statement.")
@click.option("--create", "create", metavar="REF", help="Create a new one; see --set and --yes.")
@set_option
@yes_option
@run_id_option
@profile_option
@param_option
@as_option
@workspace_option
@json_option
@click.pass_context
def resolve(
    ctx: click.Context,
    file: str,
    searches: tuple[str, ...],
    filters: tuple[str, ...],
    none: tuple[str, ...],
    picks: tuple[str, ...],
    skips: tuple[str, ...],
    create: str | None,
    given: tuple[str, ...],
    yes: bool,
    run_id: str | None,
    profile: str | None,
    params: tuple[str, ...],
    notation: str | None,
    workspace: str,
    as_json: bool,
) -> None:
    """Resolve the names in a program to keys: show open references, apply choices, print the program.

    REF is the id or the number of a reference. Clear matches are bound automatically and reported.
    The exit code is 0 if no reference is left open.
    """
    source, known = read_file(file, notation)
    programs, parameters = opened_programs(workspace), pairs(params, "--param")
    entities = Entities(Path(workspace).resolve())
    resolver = Resolver(programs, entities, profile=profile, given=parameters, warn=warn)
    resolution = resolver.begin(source.text, known)
    resolution = _chosen(resolver, resolution, searches, filters, none, picks, skips)
    made = None
    if create is not None:
        ref_id = _id(resolution, create)
        resolution, made = resolver.create(resolution, ref_id, pairs(given, "--set"), yes=yes, run_id=run_id)
    elif given or yes:
        raise click.UsageError("--set and --yes belong to --create")
    program = resolver.program(resolution)
    if as_json:
        show_json(_object(resolution, program, made))
    else:
        _tell(source, resolution)
        if made is not None and resolution.creation is not None:
            tell(made, aside=True)
        elif made is not None and made.written is not None:
            click.echo(f"made {made.written.key} in run {made.written.run_id}", err=True)
        click.echo(program, nl=False)
    if resolution.open:
        exit_by(ctx, ExitCode.NEEDS_ANSWER)
    ctx.exit(0 if resolution.ready else 1)


def _chosen(
    resolver: Resolver,
    resolution: Resolution,
    searches: tuple[str, ...],
    filters: tuple[str, ...],
    none: tuple[str, ...],
    picks: tuple[str, ...],
    skips: tuple[str, ...],
) -> Resolution:
    for name in none:
        resolution = resolver.none_of_these(resolution, _id(resolution, name))
    texts = {_id(resolution, name): text for name, text in pairs(searches, "--search").items()}
    narrowed = _filters(resolution, filters)
    for ref_id in dict.fromkeys((*texts, *narrowed)):
        text = texts.get(ref_id, resolution.reference(ref_id).text)
        resolution = resolver.search(resolution, ref_id, text, narrowed.get(ref_id, {}))
    for name, key in pairs(picks, "--pick").items():
        ref_id = _id(resolution, name)
        if key.startswith(_NUMBER) and key[1:].isdecimal():
            resolution = resolver.pick_numbered(resolution, ref_id, int(key[1:]))
        else:
            resolution = resolver.pick(resolution, ref_id, key)
    for name in skips:
        resolution = resolver.skip(resolution, _id(resolution, name))
    return resolution


def _filters(resolution: Resolution, given: tuple[str, ...]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for each in given:
        name, colon, pair = each.partition(":")
        if not colon:
            raise click.BadParameter("write REF:K=V", param_hint="--filter")
        found.setdefault(_id(resolution, name), {}).update(pairs((pair,), "--filter"))
    return found


def _id(resolution: Resolution, name: str) -> str:
    """A reference by its id, or by its number."""
    if name.isdecimal() and 1 <= int(name) <= len(resolution.references):
        return resolution.references[int(name) - 1].ref.ref_id
    return resolution.reference(name).ref.ref_id


def _tell(source: Source, resolution: Resolution) -> None:
    """What is bound, what is open, what is left out: on standard error, beside the program."""
    for finding in resolution.diagnostics:
        click.echo(printable(show(Source(resolution.source, source.name), finding)), err=True)
    for number, each in enumerate(resolution.references, 1):
        where = f"{each.ref.location.arg_name} of {each.ref.location.verb}"
        said = f"[{number}] {each.ref.ref_id}  {where}: {each.text!r}"
        click.echo(printable(f"{said}  {_status(each, resolution)}"), err=True)
        if each in resolution.open:
            _tell_matches(each)
    if resolution.partial:
        count = len(resolution.left_out)
        click.echo(f"partial: {count} statement{'s are' if count != 1 else ' is'} left out", err=True)


def _status(each: Reference, resolution: Resolution) -> str:
    match each.ref.status:
        case Resolved(entity_id=key, display=display):
            return f"is {key} ; {display} (by {each.bound_by})"
        case CreatedNew(entity_id=key):
            return f"is new: {key}"
        case _:
            return "is open" if each in resolution.open else "is left out"


def _tell_matches(each: Reference) -> None:
    for number, match in enumerate(each.matches, 1):
        how = f"{match.score:.2f}  {match.entity_id}  {match.display}  ({match.detail})"
        told = f"    {_NUMBER}{number}  {how}"
        click.echo(printable(told), err=True)
    if not each.matches:
        click.echo("    nothing is called so", err=True)
    told = ", ".join(
        f"{field.name} ({' '.join(field.options)})" if 0 < len(field.options) <= _FEW else field.name
        for field in each.ref.config.discriminators
    )
    if told:
        click.echo(printable(f"    filters: {told}"), err=True)


def _object(resolution: Resolution, program: str, made: NewEntity | None) -> dict[str, object]:
    creation = resolution.creation
    return {
        "ok": resolution.ready,
        "program": program,
        "partial": resolution.partial,
        "left_out": len(resolution.left_out),
        "references": [
            {
                "number": number,
                "ref_id": each.ref.ref_id,
                "verb": each.ref.location.verb,
                "argument": each.ref.location.arg_name,
                "type": each.ref.entity_type,
                "text": each.text,
                "filters": each.filters,
                "open": each in resolution.open,
                "bound_by": each.bound_by,
                "resolution": each.ref.status,
                "matches": each.matches,
                "discriminators": each.ref.config.discriminators,
            }
            for number, each in enumerate(resolution.references, 1)
        ],
        "diagnostics": [finding_object(finding) for finding in resolution.diagnostics],
        "creation": None
        if made is None
        else {
            "verb": made.verb,
            "program": made.program,
            "ready": made.ready,
            "written": made.written,
            "diagnostics": [finding_object(f) for f in creation.form.diagnostics] if creation else [],
            "open": [
                {"argument": each.ref.location.arg_name, "text": each.text, "matches": each.matches}
                for each in (creation.form.open if creation else ())
            ],
        },
    }
