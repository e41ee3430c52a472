"""`dragoman sql`: one SELECT, in a new or existing session; and the SQL of an answer."""

import click

from dragoman.cli.ask import Wishes, take_one
from dragoman.cli.display import show_json
from dragoman.cli.failures import printable
from dragoman.cli.options import connection_option, json_option, workspace_options
from dragoman.workspace import Workspace

SQL_LINE = "\\sql"
"""What is typed in a chat to see the SQL of an answer; the number of a turn may follow."""


@click.command()
@click.argument("query", required=False)
@click.option("--session", "-s", "session_id", metavar="ID", help="Continue this session.")
@click.option("--continue", "-c", "go_on", is_flag=True, help="Continue the newest open session.")
@connection_option
@workspace_options
@json_option
def sql(
    query: str | None,
    session_id: str | None,
    go_on: bool,
    connection: str | None,
    workspace: str,
    store: str | None,
    as_json: bool,
) -> None:
    """Run QUERY, one SELECT, and answer with its rows. Without QUERY, read it from stdin."""
    wishes = Wishes(connection=connection or "", as_json=as_json, as_sql=True)
    take_one(query, session_id, workspace, store, wishes, go_on=go_on)


def show_sql(workspace: Workspace, session_id: str, turn: int | None, *, as_json: bool) -> None:
    """The SQL that the answer of a turn stands on; without a turn, of the last answer that has any."""
    asked = workspace.asked_sql(session_id, turn)
    if as_json:
        show_json({"session_id": session_id, "turn": asked.turn, "sql": list(asked.sql)})
        return
    for query in asked.sql:
        click.echo(printable(query))
    if not asked.sql:
        click.echo(f"turn {asked.turn} asked no database", err=True)


def turn_in(line: str | bytes) -> tuple[bool, int | None]:
    """Whether a line of a chat asks for the SQL of an answer, and of which turn."""
    text = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
    command, _, rest = text.strip().partition(" ")
    number = rest.strip()
    asks = command == SQL_LINE and (not number or number.isdecimal())
    return asks, int(number) if asks and number else None
