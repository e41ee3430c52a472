"""No component leads past a policy: what a step reads is narrowed, what it would write is refused."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman import Workspace
from dragoman.contracts.run import RunStatus
from dragoman.contracts.schema import Dialect
from dragoman.contracts.vocabulary import AnswerMode, Notation, TransitionClass
from dragoman.language.source import Source
from dragoman.workspace.pipelines import Pipelines, RunOutcome
from dragoman.workspace.programs import Programs
from tests.catalog.test_commands import dragoman
from tests.engine.guarded_ground import DIALECTS, EXTRACTORS, Company, canaries_in, company

T, M = TransitionClass, AnswerMode


@pytest.fixture(scope="module", params=DIALECTS)
def each(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Company]:
    with company(request.param, tmp_path_factory.mktemp("guarded"), request) as made:
        yield made


@pytest.fixture
def hr(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Company]:
    with company(Dialect.SQLITE, tmp_path, request) as made:
        yield made


def ran(folder: Path, program: str, *, operator: bool = False) -> RunOutcome:
    checked = Programs.open(folder).compile(Source(program), Notation.VERBS)
    assert checked.manifest is not None, checked.diagnostics
    return Pipelines(folder, operator=operator).run(checked.manifest.data)


def looked(outcome: RunOutcome) -> str:
    return json.dumps([[look.columns, look.rows] for look in outcome.looks.values()], default=str)


def extracted(made: Company, arguments: str) -> str:
    return f'({EXTRACTORS[made.dialect]} :connection "@hr" {arguments} :as @rows)'


# Reads.


def test_a_guarded_table_is_its_visible_part(each: Company) -> None:
    outcome = ran(each.seen_by("analyst"), extracted(each, ':table "employee"'))
    assert outcome.record.status is RunStatus.DONE, outcome.record.fault
    (look,) = outcome.looks.values()
    assert list(look.columns) == ["id", "name", "region", "department_id"]
    assert [row[1] for row in look.rows] == ["Ada North", "Bo North"]
    whole = ran(each.seen_by("boss"), extracted(each, ':table "employee"'))
    assert len(canaries_in(looked(whole))) > 3


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("SELECT COUNT(*) AS n FROM employee", [["2"]]),
        ("SELECT name FROM staff ORDER BY id", [["Ada North"], ["Bo North"]]),
        (
            "SELECT member, department FROM team ORDER BY member",
            [["Ada North", "Sales"], ["Bo North", "Research"]],
        ),
        ("SELECT department_id, people FROM payroll ORDER BY department_id", [["1", "1"], ["2", "1"]]),
        (
            "WITH e AS (SELECT * FROM employee) SELECT COUNT(*) AS n FROM e JOIN task ON employee_id = e.id",
            [["2"]],
        ),
        ("SELECT city FROM cities ORDER BY city", [["Bonn"], ["Ulm"]]),
    ],
)
def test_a_query_sees_the_visible_part(each: Company, query: str, rows: list[list[str]]) -> None:
    outcome = ran(each.seen_by("analyst"), extracted(each, f':query "{query}"'))
    assert outcome.record.status is RunStatus.DONE, outcome.record.fault
    (look,) = outcome.looks.values()
    assert [[str(cell) for cell in row] for row in look.rows] == rows


@pytest.mark.parametrize(
    "query",
    [
        "SELECT salary FROM employee",
        "SELECT MAX(salary) AS m FROM employee",
        "SELECT name FROM employee ORDER BY salary",
        "SELECT name FROM employee WHERE salary > 0",
        "SELECT e.note FROM employee AS e",
        "SELECT salary FROM staff",
        "SELECT total FROM payroll",
        "SELECT name FROM (SELECT * FROM employee) AS q WHERE q.salary > 0",
        "SELECT a.name FROM employee AS a JOIN staff AS b ON a.salary = b.salary",
        "SELECT twice FROM employee",
        "SELECT name FROM employee WHERE twice > 0",
    ],
)
def test_a_hidden_column_is_as_one_that_is_not_there(each: Company, query: str) -> None:
    """Byte for byte, but for its name."""
    folder = each.seen_by("analyst")
    missing_names = {"note": "mute", "total": "zotal", "twice": "zwice", "salary": "zalary"}
    hidden, missing = next(each for each in missing_names.items() if each[0] in query)
    real = ran(folder, extracted(each, f':query "{query}"')).record
    odd = ran(folder, extracted(each, f':query "{query.replace(hidden, missing)}"')).record
    assert real.fault is not None
    assert odd.fault is not None
    assert real.fault.message.replace(hidden, missing) == odd.fault.message
    assert (real.status, real.fault.code, real.fault.hint) == (odd.status, odd.fault.code, odd.fault.hint)


@pytest.mark.parametrize("arguments", [':table "well_paid"', ':query "SELECT * FROM well_paid"'])
def test_a_view_that_cannot_be_narrowed_shows_nothing(each: Company, arguments: str) -> None:
    record = ran(each.seen_by("analyst"), extracted(each, arguments)).record
    assert record.fault is not None
    assert record.fault.code == "policy_violation"


@pytest.mark.parametrize("name", ["rowid", "e._rowid_", "oid"])
def test_row_numbers_are_refused_where_rows_are_hidden(hr: Company, name: str) -> None:
    """SQLite would say that the greatest one is nothing."""
    record = ran(hr.folder, extracted(hr, f':query "SELECT MAX({name}) AS m FROM employee AS e"')).record
    assert record.fault is not None
    assert record.fault.code == "policy_violation"


def test_the_values_of_a_guarded_database_are_not_kept(hr: Company) -> None:
    with Workspace.open(hr.seen_by("boss")) as workspace:
        workspace.ask(workspace.new_session(), "how many employees in canary-south are there?")
    kept = [path.read_text("utf-8") for path in hr.folder.glob(".dragoman/values/*.json")]
    assert not canaries_in(*kept)


def test_a_view_that_nobody_discovered_shows_nothing(each: Company) -> None:
    each.run("CREATE VIEW fresh AS SELECT * FROM employee")
    try:
        for arguments in (':table "fresh"', ':query "SELECT * FROM fresh"'):
            record = ran(each.seen_by("analyst"), extracted(each, arguments)).record
            assert record.fault is not None
            assert record.fault.code == "policy_violation", record.fault
    finally:
        each.run("DROP VIEW fresh")


@pytest.mark.postgres
def test_every_way_of_postgres_to_show_a_table_again(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    with company(Dialect.POSTGRES, tmp_path, request) as made:
        made.run(
            """
            CREATE MATERIALIZED VIEW kept AS SELECT id, name, salary FROM employee;
            CREATE TABLE parted (id INTEGER, region TEXT, salary INTEGER) PARTITION BY LIST (region);
            CREATE TABLE parted_north PARTITION OF parted FOR VALUES IN ('north');
            CREATE TABLE manager (level INTEGER) INHERITS (employee);
            INSERT INTO manager (id, name, region, salary, note, department_id, level)
              VALUES (9, 'Canary Manager', 'canary-south', 757575, 'canary-note-9', 1, 3);
            """
        )
        made.discover()
        folder = made.seen_by("analyst")
        for table in ("kept", "manager"):
            outcome = ran(folder, extracted(made, f':table "{table}"'))
            assert outcome.record.status is RunStatus.DONE, outcome.record.fault
            assert not canaries_in(looked(outcome)), table
            assert "salary" not in looked(outcome)
        part = ran(folder, extracted(made, ':table "parted_north"')).record
        assert part.fault is not None
        assert part.fault.code == "policy_violation"


def test_a_filter_and_columns_narrow_further(each: Company) -> None:
    narrowed = extracted(each, ':table "employee" :columns ["name"] :filter "id > 1"')
    (look,) = ran(each.seen_by("analyst"), narrowed).looks.values()
    assert [list(row) for row in look.rows] == [["Bo North"]]


@pytest.mark.parametrize(
    "condition",
    [
        "id IN (SELECT department_id FROM employee WHERE region <> 'north' AND id = 3)",
        "EXISTS (SELECT 1 FROM employee AS e WHERE e.salary > 730000)",
        "EXISTS (SELECT 1 FROM well_paid AS w WHERE w.id = 3)",
        "1 = (SELECT COUNT(*) FROM staff AS s WHERE s.id = 3)",
    ],
)
def test_a_filter_does_not_look_past_the_policy_either(each: Company, condition: str) -> None:
    """The table that it narrows has no policy; those that it asks have."""
    outcome = ran(each.seen_by("analyst"), extracted(each, f':table "department" :filter "{condition}"'))
    found = [row for look in outcome.looks.values() for row in look.rows]
    assert found == [], outcome.record.fault
    whole = ran(each.seen_by("boss"), extracted(each, f':table "department" :filter "{condition}"'))
    assert any(look.rows for look in whole.looks.values()), "without the policy it would tell"


def test_nobody_in_particular_sees_what_everybody_may(each: Company) -> None:
    outcome = ran(each.seen_by(""), extracted(each, ':table "employee"'))
    assert not canaries_in(looked(outcome))
    assert outcome.record.status is RunStatus.DONE


# Writes.

WRITES = ("append", "replace", "upsert")


@pytest.mark.parametrize("mode", WRITES)
def test_a_guarded_table_is_not_written(hr: Company, mode: str) -> None:
    folder = hr.seen_by("analyst")
    (folder / "evil.csv").write_text("id,name,region\n3,Taken,north\n")
    program = (
        '(filesystem.extractor :path "evil.csv" :as @x)'
        f'(sqlite.writer :needs [@x] :connection "@hr" :table "employee" :write_mode "{mode}"'
        ' :primary_key ["id"] :as @w)'
    )
    record = ran(folder, program).record
    assert record.fault is not None
    assert record.fault.code == "policy_violation"
    with Workspace.open(folder) as workspace:
        session = workspace.new_session()
        edited = workspace.ask(session, program)
        asked = workspace.ask(session, "run it")
        done = workspace.ask(session, "yes")
    assert edited.transition is T.X_EDIT
    assert M.CONFIRMED not in (asked.answer_mode, done.answer_mode)
    with Workspace.open(hr.seen_by("boss")) as workspace:
        counted = workspace.ask(workspace.new_session(), "number of employees")
        named = workspace.ask(workspace.new_session(), "list the names of the employees")
    assert counted.rows == ((4,),)
    assert "Taken" not in str(named.rows)


def test_a_key_onto_a_hidden_column_is_not_written(hr: Company) -> None:
    """Whether a row is taken would tell whether somebody earns that much."""
    hr.run(
        "CREATE UNIQUE INDEX by_salary ON employee (salary);"
        "CREATE TABLE guess (id INTEGER PRIMARY KEY, salary INTEGER REFERENCES employee (salary));"
    )
    hr.discover()
    folder = hr.seen_by("analyst")
    (folder / "guess.csv").write_text("id,salary\n1,717171\n", "utf-8")
    record = ran(folder, _written("guess.csv", "guess")).record
    assert record.fault is not None
    assert record.fault.code == "policy_violation"
    assert ran(hr.seen_by("boss"), _written("guess.csv", "guess")).record.status is RunStatus.DONE


def test_the_data_of_a_withheld_index_are_not_written(hr: Company) -> None:
    hr.run("CREATE VIRTUAL TABLE found USING fts5 (name, note, content='employee', content_rowid='id')")
    hr.discover()
    folder = hr.seen_by("analyst")
    (folder / "data.csv").write_text("id,block\n1,x\n", "utf-8")
    record = ran(folder, _written("data.csv", "found_data")).record
    assert record.fault is not None
    assert record.fault.code == "policy_violation"


def _written(path: str, table: str) -> str:
    return (
        f'(filesystem.extractor :path "{path}" :as @rows)'
        f'(sqlite.writer :needs [@rows] :connection "@hr" :table "{table}" :write_mode "append")'
    )


@pytest.mark.parametrize(
    "path",
    [
        "connections.yaml",
        "dragoman.yaml",
        "packs/hr.yaml",
        ".dragoman/logs/*.jsonl",
        "linked.csv",
        "Packs/hr.yaml",
    ],
)
def test_no_step_reads_the_workspace_itself(hr: Company, path: str) -> None:
    """What was answered to others is in there, and what policies hide is named in there."""
    folder = hr.seen_by("boss")
    with Workspace.open(folder) as workspace:
        workspace.ask(workspace.new_session(), "what is the highest salary of an employee?")
    os.link(folder / "packs" / "hr.yaml", folder / "linked.csv")
    hr.seen_by("analyst")
    record = ran(folder, f'(filesystem.extractor :path "{path}" :format "csv" :as @rows)').record
    assert record.status is RunStatus.FAILED, path
    assert record.fault is not None
    assert record.fault.code in {"step_refused", "source_failed"}


def test_a_table_without_a_policy_may_be_written(hr: Company) -> None:
    folder = hr.seen_by("analyst")
    (folder / "tasks.csv").write_text("id,title,employee_id\n9,Rest,1\n")
    program = (
        '(filesystem.extractor :path "tasks.csv" :as @x)'
        '(sqlite.writer :needs [@x] :connection "@hr" :table "task" :write_mode "append" :as @w)'
    )
    assert ran(folder, program).record.status is RunStatus.DONE


# Files.


@pytest.mark.parametrize(
    "spelling", ["data/employee.csv", "data/../data/employee.csv", "link.csv", "hard.csv", "data/*.csv"]
)
def test_a_file_of_a_guarded_connection_is_that_connection(tmp_path: Path, spelling: str) -> None:
    folder = tmp_path / "work"
    (folder / "data").mkdir(parents=True)
    (folder / "packs").mkdir()
    (folder / "data" / "employee.csv").write_text(
        "id,name,region,salary\n1,Ada,north,717171\n3,Canary,south,737373\n"
    )
    (folder / "connections.yaml").write_text("hr: {family: files, path: data}\n")
    (folder / "packs" / "hr.yaml").write_text(
        'pack: hr\ntitle: {en: Staff}\ndialect: duckdb\nconnection: "@hr"\n'
        "policies:\n  - {table: employee, unless: [boss], hide: [salary], rows: \"region = 'north'\"}\n"
    )
    (folder / "link.csv").symlink_to(folder / "data" / "employee.csv")
    os.link(folder / "data" / "employee.csv", folder / "hard.csv")
    assert dragoman("discover", "@hr", cwd=folder).returncode == 0
    record = ran(folder, f'(filesystem.extractor :path "{spelling}" :as @x)').record
    assert record.fault is not None
    assert record.fault.code in ("policy_violation", "step_refused")
    (folder / "dragoman.yaml").write_text("viewer: {name: zoe, roles: [boss]}\n")
    if ".." not in spelling:
        assert "737373" in looked(ran(folder, f'(filesystem.extractor :path "{spelling}" :as @x)'))


# Operators.


def test_an_operator_sees_everything_and_is_on_record(hr: Company) -> None:
    folder = hr.seen_by("analyst")
    (folder / "all.verbs").write_text('(sqlite.extractor :connection "@hr" :table "employee" :as @rows)')
    plain = dragoman("run", "all.verbs", "--json", cwd=folder)
    assert plain.returncode == 0, plain.stderr
    assert not canaries_in(plain.stdout, plain.stderr)
    whole = dragoman("run", "all.verbs", "--json", "--as-operator", cwd=folder)
    assert len(canaries_in(whole.stdout)) > 3
    acts = [json.loads(line) for line in (folder / ".dragoman" / "operator.jsonl").read_text().splitlines()]
    assert [act["command"] for act in acts] == ["run"]
    assert [record.operator for record in Pipelines(folder, operator=True).runs(limit=2)] == [True, False]


def test_a_workspace_may_forbid_operators(hr: Company) -> None:
    folder = hr.seen_by("analyst")
    with (folder / "dragoman.yaml").open("a") as settings:
        settings.write("allow_operator: false\n")
    refused = dragoman("discover", "@hr", "--as-operator", cwd=folder)
    assert refused.returncode != 0
    assert "operator_forbidden" in refused.stderr
    assert not canaries_in(refused.stdout, refused.stderr)


def test_a_run_of_an_operator_is_resumed_in_ones_own_name(hr: Company) -> None:
    """The record of a run is not a way past the policies."""
    folder = hr.seen_by("analyst")
    (folder / "blocked").write_text("a file where a folder should be")
    program = (
        '(sqlite.extractor :connection "@hr" :table "employee" :as @rows)'
        '(duckdb.writer :needs [@rows] :format "csv" :path "blocked/all.csv" :as @w)'
    )
    failed = ran(folder, program, operator=True).record
    assert failed.status is RunStatus.FAILED
    (folder / "blocked").unlink()
    assert Pipelines(folder).resume(failed.id).record.status is RunStatus.DONE
    assert not canaries_in((folder / "blocked" / "all.csv").read_text())


# Discovery.


def test_discovery_neither_shows_nor_keeps_what_is_hidden(each: Company) -> None:
    folder = each.seen_by("analyst")
    shown = dragoman("discover", "@hr", "--refresh", cwd=folder)
    as_json = dragoman("discover", "@hr", "--json", cwd=folder)
    assert shown.returncode == as_json.returncode == 0, shown.stderr
    kept = [path.read_text("utf-8") for path in (folder / ".dragoman" / "schemas").iterdir()]
    assert not canaries_in(shown.stdout, shown.stderr, as_json.stdout, *kept)
    assert "salary" not in shown.stdout + as_json.stdout
    assert "well_paid" not in shown.stdout + as_json.stdout
    assert "salary" in dragoman("discover", "@hr", "--as-operator", cwd=folder).stdout


def test_a_policy_that_comes_later_takes_the_samples_away(hr: Company) -> None:
    folder = hr.seen_by("analyst")
    pack = folder / "packs" / "hr.yaml"
    policy = pack.read_text("utf-8")
    pack.unlink()
    hr.discover()
    kept = folder / ".dragoman" / "schemas" / "hr.json"
    assert canaries_in(kept.read_text("utf-8"))
    pack.write_text(policy, "utf-8")
    with Workspace.open(folder) as workspace:
        workspace.ask(workspace.new_session(), "number of employees")
    assert not canaries_in(kept.read_text("utf-8"))


def test_a_broken_pack_with_policies_shows_nothing_at_all(hr: Company) -> None:
    folder = hr.seen_by("analyst")
    pack = folder / "packs" / "hr.yaml"
    pack.write_text(pack.read_text("utf-8").replace("title:", "titel:"), "utf-8")
    asked = dragoman("ask", "list the employees", cwd=folder)
    assert asked.returncode != 0
    assert "policies" in asked.stderr
    assert not canaries_in(asked.stdout, asked.stderr)


def test_another_name_for_the_database_leads_to_the_same_policies(hr: Company) -> None:
    folder = hr.seen_by("analyst")
    text = (folder / "connections.yaml").read_text("utf-8")
    (folder / "connections.yaml").write_text(
        text + "copy:\n  path: ../hr.sqlite\n  family: sqlite\n", "utf-8"
    )
    assert dragoman("discover", "@copy", cwd=folder).returncode == 0
    outcome = ran(folder, '(sqlite.extractor :connection "@copy" :table "employee" :as @rows)')
    assert not canaries_in(looked(outcome))


# The policy itself.


@pytest.mark.parametrize("dialect", ["postgres", "mysql", "sqlite", "duckdb"])
def test_a_condition_may_ask_who_asks_in_every_dialect(hr: Company, dialect: str) -> None:
    folder = hr.seen_by("analyst")
    pack = folder / "packs" / "hr.yaml"
    pack.write_text(
        f'pack: hr\ntitle: {{en: Staff}}\ndialect: {dialect}\nconnection: "@hr"\n'
        'policies:\n  - {table: employee, rows: "name = :user"}\n',
        "utf-8",
    )
    checked = dragoman("pack", "check", str(pack), cwd=folder)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    (folder / "dragoman.yaml").write_text("viewer: {name: Bo North, roles: []}\n")
    (look,) = ran(folder, '(sqlite.extractor :connection "@hr" :table "employee" :as @rows)').looks.values()
    assert [row[1] for row in look.rows] == ["Bo North"]
