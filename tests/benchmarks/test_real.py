"""The benchmark `real` over a database of its own: what each turn is worth, and what is said of all."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from benchmarks.real import held
from benchmarks.real_data import Wanted, conversations
from benchmarks.real_drafted import beside, worse_classes
from benchmarks.real_report import json_line, report, shown
from benchmarks.real_turns import Outcome, Verdict

COUNT = "SELECT COUNT(*) FROM town"


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> list[Outcome]:
    folder = tmp_path_factory.mktemp("real")
    (folder / "databases").mkdir()
    with closing(sqlite3.connect(folder / "databases" / "towns.sqlite")) as database, database:
        database.execute("CREATE TABLE town (town_id INTEGER PRIMARY KEY, name TEXT, people INTEGER)")
        rows = [(f"Town {number}", number * 1000) for number in range(1, 9)]
        database.executemany("INSERT INTO town (name, people) VALUES (?, ?)", rows)
    _write(
        folder / "questions.jsonl",
        [
            _line("right", "how many towns are there?", COUNT),
            _line("other-gold", "how many towns are there?", "SELECT 0", alt=[COUNT]),
            _line("wrong", "how many towns are there?", "SELECT 9"),
            _line("declined", "which towns are bored by jazz?", None),
            _line("russian", "how many towns are there?", COUNT, lang="ru"),
        ],
    )
    _write(
        folder / "dialogs.jsonl",
        [
            _line("d-0", "how many towns are there?", COUNT, dialog="d", turn=0),
            _line("d-1", "qwertz uiop asdf", "SELECT name FROM town", dialog="d", turn=1),
        ],
    )
    talks = conversations(folder, Wanted(language="en"))
    return list(held(folder / "databases", talks))


def _line(name: str, question: str, sql: str | None, **more: Any) -> dict[str, Any]:
    line = {"id": name, "db_id": "towns", "lang": "en", "class": "count", "question": question, "sql": sql}
    return line | {"alt": []} | more


def _write(path: Path, lines: list[dict[str, Any]]) -> None:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")


def test_every_turn_has_its_verdict(outcomes: list[Outcome]) -> None:
    assert {each.turn.id: each.verdict for each in outcomes} == {
        "right": Verdict.RIGHT,
        "other-gold": Verdict.RIGHT,
        "wrong": Verdict.WRONG_CONFIRMED,
        "declined": Verdict.DECLINED,
        "d-0": Verdict.RIGHT,
        "d-1": Verdict.REFUSED,
    }


def test_the_report_counts_what_can_be_answered(outcomes: list[Outcome]) -> None:
    text = "\n".join(report(outcomes))
    assert "all turns: 5, right 60.0%" in text
    assert "follow-ups: 1, right 0.0%" in text
    assert "right of all answered: 3 of 4 (75.0%)" in text
    assert "cannot be answered, declined: 1 of 1 (100.0%)" in text


def test_a_turn_can_be_studied(outcomes: list[Outcome]) -> None:
    line = json.loads(json_line(outcomes[2]))
    assert (line["id"], line["outcome"], line["mode"]) == ("wrong", "wrong-confirmed", "confirmed")
    assert (line["gold_rows"], line["our_rows"]) == (1, 1)
    assert "town.count" in line["program"]
    assert [text.split()[0] for text in shown(outcomes, "wrong")] == ["wrong", "wrong-confirmed:"]


def test_a_drafted_pack_is_held_beside_none(outcomes: list[Outcome]) -> None:
    assert worse_classes(outcomes, outcomes) == []
    lost = [replace(each, verdict=Verdict.REFUSED) if each.turn.id == "right" else each for each in outcomes]
    assert worse_classes(outcomes, lost) == ["all turns", "count"]
    lines = list(beside(outcomes, lost))
    assert any(line.startswith("right [count]") for line in lines)
    assert sum(line.endswith("worse") for line in lines) == 2


def test_the_drafted_pack_of_a_database_is_asked(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "towns.sqlite")) as database, database:
        database.execute("CREATE TABLE town (town_id INTEGER PRIMARY KEY, name TEXT, people INTEGER)")
        database.execute("INSERT INTO town VALUES (1, 'A', 5)")
    _write(tmp_path / "questions.jsonl", [_line("right", "how many towns are there?", COUNT)])
    _write(tmp_path / "dialogs.jsonl", [])
    talks = conversations(tmp_path, Wanted())
    (outcome,) = held(tmp_path, talks, drafted=True)
    assert outcome.verdict is Verdict.RIGHT
