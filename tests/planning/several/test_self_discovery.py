"""A folder without a schema cache discovers its databases by itself: once, with a line, and not by halves."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import dragoman as package
from dragoman import Workspace
from dragoman.cli.application import dragoman
from dragoman.contracts.errors import VariableMissing

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(package.__file__).parent.parent)}


def _ask(folder: Path, *more: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "dragoman.cli",
        "ask",
        "how many leads are there?",
        "-w",
        str(folder),
        *more,
    ]


def test_it_is_done_once_and_said_on_standard_error(folder: Path) -> None:
    command = ["ask", "how many leads are there?", "-w", str(folder)]
    first = CliRunner().invoke(dragoman, command)
    assert first.exit_code == 0, first.output
    assert "discovering @crm" in first.stderr
    assert "discovering @shop" in first.stderr
    assert "discovering" not in first.stdout
    second = CliRunner().invoke(dragoman, command)
    assert "discovering" not in second.output
    assert "3." in second.stdout


def test_the_library_hears_of_it_by_its_log_or_a_listener(
    folder: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level("INFO", logger="dragoman"), Workspace.open(folder) as workspace:
        workspace.ask(workspace.new_session(), "how many leads are there?")
    assert [record.message.partition(":")[0] for record in caplog.records] == [
        "discovering @crm",
        "discovering @shop",
    ]
    assert capfd.readouterr() == ("", "")


def test_one_that_cannot_be_discovered_is_said_and_the_others_are_asked(folder: Path) -> None:
    with (folder / "connections.yaml").open("a") as file:
        file.write('away: {url: "postgres://u:${AWAY_PASSWORD}@localhost/x"}\n')
    lines: list[str] = []
    with Workspace.open(folder, notice=lines.append) as workspace:
        session = workspace.new_session()
        assert workspace.ask(session, "how many leads are there?").rows == ((3,),)
        named = workspace.ask(session, "how many leads are there in @away?")
        assert named.reason_codes == ("not_discovered",)
    assert any("@away could not be discovered" in line and "AWAY_PASSWORD" in line for line in lines)


def test_where_none_can_be_discovered_the_error_is_the_usual_one(tmp_path: Path) -> None:
    (tmp_path / "connections.yaml").write_text('away: {url: "postgres://u:${AWAY_PASSWORD}@localhost/x"}\n')
    with Workspace.open(tmp_path) as workspace, pytest.raises(VariableMissing):
        workspace.ask(workspace.new_session(), "how many leads are there?")


def test_two_processes_at_once_do_not_harm_each_other(folder: Path) -> None:
    running = [
        subprocess.Popen(_ask(folder), env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    for process in running:
        out, err = process.communicate()
        assert process.returncode == 0, err
        assert b"Number of leads in @crm: 3." in out
    kept = sorted(path.name for path in (folder / ".dragoman" / "schemas").iterdir())
    assert kept == ["crm.json", "shop.json"]


def test_killed_while_discovering_the_next_one_discovers(folder: Path) -> None:
    process = subprocess.Popen(
        _ask(folder), env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    # The line comes before the database is looked at.
    assert "discovering" in process.stderr.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    done = subprocess.run(_ask(folder), env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Number of leads in @crm: 3." in done.stdout


def test_a_pack_in_a_cloned_folder_finds_its_database(tmp_path: Path) -> None:
    made = CliRunner().invoke(dragoman, ["init", "--pack", "trade", "-w", str(tmp_path)])
    assert made.exit_code == 0, made.output
    for file in sorted((tmp_path / ".dragoman").rglob("*"), reverse=True):
        file.unlink() if file.is_file() else file.rmdir()
    with Workspace.open(tmp_path) as workspace:
        result = workspace.ask(workspace.new_session(), "total sales of Alfa Trade in April 2020")
        assert "1320.00" in result.message
