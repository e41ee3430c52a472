"""The session that somebody goes on with who names none: the newest that is open."""

from dragoman.contracts.errors import SessionNotFound
from dragoman.contracts.vocabulary import Lifecycle
from dragoman.workspace import Workspace


def newest_open(workspace: Workspace) -> str:
    for head in workspace.sessions(limit=1000):
        if head.lifecycle is Lifecycle.OPEN:
            return head.id
    raise SessionNotFound("there is no open session to go on with", hint="ask without --continue first")
