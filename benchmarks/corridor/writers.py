"""Two processes take turns on one session at once: what was acknowledged, and what is there afterwards."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import Final

from benchmarks.corridor import langgraph_turns
from benchmarks.corridor.children import DRAGOMAN, LANGGRAPH, started
from benchmarks.corridor.dragoman_program import STORES
from benchmarks.corridor.dragoman_turns import take_turn
from benchmarks.corridor.langgraph_program import GRAPHS
from dragoman.contracts import events as ev
from dragoman.session.journal import Journal

WRITERS: Final = ("a", "b")
MARK: Final = re.compile(r"\[([ab]-\d+)\]$")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Turns that both writers sent, that were acknowledged, acknowledged ones that are not there, and ones
    that are there twice."""

    sent: int
    acknowledged: int
    lost: int
    doubled: int


def contend_dragoman(kind: str, target: str, turns: int) -> Outcome:
    with closing(Journal(STORES[kind](target))) as journal:
        session = journal.create()
        take_turn(journal, session, 1)
    acknowledged = _acknowledged(DRAGOMAN, kind, target, session, turns)
    with closing(Journal(STORES[kind](target))) as journal:
        return _outcome(turns, acknowledged, list(_recorded(journal, session)))


def contend_langgraph(kind: str, target: str, turns: int) -> Outcome:
    config = langgraph_turns.thread("shared")
    with GRAPHS[kind](target) as graph:
        graph.invoke(langgraph_turns.turn_input(1), config)
    acknowledged = _acknowledged(LANGGRAPH, kind, target, "shared", turns)
    with GRAPHS[kind](target) as graph:
        messages = graph.get_state(config).values["messages"]
        return _outcome(turns, acknowledged, [message["content"] for message in messages])


def _acknowledged(module: str, kind: str, target: str, session: str, turns: int) -> set[str]:
    """Let both writers go at once; the marks of the turns that they were told are done."""
    with ExitStack() as stack:
        rest = (str(turns),)
        children = [
            stack.enter_context(started(module, "write", kind, target, session, name, *rest))
            for name in WRITERS
        ]
        for child in children:
            child.hear()
        for child in children:
            child.tell("go")
        return {mark for child in children for mark in json.loads(child.hear())}


def _recorded(journal: Journal, session: str) -> Iterator[str]:
    """The messages of the turns that the session has."""
    for version in range(1, journal.state(session).version + 1):
        events = journal.events(session, version) or []
        yield from (event.message for event in events if isinstance(event, ev.TurnOpened))


def _outcome(turns: int, acknowledged: set[str], messages: list[str]) -> Outcome:
    present = Counter(found[1] for message in messages if (found := MARK.search(message)))
    return Outcome(
        sent=turns * len(WRITERS),
        acknowledged=len(acknowledged),
        lost=len(acknowledged - present.keys()),
        doubled=sum(times > 1 for times in present.values()),
    )
