"""The group of commands. A command's module is imported only when the command is called."""

import os
from importlib import import_module
from typing import TYPE_CHECKING

import click

from dragoman._version import __version__

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

ASK = "ask"
COMMANDS = {
    "demo": ("dragoman.cli.demo", "demo", "Hold a short conversation with the embedded database."),
    "init": ("dragoman.cli.init", "init", "Create a workspace from a database."),
    "connections": ("dragoman.cli.discovery", "connections", "List the databases and check their health."),
    "discover": ("dragoman.cli.discovery", "discover", "Show the tables, columns and keys of a database."),
    "chat": ("dragoman.cli.chat", "chat", "Start a conversation."),
    ASK: ("dragoman.cli.ask", "ask", "Ask one question, or continue a session."),
    "sql": ("dragoman.cli.sql", "sql", "Run one SELECT, or continue a session with one."),
    "sessions": ("dragoman.cli.sessions", "sessions", "List and manage sessions."),
    "replay": ("dragoman.cli.inspection", "replay", "Replay a session and verify its state."),
    "why": ("dragoman.cli.inspection", "why", "Explain a turn."),
    "test": ("dragoman.cli.test", "test", "Run conversation tests, or record one."),
    "check": ("dragoman.cli.programs", "check", "Check programs and show every error."),
    "fmt": ("dragoman.cli.program_text", "fmt", "Format programs."),
    "convert": ("dragoman.cli.program_text", "convert", "Convert a program to the other notation."),
    "compile": ("dragoman.cli.programs", "compile_program", "Compile a program into a manifest."),
    "run": ("dragoman.cli.run", "run", "Run a pipeline."),
    "runs": ("dragoman.cli.runs", "runs", "List, show, resume or cancel runs."),
    "resolve": ("dragoman.cli.resolve", "resolve", "Resolve the names in a program to keys."),
    "entities": ("dragoman.cli.entities", "entities", "Search entities by name, index or create them."),
    "models": ("dragoman.cli.models", "models", "List the language models and check that they answer."),
    "guard": ("dragoman.cli.guard", "guard", "Ask a guard: JSON in text, roles, tracks, paths, SQL."),
    "report": ("dragoman.cli.report", "report", "Check and show status reports."),
    "metrics": ("dragoman.cli.metrics", "metrics", "Show the metrics of the report guard."),
    "pack": ("dragoman.cli.pack", "pack", "Check a pack, or draft one."),
    "patch": ("dragoman.cli.patch", "patch", "Check or apply a patch."),
    "serve": ("dragoman.web.command", "serve", "Serve the workspace over HTTP."),
    "token": ("dragoman.web.command", "token", "Create, list and revoke tokens of the server."),
    "mcp": ("dragoman.mcp.command", "mcp", "Serve the workspace to other agents."),
    "transitions": ("dragoman.cli.reference.commands", "transitions", "Show the transitions and phases."),
    "completion": ("dragoman.cli.completion", "completion", "Print the completion script of a shell."),
    "schema": ("dragoman.cli.reference.commands", "schema", "Print the JSON Schema of state and events."),
}


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports them on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A command, or a question in the place of one: that is asked."""
        name = args[0]
        if name in COMMANDS or name.startswith("-"):
            return super().resolve_command(ctx, args)
        if _is_question(name):
            return ASK, self.get_command(ctx, ASK), args
        raise click.UsageError(_no_such(name, args), ctx)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """The names that begin so, without importing any command."""
        from click.shell_completion import CompletionItem

        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        named = ((name, text) for name, (_, _, text) in COMMANDS.items() if name.startswith(incomplete))
        return [CompletionItem(name, help=text) for name, text in named]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, _, text) in COMMANDS.items()])


def _is_question(word: str) -> bool:
    """Whether an argument is no name of a command, not even with a slip: it has blanks, a question mark, or
    letters that no command has."""
    return any(letter.isspace() for letter in word.strip()) or word.endswith("?") or not word.isascii()


def _no_such(name: str, args: list[str]) -> str:
    from difflib import get_close_matches

    shown = name if name.isprintable() else ascii(name)[1:-1]
    near = get_close_matches(name.lower(), COMMANDS, n=1)
    said = f"no such command: {shown}"
    if near:
        return f"{said}. Did you mean {near[0]}?"
    words = [each for each in args if not each.startswith("-")]
    question = " ".join(words) if len(words) > 2 else "how many orders are there?"
    return f'{said}. To ask a question, put it in quotes: dragoman "{question}"'


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dragoman", message="%(prog)s %(version)s")
@click.option(
    "--exit-code",
    is_flag=True,
    envvar="DRAGOMAN_EXIT_CODE",
    help="Exit with 3 if an answer is needed, with 4 if the gate blocks; any other failure is 1.",
)
@click.pass_context
def dragoman(ctx: click.Context, exit_code: bool) -> None:
    """Talk to your databases. Read the program before it runs. See how sure every answer is.

    \b
    Try:  dragoman demo
          dragoman "stock of Alfa Trade on 31 March 2020"
          dragoman ask -c "and for April?"
    """
    # Whoever sets it to anything but nothing wants no colours: https://no-color.org
    if os.environ.get("NO_COLOR"):
        ctx.color = False
