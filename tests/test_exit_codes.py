"""Exit codes that say what came of a call, for scripts that ask for them; and what shells ask to complete."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.called import called
from tests.contract_ground import lay_ground

OPEN = '(inventory.stock :organization "Alfaa" :as-of 2020-03-31)\n'


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ground")
    lay_ground(folder)
    (folder / "shop" / "open.verbs").write_text(OPEN)
    return folder


@pytest.mark.parametrize(
    ("place", "call", "plain", "asked_for"),
    [
        ("demo", ["ask", "receivables of Beta Retail as of 31 March 2020"], 0, 0),
        ("demo", ["ask", "receivables of Beta Retail as of 31 May 2020"], 0, 0),
        ("demo", ["ask", "hello"], 0, 0),
        ("demo", ["ask", "stock of Alfa Trade"], 0, 3),
        ("demo", ["stock of Alfa Trade"], 0, 3),
        ("demo", ["ask", "what is the weather in Paris?"], 0, 4),
        ("demo", ["ask", ""], 1, 1),
        ("demo", ["ask", "-c", "and for April?", "--expect", "5"], 3, 1),
        ("demo", ["ask", "--key", "x", "hello"], 2, 2),
        ("shop", ["sql", "DELETE FROM orders"], 0, 4),
        ("shop", ["run", "export.verbs"], 1, 3),
        ("shop", ["run", "missing.verbs", "--yes"], 1, 1),
        ("shop", ["run", "wrong.verbs", "--yes"], 1, 1),
        ("shop", ["check", "wrong.verbs"], 1, 1),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_the_codes_are_as_before_unless_they_are_asked_for(
    place: str, call: list[str], plain: int, asked_for: int, ground: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(ground / place, tmp_path / place)
    assert called(*call, cwd=folder).returncode == plain
    assert called("--exit-code", *call, cwd=folder).returncode == asked_for
    assert called(*call, "--json", cwd=folder, env={"DRAGOMAN_EXIT_CODE": "1"}).returncode == asked_for
    assert called(*call, cwd=folder, env={"DRAGOMAN_EXIT_CODE": "0"}).returncode == plain


def test_open_names_need_an_answer(tmp_path: Path) -> None:
    assert called("init", "--pack", "trade", cwd=tmp_path).returncode == 0
    (tmp_path / "open.verbs").write_text(OPEN)
    assert called("resolve", "open.verbs", cwd=tmp_path).returncode == 1
    assert called("--exit-code", "resolve", "open.verbs", cwd=tmp_path).returncode == 3


@pytest.mark.parametrize(
    ("shell", "words", "wanted"),
    [
        ("bash", {"COMP_WORDS": "dragoman disc", "COMP_CWORD": "1"}, "plain,discover"),
        ("bash", {"COMP_WORDS": "dragoman check x", "COMP_CWORD": "2"}, "file,x"),
        ("zsh", {"COMP_WORDS": "dragoman disc", "COMP_CWORD": "1"}, "plain\ndiscover\n"),
        ("fish", {"COMP_WORDS": "dragoman disc", "COMP_CWORD": "disc"}, "plain,discover\t"),
    ],
)
def test_a_shell_is_told_what_may_stand_there(
    shell: str, words: dict[str, str], wanted: str, tmp_path: Path
) -> None:
    script = called("completion", shell, cwd=tmp_path).stdout
    assert f"_DRAGOMAN_COMPLETE={shell}_complete" in script
    ran = subprocess.run(
        [sys.executable, "-m", "dragoman.cli"],
        cwd=tmp_path,
        env={**os.environ, **words, "_DRAGOMAN_COMPLETE": f"{shell}_complete"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert wanted in ran.stdout, ran.stderr


def test_no_command_is_imported_to_complete_its_name(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom dragoman.cli import run\n"
        "try:\n    run([])\nexcept SystemExit:\n    pass\n"
        "sys.exit(str(sorted(name for name in sys.modules if name.startswith('dragoman.workspace'))))"
    )
    words = {"COMP_WORDS": "dragoman d", "COMP_CWORD": "1", "_DRAGOMAN_COMPLETE": "bash_complete"}
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, **words},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "discover" in ran.stdout
    assert ran.stderr.strip() == "[]"
