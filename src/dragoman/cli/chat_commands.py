"""What a chat does beside talking: commands that begin with a backslash, about the last answer."""

import os
from collections.abc import Callable, Mapping
from typing import Final

import click

from dragoman.cli.answer_files import write_answer
from dragoman.cli.display import View, chart_of, has_table, rows_of, view_here, with_every_row
from dragoman.cli.failures import printable
from dragoman.cli.pager import show_rows
from dragoman.cli.sql import show_sql
from dragoman.contracts.program import Diagnostic
from dragoman.contracts.record import Record
from dragoman.contracts.state import SessionState
from dragoman.contracts.turn_result import ResultRows, TurnResult
from dragoman.contracts.vocabulary import Notation
from dragoman.workspace import Workspace
from dragoman.workspace.exports import ExportFormat, csv_text
from dragoman.workspace.text import Source
from dragoman.workspace.typed_text import phrase_for

MARK: Final = "\\"
_NOTHING_YET: Final = "there is no answer with rows yet: ask something first"


class LastAnswer(Record, frozen=True):
    """The newest answer that has rows: as it was told, and everything that was read for it."""

    result: TurnResult
    rows: ResultRows

    @property
    def whole(self) -> TurnResult:
        return with_every_row(self.result, [self.rows])


class ChatCommand(Record, frozen=True, gc=True):
    """A command: how it is written, what it does."""

    usage: str
    says: str
    run: "Callable[[ChatDesk, str], str | None]"
    """Does it; what it returns is asked, as if it had been typed."""


class ChatDesk:
    """What a chat remembers of the last answer, and how rows are shown."""

    def __init__(self, workspace: Workspace, session: str, connection: str = "") -> None:
        self.workspace = workspace
        self.session = session
        self.connection = connection
        """The database that is asked; empty where the message may say."""
        self.records = False
        self.last: LastAnswer | None = None
        self.leaving = False
        self.draft = ""
        """What the next line begins as: a program that is edited at the prompt."""

    @property
    def state(self) -> SessionState:
        return self.workspace.state(self.session)

    def phrase(self, name: str, plain: str) -> str:
        """What says it in the language of the conversation."""
        return phrase_for(name, plain, self.state.turn.language)

    @property
    def view(self) -> View:
        return view_here(records=self.records, charts=True)

    def hear(self, result: TurnResult, read: list[ResultRows]) -> None:
        """Keep what a turn gave, if it gave rows."""
        if read and result.columns and result.rows:
            self.last = LastAnswer(result, read[-1])

    def run(self, line: str) -> str | None:
        """Do what a line that begins with a backslash says; the message that it stands for, if it does."""
        name, _, rest = line.strip().partition(" ")
        command = COMMANDS.get(name)
        if command is None:
            _refuse(f"no such command: {name}. {MARK}help lists them")
            return None
        return command.run(self, rest.strip())


def _refuse(said: str) -> None:
    click.secho(printable(said), fg="red", err=True)


def _toggle_records(desk: ChatDesk, rest: str) -> None:
    desk.records = not desk.records
    click.echo(f"records are {'on: one column per line' if desk.records else 'off'}")
    if desk.last is not None and has_table(desk.last.result):
        click.echo(rows_of(desk.last.result, desk.view))


def _show_all(desk: ChatDesk, rest: str) -> None:
    if desk.last is None:
        _refuse(_NOTHING_YET)
        return
    show_rows(desk.last.whole, desk.view)


def _draw(desk: ChatDesk, rest: str) -> None:
    if desk.last is None:
        _refuse(_NOTHING_YET)
        return
    drawn = chart_of(desk.last.whole, desk.view, asked=True)
    if drawn:
        click.echo(drawn)
    else:
        _refuse("there is nothing to draw: a chart needs a label and a number in each row")


def _write_csv(desk: ChatDesk, rest: str) -> None:
    if desk.last is not None and not rest:
        # Whatever a cell has in it, it does not steer the terminal.
        click.echo(printable(csv_text(desk.last.rows)), nl=False)
        return
    _write(desk, rest, ExportFormat.CSV)


def _write_parquet(desk: ChatDesk, rest: str) -> None:
    if not rest:
        _refuse(f"name a file: {MARK}parquet FILE")
        return
    _write(desk, rest, ExportFormat.PARQUET)


def _write(desk: ChatDesk, path: str, form: ExportFormat) -> None:
    if desk.last is None:
        _refuse(_NOTHING_YET)
        return
    write_answer(desk.workspace, desk.last.result, desk.last.rows, path, form)


def _help(desk: ChatDesk, rest: str) -> None:
    widest = max(len(each.usage) for each in COMMANDS.values())
    for each in dict.fromkeys(COMMANDS.values()):
        click.echo(f"  {each.usage:<{widest}}  {each.says}")
    click.echo(
        "  “help” says what can be asked; Tab completes, Up brings earlier lines, Ctrl-C clears the line,"
    )
    click.echo(
        "  or stops the answer that is being found; a program goes on until its parentheses balance, or an"
    )
    click.echo("  empty line ends it; Ctrl-D leaves")


def _show_sql(desk: ChatDesk, rest: str) -> None:
    if rest and not rest.isdecimal():
        _refuse(f"{rest} is not the number of a turn")
        return
    show_sql(desk.workspace, desk.session, int(rest) if rest else None, as_json=False)


def _undo(desk: ChatDesk, rest: str) -> str:
    return desk.phrase("escape_undo", "undo")


def _clear(desk: ChatDesk, rest: str) -> str:
    return desk.phrase("escape_clear", "clear")


def _skip(desk: ChatDesk, rest: str) -> str:
    return desk.phrase("escape_skip", "skip")


def _run(desk: ChatDesk, rest: str) -> str:
    return desk.phrase("run", "run it")


def _why(desk: ChatDesk, rest: str) -> None:
    if rest and not rest.isdecimal():
        _refuse(f"{rest} is not the number of a turn")
        return
    turn = int(rest) if rest else desk.workspace.session(desk.session).version
    if turn == 0:
        _refuse("nothing was asked yet")
        return
    # Imported for whoever asks why.
    from dragoman.cli.inspection import explain

    explain(desk.workspace.turn_events(desk.session, turn), desk.workspace.turn_result(desk.session, turn))


def _program(desk: ChatDesk, rest: str) -> None:
    program = desk.state.program
    if not program.source:
        _refuse("there is no program in hand yet")
        return
    if rest and rest not in set(Notation):
        _refuse(f"there is no notation {rest}: {' or '.join(Notation)}")
        return
    shown: str | tuple[Diagnostic, ...] = program.source
    if rest and Notation(rest) is not program.notation:
        text = Source(program.source)
        shown = desk.workspace.programs.convert(text, program.notation, Notation(rest))
    if isinstance(shown, str):
        click.echo(printable(shown.rstrip("\n")))
        return
    for finding in shown:
        _refuse(f"{finding.code}: {finding.message}")


def _edit(desk: ChatDesk, rest: str) -> str | None:
    """In the editor that the environment names, otherwise at the prompt."""
    program = desk.state.program
    if not (os.environ.get("VISUAL") or os.environ.get("EDITOR")):
        desk.draft = program.source.rstrip("\n")
        if not desk.draft:
            _refuse("there is no program in hand yet: begin one with (")
        return None
    ending = ".yaml" if program.notation is Notation.OML else ".verbs"
    written = click.edit(program.source, extension=ending)
    if written is None or written.strip() in ("", program.source.strip()):
        click.echo("the program is as it was")
        return None
    return written.strip()


def _leave(desk: ChatDesk, rest: str) -> None:
    desk.leaving = True


COMMANDS: Final[Mapping[str, ChatCommand]] = {
    "\\x": ChatCommand(
        "\\x", "show rows as records, one column per line; again: as a table", _toggle_records
    ),
    "\\all": ChatCommand("\\all", "show all rows of the last answer, with the pager", _show_all),
    "\\chart": ChatCommand("\\chart", "draw the last answer", _draw),
    "\\csv": ChatCommand(
        "\\csv [FILE]", "write the rows of the last answer as CSV, here or to a file", _write_csv
    ),
    "\\parquet": ChatCommand(
        "\\parquet FILE", "write the rows of the last answer to a Parquet file", _write_parquet
    ),
    "\\sql": ChatCommand("\\sql [N]", "show the SQL of the last answer, or of turn N", _show_sql),
    "\\undo": ChatCommand("\\undo", "go back to the program before", _undo),
    "\\clear": ChatCommand("\\clear", "begin anew; answers are kept", _clear),
    "\\skip": ChatCommand("\\skip", "leave out the name that is asked about", _skip),
    "\\run": ChatCommand("\\run", "run the program in hand", _run),
    "\\program": ChatCommand("\\program [oml]", "show the program in hand, in a notation", _program),
    "\\edit": ChatCommand("\\edit", "edit the program in hand, in $EDITOR or here", _edit),
    "\\why": ChatCommand("\\why [N]", "explain the last turn, or turn N", _why),
    "\\help": ChatCommand("\\help", "show this list", _help),
    "\\q": ChatCommand("\\q", "leave; the session is kept", _leave),
}
