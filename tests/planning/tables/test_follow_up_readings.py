"""Messages that lean on what was asked before: the statement in hand is changed, and gives the right rows."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.contracts.schema import Dialect
from dragoman.language.verbs.printer import print_statement
from dragoman.planning.tables.follow_up_cues import context_of
from dragoman.planning.tables.words import tokens_of
from tests.planning.tables.library import Library
from tests.tables.test_engines import statement

BOOKS = '(book.list :columns "title")'
LONG = '(book.list :columns "title" :pages {:above 300})'
MEMBERS = '(member.list :columns "first_name")'
OLDER = '(member.list :columns "first_name" :age {:above 30})'
SORTED = '(member.list :columns "first_name" :age {:above 30} :order "age")'
TURKU = '(branch.list :columns "branch_name" :city "Turku")'
DEAREST = '(book.list :columns "title" :order {:desc "price"} :top 1)'
OLDEST = '(member.list :columns "first_name" :order {:desc "joined_on"} :top 1)'
CITIES = '(branch.count :by "city")'
COMMON = '(book.count :by "genre" :columns "genre" :top 1)'
WOMEN = '(member.count :gender "F")'

FOLLOWED: list[tuple[str, str, str]] = [
    # Another value takes the place of the one before.
    (TURKU, "and in Oulu?", '(branch.list :columns "branch_name" :city "Oulu")'),
    (TURKU, "what about Tampere?", '(branch.list :columns "branch_name" :city "Tampere")'),
    (WOMEN, "and male?", '(member.count :gender "M")'),
    (TURKU, "and in Oulu too", '(branch.list :columns "branch_name" :city ["Turku" "Oulu"])'),
    # Fewer of them.
    (BOOKS, "only those above 300 pages", LONG),
    (MEMBERS, "which of them are older than 30?", OLDER),
    (CITIES, "only those with more than one", '(branch.count :by "city" :having {:above 1})'),
    # Other columns of the same rows, or more of them.
    (
        OLDEST,
        "what is her last name?",
        '(member.list :columns "last_name" :order {:desc "joined_on"} :top 1)',
    ),
    (DEAREST, "who is its author?", '(book.list :columns "author" :order {:desc "price"} :top 1)'),
    (
        OLDER,
        "show their last names too",
        '(member.list :columns ["first_name" "last_name"] :age {:above 30})',
    ),
    (
        TURKU,
        "when did they open? show the opening year",
        '(branch.list :columns "opening_year" :city "Turku")',
    ),
    # A figure over them, and the rows behind a figure.
    (TURKU, "how many are there?", '(branch.count :city "Turku")'),
    (LONG, "what is their average price?", '(book.average :of "price" :pages {:above 300})'),
    (WOMEN, "list them", '(member.list :columns ["first_name" "last_name"] :gender "F")'),
    ('(member.average :of "age")', "and the maximum?", '(member.max :of "age")'),
    (
        '(member.max :of "age")',
        "who is it?",
        '(member.list :columns ["first_name" "last_name"] :order {:desc "age"} :top 1)',
    ),
    # Order, and how many.
    (BOOKS, "what about the most expensive one?", DEAREST),
    (OLDER, "sort them by age", SORTED),
    (
        SORTED,
        "reverse the order",
        '(member.list :columns "first_name" :age {:above 30} :order {:desc "age"})',
    ),
    (SORTED, "top 2 only", '(member.list :columns "first_name" :age {:above 30} :order "age" :top 2)'),
    (COMMON, "and the least common?", '(book.count :by "genre" :columns "genre" :order "count" :top 1)'),
    # Groups, another table, and no condition any more.
    ("(member.count)", "group them by gender", '(member.count :by "gender")'),
    ("(member.count)", "the same for books", "(book.count)"),
    ("(member.count)", "and branches?", "(branch.count)"),
    (OLDER, "remove that filter", MEMBERS),
    # A message that stands by itself.
    (LONG, "How many members are there in all?", "(member.count)"),
    (LONG, "What is the average age of members?", '(member.average :of "age")'),
    (OLDER, "How many branches are there in each city?", '(branch.count :by "city")'),
    # Other languages.
    (TURKU, "а сколько их?", '(branch.count :city "Turku")'),
    (TURKU, "а в Oulu?", '(branch.list :columns "branch_name" :city "Oulu")'),
    (TURKU, "그럼 Oulu 는?", '(branch.list :columns "branch_name" :city "Oulu")'),
]


@pytest.mark.parametrize(("before", "message", "after"), FOLLOWED)
def test_what_is_meant_after_a_statement(library: Library, before: str, message: str, after: str) -> None:
    readings = library.planner.readings(message, statement(before))
    assert library.rows(readings[0].statement) == library.rows(statement(after)), readings[0]


def test_what_was_done_is_told(library: Library) -> None:
    (best, *_) = library.planner.readings("how many are there?", statement(TURKU))
    assert best.notes[0].startswith("the statement in hand, changed")


def test_scores_are_probabilities(library: Library) -> None:
    for before, message, _ in FOLLOWED:
        readings = library.planner.readings(message, statement(before))
        assert 0 < len(readings) <= 10
        assert all(0 <= reading.score <= 1 for reading in readings)
        assert sum(reading.score for reading in readings) <= 1.001


def test_words_that_nothing_covers_are_named(library: Library) -> None:
    (best, *_) = library.planner.readings("and their shoe sizes?", statement(OLDER))
    assert "shoe" in best.uncovered


def test_words_that_lean_on_what_came_before_are_no_riddles(library: Library) -> None:
    (best, *_) = library.planner.readings("thanks, show their last names too", statement(OLDER))
    assert best.uncovered == ()


@pytest.mark.parametrize(
    ("message", "kinds"),
    [
        ("what about Paris?", {"about"}),
        ("show their emails too", {"plural", "also"}),
        ("and in France?", {"about", "begins"}),
        ("What is his last name?", {"singular"}),
        ("How many members are there in all?", set[str]()),
        ("убери фильтр", {"undo"}),
        ("그중에서", {"plural"}),
    ],
)
def test_how_a_message_leans(message: str, kinds: set[str]) -> None:
    assert kinds <= set(context_of(tokens_of(message)).kinds)
    assert kinds or not context_of(tokens_of(message)).kinds


_SAID = """and what about only those them their its too instead same how many list show sort by reverse
top 2 most least common remove that filter average maximum above 30 Turku novel member books branches for each
gender title age the ? , а их 그중에서 'x'"""
WORDS = st.sampled_from([*_SAID.split(), "\x00", "\ud800"])
BEFORE = st.sampled_from([before for before, _, _ in FOLLOWED])


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=BEFORE, text=st.one_of(st.text(max_size=40), st.lists(WORDS, max_size=8).map(" ".join)))
def test_any_text_is_read_and_every_reading_compiles(library: Library, before: str, text: str) -> None:
    for reading in library.planner.readings(text, statement(before)):
        assert statement(print_statement(reading.statement)) == reading.statement
        assert not isinstance(library.tables.compile(reading.statement, Dialect.SQLITE), tuple)
        assert not isinstance(library.tables.compile(reading.statement, Dialect.POSTGRES), tuple)


def test_a_statement_of_something_else_changes_nothing(library: Library) -> None:
    alone = library.planner.readings("How many members are there in all?")
    after = library.planner.readings("How many members are there in all?", statement("(sales.report)"))
    assert after[0].statement == alone[0].statement


_PROGRAM = """
import sys
from pathlib import Path
import msgspec
from tests.tables.test_engines import statement
from tests.planning.tables.library import Library
from tests.planning.tables.test_follow_up_readings import FOLLOWED
opened = Library(Path(sys.argv[1]))
for before, message, _ in FOLLOWED:
    sys.stdout.buffer.write(msgspec.json.encode(opened.planner.readings(message, statement(before))) + b"\\n")
opened.reader.close()
"""


def test_three_processes_read_alike(tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    outputs = set()
    for seed in ("0", "1", "4711"):
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM, str(tmp_path / f"{seed}.sqlite")],
            capture_output=True,
            check=True,
            cwd=root,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": f"{root}/src:{root}"},
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1
