"""One workspace, sixteen threads: every turn is taken once, every log has the lines of its own session."""

import json
import sqlite3
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Final, TypeVar

import pytest

from dragoman import Workspace
from dragoman.contracts import events as ev
from dragoman.contracts.errors import SessionConflict
from dragoman.contracts.events import SessionEvent
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode
from dragoman.entities import EntityIndex
from dragoman.session.journal import CACHED_SESSIONS
from dragoman.session.log import SessionLog
from tests.entities.companies import CONFIG, made_up, rows_of

THREADS: Final = 16
SESSIONS_EACH: Final = 3
QUESTIONS: Final = (
    ("stock of Alfa Trade on 31 March 2020", AnswerMode.CONFIRMED),
    ("and for April?", AnswerMode.CONFIRMED),
    ("what about Beta Retail?", AnswerMode.CONFIRMED),
    ("hello", AnswerMode.NONE),
)


@pytest.fixture(params=["sqlite", "postgres"])
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    """Nothing of it is open yet: the threads meet while it opens."""
    url = request.getfixturevalue("postgres_database") if request.param == "postgres" else None
    with Workspace.open(tmp_path, store=url) as workspace:
        yield workspace


Made = TypeVar("Made")


def together(work: Callable[[int], Made]) -> list[Made]:
    """What all threads made, begun at one moment. What one of them raises is raised here."""
    gate = threading.Barrier(THREADS)

    def begun(number: int) -> Made:
        gate.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(begun, range(THREADS)))


def logged(workspace: Workspace, session: str) -> list[dict[str, object]]:
    path = workspace.folder / ".dragoman" / "logs" / f"{session}.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def check_log(workspace: Workspace, session: str) -> None:
    """The log has the events of every recorded turn, whole and in order, and no line of another session."""
    lines = logged(workspace, session)
    assert {line["session"] for line in lines} == {session}
    by_turn: dict[str, list[str]] = {}
    for line in lines:
        event = line["event"]
        assert isinstance(event, dict)
        by_turn.setdefault(str(line["trace"]), []).append(event["kind"])
    for events, _ in workspace.turns(session):
        opened = events[0]
        assert isinstance(opened, ev.TurnOpened)
        assert by_turn.pop(opened.trace_id) == [_kind(event) for event in events]
    assert by_turn == {}


def _kind(event: SessionEvent) -> str:
    tag = type(event).__struct_config__.tag
    assert isinstance(tag, str)
    return tag


def test_threads_with_sessions_of_their_own(workspace: Workspace) -> None:
    def talk(number: int) -> list[TurnResult]:
        sessions = [workspace.new_session() for _ in range(SESSIONS_EACH)]
        # Turn by turn through all of them: the log and the cache meet another session every time.
        return [workspace.ask(session, said) for said, _ in QUESTIONS for session in sessions]

    answers = [result for results in together(talk) for result in results]
    by_session = Counter(result.session_id for result in answers)
    assert by_session == dict.fromkeys(by_session, len(QUESTIONS))
    assert len(by_session) == THREADS * SESSIONS_EACH
    messages = {result.turn: result.message for result in answers}
    for result in answers:
        assert result.answer_mode is QUESTIONS[result.turn - 1][1], result.message
        assert result.message == messages[result.turn], "the same question has the same answer everywhere"
    for session in by_session:
        assert workspace.replay(session).records == len(QUESTIONS) + 1
        check_log(workspace, session)


def test_a_workspace_is_opened_once(tmp_path: Path) -> None:
    """Opening reads the databases: sixteen threads that come first together do it once."""
    with Workspace.open(tmp_path) as workspace:
        opened = together(lambda number: workspace._open_services())
    assert all(each is opened[0] for each in opened)


def test_threads_that_share_a_session(workspace: Workspace) -> None:
    """Whoever comes while a turn is taken waits, or is refused with a conflict and changes nothing."""
    session, rounds = workspace.new_session(), 4
    refused = Counter[int]()

    def talk(number: int) -> list[TurnResult]:
        taken = []
        for round_ in range(rounds):
            patience = 60.0 if number % 2 else 0.0
            try:
                taken.append(
                    workspace.ask(
                        session,
                        QUESTIONS[0][0],
                        client_key=f"{number}-{round_}",
                        wait_seconds=patience,
                    )
                )
            except SessionConflict:
                assert not patience, "a thread that waits gets its turn"
                refused[number] += 1
        return taken

    taken = together(talk)
    numbers = sorted(result.turn for results in taken for result in results)
    assert numbers == list(range(1, THREADS * rounds - refused.total() + 1)), "no turn lost, none taken twice"
    for number, results in enumerate(taken):
        assert len(results) == rounds - refused[number]
        assert [result.turn for result in results] == sorted(result.turn for result in results)
    recorded = [events[0] for events, _ in workspace.turns(session)]
    keys = [opened.client_key for opened in recorded if isinstance(opened, ev.TurnOpened)]
    assert len(set(keys)) == len(keys) == len(numbers)
    assert workspace.replay(session).state == workspace.state(session)
    check_log(workspace, session)


def test_threads_that_send_one_message_twice_take_it_once(workspace: Workspace) -> None:
    session = workspace.new_session()
    key = "the-same-wish"

    def send(number: int) -> TurnResult:
        return workspace.ask(session, QUESTIONS[0][0], client_key=key, wait_seconds=60)

    results = together(send)
    assert sum(not result.repeated for result in results) == 1
    assert {(result.turn, result.message) for result in results} == {(1, results[0].message)}
    assert workspace.replay(session).records == 2


def test_threads_delete_and_list_while_others_ask(tmp_path: Path) -> None:
    with Workspace.open(tmp_path) as workspace:
        kept = [workspace.new_session() for _ in range(THREADS)]

        def work(number: int) -> list[TurnResult]:
            results = []
            for said, _ in QUESTIONS:
                gone = workspace.new_session()
                workspace.ask(gone, said)
                workspace.sessions(limit=10)
                workspace.delete_session(gone)
                results.append(workspace.ask(kept[number], said))
            return results

        assert [len(results) for results in together(work)] == [len(QUESTIONS)] * THREADS
        assert {head.id for head in workspace.sessions()} == set(kept)
        logs = {path.stem for path in (tmp_path / ".dragoman" / "logs").iterdir()}
        assert logs == set(kept)
        for session in kept:
            workspace.replay(session)


def test_threads_over_the_tables_of_a_database(tmp_path: Path) -> None:
    database = tmp_path / "towns.sqlite"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("CREATE TABLE town (town_id INTEGER PRIMARY KEY, name TEXT, people INTEGER)")
        rows = [(f"Town {number}", 1000 * number) for number in range(1, 9)]
        connection.executemany("INSERT INTO town (name, people) VALUES (?, ?)", rows)
    with Workspace.open_database(database, tmp_path / "folder") as workspace:

        def talk(number: int) -> list[TurnResult]:
            session = workspace.new_session()
            return [
                workspace.ask(session, "how many towns are there?"),
                workspace.ask(session, "show the names of all towns"),
            ]

        answers = together(talk)
        assert {results[0].rows for results in answers} == {((8,),)}
        assert {results[1].row_count for results in answers} == {8}
        for results in answers:
            assert workspace.replay(results[0].session_id).records == 3
            check_log(workspace, results[0].session_id)


def test_more_sessions_than_are_held_in_memory(tmp_path: Path) -> None:
    """Threads push each other's sessions out of the cache and close each other's logs."""
    count = CACHED_SESSIONS // THREADS + 2
    with Workspace.open(tmp_path) as workspace:
        sessions = [[workspace.new_session() for _ in range(count)] for _ in range(THREADS)]

        def talk(number: int) -> list[TurnResult]:
            return [workspace.ask(session, "hello") for _ in range(2) for session in sessions[number]]

        assert all(result.turn in (1, 2) for results in together(talk) for result in results)
        for own in sessions:
            for session in own:
                assert workspace.session(session).version == 2
                check_log(workspace, session)


def test_a_log_written_by_many_threads_has_every_line_where_it_belongs(tmp_path: Path) -> None:
    """The log alone, with far more turns than a store takes in the time, and more sessions than stay open."""
    log, turns, sessions = SessionLog(tmp_path), 400, 40

    def write(number: int) -> None:
        for turn in range(turns):
            # Every thread writes to all sessions, each beginning with another.
            session = f"s{(turn + number) % sessions}"
            log.write(session, turn, f"{number}", [ev.SessionClosed(at="now")])

    together(write)
    found = Counter[tuple[str, int]]()
    for path in tmp_path.iterdir():
        for line in map(json.loads, path.read_text("utf-8").splitlines()):
            assert line["session"] == path.stem
            found[line["trace"], line["turn"]] += 1
    assert len(found) == THREADS * turns
    assert set(found.values()) == {1}


@pytest.fixture
def impatient() -> Iterator[None]:
    """Threads take turns every few instructions: what is not safe shows at once."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("impatient")
def test_entities_in_memory_are_whole_for_every_thread() -> None:
    names = list(made_up(300))
    index = EntityIndex.in_memory(CONFIG, rows_of(names))
    sizes = together(lambda number: (len(index), index.search(names[0]).matches[0].display))
    assert sizes == [(len(names), names[0])] * THREADS
