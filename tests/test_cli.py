"""The command line as a user meets it: output, exit codes, JSON of a stable shape, a light start."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dragoman import __version__
from dragoman.cli.application import COMMANDS
from tests.called import called

QUESTION = "stock of Alfa Trade on 31 March 2020"

TURN_KEYS = {
    "session_id",
    "turn",
    "transition",
    "entry_transition",
    "mode",
    "answer_mode",
    "carryover",
    "route",
    "program",
    "phase",
    "message",
}


def dragoman(*arguments: str, cwd: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return called(*arguments, cwd=cwd, stdin=stdin)


def started(*arguments: str, cwd: Path, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, for what a shell sees of it."""
    return subprocess.run(
        [sys.executable, "-m", "dragoman.cli", *arguments],
        cwd=cwd,
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )


def ask(folder: Path, *arguments: str) -> dict[str, Any]:
    ran = dragoman("ask", *arguments, "--json", cwd=folder)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    result: dict[str, Any] = json.loads(ran.stdout)
    return result


def test_version(tmp_path: Path) -> None:
    ran = started("--version", cwd=tmp_path)
    assert ran.stdout == f"dragoman {__version__}\n"
    assert ran.returncode == 0


def test_what_comes_apart_at_the_end_changes_no_exit_code(tmp_path: Path) -> None:
    """A library that crashes while the interpreter is taken apart: the work is done, so is the process."""
    crash = "import atexit, os, signal, sys; atexit.register(os.kill, os.getpid(), signal.SIGSEGV);"
    for arguments, code in ((["--version"], 0), (["sessions", "show", "nothing"], 1), (["test"], 2)):
        program = f"{crash} sys.argv = {['dragoman', *arguments]!r}; from dragoman.cli import main; main()"
        ran = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
        assert ran.returncode == code, ran.stderr
        assert ran.stdout or ran.stderr


def test_starting_imports_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys; from dragoman.cli import run; code = run(['--version']);"
        "heavy = {'msgspec', 'yaml', 'sqlite3', 'psycopg', 'dragoman.workspace'} & set(sys.modules);"
        "sys.exit(f'{heavy} imported' if heavy else code)"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)])
def test_every_command_has_help(tmp_path: Path, command: tuple[str, ...]) -> None:
    ran = dragoman(*command, "--help", cwd=tmp_path)
    assert ran.returncode == 0
    assert "Usage: dragoman" in ran.stdout


DEMO = ["T1", "T2", "T2", "T3", "T5", "X_UNDO"]


def test_the_demo_shows_transition_program_and_answer(tmp_path: Path) -> None:
    ran = started("demo", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    turns = ran.stdout.split("\n> ")[1:]
    assert [turn.splitlines()[1].split(" · ")[1] for turn in turns] == DEMO
    for turn in turns[:3]:
        assert "(inventory.stock" in turn
    assert "Keyboard Slim          15" in turns[0]
    assert "Oak desk 120            9" in turns[1]
    assert "Whiteboard 90         5" in turns[2]
    assert "Oak desk 160         3" in turns[3]
    assert turns[4].rstrip().endswith(": Lesprom.")
    assert "(item.card" in turns[5]
    assert "dragoman ask" in turns[5]
    assert list(tmp_path.iterdir()) == []


def test_the_demo_as_json(tmp_path: Path) -> None:
    turns = json.loads(dragoman("demo", "--json", cwd=tmp_path).stdout)
    assert [turn["transition"] for turn in turns] == DEMO
    assert turns[0]["rows"][0] == ["Keyboard Slim", "15"]


def test_a_conversation_goes_on(tmp_path: Path) -> None:
    first = ask(tmp_path, QUESTION)
    assert set(first).issuperset(TURN_KEYS)
    assert (first["transition"], first["answer_mode"], first["turn"]) == ("T1", "confirmed", 1)
    second = ask(tmp_path, "-c", "and for April?")
    assert (second["session_id"], second["transition"], second["turn"]) == (first["session_id"], "T2", 2)
    third = ask(tmp_path, "-s", first["session_id"], "and VAT")
    assert (third["transition"], third["route"], third["rows"]) == ("T6", "vat.payable", [["88.00"]])
    other = ask(tmp_path, QUESTION)
    assert other["session_id"] != first["session_id"]


def test_a_question_on_standard_input(tmp_path: Path) -> None:
    ran = started("ask", "--json", cwd=tmp_path, stdin=QUESTION)
    assert json.loads(ran.stdout)["row_count"] == 7


def test_the_same_key_twice_is_one_turn(tmp_path: Path) -> None:
    session = ask(tmp_path, QUESTION)["session_id"]
    once = ask(tmp_path, "-s", session, "--key", "k1", "and for April?")
    twice = ask(tmp_path, "-s", session, "--key", "k1", "and for April?")
    assert twice.pop("repeated") is True
    assert once == twice
    ran = dragoman("ask", "-s", session, "--key", "k1", "and for May?", cwd=tmp_path)
    assert ran.returncode == 1
    assert "[idempotency_key_reused]" in ran.stderr


def test_a_conflict_has_an_exit_code_of_its_own(tmp_path: Path) -> None:
    session = ask(tmp_path, QUESTION)["session_id"]
    ran = started("ask", "-s", session, "--expect", "5", "and for April?", cwd=tmp_path)
    assert ran.returncode == 3
    assert "[session_conflict]" in ran.stderr


def test_sessions_are_listed_shown_closed_and_deleted(tmp_path: Path) -> None:
    assert "no sessions yet" in dragoman("sessions", "list", cwd=tmp_path).stdout
    session = ask(tmp_path, QUESTION)["session_id"]
    (listed,) = json.loads(dragoman("sessions", "list", "--json", cwd=tmp_path).stdout)
    assert (listed["session_id"], listed["turns"], listed["lifecycle"]) == (session, 1, "open")
    shown = json.loads(dragoman("sessions", "show", session, "--json", cwd=tmp_path).stdout)
    assert shown["living_mode"]["living_mode"] == "address_data"
    assert shown["state"]["frames"]["root"]["domain_id"] == "inventory"
    assert QUESTION in dragoman("sessions", "show", session, cwd=tmp_path).stdout

    assert dragoman("sessions", "close", session, cwd=tmp_path).returncode == 0
    ran = dragoman("ask", "-s", session, QUESTION, cwd=tmp_path)
    assert ran.returncode == 1
    assert "[session_closed]" in ran.stderr
    assert dragoman("sessions", "show", session, cwd=tmp_path).returncode == 0

    assert dragoman("sessions", "delete", session, cwd=tmp_path, stdin="n\n").returncode != 0
    assert dragoman("sessions", "delete", session, "--yes", cwd=tmp_path).returncode == 0
    assert json.loads(dragoman("sessions", "list", "--json", cwd=tmp_path).stdout) == []
    assert list((tmp_path / ".dragoman" / "logs").iterdir()) == []


def test_a_cancelled_session_is_read_only(tmp_path: Path) -> None:
    session = ask(tmp_path, QUESTION)["session_id"]
    assert ask(tmp_path, "-s", session, "cancel")["transition"] == "X_CANCEL"
    ran = dragoman("ask", "-s", session, QUESTION, cwd=tmp_path)
    assert "[session_cancelled]" in ran.stderr
    assert dragoman("replay", session, cwd=tmp_path).returncode == 0


def test_export_import_and_replay(tmp_path: Path) -> None:
    session = ask(tmp_path, QUESTION)["session_id"]
    ask(tmp_path, "-c", "and for April?")
    exported = tmp_path / "session.jsonl"
    assert dragoman("sessions", "export", session, "-o", str(exported), cwd=tmp_path).returncode == 0
    assert all(json.loads(line) for line in exported.read_text().splitlines())
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    taken = dragoman("sessions", "import", str(exported), "--json", cwd=elsewhere)
    assert json.loads(taken.stdout) == {"session_id": session}
    one = json.loads(dragoman("replay", session, "--json", cwd=tmp_path).stdout)
    two = json.loads(dragoman("replay", session, "--json", cwd=elsewhere).stdout)
    assert one == two
    assert (one["ok"], one["records"]) == (True, 3)
    assert ask(elsewhere, "-c", "and for May?")["transition"] == "T2"
    again = dragoman("sessions", "import", str(exported), cwd=elsewhere)
    assert again.returncode == 1
    assert "[session_exists]" in again.stderr


def test_why_shows_the_weighing(tmp_path: Path) -> None:
    session = ask(tmp_path, QUESTION)["session_id"]
    ask(tmp_path, "-c", "what about Beta Retail?")
    ran = dragoman("why", session, "2", cwd=tmp_path)
    assert "weighed T2: fits" in ran.stdout
    assert "organization = Beta Retail (from message)" in ran.stdout
    assert "as-of = 2020-03-31 (from root_frame)" in ran.stdout
    told = json.loads(dragoman("why", session, "2", "--json", cwd=tmp_path).stdout)
    assert told["result"]["transition"] == "T2"
    assert told["events"][0]["kind"] == "turn_opened"
    missing = dragoman("why", session, "9", cwd=tmp_path)
    assert missing.returncode == 1
    assert "[turn_not_found]" in missing.stderr


def test_pruning(tmp_path: Path) -> None:
    session = ask(tmp_path, QUESTION)["session_id"]
    assert json.loads(dragoman("sessions", "prune", "--older-than", "1d", "--json", cwd=tmp_path).stdout) == {
        "deleted": []
    }
    ran = dragoman("sessions", "prune", "--older-than", "0m", "--open-too", "--json", cwd=tmp_path)
    assert json.loads(ran.stdout) == {"deleted": [session]}
    assert dragoman("sessions", "prune", "--older-than", "soon", cwd=tmp_path).returncode == 2


def test_the_session_log_has_the_events_as_they_happened(tmp_path: Path) -> None:
    session = ask(tmp_path, QUESTION)["session_id"]
    ask(tmp_path, "-c", "only the North warehouse")
    lines = (tmp_path / ".dragoman" / "logs" / f"{session}.jsonl").read_text().splitlines()
    kinds = [json.loads(line)["event"]["kind"] for line in lines if json.loads(line)["turn"] == 1]
    named_by_the_design = [
        "intent_captured",
        "oml_synthesis_start",
        "oml_synthesis_complete",
        "schema_guard_pass",
        "compile_start",
        "compile_complete",
    ]
    positions = [kinds.index(kind) for kind in named_by_the_design]
    assert positions == sorted(positions)
    assert (kinds[0], kinds[-1]) == ("turn_opened", "turn_closed")
    blocked = [json.loads(line)["event"]["kind"] for line in lines if json.loads(line)["turn"] == 2]
    assert "oml_synthesis_complete" in blocked, "what was tried is in the log, although it is not in hand"


def test_the_store_can_be_postgres(tmp_path: Path, postgres_database: str) -> None:
    session = ask(tmp_path, "--store", postgres_database, QUESTION)["session_id"]
    second = ask(tmp_path, "--store", postgres_database, "-s", session, "and for April?")
    assert second["transition"] == "T2"
    assert not (tmp_path / ".dragoman" / "sessions.sqlite").exists()
    assert dragoman("replay", session, "--store", postgres_database, cwd=tmp_path).returncode == 0


def test_a_terminal_is_safe_from_what_was_typed(tmp_path: Path) -> None:
    session = ask(tmp_path, "payroll \u202e\u2066 evil")["session_id"]
    shown = started("sessions", "show", session, cwd=tmp_path).stdout
    assert "\u202e" not in shown
    assert "\\u202e" in shown


def test_wrong_usage(tmp_path: Path) -> None:
    for arguments in (
        ("nonsense",),
        ("ask", "-s", "a", "-c", "x"),
        ("why", "a"),
        ("why", "a", "b"),
        ("ask", "--no"),
    ):
        ran = started(*arguments, cwd=tmp_path)
        assert ran.returncode == 2, arguments
        assert "Usage" in ran.stderr
        assert "Traceback" not in ran.stderr


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    ran = subprocess.run(
        f"{sys.executable} -m dragoman.cli demo | head -1",
        shell=True,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert ran.stderr == ""
