"""Numbers that a database keeps as texts are asked for like any others, and shown as they stand there."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from dragoman.contracts.program import Statement
from dragoman.contracts.schema import ColumnInfo, DatabaseSchema, Dialect, TableInfo, TableKind, ValueType
from dragoman.contracts.taught import TaughtKind, TaughtWord
from dragoman.databases.values import read_values
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.planning.database.joint import JointPlanner
from dragoman.planning.database.said_joint import Said, said_joint
from dragoman.planning.database.written_numbers import WrittenNumbers
from dragoman.tables.request_reader import requests_of
from tests.planning.database.market_hall import MarketHall
from tests.planning.database.test_questions import Block, blocks, check, steps


@pytest.fixture(scope="module")
def market_hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MarketHall]:
    opened = MarketHall(Path(tmp_path_factory.mktemp("market_hall")) / "market_hall.sqlite")
    yield opened
    opened.reader.close()


@pytest.mark.parametrize("block", blocks("market_hall.txt"), ids=lambda block: block[0])
def test_a_question_gives_its_rows(market_hall: MarketHall, block: Block) -> None:
    ((question, lines),) = steps(block)
    check(market_hall.rows(market_hall.asked(question)), lines)


def test_a_question_means_what_it_means_of_numbers(market_hall: MarketHall, tmp_path: Path) -> None:
    typed = MarketHall(tmp_path / "typed.sqlite", typed=True)
    spelling = WrittenNumbers(market_hall.schema).spelling
    for block in blocks("market_hall.txt"):
        ((question, _),) = steps(block)
        assert spelling.plain(market_hall.asked(question)) == typed.asked(question), question
    typed.reader.close()


@pytest.mark.parametrize(
    ("question", "more", "rows"),
    [
        ("which stalls have more than 10 helpers", "and more than 100?", ["Cod | 120"]),
        ("stalls with a width over 3", "sort them by width, widest first", ["Moss", "Rye", "Fern", "Eel"]),
        ("average number of helpers", "by hall?", ["Fish Hall | 63.5", "New Hall | 22", "Old Hall | 12"]),
        ("total number of helpers", "only in the Old Hall", ["24"]),
    ],
)
def test_a_follow_up_goes_on_from_such_numbers(
    market_hall: MarketHall, question: str, more: str, rows: list[str]
) -> None:
    found = market_hall.rows(market_hall.asked(more, market_hall.asked(question)))
    first = [row.split(" | ")[0] for row in found]
    assert rows in (found, sorted(found), first)


def test_the_second_reader_has_nothing_against_them(market_hall: MarketHall) -> None:
    for question in ("which stalls have more than 20 helpers", "what is the average number of helpers"):
        statement = market_hall.asked(question)
        assert market_hall.planner.objections(question, "en", (statement,)) == ()


def test_the_second_reader_objects_to_the_wrong_number(market_hall: MarketHall) -> None:
    wrong = one("(stalls.list :num_of_helpers {:number {:above 30}})")
    assert market_hall.planner.objections("which stalls have more than 20 helpers", "en", (wrong,))


def one(text: str) -> Statement:
    (read,) = read_verbs(Source(text)).statements
    return read


SPELLED: Final = [
    ('(stalls.sum :of "width")', '(stalls.sum :of {:number "width"})'),
    ('(stalls.list :width 3 :columns "width")', '(stalls.list :width {:number 3} :columns "width")'),
    (
        '(stalls.list :columns ["name" "width"] :order [{:desc "width"} "name"])',
        '(stalls.list :columns ["name" "width"] :order [{:desc {:number "width"}} "name"])',
    ),
    (
        '(stalls.average :of "width" :also {:average "rating"} :columns ["average/width" "average/rating"])',
        '(stalls.average :of {:number "width"} :also {:average {:number "rating"}} '
        ':columns [{:average {:number "width"}} {:average {:number "rating"}}])',
    ),
    (
        '(takings.sum :of {:times ["amount" {:minus [1 "fee"]}]} :by "stall/hall/name" :order {:desc "sum"})',
        '(takings.sum :of {:times [{:number "amount"} {:minus [1 {:number "fee"}]}]} :by "stall/hall/name" '
        ':order {:desc "sum"})',
    ),
    (
        '(halls.list :where {:stalls-by-hall {:how-many {:above 2} :width {:above 2}}})',
        "(halls.list :where {:stalls-by-hall {:how-many {:above 2} :width {:number {:above 2}}}})",
    ),
    (
        '(halls.list :where {:stalls-by-hall {:not {:width {:not nil}}}})',
        "(halls.list :where {:stalls-by-hall {:not {:width {:number {:not nil}}}}})",
    ),
    (
        '(stalls.list :width {:above (stalls.average :of "width")})',
        '(stalls.list :width {:number {:above (stalls.average :of {:number "width"})}})',
    ),
    (
        '(stalls.list :width (stalls.list :name "Rye" :columns "width" :order "width" :top 1))',
        '(stalls.list :width {:number (stalls.list :name "Rye" :columns {:number "width"} '
        ':order {:number "width"} :top 1)})',
    ),
    ('(stalls.share :that {:width [{:below 3} {:above 9}]})',
     "(stalls.share :that {:width {:number [{:below 3} {:above 9}]}})"),
    ('(stalls.list :where [{:hall {:area_m2 5}} {:name "Rye"}])',
     '(stalls.list :where [{:hall {:area_m2 {:number 5}}} {:name "Rye"}])'),
    # A text is looked for as a text, and what is no number stays what it is.
    ('(stalls.list :width "3.25" :phone "351123456")', '(stalls.list :width "3.25" :phone "351123456")'),
    ('(stalls.count :by "rating" :order "rating")', '(stalls.count :by "rating" :order {:number "rating"})'),
]  # fmt: skip


@pytest.mark.parametrize(("planned", "spelled"), SPELLED)
def test_a_program_says_where_a_text_is_read_as_a_number(
    market_hall: MarketHall, planned: str, spelled: str
) -> None:
    spelling = WrittenNumbers(market_hall.schema).spelling
    plain, said = one(planned), one(spelled)
    assert spelling.spelled(plain) == said == spelling.spelled(said)
    assert spelling.plain(said) == plain == spelling.plain(plain)
    assert not market_hall.tables.findings(said)


def taught(market_hall: MarketHall, *words: TaughtWord) -> JointPlanner:
    values = read_values(market_hall.reader, market_hall.schema)
    return said_joint(
        market_hall.tables, market_hall.schema, values, Said(taught=words), lambda *_: None
    ).hearing(words[0].word, "en")


@pytest.mark.parametrize("of", ['{:number "width"}', '"width"'])
def test_a_taught_figure_may_say_either(market_hall: MarketHall, of: str) -> None:
    word = TaughtWord("spread", TaughtKind.FIGURE, "stalls", f"{{:times [{of} 2]}}")
    planner = taught(market_hall, word)
    question = "what is the average spread of stalls"
    first = planner.readings(question)[0].statement
    assert first == one('(stalls.average :of {:times [{:number "width"} 2]})')
    assert planner.objections(question, "en", (first,)) == ()


def test_a_taught_condition_holds_numbers(market_hall: MarketHall) -> None:
    word = TaughtWord("broad", TaughtKind.CONDITION, "stalls", "{:width {:above 9}}")
    first = taught(market_hall, word).readings("how many stalls are broad")[0].statement
    assert first == one("(stalls.count :width {:number {:above 9}})")


def test_whoever_sees_numbers_reads_either_way_of_writing(market_hall: MarketHall) -> None:
    graph = market_hall.planner.graph
    for planned, spelled in (each for each in SPELLED if each[0] != each[1]):
        assert requests_of(graph, (one(planned),)) != [None]
        assert requests_of(graph, (one(spelled),)) != [None]


def numbers_of(*columns: ColumnInfo) -> set[str]:
    """Which columns of a table are read as numbers."""
    table = TableInfo("drums", TableKind.TABLE, columns, primary_key=("drum_id",))
    schema = DatabaseSchema("sqlite", Dialect.SQLITE, (table,), "")
    read = WrittenNumbers(schema).schema.tables[0].columns
    return {each.name for each in read if each.type is not ValueType.TEXT}


def written(name: str, least: float, most: float, kind: ValueType = ValueType.INTEGER) -> ColumnInfo:
    return ColumnInfo(name, ValueType.TEXT, "TEXT", writes=kind, least=least, most=most)


@pytest.mark.parametrize(
    "each",
    [
        written("litres", 3, 800),
        written("Num_of_Players", 2, 31),
        written("weight_kg", 1000, 9999),
        written("salary", 30000, 61000),
        written("account_balance", -20, 5000),
        written("score", 1.5, 9.25, ValueType.DECIMAL),
    ],
)
def test_a_column_of_texts_is_one_of_numbers(each: ColumnInfo) -> None:
    assert numbers_of(each) == {each.name}


@pytest.mark.parametrize(
    "each",
    [
        written("drum_id", 1, 90),
        written("phone", 1000000, 99999999),
        written("zip_code", 90210, 99950),
        written("account_no", 5, 90000),
        written("serial", 1, 900),
        written("opened", 1987, 2019),
        written("day", 20210101, 20221231),
        written("version", 1.1, 9.12, ValueType.DECIMAL),
        written("drum", 7, 4000),
        written("kind", 1, 9),
        written("heated", 0, 1),
        # Whatever it is: so many digits in all rows are no amounts.
        written("ledger", 10203, 99412),
        ColumnInfo(
            "litres", ValueType.TEXT, "TEXT", unique=True, writes=ValueType.INTEGER, least=2, most=900
        ),
        ColumnInfo("litres", ValueType.TEXT, "TEXT"),
    ],
    ids=lambda each: each.name,
)
def test_a_code_is_no_number(each: ColumnInfo) -> None:
    assert numbers_of(each) == set()


def test_codes_keep_their_type(market_hall: MarketHall) -> None:
    graph = market_hall.planner.graph
    texts = {
        name for name, column in graph.by_name["stalls"].columns.items() if column.type is ValueType.TEXT
    }
    assert texts == {"name", "phone", "account", "code", "heated"}
    assert {"zip", "opened", "name"} == {
        name for name, column in graph.by_name["halls"].columns.items() if column.type is ValueType.TEXT
    }


def test_where_no_text_is_a_number_nothing_changes(market_hall: MarketHall) -> None:
    plain = DatabaseSchema("sqlite", Dialect.SQLITE, market_hall.schema.tables[:0], "")
    numbers = WrittenNumbers(plain)
    assert not numbers
    assert numbers.schema is plain
    statement = one('(stalls.sum :of "width")')
    assert numbers.spelling.spelled(statement) is statement is numbers.spelling.plain(statement)
