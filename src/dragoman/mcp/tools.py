"""The tools: a name, what it takes, what it gives, what it does. All run on a thread of their own."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from dragoman.contracts.record import Record
from dragoman.mcp import arguments as taken
from dragoman.mcp import results as given
from dragoman.mcp.call import Call
from dragoman.mcp.conversation import ask, sessions, why
from dragoman.mcp.database import discover
from dragoman.mcp.programs import check, compile_program, resolve, run
from dragoman.workspace.gated import GatedWorkspace

Work = Callable[[GatedWorkspace, Any, Call], Record]


class Tool(Record, frozen=True, gc=True):
    """A tool. `writes` says whether a server that may write lets it write."""

    title: str
    says: str
    takes: type[taken.Arguments]
    gives: type[Record]
    does: Work
    writes: bool = False


TOOLS: Final[Mapping[str, Tool]] = {
    "ask": Tool(
        "Ask a question",
        "Take one turn of a conversation with the databases: a question in plain words, a follow-up, an "
        "answer to what was asked back, or a program. The answer says how sure it is (answer_mode), has the "
        "program that was run, and its evidence. clarification_required: answer with one of the options. A "
        "write is never done at once: it comes back as waiting_write, and is done by saying yes with its "
        "digest.",
        taken.AskArguments,
        given.Asked,
        ask,
        writes=True,
    ),
    "resolve": Tool(
        "Resolve names",
        "Resolve the names in a program to keys. Clear ones are bound; for each of the others choose a "
        "match, search with other words, or skip its statement.",
        taken.ResolveArguments,
        given.Resolved,
        resolve,
    ),
    "check": Tool(
        "Check a program",
        "Everything that is wrong with a program, with places and what to write instead. Nothing runs.",
        taken.CheckArguments,
        given.Checked,
        check,
    ),
    "compile": Tool(
        "Compile a program",
        "The steps of a program in the order in which they would run, under a fingerprint. Nothing runs.",
        taken.ProgramArguments,
        given.Compiled,
        compile_program,
    ),
    "run": Tool(
        "Run a program",
        "Run a program. One that only reads runs at once. One that writes comes back with its digest and "
        "what it would write, and runs when it is called again with exactly that digest.",
        taken.RunArguments,
        given.Ran,
        run,
        writes=True,
    ),
    "discover": Tool(
        "Discover a database",
        "The tables, columns and keys of a connection.",
        taken.DiscoverArguments,
        given.Discovered,
        discover,
    ),
    "why": Tool(
        "Explain a turn",
        "What was noticed, weighed, bound, run or refused in a turn: its record, event by event.",
        taken.WhyArguments,
        given.Explained,
        why,
    ),
    "sessions": Tool(
        "List sessions",
        "The sessions of this workspace that its viewer may see, newest first.",
        taken.SessionsArguments,
        given.SessionsListed,
        sessions,
    ),
}
