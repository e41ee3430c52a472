"""The session log of real turns: 000's events in 000's order, one JSON line each, and nothing on stdout."""

import datetime as dt
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

import pytest

from dragoman import DragomanError, TurnResult, Workspace
from dragoman.conversation_tests.dialogue_file import read_dialogues
from tests.called import called
from tests.contract_ground import TABLES

NEXT: Final[dict[str, set[str]]] = {
    "": {"intent_captured", "program_edited", "program_restored", "ref_settled", "run_started"},
    "intent_captured": {"discovery_done", "oml_synthesis_start"},
    "discovery_done": {"oml_synthesis_start"},
    "oml_synthesis_start": {"oml_synthesis_complete"},
    "oml_synthesis_complete": {"schema_guard_pass", "schema_guard_fail"},
    "program_edited": {"schema_guard_pass", "schema_guard_fail"},
    "program_restored": {"schema_guard_pass", "schema_guard_fail"},
    "ref_settled": {"schema_guard_pass", "schema_guard_fail", "refs_unresolved", "ref_settled"},
    "schema_guard_pass": {"schema_guard_pass", "schema_guard_fail", "refs_unresolved", "compile_start"},
    "schema_guard_fail": {"regeneration_attempt", "intent_captured"},
    "regeneration_attempt": {"oml_synthesis_complete"},
    "refs_unresolved": {"ref_settled"},
    "compile_start": {"compile_complete", "schema_guard_fail"},
    "compile_complete": {"run_started"},
    "run_started": {"run_finished"},
    "run_finished": set(),
}
"""INIT → INTENT_CAPTURED → (DISCOVERY) → OML_SYNTHESIS → VALIDATE_OML → (REGENERATE_ONCE) → COMPILE → (RUN) →
COMPLETE by its events: what may come next after each, in one turn. A turn may end after any of them."""

WRITTEN: Final = ["oml_synthesis_start", "oml_synthesis_complete"]
CHECKED: Final = ["schema_guard_pass syntax", "schema_guard_pass semantics"]
COMPILED: Final = [*CHECKED, "compile_start", "compile_complete"]
RAN: Final = ["run_started", "run_finished"]
SECRET: Final = "ghp_" + "a1B2" * 9

COPY: Final = (
    '(sqlite.extractor :connection "@shop" :table "orders" :as @rows)\n'
    '(duckdb.writer :needs [@rows] :format "csv" :path "copy.csv" :as @file)'
)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of two tables and no pack."""
    folder = tmp_path_factory.mktemp("shop")
    with closing(sqlite3.connect(folder / "shop.sqlite")) as database:
        database.executescript(TABLES)
    assert called("init", "shop.sqlite", cwd=folder).returncode == 0
    return folder


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


def in_order(events: list[dict[str, Any]], message: str) -> list[dict[str, Any]]:
    """Those events of a turn that 000's table is about; it has to allow each after the one before."""
    assert (events[0]["kind"], events[-1]["kind"]) == ("turn_opened", "turn_closed")
    own = [event for event in events if event["kind"] in NEXT]
    for earlier, later in zip(["", *(event["kind"] for event in own)], own, strict=False):
        assert later["kind"] in NEXT[earlier], (message, earlier, later["kind"])
    return own


class Talk:
    """A session over a folder, and the lines that each of its turns left in the log."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.session = workspace.new_session()
        self.path = workspace.folder / ".dragoman" / "logs" / f"{self.session}.jsonl"

    def ask(self, message: str) -> tuple[TurnResult, list[str]]:
        """The result of a turn, and its events that 000's table is about, in the order of the log."""
        result = self.workspace.ask(self.session, message)
        lines = [line for line in self.lines() if line["turn"] == result.turn]
        own = in_order([line["event"] for line in lines], message)
        return result, [" ".join(filter(None, (event["kind"], event.get("stage")))) for event in own]

    def lines(self) -> list[dict[str, Any]]:
        text = self.path.read_text("utf-8")
        assert text.endswith("\n")
        return [json.loads(line) for line in text.splitlines()]

    def kinds(self, turn: int) -> list[str]:
        return [line["event"]["kind"] for line in self.lines() if line["turn"] == turn]


@pytest.fixture
def over_tables(shop: Path, capfd: pytest.CaptureFixture[str]) -> Iterator[Talk]:
    with Workspace.open(shop) as workspace:
        yield Talk(workspace)
    assert capfd.readouterr().out == ""


@pytest.fixture
def over_a_pack(demo: Path, capfd: pytest.CaptureFixture[str]) -> Iterator[Talk]:
    with Workspace.open(demo) as workspace:
        yield Talk(workspace)
    assert capfd.readouterr().out == ""


def test_a_question_over_tables_is_discovered_written_compiled_and_run(over_tables: Talk) -> None:
    result, kinds = over_tables.ask("how many orders are there?")
    assert result.rows == ((3,),)
    assert kinds == ["intent_captured", "discovery_done", *WRITTEN, *COMPILED, *RAN]
    (found,) = (line["event"] for line in over_tables.lines() if line["event"]["kind"] == "discovery_done")
    spec = over_tables.workspace.databases.find("@shop")
    schema = over_tables.workspace.databases.discover(spec)
    assert (found["connection"], found["fingerprint"]) == (spec.name, schema.fingerprint)
    assert found["tables"] == 2
    _, again = over_tables.ask("and with status open?")
    assert again == kinds


def test_a_question_of_a_pack_needs_no_discovery(over_a_pack: Talk) -> None:
    result, kinds = over_a_pack.ask("stock of Alfa Trade on 31 March 2020")
    assert result.answer_mode == "confirmed"
    assert kinds == ["intent_captured", *WRITTEN, *COMPILED, *RAN]


def test_a_question_that_is_not_clear_ends_with_the_intent(over_a_pack: Talk) -> None:
    """The rest follows when it is answered, in the same order, and nothing is asked after the discovery."""
    result, kinds = over_a_pack.ask("stock on 31 March 2020")
    assert (result.phase, kinds) == ("INTENT_CLARIFY", ["intent_captured"])
    assert over_a_pack.kinds(1).index("clarification_asked") > over_a_pack.kinds(1).index("intent_captured")
    result, kinds = over_a_pack.ask("Alfa Trade")
    assert (result.transition, result.answer_mode) == ("T7", "confirmed")
    assert kinds == ["intent_captured", *WRITTEN, *COMPILED, *RAN]


def test_a_name_that_is_not_clear_waits_before_compiling(over_a_pack: Talk) -> None:
    result, kinds = over_a_pack.ask('(inventory.stock :organization "Zebra" :as-of 2020-03-31)')
    assert result.phase == "UNRESOLVED_REFS"
    assert kinds == ["program_edited", "schema_guard_pass syntax", "refs_unresolved"]


def test_a_pipeline_written_by_hand_runs_after_its_yes(over_tables: Talk) -> None:
    _, kinds = over_tables.ask(COPY)
    assert kinds == ["program_edited", *COMPILED]
    result, kinds = over_tables.ask("run it")
    assert (result.transition, kinds) == ("X_RUN", [])
    result, kinds = over_tables.ask("yes")
    assert (result.transition, result.answer_mode) == ("T7", "confirmed")
    assert kinds[-6:] == [*COMPILED, *RAN]
    # What it did outside is told inside of the run, where it happened.
    told = over_tables.kinds(result.turn)
    begun = told.index("run_started")
    assert told[begun : begun + 4] == ["run_started", "effect_intended", "effect_done", "run_finished"]


def test_an_extension_waits_for_its_yes(over_tables: Talk) -> None:
    over_tables.ask("how many orders are there?")
    result, kinds = over_tables.ask("save that as csv")
    assert (result.transition, result.phase) == ("X_EXTEND", "READY")
    assert kinds == ["intent_captured", *WRITTEN, *COMPILED]
    assert "effect_intended" not in over_tables.kinds(result.turn)
    result, kinds = over_tables.ask("yes")
    assert (result.answer_mode, result.phase) == ("confirmed", "DONE")
    assert kinds == ["intent_captured", *WRITTEN, *COMPILED, *RAN]


@pytest.mark.parametrize(
    ("program", "phase", "kinds"),
    [
        ("(orders.count :as", "SYNTAX_ERROR", ["schema_guard_fail syntax"]),
        ("(orders.cuont)", "SEMANTIC_ERROR", ["schema_guard_pass syntax", "schema_guard_fail semantics"]),
        (
            '(duckdb.writer :needs [@a] :format "csv" :path "a.csv" :as @a)',
            "DEPENDENCY_ERROR",
            [*CHECKED, "compile_start", "schema_guard_fail dependencies"],
        ),
    ],
)
def test_a_broken_program_ends_where_it_fails(
    over_tables: Talk, program: str, phase: str, kinds: list[str]
) -> None:
    result, told = over_tables.ask(program)
    assert (result.phase, told) == (phase, ["program_edited", *kinds])
    (failed,) = (
        line["event"] for line in over_tables.lines() if line["event"]["kind"] == "schema_guard_fail"
    )
    assert failed["final"]
    assert all(each["code"] and each["message"] for each in failed["diagnostics"])


def test_talk_and_refusals_move_no_program(over_a_pack: Talk) -> None:
    for message in ("hello", "help", "stock of Zebra Zeta on 31 March 2020"):
        assert over_a_pack.ask(message)[1] == []


DIALOGUES: Final = [
    dialogue
    for name in ("rules.jsonl", "mixed.jsonl")
    for file in [Path(__file__).parent / "dialogues" / name]
    for dialogue in read_dialogues(file.read_text("utf-8"), name).dialogues
]


def test_whatever_is_said_the_order_holds(demo: Path) -> None:
    with Workspace.open(demo) as workspace:
        for dialogue in DIALOGUES:
            talk = Talk(workspace)
            for turn in dialogue.turns:
                with suppress(DragomanError):
                    talk.ask(turn.user)


def test_every_line_says_when_where_and_in_which_turn(over_tables: Talk) -> None:
    over_tables.ask("how many orders are there?")
    over_tables.ask("save that as csv")
    over_tables.ask("no")
    lines = over_tables.lines()
    assert all(line.keys() == {"at", "session", "turn", "trace", "event"} for line in lines)
    assert {line["session"] for line in lines} == {over_tables.session}
    assert [line["turn"] for line in lines] == sorted(line["turn"] for line in lines)
    times = [dt.datetime.fromisoformat(line["at"]) for line in lines]
    assert times == sorted(times)
    assert all(time.tzinfo is not None for time in times)
    traces = {line["turn"]: line["trace"] for line in lines}
    assert len(set(traces.values())) == 3
    opened = [line for line in lines if line["event"]["kind"] == "turn_opened"]
    assert all(line["event"]["trace_id"] == line["trace"] for line in opened)
    # What is in the log is what is recorded: the same events, and as many.
    for turn, events in enumerate(over_tables.workspace.turns(over_tables.session), 1):
        recorded = [str(type(event).__struct_config__.tag) for event in events[0]]
        assert sorted(recorded) == sorted(over_tables.kinds(turn))


def test_no_secret_reaches_the_log(over_tables: Talk) -> None:
    for message in (
        f"how many orders have the token {SECRET}?",
        f'(sqlite.extractor :connection "@shop" :query "SELECT \'{SECRET}\'" :as @rows)',
        f"(orders.count :password {SECRET}",
    ):
        over_tables.workspace.ask(over_tables.session, message)
    assert SECRET not in over_tables.path.read_text("utf-8")
    assert len({line["turn"] for line in over_tables.lines()}) == 3
