"""Questions in words over a database that nobody described: the best reading gives the right rows."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.contracts.query import Value
from dragoman.contracts.schema import Dialect
from tests.planning.tables.library import Library

ANSWERS: list[tuple[str, list[tuple[Value, ...]]]] = [
    ("How many members are there in all?", [(5,)]),
    ("How many books are novels?", [(2,)]),
    (
        "Show the titles of all books.",
        [("Winter Roads",), ("Bread at Home",), ("The Long Ferry",), ("Knots",)],
    ),
    ("What is the average age of members?", [(36.4,)]),
    ("What are the maximum and minimum price of books?", [(24.0, 12.0)]),
    ("List the titles of books with more than 300 pages.", [("Winter Roads",), ("The Long Ferry",)]),
    ("Which branches are in Turku? Give their names.", [("Harbour",), ("Station",)]),
    ("What is the title of the most expensive book?", [("Bread at Home",)]),
    ("Show the first name of the youngest member.", [("Sanna",)]),
    ("How many branches are there in each city?", [("Turku", 2), ("Tampere", 1), ("Oulu", 1)]),
    (
        "For each genre, what is the average number of pages?",
        [("novel", 366), ("cooking", 144), ("craft", 96)],
    ),
    (
        "List the last names of members ordered by age in descending order.",
        [("Koski",), ("Lind",), ("Laine",), ("Salo",), ("Mäki",)],
    ),
    ("What are the names of branches opened before 1980?", [("Harbour",), ("Old Mill",)]),
    ("Show the titles of books by Ilmari Voutila.", [("Winter Roads",), ("The Long Ferry",)]),
    ("Which genres have at least 2 books?", [("novel",)]),
    ("What is the most common genre?", [("novel",)]),
    ("Show the title of books whose title starts with 'The'.", [("The Long Ferry",)]),
    ("Show the distinct authors of books.", [("Ilmari Voutila",), ("Kerttu Aho",), ("Paavo Rinne",)]),
]


@pytest.mark.parametrize(("question", "rows"), ANSWERS)
def test_the_best_reading_answers(library: Library, question: str, rows: list[tuple[Value, ...]]) -> None:
    readings = library.planner.readings(question)
    found = library.rows(readings[0].statement)
    assert sorted(map(_plain, found)) == sorted(map(_plain, rows)), readings[0]


def _plain(row: tuple[Value, ...]) -> list[str]:
    """Cells in an order that does not depend on which column was named first."""
    return sorted(f"{float(str(cell)):.3f}" if _is_number(cell) else str(cell) for cell in row)


def _is_number(cell: Value) -> bool:
    try:
        float(str(cell))
    except ValueError:
        return False
    return True


OTHER_LANGUAGES: list[tuple[str, list[tuple[Value, ...]]]] = [
    ("Сколько книг?", [(4,)]),
    ("Какая средняя цена книг?", [(19.6,)]),
    ("Покажи названия книг, у которых больше 300 страниц", [("Winter Roads",), ("The Long Ferry",)]),
    ("Сколько филиалов в каждом городе?", [("Turku", 2), ("Tampere", 1), ("Oulu", 1)]),
    ("Сколько участников старше 30?", [(3,)]),
    ("Покажи самую дорогую книгу", [("Bread at Home",)]),
    ("Сколько филиалов в Turku?", [(2,)]),
    ("책은 몇 권인가요?", [(4,)]),
    ("가장 비싼 책의 제목은?", [("Bread at Home",)]),
    ("도시별 지점 수", [("Turku", 2), ("Tampere", 1), ("Oulu", 1)]),
    ("회원의 평균 나이", [(36.4,)]),
]


@pytest.mark.parametrize(("question", "rows"), OTHER_LANGUAGES)
def test_russian_and_korean_are_read(library: Library, question: str, rows: list[tuple[Value, ...]]) -> None:
    found = library.rows(library.planner.readings(question)[0].statement)
    assert sorted(map(_plain, found)) == sorted(map(_plain, rows))


UNANSWERABLE = [
    "What is the shoe size of each member?",
    "Which members have a driving licence?",
    "How many helicopters do we own?",
    "Will it rain in Turku tomorrow?",
    "What is the best book ever written, in your opinion?",
    "Write a poem about knots and ferries.",
    "How many members will we have next year?",
    "What is the salary of the librarian?",
    "Show the nutritional value of all vegetables.",
]


@pytest.mark.parametrize("question", UNANSWERABLE)
def test_what_the_database_cannot_answer_is_never_sure(library: Library, question: str) -> None:
    readings = library.planner.readings(question)
    assert not readings or readings[0].uncovered or readings[0].score < 0.5, readings[0]


def test_scores_are_probabilities_best_first(library: Library) -> None:
    for question, _ in ANSWERS:
        readings = library.planner.readings(question)
        assert 0 < len(readings) <= 10
        assert all(0 <= reading.score <= 1 for reading in readings)
        assert sum(reading.score for reading in readings) <= 1.001


def test_words_that_nothing_covers_are_named(library: Library) -> None:
    readings = library.planner.readings("What is the shoe size of each member?")
    assert not readings or "shoe" in readings[0].uncovered


_SAID = (
    "how many members books loans branch for each per average maximum title name first last age older than"
    " 30 at least 2 two most common order by descending in Turku 'x' \"novel\" not between and 1999 or with"
    " whose the of ? , . different top 3 сколько книг 회원 수 \x00 \ud800 NULL -- ; DROP"
)
WORDS = st.sampled_from(_SAID.split(" "))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=14).map(" ".join)))
def test_any_text_is_read_and_every_reading_compiles(library: Library, text: str) -> None:
    for reading in library.planner.readings(text):
        assert not isinstance(library.tables.compile(reading.statement, Dialect.SQLITE), tuple)
        assert not isinstance(library.tables.compile(reading.statement, Dialect.POSTGRES), tuple)


def test_a_long_message_is_read(library: Library) -> None:
    library.planner.readings("members " * 5_000)
    library.planner.readings("'" * 3_000)


_PROGRAM = """
import sys
from pathlib import Path
import msgspec
from tests.planning.tables.library import Library
from tests.planning.tables.test_table_planner import ANSWERS, OTHER_LANGUAGES
opened = Library(Path(sys.argv[1]))
for question, _ in ANSWERS + OTHER_LANGUAGES:
    sys.stdout.buffer.write(msgspec.json.encode(opened.planner.readings(question)) + b"\\n")
opened.reader.close()
"""


def test_three_processes_read_alike(tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    outputs = set()
    for seed in ("0", "1", "4711"):
        path = tmp_path / f"{seed}.sqlite"
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM, str(path)],
            capture_output=True,
            check=True,
            cwd=root,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": f"{root}/src:{root}"},
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1
