"""Creating an entity from the command line: its program is shown, and run only after a yes."""

import uuid

import click

from dragoman.catalog.pack_databases import PackDatabases
from dragoman.cli.failures import printable
from dragoman.contracts.errors import AccessError, CreationImpossible
from dragoman.contracts.program import Statement
from dragoman.contracts.record import Record
from dragoman.contracts.verb import EntityType, VerbSignature
from dragoman.contracts.vocabulary import Notation
from dragoman.engine.pack_writes import Written, run_write
from dragoman.entities import name_resolution
from dragoman.entities.name_resolution import Resolution
from dragoman.packs.installed import OwnedEntity
from dragoman.workbench import BenchWorld

yes_option = click.option("--yes", is_flag=True, help="Run the program instead of only showing it.")
set_option = click.option(
    "--set", "given", multiple=True, metavar="K=V", help="An argument of the new entity; may be repeated."
)
run_id_option = click.option(
    "--run-id",
    metavar="ID",
    help="The id of the run that creates it; repeating an id changes nothing. Default: a new id.",
)


class Outcome(Record, frozen=True):
    """The program that makes something, and what came of running it."""

    verb: str
    program: str
    ready: bool
    written: Written | None = None


def create_signature(databases: PackDatabases, owned: OwnedEntity) -> VerbSignature:
    """The verb that makes an entity of a type. Raises `CreationImpossible`."""
    signature = databases.own.signature(owned.entity.create) if owned.entity.create else None
    if signature is None:
        raise CreationImpossible(
            f"nothing says how a new {owned.kind} is made", hint="name its verb in the pack: create:"
        )
    return signature


def freshen(databases: PackDatabases, world: BenchWorld, kinds: set[str]) -> None:
    """Bring the indexes of entity types up to date. Where that cannot be done, what is kept is used."""
    for kind in sorted(kinds):
        owned = databases.own.entities.get(kind)
        if owned is None:
            continue
        try:
            databases.index(owned)
        except AccessError as error:
            click.echo(printable(f"the names of {kind} may be old: {error.message}"), err=True)
    world.forget_names()


def kinds_of(signature: VerbSignature) -> set[str]:
    return {each.type.entity for each in signature.arguments if isinstance(each.type, EntityType)}


def make(
    databases: PackDatabases,
    owned: OwnedEntity,
    statement: Statement,
    form: Resolution,
    *,
    yes: bool,
    run_id: str | None,
) -> Outcome:
    """Run the program of a new entity, if it is ready and somebody said yes."""
    if not form.ready or not yes:
        return Outcome(statement.verb, form.source, form.ready)
    done = run_write(
        owned.pack,
        statement,
        databases.target(owned.pack),
        databases.schema(owned.pack),
        run_id=run_id or uuid.uuid4().hex,
        viewer=databases.viewer,
    )
    databases.index(owned)
    return Outcome(statement.verb, form.source, True, done)


def begun(world: BenchWorld, statement: Statement) -> Resolution:
    """The program of one statement, with what binds by itself bound."""
    from dragoman.language.document import Document

    return name_resolution.begin(world, world.printed(Document(Notation.VERBS, (statement,))), Notation.VERBS)


def tell(outcome: Outcome, form: Resolution, *, aside: bool = False) -> None:
    """The program, what is still wrong with it, and what to do next. `aside`: it is not the result."""
    click.echo(printable(outcome.program.rstrip("\n")), err=aside)
    for finding in form.diagnostics:
        click.echo(printable(f"  {finding.message}: {finding.hint}"), err=True)
    for reference in form.open:
        keys = ", ".join(f"{each.entity_id} ; {each.display}" for each in reference.matches)
        name = reference.ref.location.arg_name
        click.echo(printable(f"  {name} {reference.text!r} may be: {keys or 'nothing known'}"), err=True)
        click.echo(printable(f"  say it with --set {name}=KEY"), err=True)
    if outcome.written is None:
        click.echo("nothing was made: --yes runs it" if outcome.ready else "nothing was made", err=True)
    elif outcome.written.repeated:
        click.echo(f"run {outcome.written.run_id} had made it before: {outcome.written.key}", err=True)
    else:
        click.echo(f"made {outcome.written.key} in run {outcome.written.run_id}", err=True)
