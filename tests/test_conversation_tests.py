"""Conversation tests: what is read, how it is compared, what comes out, and how the command ends."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dragoman import Workspace
from dragoman.cli.test import test as the_command
from dragoman.contracts.answer import CellType, Column
from dragoman.contracts.errors import DialogueMalformed, DragomanError
from dragoman.contracts.turn_result import ResultRows
from dragoman.conversation_tests.comparison import differences, same_rows
from dragoman.conversation_tests.dialogue import DialogueTurn, Expectation
from dragoman.conversation_tests.dialogue_file import read_dialogues
from dragoman.conversation_tests.turn_line import Pending, StateLine, TurnLine, json_rows, number_of

STOCK = "stock of Beta Retail on 30 April 2020"
ROWS = [["LED lamp Spot", 60], ["Oak desk 160", 3], ["Paper A4 Snow", 120], ["Whiteboard 90", 5]]
LINE_KEYS = [
    *("id", "turn", "user", "transition", "entry_transition", "mode", "answer_mode", "route", "meta_kind"),
    *("carryover", "program", "columns", "rows", "message", "ms", "state", "error", "options"),
]


def written(folder: Path, *dialogues: object, name: str = "dialogues.jsonl") -> str:
    file = folder / name
    file.write_text("\n".join(json.dumps(dialogue) for dialogue in dialogues), "utf-8")
    return str(file)


def one(*turns: dict[str, Any], **more: object) -> dict[str, Any]:
    return {"id": "d", "turns": list(turns), **more}


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(the_command, list(arguments), input=stdin)


def lines_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


# Reading.


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "not JSON"),
        ("[]", "not an object"),
        ('{"turns": []}', "id is missing"),
        ('{"id": "a"}', "turns is missing"),
        ('{"id": "a", "turns": {}}', "turns is not a list"),
        ('{"id": "a", "turns": ["hello"]}', "turn 1 is not an object"),
        ('{"id": "a", "turns": [{}]}', "user of turn 1 is missing"),
        ('{"id": "a", "turns": [{"user": 5}]}', "user of turn 1 is not a string"),
        ('{"id": "a", "turns": [{"user": "x", "expect_mod": "chat"}]}', "expect_mod"),
        ('{"id": "a", "turns": [{"user": "x", "expect_colour": 1}]}', "expect_colour"),
        ('{"id": "a", "turns": [{"user": "x", "caryover": "none"}]}', "caryover"),
        ('{"id": "a", "turns": [{"user": "x", "expect_transition": "T99"}]}', "T99"),
        ('{"id": "a", "turns": [{"user": "x", "also_accept": ["T99"]}]}', "T99"),
        ('{"id": "a", "turns": [{"user": "x", "expect_state": {"colour": 1}}]}', "colour"),
        ('{"id": "a", "turns": [{"user": "x", "gold": [1]}]}', "list of rows"),
        ('{"id": "a", "turns": [{"user": "x", "expect_route": 1}]}', "expect_route of turn 1"),
        ('{"id": "a", "turns": [], "db": "../secret"}', "plain name"),
        ('{"id": "a", "turns": [], "db": ".."}', "plain name"),
        ('{"id": "a", "turns": [], "db": ""}', "plain name"),
        ('{"id": "a", "turns": [], "db": "' + "ж" * 120 + '"}', "plain name"),
        ('{"id": "\\ud800", "turns": []}', "not JSON"),
    ],
)
def test_what_is_malformed_is_told_with_its_line(line: str, words: str) -> None:
    with pytest.raises(DialogueMalformed) as told:
        read_dialogues('{"id": "first", "turns": []}\n\n' + line, "f.jsonl")
    assert "f.jsonl, line 3: " in told.value.message
    assert words in told.value.message
    assert told.value.details["line"] == 3
    assert told.value.hint


def test_notes_are_not_read_and_other_keys_are_named() -> None:
    turn = '{"user": "x", "note": "n", "decisions": ["D1"], "sql": "SELECT 1"}'
    read = read_dialogues(
        '\ufeff{"id": 7, "tags": [], "lang": "en", "level": 2, "turns": [' + turn + "]}\r\n", "f"
    )
    assert read.dialogues[0].id == "7"
    assert read.dialogues[0].turns == (DialogueTurn("x"),)
    assert read.unread_keys == ("sql", "level") or read.unread_keys == ("level", "sql")


# Comparing.


@pytest.mark.parametrize(
    ("expected", "got", "same"),
    [
        ([["a", 576.0]], [["a", 576]], True),
        ([["a", 0.1]], [["a", 0.1]], True),
        ([["a", 1]], [["a", "1"]], False),
        ([["1"]], [["1"]], True),
        ([[None]], [[None]], True),
        ([[None]], [[0]], False),
        ([[1], [2]], [[2], [1]], False),
        ([[1]], [[1], [2]], False),
        ([[1], [2]], [[1]], False),
        ([[n] for n in range(12)], [[n] for n in range(40)], True),
        ([[n] for n in range(12)], [[n] for n in range(11)], False),
        ([], [], True),
        ([], None, False),
        (None, None, True),
        (None, [], False),
        ([[1, 2]], [[1]], False),
    ],
)
def test_rows_are_the_same(expected: list[list[Any]] | None, got: list[list[Any]] | None, same: bool) -> None:
    assert same_rows(expected, got) is same


def test_only_what_is_present_is_compared() -> None:
    line = TurnLine("d", 1, "x", transition="T2", mode="chat", route="a.b")
    assert differences(DialogueTurn("x"), line) == ()
    assert differences(DialogueTurn("x", {Expectation.TRANSITION: "T1"}, ("T2",)), line) == ()
    assert differences(DialogueTurn("x", {Expectation.STATE: {"focus": None}}), line) == ()
    waiting = TurnLine(
        "d", 1, "x", state=StateLine(clarification=Pending("ambiguous", ("item",), "item.card"))
    )
    for asked, met in (
        ({"kind": "ambiguous"}, True),
        ({"kind": "confirm_run"}, False),
        (None, False),
        ({}, True),
    ):
        turn = DialogueTurn("x", {Expectation.STATE: {"clarification": asked}})
        assert (not differences(turn, waiting)) is met
    turn = DialogueTurn(
        "x", {Expectation.TRANSITION: "T1", Expectation.ROUTE: None, Expectation.MODE: "chat"}
    )
    assert [(d.place, d.expected, d.got) for d in differences(turn, line)] == [
        ("transition", "T1", "T2"),
        ("route", None, "a.b"),
    ]


@pytest.mark.parametrize(
    ("digits", "number"),
    [
        ("576.00", 576),
        ("187.20", Decimal("187.2")),
        ("-7", -7),
        ("0.10", Decimal("0.1")),
        ("1E+3", 1000),
        ("1e300", 1e300),
        ("NaN", "NaN"),
        ("Infinity", "Infinity"),
        ("x", "x"),
    ],
)
def test_numbers_are_json_numbers(digits: str, number: object) -> None:
    assert number_of(digits) == number
    assert type(number_of(digits)) is type(number)


def test_texts_of_digits_stay_texts() -> None:
    columns = (Column("no", CellType.TEXT), Column("n", CellType.DECIMAL), Column("d", CellType.DATE))
    rows = json_rows(ResultRows(columns, (("007", "7.50", "2020-01-01"), (None, None, None))))
    assert (
        TurnLine("d", 1, "x", rows=rows).encoded().count(b'[["007",7.5,"2020-01-01"],[null,null,null]]') == 1
    )


# The command.


def test_a_run_that_goes_as_expected(tmp_path: Path) -> None:
    state = {"organization": "Beta Retail", "date_scope": ["2020-04-01", "2020-04-30"], "focus": None}
    turn = {"user": STOCK, "expect_transition": "T1", "gold": ROWS, "expect_state": state}
    focus = {"kind": "item", "id": 102, "name": "Oak desk 160"}
    second = {"user": "take the second line", "expect_state": {"focus": focus}, "carryover": "root_only"}
    ran = run(written(tmp_path, one(turn, second)), "--jsonl", str(tmp_path / "out"))
    assert ran.exit_code == 0, ran.output
    assert "2 of 2 turns in 1 dialogues went as expected" in ran.output
    lines = lines_of(tmp_path / "out")
    assert [list(line) for line in lines] == [LINE_KEYS, LINE_KEYS]
    assert (lines[0]["rows"], lines[0]["columns"]) == (ROWS, ["item", "quantity"])
    assert (lines[1]["turn"], lines[1]["route"], lines[1]["error"]) == (2, "item.card", None)


def test_a_run_that_differs(tmp_path: Path) -> None:
    file = written(tmp_path, one({"user": STOCK, "expect_transition": "T2", "gold": [["x", 1]]}))
    ran = run(file)
    assert ran.exit_code == 1
    assert 'transition: expected "T2", got "T1"' in ran.output
    assert 'rows: expected [["x", 1]], got [["LED lamp Spot", 60]' in ran.output
    told = json.loads(run(file, "--json").output)
    assert (told["differing_turns"], told["expectations"]["rows"]) == (1, {"met": 0, "expected": 1})
    assert told["differences"][0]["differences"][0]["got"] == "T1"


def test_nothing_expected_is_never_a_failure(tmp_path: Path) -> None:
    ran = run(written(tmp_path, one({"user": STOCK}, {"user": ""}, {"user": "and March?"})), "--jsonl", "-")
    assert ran.exit_code == 0
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [line["error"] and line["error"]["code"] for line in lines] == [None, "input_empty", None]
    assert lines[1]["state"] == lines[0]["state"]
    assert lines[1]["rows"] is None
    assert "1 turns failed with an error" in ran.stderr


def test_an_error_can_be_expected(tmp_path: Path) -> None:
    assert run(written(tmp_path, one({"user": "", "expect_error": "input_empty"}))).exit_code == 0
    assert run(written(tmp_path, one({"user": "", "expect_transition": "T0"}))).exit_code == 1
    assert run(written(tmp_path, one({"user": STOCK, "expect_error": "input_empty"}))).exit_code == 1


def test_a_defect_fails_its_turn_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = Workspace.ask

    def ask(self: Workspace, session: str, message: str, **more: Any) -> object:
        if message == "break":
            raise KeyError("a defect")
        return taken(self, session, message, **more)

    monkeypatch.setattr(Workspace, "ask", ask)
    ran = run(written(tmp_path, one({"user": "break"}, {"user": STOCK})), "--jsonl", "-")
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    assert lines[0]["error"]["code"] == "internal_error"
    assert lines[1]["transition"] == "T1"


def test_a_database_that_cannot_be_opened_fails_its_dialogue_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_database(path: Path, folder: Path, **more: Any) -> Workspace:
        if path.stem == "bad":
            raise KeyError("a defect")
        return Workspace.open(folder)

    monkeypatch.setattr(Workspace, "open_database", open_database)
    for name in ("bad", "good"):
        (tmp_path / f"{name}.sqlite").touch()
    file = written(tmp_path, one({"user": "hello"}, db="bad"), one({"user": "hello"}, db="good"))
    ran = run(file, "--db-dir", str(tmp_path), "--jsonl", "-")
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [line["error"] and line["error"]["code"] for line in lines] == ["internal_error", None]


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("f", "--workspace", "a", "--db-dir", "."),
        ("f", "--record", "s"),
        ("f", "--output", "x"),
        ("f", "--json", "--jsonl", "-"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_a_malformed_file_runs_nothing(tmp_path: Path) -> None:
    good = written(tmp_path, one({"user": STOCK}))
    bad = written(tmp_path, one({"user": 1}), name="bad.jsonl")
    ran = run(good, bad, "--jsonl", str(tmp_path / "out"))
    assert isinstance(ran.exception, DialogueMalformed)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("dialogue", "arguments", "code"),
    [
        (one(db="shop"), (), "database_not_named"),
        (one(), ("--db-dir", "."), "database_not_named"),
        (one(), ("--jsonl", "no/such/folder/out"), "test_output_failed"),
    ],
)
def test_what_cannot_run(dialogue: object, arguments: tuple[str, ...], code: str, tmp_path: Path) -> None:
    ran = run(written(tmp_path, dialogue), *arguments)
    assert isinstance(ran.exception, DragomanError)
    assert ran.exception.code == code


def test_a_database_that_is_not_there_fails_its_turns(tmp_path: Path) -> None:
    file = written(tmp_path, one({"user": "how many?"}, db="nothing"))
    ran = run(file, "--db-dir", str(tmp_path), "--jsonl", "-")
    assert json.loads(ran.stdout)["error"]["code"] == "database_not_found"


def test_in_a_workspace_only_what_differed_is_left(tmp_path: Path) -> None:
    good = one({"user": STOCK, "expect_transition": "T1"})
    bad = one({"user": STOCK, "expect_transition": "T2"})
    ran = run(written(tmp_path, good, bad), "--workspace", str(tmp_path / "w"))
    with Workspace.open(tmp_path / "w") as workspace:
        heads = workspace.sessions()
    assert len(heads) == 1
    assert f"dragoman why {heads[0].id} 1" in ran.output


def test_a_recorded_session_is_a_test_that_passes(tmp_path: Path) -> None:
    messages = [STOCK, "take the second line", "where did we buy it?", "and the payroll?", "show receivables"]
    with Workspace.open(tmp_path / "w") as workspace:
        session = workspace.new_session()
        for message in messages:
            workspace.ask(session, message)
        workspace.close_session(session)
    out = tmp_path / "recorded.jsonl"
    assert run("--record", session, "--workspace", str(tmp_path / "w"), "-o", str(out)).exit_code == 0
    recorded = lines_of(out)[0]
    assert [turn["user"] for turn in recorded["turns"]] == messages
    assert recorded["turns"][0]["gold"] == ROWS
    again = run(str(out))
    assert again.exit_code == 0, again.output
    assert run("--record", session, "--workspace", str(tmp_path / "w")).stdout == out.read_text("utf-8")


def test_a_turn_that_fails_is_shown_also_where_nothing_is_expected(tmp_path: Path) -> None:
    file = written(tmp_path, one({"user": "how many?"}, db="absent"))
    result = run(file, "--db-dir", str(tmp_path))
    assert result.exit_code == 0
    assert "error [database_not_found]: there is no file" in result.output
    expected = written(
        tmp_path, one({"user": "how many?", "expect_error": "database_not_found"}, db="absent")
    )
    assert "no file" not in run(expected, "--db-dir", str(tmp_path)).output
