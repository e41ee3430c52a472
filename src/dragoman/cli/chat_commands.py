"""What a chat does beside talking: commands that begin with a backslash, about the last answer."""

from collections.abc import Callable, Mapping
from typing import Final

import click

from dragoman.cli.answer_files import write_answer
from dragoman.cli.display import View, chart_of, has_table, rows_of, view_here, with_every_row
from dragoman.cli.failures import printable
from dragoman.cli.pager import show_rows
from dragoman.cli.sql import show_sql
from dragoman.contracts.record import Record
from dragoman.contracts.turn_result import ResultRows, TurnResult
from dragoman.workspace import Workspace
from dragoman.workspace.exports import ExportFormat, csv_text

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
    run: "Callable[[ChatDesk, str], None]"


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

    @property
    def view(self) -> View:
        return view_here(records=self.records, charts=True)

    def hear(self, result: TurnResult, read: list[ResultRows]) -> None:
        """Keep what a turn gave, if it gave rows."""
        if read and result.columns and result.rows:
            self.last = LastAnswer(result, read[-1])

    def run(self, line: str) -> None:
        """Do what a line that begins with a backslash says."""
        name, _, rest = line.strip().partition(" ")
        command = COMMANDS.get(name)
        if command is None:
            _refuse(f"no such command: {name}. {MARK}help lists them")
            return
        command.run(self, rest.strip())


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
    click.echo("  Ctrl-D leaves")


def _show_sql(desk: ChatDesk, rest: str) -> None:
    if rest and not rest.isdecimal():
        _refuse(f"{rest} is not the number of a turn")
        return
    show_sql(desk.workspace, desk.session, int(rest) if rest else None, as_json=False)


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
    "\\help": ChatCommand("\\help", "show this list", _help),
    "\\q": ChatCommand("\\q", "leave; the session is kept", _leave),
}
