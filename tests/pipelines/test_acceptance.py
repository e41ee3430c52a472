"""“Export all tables from MySQL to Supabase, no scheduler”, from the sentence to equal cells.

The long form copies half a million rows of one table; the short form some thousands.
"""

import datetime as dt
import decimal
import json
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from dragoman import Workspace
from dragoman.contracts import events as ev
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.vocabulary import AnswerMode, ClarificationKind, Notation, Phase
from dragoman.guards.report import check_report
from dragoman.language.oml.oml_reader import read_oml
from dragoman.language.source import Source
from tests.conftest import LONG
from tests.engine.hostile import canonical, columns_for
from tests.model_server import ModelServer, calls
from tests.pipelines.stocked import (
    TABLES,
    connect_both,
    fill_mariadb,
    rows_in_mariadb,
    rows_in_postgres,
)
from tests.planning.model.ground import arguments
from tests.servers import MariadbServer

BIG: Final = 500_000 if LONG else 3_000
SENTENCE: Final = "export all tables from MySQL to Supabase, no scheduler"
ORDERED: Final = (
    ev.IntentCaptured,
    ev.DiscoveryDone,
    ev.OmlSynthesisStart,
    ev.OmlSynthesisComplete,
    ev.SchemaGuardPass,
    ev.SchemaGuardPass,
    ev.CompileStart,
    ev.CompileComplete,
)
LEGACY: Final = {"version", "connectors", "tasks", "outputs"}


class Ground:
    def __init__(self, folder: Path, server: MariadbServer, shop: str, postgres: str) -> None:
        self.folder, self.server, self.shop, self.postgres = folder, server, shop, postgres


@pytest.fixture
def ground(
    tmp_path: Path, mariadb_server: MariadbServer, mariadb_database: str, postgres_database: str
) -> Ground:
    fill_mariadb(mariadb_server, mariadb_database, BIG)
    folder = connect_both(tmp_path / "work", mariadb_server, mariadb_database, postgres_database)
    return Ground(folder, mariadb_server, mariadb_database, postgres_database)


def plain(value: Any) -> Any:
    """A value in the form in which both drivers give it."""
    if isinstance(value, decimal.Decimal):
        return value.normalize()
    if isinstance(value, dt.datetime):
        return value.replace(tzinfo=None)
    return value


def cells(ground: Ground, table: str) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    names, there = rows_in_mariadb(ground.server, ground.shop, table)
    here = rows_in_postgres(ground.postgres, table, names)
    if table == "hostile":
        columns = {column.name: column for column in columns_for("mysql")}
        kinds = [columns[name] for name in names]
        both = [
            [tuple(canonical(kind, cell) for kind, cell in zip(kinds, row, strict=True)) for row in rows]
            for rows in (there, here)
        ]
    else:
        both = [[tuple(map(plain, row)) for row in rows] for rows in (there, here)]
    return sorted(both[0], key=repr), sorted(both[1], key=repr)


def assert_equal_cells(ground: Ground) -> None:
    for table in TABLES:
        there, here = cells(ground, table)
        assert there == here, table


def assert_program(source: str) -> None:
    """OML 0.1.0, every table read by `mysql.extractor` and written by `supabase.writer`."""
    program = yaml.safe_load(source)
    assert read_oml(Source(source)).ok
    assert program["oml_version"] == "0.1.0"
    assert not LEGACY & set(program)
    assert {step["component"] for step in program["steps"]} == {"mysql.extractor", "supabase.writer"}
    written = [step["config"]["table"] for step in program["steps"] if step["mode"] == "write"]
    assert sorted(written) == sorted(TABLES)


def answer_of(workspace: Workspace, session: str, turn: int) -> AnswerObject:
    given = [each for each in workspace.turn_events(session, turn) if isinstance(each, ev.AnswerGiven)]
    return given[0].answer


def test_a_sentence_brings_a_whole_database_over(ground: Ground) -> None:
    with Workspace.open(ground.folder) as workspace:
        session = workspace.new_session()
        # The same sentence and the same discovery give the same bytes.
        others = {workspace.ask(workspace.new_session(), SENTENCE).program for _ in range(2)}
        proposed = workspace.ask(session, SENTENCE)
        assert others == {proposed.program}
        state = workspace.state(session)
        pending = state.frames.clarification

        # No question but the one for a yes; the program is shown before anything runs.
        assert proposed.answer_mode is AnswerMode.CLARIFICATION_REQUIRED
        assert pending is not None
        assert pending.clarification_kind is ClarificationKind.CONFIRM_RUN
        assert state.program.phase is Phase.READY
        assert state.program.notation is Notation.OML
        assert proposed.program == state.program.source
        assert_program(proposed.program)
        told = [e for e in workspace.turn_events(session, 1) if isinstance(e, ORDERED)]
        assert tuple(type(each) for each in told) == ORDERED
        assert "@mysql: 12" in proposed.message

        done = workspace.ask(session, "yes")
        assert done.answer_mode is AnswerMode.CONFIRMED, done.message
        assert workspace.state(session).program.phase is Phase.DONE
        rows = {row[0]: row[2] for row in done.rows}
        assert rows["big"] == BIG
        assert rows["empty_notes"] == 0
        report = next(item for item in answer_of(workspace, session, 2).evidence if item.ref == "report")
        assert check_report(report.snippet).accepted
        assert workspace.replay(session).records == 3
    assert_equal_cells(ground)


UNHEARD: Final = "Our MySQL holds treasures; transfer whatever dwells there into Supabase, unhurriedly"
"""Nobody but a model knows what treasures are."""


def test_a_model_writes_the_pipeline_through_the_same_guards(ground: Ground) -> None:
    with Workspace.open(ground.folder) as workspace:
        program = workspace.ask(workspace.new_session(), SENTENCE).program
    with Workspace.open(ground.folder) as workspace:
        assert workspace.ask(workspace.new_session(), SENTENCE).program == program
    broken = program.replace("steps:", "tasks:", 1)
    replies = [calls("generate_pipeline", arguments(program=text)) for text in (broken, program)]
    with ModelServer(*replies) as server:
        provider = {"name": "p", "kind": "openai", "base_url": f"{server.url}/v1", "model": "m"}
        settings = {"models": {"providers": [provider]}}
        (ground.folder / "dragoman.yaml").write_text(json.dumps(settings), encoding="utf-8")
        with Workspace.open(ground.folder) as workspace:
            session = workspace.new_session()
            proposed = workspace.ask(session, UNHEARD)
            assert proposed.answer_mode is AnswerMode.CLARIFICATION_REQUIRED, proposed.message
            assert_program(proposed.program)
            kinds = [type(each) for each in workspace.turn_events(session, 1)]
            assert kinds.count(ev.RegenerationAttempt) == 1
            assert kinds.index(ev.DiscoveryDone) < kinds.index(ev.OmlSynthesisStart)
            assert len(server.requests) == 2
            tools = [each["function"]["name"] for each in server.requests[0].body["tools"]]
            assert tools == ["generate_pipeline"]
            assert workspace.ask(session, "yes").answer_mode is AnswerMode.CONFIRMED
    assert_equal_cells(ground)
