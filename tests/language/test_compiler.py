"""The stages after the readers: semantics, references, dependencies. `«…»` marks where a finding points."""

import re
from itertools import pairwise
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.contracts.program import Diagnostic, Pending
from dragoman.contracts.vocabulary import Notation
from dragoman.guards.sql import why_not_read_only
from dragoman.language.compiler import Compilation, CompilerStage, compile_document
from dragoman.language.front import read_program
from dragoman.language.source import Source, show
from tests.language.shop_catalog import CONFIG, TYPES, ShopCatalog

CATALOG: Final = ShopCatalog()
OML_HEAD: Final = 'oml_version: "0.1.0"\nname: x\nsteps:\n'
READ: Final = '(mysql.extractor :connection "@shop" :table "users" :as @users)\n'
OML_READ: Final = (
    '  - {id: users, component: mysql.extractor, mode: read, config: {connection: "@shop", table: users}}\n'
)


def compiled(
    text: str, notation: Notation = Notation.VERBS, upto: CompilerStage = CompilerStage.DEPENDENCIES
) -> Compilation:
    source = Source(text)
    return compile_document(read_program(source, notation), source, CATALOG, upto=upto)


def shown(text: str, found: tuple[Diagnostic, ...]) -> list[str]:
    """Each finding as its code and the text it points at."""
    return [f"{each.code} {text[each.span.start : each.span.end]}" for each in found if each.span]


def codes(text: str) -> list[str]:
    return [finding.code for finding in compiled(text).diagnostics]


# Semantics: each code, in both notations, at its place.

SEMANTIC: Final = [
    (
        "unknown_verb",
        '(«mysql.extracto» :connection "@shop" :table "users")',
        "{id: a, component: «mysql.extracto», mode: read, config: {table: users}}",
        "mysql.extractor",
    ),
    (
        "unknown_argument",
        '(mysql.extractor :connection "@shop" «:tabel» "users" :table "users")',
        "{id: a, component: mysql.extractor, mode: read, "
        'config: {connection: "@shop", «tabel»: x, table: y}}',
        "did you mean table?",
    ),
    (
        "missing_argument",
        '(«mysql.extractor» :table "users")',
        "{id: a, component: «mysql.extractor», mode: read, config: {table: users}}",
        "add connection",
    ),
    (
        "argument_type",
        '(mysql.extractor :connection "@shop" :table «12»)',
        '{id: a, component: mysql.extractor, mode: read, config: {connection: "@shop", table: «12»}}',
        "write a text",
    ),
    (
        "argument_choice",
        '(«mysql.extractor» :connection "@shop")',
        '{id: a, component: «mysql.extractor», mode: read, config: {connection: "@shop"}}',
        "add query",
    ),
    (
        "argument_choice",
        '(«mysql.extractor» :connection "@shop" :table "users" :query "SELECT 1")',
        "{id: a, component: «mysql.extractor», mode: read, "
        'config: {connection: "@shop", table: users, query: SELECT 1}}',
        "keep one",
    ),
    (
        "missing_input",
        '(«duckdb.writer» :format "csv" :path "x.csv")',
        "{id: a, component: «duckdb.writer», mode: write, config: {format: csv, path: x.csv}}",
        "needs",
    ),
    (
        "missing_input",
        '(«duckdb.writer» :needs [] :format "csv" :path "x.csv")',
        "{id: a, component: «duckdb.writer», mode: write, needs: [], config: {format: csv, path: x.csv}}",
        "needs",
    ),
    (
        "mode_mismatch",
        '(mysql.extractor :mode «"write"» :connection "@shop" :table "users")',
        '{id: a, component: mysql.extractor, mode: «write», config: {connection: "@shop", table: users}}',
        "write mode read",
    ),
    (
        "unknown_connection",
        '(mysql.extractor :connection «"@shpo"» :table "users")',
        '{id: a, component: mysql.extractor, mode: read, config: {connection: «"@shpo"», table: users}}',
        '"@shop", "@crm"',
    ),
    (
        "unknown_column",
        '(mysql.extractor :connection "@shop" :table "users" :columns ["id" «"nmae"»])',
        "{id: a, component: mysql.extractor, mode: read, "
        'config: {connection: "@shop", table: users, columns: [id, «nmae»]}}',
        "did you mean name?",
    ),
    (
        "sql_not_read_only",
        '(mysql.extractor :connection "@shop" :query «"DELETE FROM users"»)',
        "{id: a, component: mysql.extractor, mode: read, "
        'config: {connection: "@shop", query: «DELETE FROM users»}}',
        "one SELECT",
    ),
    (
        "sql_not_read_only",
        '(mysql.extractor :connection "@shop" :table "users" :filter «"id > 1) OR (1 = 1"»)',
        "{id: a, component: mysql.extractor, mode: read, "
        'config: {connection: "@shop", table: users, filter: «"id > 1) OR (1 = 1"»}}',
        "after WHERE",
    ),
]


@pytest.mark.parametrize("notation", Notation)
@pytest.mark.parametrize(("code", "verbs", "step", "hint"), SEMANTIC)
def test_semantic_finding(code: str, verbs: str, step: str, hint: str, notation: Notation) -> None:
    marked = f"; größe\n{verbs}\n" if notation is Notation.VERBS else f"# größe\n{OML_HEAD}  - {step}\n"
    before, wanted, after = re.split("[«»]", marked)
    source = Source(before + wanted + after)
    done = compile_document(read_program(source, notation), source, CATALOG)
    assert not done.ok
    assert done.stage is CompilerStage.SEMANTICS
    assert done.manifest is None
    (finding,) = done.diagnostics
    assert finding.code == code
    assert finding.span == source.span(len(before), len(before) + len(wanted))
    assert hint in finding.hint
    # A person sees the line, a caret under the place, and what to write.
    lines = show(source, finding).splitlines()
    assert wanted in lines[1]
    assert lines[2].count("^") == len(wanted)
    assert lines[1][lines[2].index("^") :].startswith(wanted)


def test_a_stage_reports_everything_in_the_order_of_the_text() -> None:
    text = '(a.b)\n(mysql.extractor :tble 1 :connection "@none")\n(duckdb.writer :format "xml")\n'
    assert shown(text, compiled(text).diagnostics) == [
        "unknown_verb a.b",
        "argument_choice mysql.extractor",
        "unknown_argument :tble",
        'unknown_connection "@none"',
        "missing_argument duckdb.writer",
        "missing_input duckdb.writer",
        'argument_type "xml"',
    ]


def test_findings_point_into_calls_that_were_lifted() -> None:
    text = '(duckdb.writer :needs [(mysql.extractor :connection "@shop" :table 5)] :format "csv" :path "x")'
    assert shown(text, compiled(text).diagnostics) == ["argument_type 5"]


def test_the_reserved_arguments_are_checked() -> None:
    wrong = '(mysql.extractor :connection "@shop" :table "users" :id "x" :needs @y)'
    assert shown(wrong, compiled(wrong).diagnostics) == ["unknown_argument :id", "argument_type @y"]


def test_the_head_of_a_pipeline_stands_first_and_once() -> None:
    assert codes(f'(oml.pipeline :name "x")\n{READ}') == []
    assert codes(f'{READ}(oml.pipeline :name "x")') == ["misplaced_head"]
    assert codes('(duckdb.everything :result (oml.pipeline :name "x"))') == ["misplaced_head"]


@pytest.mark.parametrize("stage", CompilerStage)
def test_a_program_is_taken_as_far_as_asked(stage: CompilerStage) -> None:
    wrong = {
        CompilerStage.SYNTAX: "(a.b :c)",
        CompilerStage.SEMANTICS: "(a.b)",
        CompilerStage.REFERENCES: '(shop.orders :customer "Allianz")',
        CompilerStage.DEPENDENCIES: "(duckdb.everything :result @none)",
    }
    order = list(CompilerStage)
    for other, text in wrong.items():
        done = compiled(text, upto=stage)
        reached = order.index(other) <= order.index(stage)
        assert done.ok is not reached
        assert done.stage is (other if reached else stage)
        assert done.manifest is None


# Types.

FITTING: Final = {
    "string": ['"x"', '""', '"""\n  a\n"""'],
    "sql": ['"SELECT 1"', '"WITH a AS (SELECT 1) SELECT * FROM a"', '"SELECT 1 UNION SELECT 2"'],
    "condition": ['"age > 17"', '"a > 1 -- why"', '"(a) AND (b)"', '"x IN (SELECT y FROM u)"'],
    "connection": ['"@shop"'],
    "int": ["0", "-5", "9223372036854775807"],
    "count": ["1", "7"],
    "decimal": ["1", "1.50", "-0.001"],
    "bool": ["true", "false"],
    "date": ["2020-02-29"],
    "datetime": ["2020-02-29", '"2020-02-29T12:30:00"', '"2020-02-29T12:30:00+02:00"'],
    "period": ["[2020-01-01 2020-01-31]", "[2020-01-01 2020-01-01]"],
    "json": ['"x"', "1", "1.5", "nil", "true", "2020-01-01", '[1 {:a [nil "x"]}]', "{}"],
    "enum": ['"csv"', '"parquet"'],
    "list": ["[]", "[1 2]"],
    "lists": ["[]", "[[]]", "[[2020-01-01] []]"],
    "queries": ['["SELECT 1" "SELECT 2"]'],
    "customers": ["[]", '["c1" "c3"]'],
    "entity": ['"c1"'],
    "result": ["@users", '(mysql.extractor :connection "@crm" :table "t")'],
}
UNFIT: Final = {
    "string": ["1", "nil", "[]", "@users", "2020-01-01", "true"],
    "sql": ["1", "nil", '["SELECT 1"]'],
    "condition": ["true", "1"],
    "connection": ['"shop"', '"@"', '"@a b"', "@users", "1"],
    "int": ["1.0", '"1"', "nil", "true", "2020-01-01"],
    "count": ["0", "-1", "1.0"],
    "decimal": ['"1.5"', "nil", "true"],
    "bool": ['"true"', "1", "nil"],
    "date": ['"2020-01-01"', "2020", "nil"],
    "datetime": ['"yesterday"', '"2020-02-30T00:00:00"', '""', "1"],
    "period": [
        "[2020-01-31 2020-01-01]",
        "[2020-01-01]",
        "[2020-01-01 2020-01-02 2020-01-03]",
        '["2020-01-01" "2020-01-02"]',
        "2020-01-01",
        "[]",
    ],
    "json": ["@users", "[@users]", "{:a [@users]}"],
    "enum": ['"CSV"', '"xml"', '""', "nil"],
    "list": ["[1 2.5]", '["x"]', "1", "[nil]", "{}"],
    "lists": ["[2020-01-01]", "[[1]]"],
    "queries": ['"SELECT 1"', "[1]"],
    "customers": ['"c1"', "[1]"],
    "entity": ["1", "@users", "nil"],
    "result": ['"users"', '"@users"', "nil", "[@users]"],
}


def test_every_type_has_values_that_fit_and_values_that_do_not() -> None:
    assert FITTING.keys() == UNFIT.keys() == TYPES.keys()


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, each in FITTING.items() for v in each])
def test_a_value_fits(name: str, value: str) -> None:
    done = compiled(f"{READ}(duckdb.everything :{name} {value})")
    assert not done.diagnostics
    assert done.ok


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, each in UNFIT.items() for v in each])
def test_a_value_does_not_fit(name: str, value: str) -> None:
    text = f"{READ}(duckdb.everything :{name} {value})"
    assert shown(text, compiled(text).diagnostics) == [f"argument_type {value}"]


def test_what_stands_in_a_list_is_checked_as_if_alone() -> None:
    text = '(duckdb.everything :queries ["SELECT 1" "DROP TABLE t"])'
    assert shown(text, compiled(text).diagnostics) == ['sql_not_read_only "DROP TABLE t"']


@pytest.mark.parametrize(
    "query",
    [
        "INSERT INTO t VALUES (1)",
        "UPDATE t SET a = 1",
        "DELETE FROM t",
        "DROP TABLE t",
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP TABLE t",
        "WITH a AS (DELETE FROM t RETURNING *) SELECT * FROM a",
        "SELECT * FROM t FOR UPDATE",
        "SELECT * INTO u FROM t",
        "SELECT pg_read_file('x')",
        "SELECT pg_sleep(9)",
        "COPY t TO 'x'",
        "SET a = 1",
        "EXPLAIN ANALYZE DELETE FROM t",
        "SELEC 1",
        "",
        "-- nothing",
        "SELECT " + "(" * 20_000,
        "SELECT '" + "x" * 100_000 + "'",
    ],
)
def test_a_query_must_be_proven_to_read_only(query: str) -> None:
    text = f'(postgres.extractor :connection "@crm" :query "{query}")'
    assert codes(text) == ["sql_not_read_only"]


@pytest.mark.parametrize(
    "text", ["", "1; DROP TABLE t", "1) UNION SELECT 1 FROM u WHERE (1", "1) LIMIT (1", "1 /*", "a, b"]
)
def test_a_condition_is_one_condition(text: str) -> None:
    assert codes(f'(mysql.extractor :connection "@shop" :table "t" :filter "{text}")') == [
        "sql_not_read_only"
    ]


# References.


def test_an_unresolved_reference_has_everything_that_asking_needs() -> None:
    text = f'{READ}(shop.orders :above 5 :customer "allianz" :as @orders)'
    done = compiled(text)
    assert not done.ok
    assert (done.stage, done.diagnostics, done.manifest) == (CompilerStage.REFERENCES, (), None)
    (ref,) = done.unresolved
    assert re.fullmatch("ref-[0-9a-f]{12}", ref.ref_id)
    location = ref.location
    assert (location.statement_index, location.verb, location.arg_name) == (1, "shop.orders", "customer")
    assert location.span is not None
    assert text[location.span.start : location.span.end] == '"allianz"'
    assert (location.span.line, location.span.column) == (2, 33)
    assert (ref.search_value, ref.entity_type, ref.config) == ("allianz", "customer", CONFIG)
    assert [(m.entity_id, m.display) for m in ref.initial_matches] == [
        ("c1", "Allianz Funds"),
        ("c2", "Allianz Bank"),
    ]
    assert ref.status == Pending()


def ref_ids(text: str) -> list[str]:
    return [ref.ref_id for ref in compiled(text).unresolved]


def test_the_id_of_a_reference_survives_unrelated_edits() -> None:
    wanted = ref_ids('(shop.orders :customer "allianz" :as @orders)')
    edited = [
        '\n\n; why\n(shop.orders\n  :customer "allianz"\n  :as @orders)\n',
        f'{READ}(shop.orders :above 2.50 :customer "allianz" :as @orders)',
        '(shop.orders :customer "merc")\n(shop.orders :customer "allianz" :as @orders)',
        '(shop.orders :customer "c1")\n(shop.orders :customer "allianz" :as @orders)',
        '(shop.orders :customer "allianz" :as @orders)\n(shop.orders :customer "allianz" :as @others)',
    ]
    for text in edited:
        assert set(wanted) <= set(ref_ids(text))
    assert wanted != ref_ids('(shop.orders :customer "mercury inc" :as @orders)')


def test_equal_references_have_different_ids() -> None:
    ids = ref_ids('(shop.orders :customer "x")\n' * 3 + '(duckdb.everything :customers ["x" "c1" "x" "y"])')
    assert len(set(ids)) == len(ids) == 6


def test_a_reference_in_oml_points_at_its_value() -> None:
    step = "  - {id: a, component: shop.orders, mode: read, config: {customer: Allianz}}\n"
    (ref,) = compiled(OML_HEAD + step, Notation.OML).unresolved
    assert ref.location.span is not None
    assert (OML_HEAD + step)[ref.location.span.start : ref.location.span.end] == "Allianz"


def test_a_key_is_resolved() -> None:
    done = compiled('(shop.orders :customer "c1" ; Allianz Funds\n)')
    assert done.ok
    assert done.manifest is not None


# Dependencies.


def chain(*steps: tuple[str, tuple[str, ...]]) -> str:
    return "".join(
        f'(duckdb.transform :needs [{" ".join(f"@{n}" for n in needs)}] :query "SELECT 1" :as @{name})\n'
        if needs
        else f'(mysql.extractor :connection "@shop" :table "t" :as @{name})\n'
        for name, needs in steps
    )


def order(text: str) -> list[str]:
    done = compiled(text)
    assert done.manifest is not None, done
    return [step.id for step in done.manifest.plan.steps]


def test_forward_references_are_reordered_and_the_rest_keeps_its_place() -> None:
    text = chain(("d", ("b",)), ("a", ()), ("c", ("a", "b")), ("b", ()), ("e", ()))
    assert order(text) == ["a", "b", "d", "c", "e"]
    assert order(chain(("b", ()), ("a", ()), ("c", ()))) == ["b", "a", "c"]
    manifest = compiled(chain(("c", ("b", "a")), ("a", ()), ("b", ()))).manifest
    assert manifest is not None
    assert manifest.plan.steps[-1].needs == ("b", "a")


def test_symbols_count_wherever_they_stand() -> None:
    text = '(duckdb.everything :result @b :as @a)\n(mysql.extractor :connection "@shop" :table "t" :as @b)'
    assert order(text) == ["b", "a"]
    deep = f'{READ}(duckdb.transform :needs [(duckdb.everything :result @late)] :query "SELECT 1" :as @x)\n'
    late = "(duckdb.everything :int 1 :as @late)"
    assert order(deep + late) == ["users", "late", "duckdb-everything", "x"]


def test_what_binds_nothing_is_called_by_its_place() -> None:
    text = '(duckdb.everything :int 1)\n(duckdb.transform :needs [@step-1] :query "SELECT 1")'
    assert order(text) == ["step-1", "step-2"]


DEPENDENCY: Final = [
    (chain(("a", ("none",))), ["undefined_symbol @none"]),
    ("(duckdb.everything :result @none)", ["undefined_symbol @none"]),
    (chain(("a", ()), ("a", ())), ["duplicate_symbol @a"]),
    (chain(("a", ("a",))), ["self_reference @a"]),
    ("(duckdb.everything :result @a :as @a)", ["self_reference @a"]),
    (
        chain(("x", ("x",)), ("y", ("none",)), ("x", ())),
        ["self_reference @x", "undefined_symbol @none", "duplicate_symbol @x"],
    ),
]


@pytest.mark.parametrize(("text", "found"), DEPENDENCY)
def test_dependency_finding(text: str, found: list[str]) -> None:
    done = compiled(text)
    assert done.stage is CompilerStage.DEPENDENCIES
    assert shown(text, done.diagnostics) == found


def test_every_cycle_is_named_once_and_what_waits_for_it_is_not() -> None:
    text = chain(("z", ("a",)), ("a", ("b",)), ("b", ("c",)), ("c", ("a",)), ("p", ("q",)), ("q", ("p",)))
    assert [finding.message for finding in compiled(text).diagnostics] == [
        "these steps wait for each other: @a → @b → @c → @a",
        "these steps wait for each other: @p → @q → @p",
    ]
    lines = [finding.span.line for finding in compiled(text).diagnostics if finding.span]
    assert lines == [2, 5]


def test_a_hint_stays_short_however_long_the_program_is() -> None:
    text = "".join(f"(duckdb.everything :result @none{n} :as @a{n})\n" for n in range(500))
    found = compiled(text).diagnostics
    assert len(found) == 500
    assert all(len(finding.hint) < 300 for finding in found)


@st.composite
def graphs(draw: st.DrawFn, smallest: int = 1) -> list[tuple[str, tuple[str, ...]]]:
    """Steps in any order; each needs only steps of a smaller number, so that there is no cycle."""
    size = draw(st.integers(smallest, 12))
    needs = [draw(st.sets(st.integers(0, n - 1), max_size=4)) if n else set() for n in range(size)]
    steps = [(f"s{n}", tuple(f"s{other}" for other in sorted(needs[n]))) for n in range(size)]
    return draw(st.permutations(steps))


@given(graphs())
def test_any_graph_without_a_cycle_gets_the_earliest_order(steps: list[tuple[str, tuple[str, ...]]]) -> None:
    found = order(chain(*steps))
    needs = dict(steps)
    places = [name for name, _ in steps]
    assert sorted(found) == sorted(places)
    for index, name in enumerate(found):
        assert set(needs[name]) <= set(found[:index])
        # Stable: of what could run now, the one that stands first in the text does.
        ready = [other for other in found[index:] if set(needs[other]) <= set(found[:index])]
        assert name == min(ready, key=places.index)


@given(st.data())
def test_any_cycle_is_named_by_its_members(data: st.DataObject) -> None:
    steps = data.draw(graphs(smallest=2))
    names = [name for name, _ in steps]
    ring = data.draw(st.lists(st.sampled_from(names), min_size=2, max_size=6, unique=True))
    needs = {name: set(needed) for name, needed in steps}
    for name, following in zip(ring, (*ring[1:], ring[0]), strict=True):
        needs[name].add(following)
    text = chain(*((name, tuple(sorted(needs[name]))) for name in names))
    found = compiled(text).diagnostics
    assert found
    for finding in found:
        assert finding.code == "dependency_cycle"
        members = [each.removeprefix("@") for each in finding.message.partition(": ")[2].split(" → ")]
        assert members[0] == members[-1]
        assert len(set(members)) == len(members) - 1 >= 2
        assert all(later in needs[one] for one, later in pairwise(members))


@pytest.mark.parametrize(
    ("dialect", "query"),
    [
        ("mysql", "select 1 /*!50000 into outfile 'x' */"),
        ("mysql", "select 1 /*M! into outfile 'x' */"),
        ("mysql", "select {#\nx 1} into outfile 'x' -- #}\n"),
        ("mysql", "select benchmark(1e9, md5(1))"),
        ("duckdb", "select * from read_text('/etc/passwd')"),
        ("duckdb", "select * from read_parquet('s3://x')"),
        ("duckdb", "select * from 'a.csv'"),
        ("duckdb", "select * from postgres_execute('db', 'delete from t')"),
        ("postgres", "select query_to_xml('delete from t', true, true, '')"),
        ("postgres", "select lo_unlink(1)"),
        ("postgres", "select pg_advisory_lock(1)"),
        ("postgres", "select U&\"\\0070g_read_file\"('x')"),
    ],
)
def test_a_query_that_reaches_out_is_refused(dialect: str, query: str) -> None:
    assert why_not_read_only(query, dialect) is not None


@pytest.mark.parametrize(
    ("dialect", "query"),
    [
        (
            "postgres",
            "select count(*), date_trunc('month', c) from s.t where a like '%x%'",
        ),
        ("postgres", 'select pg_typeof(a), my_schema.my_func(a) from "a/b"'),
        ("mysql", "select json_extract(a, '$.b'), ifnull(a, 1), group_concat(b) from t /* a note */"),
        ("sqlite", "select strftime('%Y', a), substr(b, 1, 2) from t"),
        ("duckdb", "from t select row_number() over (order by b), string_agg(x, ',') group by 1"),
    ],
)
def test_a_query_that_only_reads_passes(dialect: str, query: str) -> None:
    assert why_not_read_only(query, dialect) is None
