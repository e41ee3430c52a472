"""Numbers in texts, from discovery to the rows of a question, over every family's own reader."""

from typing import Final

import pytest

from dragoman.contracts.schema import Dialect, ValueType
from dragoman.databases.discovery import discover
from dragoman.databases.values import read_values
from dragoman.planning.database.said_joint import Said, said_joint
from dragoman.tables import CompiledRead, table_catalog
from tests.databases.access.sources import Source

FAMILIES: Final = {Dialect.MYSQL: "mysql", Dialect.POSTGRES: "postgres"}
STATEMENTS: Final = (
    "CREATE TABLE barges (barge_id integer PRIMARY KEY, name varchar(40), num_of_crew varchar(20),"
    " load_t char(9), pier varchar(20), remark varchar(40));"
    "INSERT INTO barges VALUES (1, 'Anna', '9', '1200.5', '0412', '3'),"
    " (2, 'Berta', '12', '80', '0413', 'n/a'), (3, 'Clara', '100', '950', '0510', 'about 3'),"
    " (4, 'Dora', NULL, NULL, NULL, NULL);"
)
QUESTIONS: Final = {
    "which barges have more than 10 crew": ["Berta 12", "Clara 100"],
    "average number of crew": ["40.333333333"],
    "barges with an above average load_t": ["Anna 1200.5", "Clara 950"],
    "the two barges with the smallest number of crew": ["Anna 9", "Berta 12"],
    "barge names and number of crew, sorted by number of crew": [
        "Anna 9",
        "Berta 12",
        "Clara 100",
        "Dora None",
    ],
}


@pytest.fixture
def barges(source: Source) -> Source:
    source.run(STATEMENTS)
    return source


def test_a_column_of_texts_says_that_it_writes_numbers(barges: Source) -> None:
    with barges.reader() as reader:
        (table,) = discover(reader, FAMILIES.get(barges.dialect, barges.dialect.value)).tables
    found = {each.name: (each.type, each.writes) for each in table.columns}
    assert found["num_of_crew"] == (ValueType.TEXT, ValueType.INTEGER)
    assert found["load_t"] == (ValueType.TEXT, ValueType.DECIMAL)
    assert found["name"] == found["pier"] == found["remark"] == (ValueType.TEXT, None)
    crew = next(each for each in table.columns if each.name == "num_of_crew")
    assert (crew.least, crew.most) == (9, 100)


def test_questions_over_them_give_their_rows(barges: Source) -> None:
    with barges.reader() as reader:
        schema = discover(reader, FAMILIES.get(barges.dialect, barges.dialect.value))
        tables = table_catalog(schema)
        planner = said_joint(tables, schema, read_values(reader, schema), Said(), lambda *_: None)
        for question, rows in QUESTIONS.items():
            compiled = tables.compile(planner.readings(question)[0].statement, barges.dialect)
            assert isinstance(compiled, CompiledRead), compiled
            found = reader.read(compiled.query).rows
            # A column of a fixed width is filled up with blanks.
            assert [" ".join(str(cell).strip() for cell in row) for row in found] == rows, question
