"""The tools about conversations: ask, why, sessions."""

import msgspec
from msgspec.structs import replace

from dragoman.contracts.turn_result import ResultRows, TurnResult
from dragoman.mcp.arguments import AskArguments, SessionsArguments, WhyArguments
from dragoman.mcp.call import Call
from dragoman.mcp.results import Asked, Explained, SessionListed, SessionsListed
from dragoman.workspace import SessionHead
from dragoman.workspace.gated import GatedWorkspace, waiting_write
from dragoman.workspace.guards import accept_message
from dragoman.workspace.progress_words import stage_of
from dragoman.workspace.turn_progress import Progress


def ask(workspace: GatedWorkspace, given: AskArguments, call: Call) -> Asked:
    def listen(progress: Progress) -> None:
        stage = stage_of(progress.event)
        if stage:
            call.tell(stage)

    text = accept_message(given.message)
    if given.connection:
        # A name that is not there is said before a session is begun.
        workspace.databases.find(given.connection)
    session = given.session if given.session is not None else workspace.new_session(title=text)
    read: list[ResultRows] = []
    turn = workspace.ask_gated(
        session,
        text,
        digest=given.digest or "",
        client_key=given.key,
        connection=given.connection or "",
        listeners=(listen,),
        on_result=read.append,
        cancel=call.cancel,
    )
    waiting = waiting_write(session, workspace.state(session))
    return Asked(_with_rows(turn, read, given.max_rows), waiting)


def _with_rows(turn: TurnResult, read: list[ResultRows], most: int) -> TurnResult:
    """The result with as many rows as were asked for: what a session keeps of an answer is its beginning."""
    rows = read[-1].rows if read and turn.rows else turn.rows
    total = turn.rows_total or max(turn.row_count, len(rows))
    shown = rows[:most]
    whole = len(shown) == total
    return replace(turn, rows=shown, complete=whole, rows_total=None if whole else total)


def why(workspace: GatedWorkspace, given: WhyArguments, call: Call) -> Explained:
    turn = given.turn or workspace.session(given.session).version
    events = workspace.turn_events(given.session, turn)
    plain = tuple(msgspec.to_builtins(event) for event in events)
    return Explained(workspace.turn_result(given.session, turn), plain)


def sessions(workspace: GatedWorkspace, given: SessionsArguments, call: Call) -> SessionsListed:
    heads = workspace.sessions(limit=given.limit, offset=given.offset)
    return SessionsListed(tuple(map(listed, heads)))


def listed(head: SessionHead) -> SessionListed:
    return SessionListed(
        head.id, head.title, head.owner, head.lifecycle, head.version, head.created_at, head.updated_at
    )
