"""The group of commands. Each is loaded from its module only when it is called."""

from importlib import import_module

import click

from dragoman._version import __version__

COMMANDS = {
    "demo": ("dragoman.cli.demo", "demo", "A short real conversation with the embedded database."),
    "init": ("dragoman.cli.init", "init", "Make a workspace from a database, in one step."),
    "connections": ("dragoman.cli.discovery", "connections", "List the databases; see how they fare."),
    "discover": ("dragoman.cli.discovery", "discover", "Show the tables, columns and keys of a database."),
    "chat": ("dragoman.cli.chat", "chat", "Talk, line by line."),
    "ask": ("dragoman.cli.ask", "ask", "Ask one question, or go on with a session."),
    "sessions": ("dragoman.cli.sessions", "sessions", "List, show, close, delete, export, import, prune."),
    "replay": ("dragoman.cli.inspection", "replay", "Fold a session again and verify what is stored."),
    "why": ("dragoman.cli.inspection", "why", "Why a turn went the way it went."),
    "test": ("dragoman.cli.test", "test", "Hold dialogues and see where they differ; record one."),
    "check": ("dragoman.cli.programs", "check", "Check programs and show everything that is wrong."),
    "fmt": ("dragoman.cli.programs", "fmt", "Lay programs out anew, comments kept."),
    "convert": ("dragoman.cli.programs", "convert", "Write a program in the other notation."),
    "compile": ("dragoman.cli.programs", "compile_program", "Compile a program into a manifest."),
    "run": ("dragoman.cli.run", "run", "Run a pipeline."),
    "runs": ("dragoman.cli.runs", "runs", "List runs, show one, resume or cancel it."),
    "resolve": ("dragoman.cli.resolve", "resolve", "Resolve the names in a program to keys."),
    "entities": ("dragoman.cli.entities", "entities", "Search entities by name, index them, make new ones."),
    "guard": ("dragoman.cli.guard", "guard", "Ask a guard: JSON in text, roles, tracks, paths."),
    "report": ("dragoman.cli.report", "report", "Check status reports; see the report of a turn."),
    "metrics": ("dragoman.cli.metrics", "metrics", "How reports fared with their guard."),
    "pack": ("dragoman.cli.pack", "pack", "Check a pack, or draft one for a database."),
    "patch": ("dragoman.cli.patch", "patch", "Check a patch, or apply it."),
    "transitions": ("dragoman.cli.reference.commands", "transitions", "The declared transitions and phases."),
    "schema": ("dragoman.cli.reference.commands", "schema", "JSON Schema of every state object and event."),
}


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports them when asked."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, _, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dragoman", message="%(prog)s %(version)s")
def dragoman() -> None:
    """Talk to your databases. Read the program before it runs. See how sure every answer is.

    \b
    Try:  dragoman demo
          dragoman ask "stock of Alfa Trade on 31 March 2020"
          dragoman ask -c "and for April?"
    """
