"""A draft from a schema: it passes the check whatever the names, and says what it guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.contracts.pack import Pack
from dragoman.contracts.program import Severity
from dragoman.contracts.record import Record
from dragoman.contracts.schema import (
    ColumnInfo,
    DatabaseSchema,
    Dialect,
    ForeignKey,
    TableInfo,
    TableKind,
    ValueType,
)
from dragoman.language.records import read_record
from dragoman.language.source import Source
from dragoman.packs.demo import demo_script
from dragoman.packs.pack_check import check_pack
from dragoman.packs.pack_draft import MAX_TABLES
from dragoman.packs.pack_files import load_shipped, read_pack, shipped_packs
from dragoman.packs.yaml_text import block, quoted
from dragoman.planning.database.pack_notes import pack_notes
from dragoman.planning.first_pack.draft import first_pack
from tests.packs.schemas import schema_of

NAMES = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            "order",
            "select",
            "Заказы",
            "주문",
            'quo"te',
            "it's",
            "back`tick",
            "a b",
            "id",
            "as",
            "user",
            "start",
            "null",
            "true",
            "12",
            "-",
            "a.b",
            "x\x00y",
            ":p",
            "{{x}}",
            "--",
            "/*!x*/",
            "con",
            "É",
            "e\u0301",
        ]
    ),
)
COLUMNS = st.builds(
    ColumnInfo,
    name=NAMES,
    type=st.sampled_from(ValueType),
    native=st.just("x"),
    unique=st.booleans(),
)


@st.composite
def tables(draw: st.DrawFn) -> TableInfo:
    columns = draw(st.lists(COLUMNS, min_size=1, max_size=6, unique_by=lambda column: column.name.casefold()))
    name = draw(NAMES)
    keys = draw(st.lists(st.sampled_from([column.name for column in columns]), max_size=1))
    foreign = draw(
        st.lists(
            st.builds(
                ForeignKey,
                columns=st.tuples(st.sampled_from([column.name for column in columns])),
                table=NAMES,
                target_columns=st.tuples(NAMES),
                declared=st.booleans(),
            ),
            max_size=2,
        )
    )
    return TableInfo(
        name, TableKind.TABLE, tuple(columns), primary_key=tuple(keys), foreign_keys=tuple(foreign)
    )


@st.composite
def schemas(draw: st.DrawFn) -> DatabaseSchema:
    found = draw(st.lists(tables(), max_size=4, unique_by=lambda table: table.name.casefold()))
    dialect = draw(st.sampled_from(Dialect))
    return DatabaseSchema("sqlite", dialect, tuple(found), "f")


@given(schemas(), st.text(max_size=12), st.booleans())
def test_a_draft_of_anything_passes_the_check(schema: DatabaseSchema, name: str, verbs: bool) -> None:
    text = first_pack(schema, name, verbs=verbs)
    errors = [each for each in check_pack(Source(text), schema) if each.severity is Severity.ERROR]
    assert not errors, (errors[0], text)
    # What it notes says nothing new.
    pack = read_pack(Source(text))
    assert isinstance(pack, Pack)
    noted = pack_notes((pack,), schema)
    assert noted.notes.labels == {}
    assert not any(word.isascii() for words in noted.called.values() for word in words)


@pytest.mark.parametrize("name", shipped_packs())
def test_a_draft_of_a_demo_finds_its_entities(name: str) -> None:
    pack = load_shipped(name)
    schema = schema_of(demo_script(pack))
    text = first_pack(schema, f"My {name}", verbs=True)
    assert check_pack(Source(text), schema) == ()
    draft = read_pack(Source(text))
    assert isinstance(draft, Pack)
    wanted = {
        (entity.table, entity.key, entity.display)
        for entity in pack.entities.values()
        if entity.table != "cbu_directory" and entity.display in {"name", "title"}
    }
    assert wanted <= {(entity.table, entity.key, entity.display) for entity in draft.entities.values()}
    assert "GUESS" in text
    assert "FILL IN" in text


def test_a_draft_sums_measures_along_foreign_keys() -> None:
    schema = schema_of(demo_script(load_shipped("projects")))
    draft = read_pack(Source(first_pack(schema, "p", verbs=True)))
    assert isinstance(draft, Pack)
    total = draft.verbs["story-2.total-points"]
    assert {argument.entity for argument in total.arguments.values()} == {
        "project",
        "epic",
        "sprint",
        "member",
    }
    assert all(not argument.required for argument in total.arguments.values())


def test_a_large_schema_gives_a_draft_that_can_be_read() -> None:
    columns = (
        ColumnInfo("id", ValueType.INTEGER, "int"),
        ColumnInfo("name", ValueType.TEXT, "text"),
        ColumnInfo("day", ValueType.DATE, "date"),
        ColumnInfo("amount", ValueType.DECIMAL, "numeric"),
    )
    many = tuple(
        TableInfo(f"table_{number}", TableKind.TABLE, columns, primary_key=("id",), rows=number)
        for number in range(2_000)
    )
    text = first_pack(DatabaseSchema("postgres", Dialect.POSTGRES, many, "f"), "large", verbs=True)
    draft = read_pack(Source(text))
    assert isinstance(draft, Pack)
    assert len(draft.entities) == MAX_TABLES
    assert f"{2_000 - MAX_TABLES} tables are left out" in text


class Holder(Record, frozen=True):
    text: str


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_what_is_quoted_is_read_back(text: str) -> None:
    assert read_record(Source(f"text: {quoted(text)}"), Holder) == Holder(text)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=12), min_size=1))
def test_a_block_is_read_back(lines: list[str]) -> None:
    text = "\n".join(lines)
    read = read_record(Source(f"text: {block(text, 2)}\n"), Holder)
    assert isinstance(read, Holder)
    assert read.text.rstrip("\n") == text.rstrip("\n")
