"""A call in the place of a value goes the whole road: checked, converted, compiled, run and looked up."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.catalog.lookup import look_up
from dragoman.contracts.errors import ManifestRefused, RunFailed
from dragoman.contracts.program import Program
from dragoman.contracts.run import RunStatus
from dragoman.contracts.vocabulary import Notation
from dragoman.engine.order import read_order
from dragoman.language.front import read_program
from dragoman.language.manifest import MANIFEST_VERSION, canonical, fingerprint
from dragoman.language.source import Source
from dragoman.workspace.pipelines import Pipelines
from dragoman.workspace.programs import Programs
from tests.answering.places import dragoman

SHOP: Final = """
CREATE TABLE maker (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE products (
  id INTEGER PRIMARY KEY, name TEXT, price DECIMAL(10,2), maker_id INTEGER REFERENCES maker(id)
);
INSERT INTO maker VALUES (1, 'Ames'), (2, 'Bolt');
INSERT INTO products VALUES
  (1, 'cup', 2.50, 1), (2, 'pan', 19.95, 1), (3, 'pot', 30.00, 2), (4, 'lid', 4.05, 2);
"""
OTHER: Final = "CREATE TABLE parts (id INTEGER PRIMARY KEY, weight REAL); INSERT INTO parts VALUES (1, 2.5);"
NESTED: Final = '(products.list :columns "name" :price {:above (products.average :of "price")})'
NAMED: Final = """\
(products.average :of "price" :as @mean)
(products.list :columns "name" :price {:above @mean} :as @dear)
"""
EXPECTED: Final = [["pan"], ["pot"]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    for name, script in (("shop", SHOP), ("other", OTHER)):
        with closing(sqlite3.connect(folder / f"{name}.sqlite")) as connection:
            connection.executescript(script)
    entries = [f"{name}:\n  family: sqlite\n  path: {name}.sqlite\n" for name in ("shop", "other")]
    (folder / "connections.yaml").write_text(
        "".join([entries[0], "  default: true\n", *entries[1:]]), "utf-8"
    )
    for name in ("shop", "other"):
        dragoman("discover", f"@{name}", "-w", str(folder))
    return folder


@pytest.fixture(scope="module")
def bench(folder: Path) -> Programs:
    return Programs.open(folder)


def program(text: str, notation: Notation = Notation.VERBS) -> Program:
    statements = read_program(Source(text), notation).statements
    return statements[1:] if statements and statements[0].verb == "oml.pipeline" else statements


def codes(bench: Programs, text: str) -> list[str]:
    return [each.code for each in bench.compile(Source(text), Notation.VERBS).diagnostics]


@pytest.mark.parametrize("text", [NESTED, NAMED])
def test_it_is_looked_up(bench: Programs, text: str) -> None:
    found = look_up(bench.catalog, program(text))
    assert ([list(row) for row in found.rows], found.checked) == (EXPECTED, True)


@pytest.mark.parametrize("text", [NESTED, NAMED])
def test_it_is_run(folder: Path, bench: Programs, text: str) -> None:
    manifest = bench.compile(Source(text), Notation.VERBS).manifest
    assert manifest is not None
    outcome = Pipelines(folder).run(manifest.data)
    assert outcome.record.status is RunStatus.DONE, outcome.record.fault
    look = list(outcome.looks.values())[-1]
    assert [list(row) for row in look.rows] == EXPECTED


@pytest.mark.parametrize("text", [NESTED, NAMED])
def test_it_is_the_same_program_in_oml(bench: Programs, text: str) -> None:
    oml = bench.convert(Source(text), Notation.VERBS, Notation.OML)
    assert isinstance(oml, str), oml
    assert "${steps." in oml
    assert bench.compile(Source(oml), Notation.OML).ok
    assert [list(row) for row in look_up(bench.catalog, program(oml, Notation.OML)).rows] == EXPECTED
    back = bench.convert(Source(oml), Notation.OML, Notation.VERBS)
    assert isinstance(back, str), back
    assert bench.compile(Source(back), Notation.VERBS).ok
    assert bench.convert(Source(back), Notation.VERBS, Notation.OML) == oml


def test_the_commands_take_it(folder: Path) -> None:
    (folder / "dear.verbs").write_text(NESTED, "utf-8")
    dragoman("check", "dear.verbs", cwd=folder)
    dragoman("compile", "dear.verbs", cwd=folder)
    printed = dragoman("run", "dear.verbs", cwd=folder)
    assert "pan" in printed
    assert "pot" in printed
    assert "lid" not in printed


def test_a_conversation_runs_it(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        session = workspace.new_session()
        workspace.ask(session, NESTED)
        done = workspace.ask(session, "run it")
    assert [list(row) for row in done.rows] == EXPECTED


def test_the_first_group_is_one_value(bench: Programs) -> None:
    first = '(products.count :by "maker_id" :columns "maker_id" :order {:desc "count"} :top 1)'
    text = f'(maker.list :columns "name" :id_ {first})'
    found = look_up(bench.catalog, program(text))
    counted = look_up(bench.catalog, program(first))
    assert len(found.rows) == len(counted.rows) == 1
    for several in (first.replace(" :top 1", ""), first.replace(':columns "maker_id" ', "")):
        assert codes(bench, f'(maker.list :columns "name" :id_ {several})') == ["not_one_value"]


def test_values_of_several_steps(bench: Programs) -> None:
    text = (
        '(maker.list :columns "name" :where {:products-by-maker {:price {:at-least '
        '(products.max :of "price" :price {:below (products.max :of "price")})} '
        ':how-many (maker.count :name "Ames")}})'
    )
    assert bench.compile(Source(text), Notation.VERBS).ok
    assert look_up(bench.catalog, program(text)).rows == (("Ames",), ("Bolt",))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('(products.list :price (products.list :columns "price"))', "not_one_value"),
        ('(products.list :price (parts.max :of "weight"))', "call_elsewhere"),
        ('(products.list :price (products.max :of "pric"))', "unknown_column"),
        ('(products.list :name (products.max :of "price"))', "argument_type"),
        ("(products.list :price @nothing)", "undefined_symbol"),
        ("(products.list :id_ @a :as @b)\n(products.count :id_ @b :as @a)", "dependency_cycle"),
        ("(products.list :columns @a)\n(products.count :as @a)", "argument_type"),
    ],
)
def test_what_is_wrong_has_a_code(bench: Programs, text: str, code: str) -> None:
    assert code in codes(bench, text)


def test_a_finding_in_a_call_is_shown_where_the_call_stands(bench: Programs) -> None:
    text = '(products.list :price {:above (products.average :of "pric")})'
    (found,) = bench.compile(Source(text), Notation.VERBS).diagnostics
    assert found.span is not None
    assert (found.code, found.span.start) == ("unknown_column", text.index("products.average"))


def test_what_is_wrong_is_not_looked_up(bench: Programs) -> None:
    for text in ("(products.list :price @nothing)", '(products.list :price (parts.max :of "weight"))'):
        with pytest.raises(RunFailed):
            look_up(bench.catalog, program(text))


def test_steps_that_call_each_other_too_often_are_refused(bench: Programs) -> None:
    """Each step means the one before it twice: written out, the last would be a thousand calls."""
    steps = ["(products.count :as @n0)"]
    steps += [f"(products.count :id_ [@n{n} @n{n}] :as @n{n + 1})" for n in range(10)]
    text = "\n".join(steps)
    with pytest.raises(RunFailed):
        look_up(bench.catalog, program(text))
    assert "too_many_calls" in codes(bench, text)


def test_a_manifest_whose_steps_do_so_is_refused() -> None:
    """One that no compiler wrote, under a fingerprint that anybody can make."""

    def step(n: int) -> dict[str, object]:
        twice = [{"symbol": f"n{n - 1}"}] * 2 if n else []
        needs = [f"n{n - 1}"] if n else []
        return {
            "id": f"n{n}",
            "component": "products.count",
            "mode": "read",
            "needs": needs,
            "config": {"id_": twice},
        }

    content = {"manifest_version": MANIFEST_VERSION, "name": "x", "steps": [step(n) for n in range(10)]}
    data = canonical({**content, "fingerprint": fingerprint(canonical(content))})
    with pytest.raises(ManifestRefused, match="too many"):
        read_order(data)
