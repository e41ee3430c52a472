"""Creating an entity from the command line: its program is shown, and run only after a yes."""

import click

from dragoman.cli.failures import printable
from dragoman.workspace.resolution import NewEntity

yes_option = click.option("--yes", is_flag=True, help="Run the program instead of only showing it.")
set_option = click.option(
    "--set", "given", multiple=True, metavar="K=V", help="An argument of the new entity; may be repeated."
)
run_id_option = click.option(
    "--run-id",
    metavar="ID",
    help="The id of the run that creates it; repeating an id changes nothing. Default: a new id.",
)


def tell(made: NewEntity, *, aside: bool = False) -> None:
    """The program, what is still wrong with it, and what to do next. `aside`: it is not the result."""
    click.echo(printable(made.program.rstrip("\n")), err=aside)
    for finding in made.form.diagnostics:
        click.echo(printable(f"  {finding.message}: {finding.hint}"), err=True)
    for reference in made.form.open:
        keys = ", ".join(f"{each.entity_id} ; {each.display}" for each in reference.matches)
        name = reference.ref.location.arg_name
        click.echo(printable(f"  {name} {reference.text!r} may be: {keys or 'nothing known'}"), err=True)
        click.echo(printable(f"  say it with --set {name}=KEY"), err=True)
    if made.written is None:
        click.echo("nothing was made: --yes runs it" if made.ready else "nothing was made", err=True)
    elif made.written.repeated:
        click.echo(f"run {made.written.run_id} had made it before: {made.written.key}", err=True)
    else:
        click.echo(f"made {made.written.key} in run {made.written.run_id}", err=True)
