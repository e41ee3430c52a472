"""`dragoman completion`: what a shell needs to complete commands, options and files."""

import click
from click.shell_completion import ShellComplete, get_completion_class

from dragoman.cli.display import show_json
from dragoman.cli.options import json_option

SHELLS = ("bash", "zsh", "fish")
_PROGRAM = "dragoman"
_VARIABLE = "_DRAGOMAN_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@json_option
@click.pass_context
def completion(ctx: click.Context, shell: str, as_json: bool) -> None:
    """Print the completion script of a shell.

    \b
    bash:  eval "$(dragoman completion bash)"     in ~/.bashrc
    zsh:   eval "$(dragoman completion zsh)"      in ~/.zshrc, after compinit
    fish:  dragoman completion fish > ~/.config/fish/completions/dragoman.fish
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"there is no completion for {shell}")
    # Not the method of the class: that of bash starts a bash to look at its version, which may not be here.
    script = ShellComplete.source(kind(ctx.find_root().command, {}, _PROGRAM, _VARIABLE))
    if as_json:
        show_json({"shell": shell, "script": script})
    else:
        click.echo(script)
