"""What is typed in a chat beside questions: programs over several lines, commands, keys; and completion."""

import shlex
import shutil
import sys
from pathlib import Path

import pytest

from dragoman.workspace.setup import make_from_database
from tests.terminal import Terminal, terminal
from tests.test_chat_terminal import make_shop
from tests.test_cli import started

pytestmark = pytest.mark.timeout(600)

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n, visits"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    make_shop(folder / "shop.sqlite")
    make_from_database(folder, str(folder / "shop.sqlite"))
    return folder


def send(chat: Terminal, text: str, pattern: str) -> str:
    """Type a line and wait for what it brings and for the state above the next prompt."""
    chat.clear()
    chat.type(text)
    chat.keys("Enter")
    return chat.wait(pattern + r"[\s\S]*\n> ?$")


def test_a_program_goes_on_until_its_parentheses_balance(tmux: Path, shop: Path) -> None:
    with terminal(tmux, shop, "chat", EDITOR="", VISUAL="") as chat:
        chat.wait(r"^> ?$")
        chat.type("(orders.count")
        chat.keys("Enter")
        chat.wait(r"^> \(orders\.count\n\. ?$")
        chat.type(':status "paid" :as @n)')
        chat.keys("Enter")
        chat.wait(r"^READY · \\run runs the program\n> ?$")
        screen = send(chat, "\\run", r"\[confirmed\].*40[\s\S]*^DONE")
        assert "turn 2" in screen
        assert ':status "paid"' in send(chat, "\\program", r"orders\.count")
        assert "component: orders.count" in send(chat, "\\program oml", "oml_version")
        send(chat, "\\program xml", "there is no notation xml")
        send(chat, "\\why", r"entered as X_RUN")
        send(chat, "\\why 99", "turn_not_found")
        send(chat, "\\undo", r"turn 3 · X_UNDO")
        # A draft is edited where it is typed, when no editor is named.
        chat.clear()
        chat.type("\\edit")
        chat.keys("Enter")
        chat.wait(r"^> \(orders\.count")
        chat.keys("C-c")
        chat.wait(r"^> ?$")
        send(chat, "\\clear", "Cleared")
        send(chat, "\\program", "there is no program in hand yet")


def test_an_empty_line_sends_a_program_that_has_no_end(tmux: Path, shop: Path) -> None:
    with terminal(tmux, shop, "chat") as chat:
        chat.wait(r"^> ?$")
        chat.type("(orders.count")
        chat.keys("Enter")
        chat.wait(r"^> \(orders\.count\n\. ?$")
        chat.keys("Enter")
        chat.wait(r"SYNTAX_ERROR · .*\n> ?$")


def test_a_program_is_edited_in_the_editor_of_the_environment(tmux: Path, shop: Path) -> None:
    editor = shop / "editor"
    editor.write_text('#!/bin/sh\nsed -i s/paid/late/ "$1"\n')
    editor.chmod(0o755)
    with terminal(tmux, shop, "chat", EDITOR=str(editor), VISUAL="") as chat:
        chat.wait(r"^> ?$")
        send(chat, "how many paid orders are there?", r"\[confirmed\].*40")
        send(chat, "\\edit", r"X_EDIT[\s\S]*^READY · .*")
        assert '"late"' in send(chat, "\\program", r"orders\.count")
        send(chat, "\\edit", "the program is as it was")


def test_a_name_that_is_asked_about_is_skipped(tmux: Path, tmp_path: Path) -> None:
    with terminal(tmux, tmp_path, "chat") as chat:
        chat.wait(r"^> ?$")
        program = '(inventory.stock :organization "Alfaa" :as-of 2020-03-31)'
        send(chat, program, r"^UNRESOLVED_REFS · name 1 of 1: Alfaa; \\skip leaves it out")
        send(chat, "\\skip", r"turn 2 · X_SKIP")


def test_ctrl_c_stops_the_answer_and_the_chat_goes_on(tmux: Path, shop: Path) -> None:
    with terminal(tmux, shop, "chat") as chat:
        chat.wait(r"^> ?$")
        chat.type(ENDLESS)
        chat.keys("Enter")
        # What is said while it runs stands in one line, which goes when it ends.
        chat.wait(r"^… [a-z]")
        chat.keys("C-c")
        chat.wait(r"turn_cancelled[\s\S]*^> ?$")
        assert "… " not in "\n".join(line for line in chat.visible if line.startswith("…"))
        send(chat, "how many orders are there?", r"\[confirmed\] Number of orders: 120")


def test_a_pipe_takes_programs_over_several_lines(tmp_path: Path) -> None:
    text = (
        '(inventory.stock\n  :organization "1"\n  :as-of 2020-03-31)\nrun it\n(no.such\n\nhello\n(no.such\n'
    )
    ran = started("chat", "--json", cwd=tmp_path, stdin=text)
    assert ran.returncode == 0
    lines = ran.stdout.splitlines()
    assert [
        word in line for word, line in zip(("X_EDIT", "X_RUN", "X_EDIT", "T0", "X_EDIT"), lines, strict=True)
    ]
    assert "…" not in ran.stderr


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("dragoman disc", "discover "),
        ("dragoman completion f", "fish "),
        ("dragoman ask --conn", "--connection "),
    ],
)
def test_bash_completes(typed: str, completed: str, tmux: Path, tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash here")
    program = tmp_path / "bin" / "dragoman"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m dragoman.cli "$@"\n')
    program.chmod(0o755)
    start = tmp_path / "start"
    start.write_text(
        f'PATH={shlex.quote(str(program.parent))}:$PATH\nPS1="$ "\neval "$(dragoman completion bash)"\n'
    )
    with terminal(tmux, tmp_path, "--version") as shell:
        shell.wait("exit=0")
        shell.tmux("respawn-window", "-k", f"{bash} --rcfile {shlex.quote(str(start))} -i")
        shell.wait(r"^\$ ?$")
        shell.type(typed)
        shell.keys("Tab")
        shell.wait(rf"^\$ {typed[: typed.rindex(' ')]} {completed.strip()}")
