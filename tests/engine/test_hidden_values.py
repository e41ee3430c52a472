"""A guarded database with planted canaries: no program, question or command brings one to light, and a hidden
column is as one that never was.

Cases are drawn at random and each is tried twice: by an analyst, for whom a canary in any output, file or log
is a fault, and by somebody no policy binds, to know that the cases lead where the canaries are.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman import Workspace
from dragoman.cli.application import dragoman
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.schema import Dialect
from dragoman.contracts.vocabulary import Notation
from dragoman.language.source import Source
from dragoman.workspace.pipelines import Pipelines
from dragoman.workspace.programs import Programs
from tests.conftest import LONG
from tests.engine.guarded_ground import WITHOUT_COLUMNS, canaries_in, company

CASES = 1_000 if LONG else 50

# What may be asked.

_tables = st.sampled_from(
    ["employee", "staff", "EMPLOYEE", '"employee"', "main.employee", "payroll", "well_paid"]
)
_columns = st.sampled_from(
    [
        "*",
        "salary",
        "name, salary",
        "MAX(salary) AS m",
        "MIN(note) AS n",
        "note",
        "region",
        "name",
        "id, region, note",
    ]
)
_tails = st.sampled_from(
    [
        "",
        " ORDER BY 1",
        " WHERE id > 2",
        " WHERE salary > 5",
        " ORDER BY salary DESC",
        " LIMIT 3",
        " WHERE note LIKE '%n%'",
    ]
)


@st.composite
def queries(draw: st.DrawFn, depth: int = 2) -> str:
    columns, table, tail = draw(_columns), draw(_tables), draw(_tails)
    kind = draw(
        st.sampled_from(
            ["plain", "plain", "derived", "part", "union", "joined", "scalar"] if depth else ["plain"]
        )
    )
    match kind:
        case "derived":
            return f"SELECT * FROM ({draw(queries(depth=depth - 1))}) AS q"
        case "part":
            return f"WITH part AS ({draw(queries(depth=depth - 1))}) SELECT * FROM part"
        case "union":
            return f"SELECT name FROM {table} UNION SELECT note FROM employee"
        case "joined":
            shown = draw(st.sampled_from(["salary", "note", "region"]))
            return f"SELECT a.name, b.{shown} FROM staff a JOIN employee b ON a.id = b.id"
        case "scalar":
            highest = "SELECT MAX(salary) FROM employee e WHERE e.id = t.employee_id"
            return f"SELECT title, ({highest}) AS top FROM task t"
        case _:
            return f"SELECT {columns} FROM {table}{tail}"


_extractions = st.one_of(
    _tables.map(lambda table: f":table {json.dumps(table)}"),
    queries().map(lambda query: f":query {json.dumps(query)}"),
    st.sampled_from([':table "employee" :columns ["name" "salary"]', ':table "employee" :filter "id > 1"']),
).map(lambda asked: f'(sqlite.extractor :connection "@hr" {asked} :as @rows)')
_verbs = st.sampled_from(
    [
        "(employee.list)",
        '(employee.max :of "salary")',
        '(employee.list :columns ["name" "salary"])',
        '(employee.list :columns ["note"] :order "salary")',
        '(employee.sum :of "salary" :by "region")',
        "(employee.list :where {:salary {:above 5}})",
        '(employee.count :by "region")',
        '(employee.top :of "salary" :top 2)',
        "(staff.list)",
        '(staff.min :of "salary")',
        "(payroll.list)",
        "(well_paid.list)",
        "(team.list)",
        '(task.list :columns ["title" "employee/note"])',
    ]
)
_programs = st.one_of(
    _extractions,
    _verbs,
    _extractions.map(
        lambda read: f'{read}\n(duckdb.writer :needs [@rows] :format "csv" :path "out.csv" :as @w)'
    ),
)
_questions = st.sampled_from(
    [
        "list the employees",
        "what is the highest salary?",
        "show the name and the salary of each employee",
        "notes of the employees",
        "who has the highest salary?",
        "total salary per region",
        "list the staff",
        "average salary of staff",
        "show payroll",
        "list the well paid",
        "which regions do the employees work in?",
        "how many employees are there per region?",
        "employees with a salary above 5",
        "list the team members",
        "which employee has the task pay the bills?",
        "what is the note of employee 3?",
    ]
)
_follow_ups = st.sampled_from(
    [
        "with their salary",
        "only the first",
        "and their notes?",
        "save that as csv",
        "why?",
        "yes",
        "the last one",
    ]
)
_commands = st.sampled_from(
    [
        ("discover", "@hr"),
        ("discover", "@hr", "--json"),
        ("discover", "@hr", "--refresh", "--json"),
        ("pack", "draft", "@hr"),
    ]
)


@dataclass(frozen=True)
class Case:
    """One thing that somebody tries."""

    program: str = ""
    talk: tuple[str, ...] = ()
    command: tuple[str, ...] = ()


cases = st.one_of(
    st.builds(Case, program=_programs),
    st.builds(Case, program=_programs),
    st.builds(lambda program: Case(talk=(program, "run it", "yes")), _programs),
    st.builds(lambda first, then: Case(talk=(first, then)), _questions, _follow_ups),
    st.builds(lambda first: Case(talk=(first,)), _questions),
    st.builds(Case, command=_commands),
)


@dataclass
class Somebody:
    """Whoever tries it, in a workspace of their own."""

    folder: Path
    seen: dict[Path, tuple[int, int]] = field(default_factory=dict)

    def tries(self, case: Case) -> str:
        """Everything that they were shown, and every file that was written on the way."""
        shown = [self._said(case.talk)] if case.talk else []
        shown += [self._ran(case.program)] if case.program else []
        shown += [self._printed(case.command)] if case.command else []
        return "\n".join((*shown, *self._written()))

    def _said(self, messages: tuple[str, ...]) -> str:
        with Workspace.open(self.folder) as workspace:
            session = workspace.new_session()
            told = []
            for message in messages:
                try:
                    result = workspace.ask(session, message)
                except DragomanError as error:
                    told.append(f"{error.message} {error.hint} {error.details}")
                    continue
                told.append(
                    f"{result.message} {result.rows} {result.program} {result.options} {result.evidence}"
                )
        told += [self._printed(("why", session, str(turn + 1))) for turn in range(len(messages))]
        return "\n".join(told)

    def _ran(self, program: str) -> str:
        compiled = Programs.open(self.folder).compile(Source(program), Notation.VERBS)
        if compiled.manifest is None:
            return str(compiled.diagnostics)
        try:
            outcome = Pipelines(self.folder).run(compiled.manifest.data)
        except DragomanError as error:
            return f"{error.message} {error.hint} {error.details}"
        return f"{outcome.record} {outcome.report} {outcome.looks}"

    def _printed(self, command: tuple[str, ...]) -> str:
        done = CliRunner().invoke(dragoman, [*command, "-w", str(self.folder)])
        return f"{done.output} {done.exception}"

    def _written(self) -> Iterator[str]:
        """The files that are new or others than when they were last looked at."""
        for path in sorted(self.folder.rglob("*")):
            if path.is_file():
                status = path.stat()
                mark = (status.st_size, status.st_mtime_ns)
                if self.seen.get(path) != mark:
                    self.seen[path] = mark
                    yield path.read_bytes().decode("utf-8", "replace")


@pytest.mark.timeout(3600)
def test_nothing_hidden_comes_to_light(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with (
        company(Dialect.SQLITE, tmp_path / "a", request) as one,
        company(Dialect.SQLITE, tmp_path / "b", request) as other,
    ):
        analyst, boss = Somebody(one.seen_by("analyst")), Somebody(other.seen_by("boss"))
        one.discover()
        tried: list[bool] = []

        @settings(max_examples=CASES, suppress_health_check=list(HealthCheck))
        @given(cases)
        def find(case: Case) -> None:
            found = canaries_in(analyst.tries(case))
            assert not found, (case, found)
            tried.append(bool(canaries_in(boss.tries(case))))

        find()
    reached = sum(tried) / len(tried)
    assert reached >= 0.5, f"only {reached:.0%} of {len(tried)} cases would reach a canary without the policy"


@pytest.mark.timeout(3600)
def test_a_hidden_column_is_as_one_that_never_was(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Byte for byte: the same conversation, over a database that does not have the column."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with (
        company(Dialect.SQLITE, tmp_path / "a", request) as hidden,
        company(Dialect.SQLITE, tmp_path / "b", request, WITHOUT_COLUMNS) as missing,
    ):
        hidden.discover()
        missing.discover()

        @settings(max_examples=CASES, suppress_health_check=list(HealthCheck))
        @given(st.lists(st.one_of(_questions, _follow_ups, _verbs), min_size=1, max_size=4))
        def compare(messages: list[str]) -> None:
            assert replies(hidden.folder, messages) == replies(missing.folder, messages)

        compare()


def replies(folder: Path, messages: list[str]) -> list[tuple[object, ...]]:
    with Workspace.open(folder) as workspace:
        session = workspace.new_session()
        told = [workspace.ask(session, message) for message in messages]
    why = [
        CliRunner().invoke(dragoman, ["why", session, str(turn + 1), "-w", str(folder)]).output
        for turn in range(len(messages))
    ]

    def plain(text: str) -> str:
        """A text without what differs from run to run: ids, durations and times."""
        own = text.replace(session, "").replace(str(folder), "")
        return re.sub(r"[0-9a-f]{16,}|\d+(\.\d+)? ms|20\d\d-\d\d-\d\dT\S+", "", own)

    return [
        *((each.transition, each.answer_mode, plain(each.message), each.rows, each.program) for each in told),
        *((plain(text),) for text in why),
    ]
