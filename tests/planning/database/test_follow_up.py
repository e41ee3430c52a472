"""Messages that lean on an answer: the statement in hand is changed, and gives the right rows."""

import datetime as dt

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.contracts.schema import Dialect
from dragoman.planning.database.follow_up import edits_of, follow_ups
from dragoman.planning.database.lean import lean_of
from dragoman.planning.database.planner import Reading
from dragoman.reading.period_grammar import period_grammar
from tests.planning.database.orchard import Orchard
from tests.tables.test_engines import statement

TODAY = dt.date(2024, 1, 15)

TOTAL = '(harvest.sum :of "weight_kg" :during [2022-01-01 2022-12-31])'
FRUITS = '(harvest.sum :of "weight_kg" :by "fruit_id" :columns ["fruit/name" "sum"])'
PICKERS = '(picker.list :where {:orchard {:name "Larkfield"}} :columns ["first_name" "last_name"])'
HEAVY = "(harvest.list :weight_kg {:above 100})"
BUYER = '(sale.sum :of "amount" :by "buyer" :order {:desc "sum"} :top 1)'
SOUTH = '(orchard.list :region_code "S" :columns "name")'
WAGE = '(picker.max :of "hourly_wage")'

BEST = (
    '(harvest.sum :of "weight_kg" :by "picker_id" :columns ["picker/first_name" "picker/last_name" "sum"]'
    ' :order {:desc "sum"} :top 1)'
)
TOP = '(harvest.sum :of "weight_kg" :by "picker_id" :columns "picker_id" :order {:desc "sum"} :top 1)'

HEAVIEST = '(harvest.list :columns "harvest_id" :order {:desc "weight_kg"} :top 1)'
LARGEST = '(orchard.list :columns ["name" "hectares"] :order {:desc "hectares"} :top 1)'
BUSY = '(harvest.count :by "picker_id" :columns "picker/last_name" :having {:count {:above 1}})'

POINTED = (
    '(harvest.count :by "picker_id" :picker_id [1 2]'
    ' :columns ["picker/first_name" "picker/last_name" "count"])'
)

FOLLOWED: list[tuple[str, str, str]] = [
    # Another ranking is one of all rows, and not of those that were pointed at.
    (
        POINTED,
        "now by weight instead, top 1 is enough",
        '(harvest.sum :of "weight_kg" :by "picker_id" :columns ["picker/first_name" "picker/last_name" "sum"]'
        ' :order {:desc "sum"} :top 1)',
    ),
    # The one that has most of something else; a row that is named is no top.
    (
        HEAVIEST,
        "what about spoiled?",
        '(harvest.list :columns "harvest_id" :order {:desc "spoiled_kg"} :top 1)',
    ),
    (LARGEST, "how large is Stonegate?", '(orchard.list :name "Stonegate" :columns ["name" "hectares"])'),
    # What is asked for by name is shown alone, also of groups.
    (
        BUSY,
        "what are their emails",
        '(harvest.count :by "picker_id" :columns "picker/email" :having {:count {:above 1}})',
    ),
    (SOUTH, "what are their region codes", '(orchard.list :region_code "S" :columns "region_code")'),
    (
        WAGE,
        "what is the email of that picker",
        '(picker.list :columns "email" :order {:desc "hourly_wage"} :top 1)',
    ),
    # The rows that each row points at go without saying.
    (
        '(picker.list :with "orchard" :where {:orchard {:name "Larkfield"}} :columns "last_name")',
        "how many of them are there",
        '(picker.count :where {:orchard {:name "Larkfield"}})',
    ),
    # How often there is each, how many the one row has, and fewer of those in hand.
    (
        "(orchard.list)",
        "which of these region codes is the most common",
        '(orchard.count :by "region_code" :columns "region_code" :order {:desc "count"} :top 1)',
    ),
    (
        LARGEST,
        "how many hectares does that orchard have",
        '(orchard.list :columns "hectares" :order {:desc "hectares"} :top 1)',
    ),
    (
        "(picker.count :orchard_id 1)",
        "and how many of them have an hourly wage below 20?",
        "(picker.count :orchard_id 1 :hourly_wage {:below 20})",
    ),
    # All of them are not those in hand; one row that was named cannot be counted.
    (HEAVIEST, "and the average weight of all the harvests", '(harvest.average :of "weight_kg")'),
    (
        '(orchard.list :name "Larkfield" :columns "hectares")',
        "how many are in the Southern Coast?",
        '(orchard.count :region_code "S")',
    ),
    # Another value or period takes the place of the one before.
    (TOTAL, "and in 2023?", '(harvest.sum :of "weight_kg" :during [2023-01-01 2023-12-31])'),
    (
        PICKERS,
        "what about Millbrook",
        '(picker.list :where {:orchard {:name "Millbrook"}} :columns ["first_name" "last_name"])',
    ),
    (SOUTH, "and the Northern Hills", '(orchard.list :region_code "N" :columns "name")'),
    # Fewer of them.
    (
        TOTAL,
        "only september",
        '(harvest.sum :of "weight_kg" :picked_on {:month 9} :during [2022-01-01 2022-12-31])',
    ),
    (
        FRUITS,
        "only in 2023",
        '(harvest.sum :of "weight_kg" :by "fruit_id" :during [2023-01-01 2023-12-31]'
        ' :columns ["fruit/name" "sum"])',
    ),
    (
        FRUITS,
        "without apples",
        '(harvest.sum :of "weight_kg" :by "fruit_id" :where {:fruit {:name {:not "Apple"}}}'
        ' :columns ["fruit/name" "sum"])',
    ),
    (
        FRUITS,
        "only those above 120",
        '(harvest.sum :of "weight_kg" :by "fruit_id" :columns ["fruit/name" "sum"]'
        " :having {:sum {:above 120}})",
    ),
    (HEAVY, "only above 120", "(harvest.list :weight_kg {:above 120})"),
    (
        PICKERS,
        "which of them earn more than 20",
        '(picker.list :hourly_wage {:above 20} :where {:orchard {:name "Larkfield"}}'
        ' :columns ["first_name" "last_name" "hourly_wage"])',
    ),
    (
        PICKERS,
        "only active ones",
        '(picker.list :active 1 :where {:orchard {:name "Larkfield"}} :columns ["first_name" "last_name"])',
    ),
    (
        '(sale.sum :of "amount" :by "buyer")',
        "excluding the corner",
        '(sale.sum :of "amount" :by "buyer" :buyer {:not "Corner Shop"})',
    ),
    (
        '(picker.list :columns ["first_name" "last_name"])',
        "only the ones with harvests",
        '(picker.list :where {:harvest-by-picker {:not nil}} :columns ["first_name" "last_name"])',
    ),
    # Groups.
    (
        TOTAL,
        "by fruit",
        '(harvest.sum :of "weight_kg" :by "fruit_id" :during [2022-01-01 2022-12-31]'
        ' :columns ["fruit/name" "sum"])',
    ),
    (
        TOTAL,
        "per month",
        '(harvest.sum :of "weight_kg" :by "picked_on/month" :during [2022-01-01 2022-12-31])',
    ),
    (
        FRUITS,
        "split it by year",
        '(harvest.sum :of "weight_kg" :by ["fruit_id" "picked_on/year"]'
        ' :columns ["fruit/name" "picked_on/year" "sum"])',
    ),
    (
        SOUTH,
        "how many pickers does each have",
        '(picker.count :by "orchard_id" :where {:orchard {:region_code "S"}}'
        ' :columns ["orchard/name" "count"])',
    ),
    # Orders and tops.
    (
        FRUITS,
        "top 2",
        '(harvest.sum :of "weight_kg" :by "fruit_id" :columns ["fruit/name" "sum"]'
        ' :order {:desc "sum"} :top 2)',
    ),
    (
        FRUITS,
        "which one is the lowest",
        '(harvest.sum :of "weight_kg" :by "fruit_id" :columns ["fruit/name" "sum"] :order "sum" :top 1)',
    ),
    (BUYER, "the bottom 2", '(sale.sum :of "amount" :by "buyer" :order "sum" :top 2)'),
    # How many, and how much.
    (PICKERS, "how many is that", '(picker.count :where {:orchard {:name "Larkfield"}})'),
    (FRUITS, "how many harvests each", '(harvest.count :by "fruit_id" :columns ["fruit/name" "count"])'),
    (
        FRUITS,
        "add the number of harvests",
        '(harvest.sum :of "weight_kg" :also "count" :by "fruit_id" :columns ["fruit/name" "sum" "count"])',
    ),
    (TOTAL, "the average instead", '(harvest.average :of "weight_kg" :during [2022-01-01 2022-12-31])'),
    (WAGE, "and the minimum?", '(picker.min :of "hourly_wage")'),
    (HEAVY, "total weight", '(harvest.sum :of "weight_kg" :weight_kg {:above 100})'),
    (
        FRUITS,
        "as a percentage",
        '(harvest.share :of "weight_kg" :by "fruit_id" :columns ["fruit/name" "share"])',
    ),
    (
        BUYER,
        "how many sales did they make",
        '(sale.count :also {:sum "amount"} :by "buyer" :columns ["buyer" "count"]'
        ' :order {:desc "sum"} :top 1)',
    ),
    # More of the same rows.
    (
        PICKERS,
        "show their emails too",
        '(picker.list :where {:orchard {:name "Larkfield"}} :columns ["first_name" "last_name" "email"])',
    ),
    (
        PICKERS,
        "show thier emails too",
        '(picker.list :where {:orchard {:name "Larkfield"}} :columns ["first_name" "last_name" "email"])',
    ),
    (
        PICKERS,
        "when did they start",
        '(picker.list :where {:orchard {:name "Larkfield"}} :columns ["first_name" "last_name" "hire_date"])',
    ),
    (
        PICKERS,
        "who is their boss",
        '(picker.list :where {:orchard {:name "Larkfield"}}'
        ' :columns ["first_name" "last_name" "boss/first_name" "boss/last_name"])',
    ),
    (
        '(harvest.list :weight_kg {:above 100} :columns ["picked_on" "weight_kg"])',
        "whose are they",
        "(harvest.list :weight_kg {:above 100}"
        ' :columns ["picked_on" "weight_kg" "picker/first_name" "picker/last_name"])',
    ),
    # Another thing of the same rows.
    (
        HEAVY,
        "who picked them",
        "(picker.list :where {:harvest-by-picker {:weight_kg {:above 100}}}"
        ' :columns ["first_name" "last_name"])',
    ),
    (
        PICKERS,
        "which fruits do they pick",
        '(fruit.list :where {:harvest-by-fruit {:picker {:orchard {:name "Larkfield"}}}} :columns "name")',
    ),
    (
        WAGE,
        "who is it?",
        '(picker.list :columns ["first_name" "last_name" "hourly_wage"] :order {:desc "hourly_wage"} :top 1)',
    ),
    # The one that came first.
    (
        BEST,
        "which fruits do they pick",
        f'(fruit.list :where {{:harvest-by-fruit {{:picker_id {TOP}}}}} :columns "name")',
    ),
    (
        BEST.replace(":top 1", ":top 3"),
        "how many sales did the first one make",
        f"(sale.count :where {{:harvest {{:picker_id {TOP}}}}})",
    ),
    ("(picker.count)", "and orchards?", "(orchard.count)"),
    # No condition any more.
    (PICKERS, "remove the filter", '(picker.list :columns ["first_name" "last_name"])'),
    (BUYER, "for all buyers", '(sale.sum :of "amount" :by "buyer" :order {:desc "sum"})'),
    (
        '(orchard.list :name "Larkfield" :planted_year 1988 :columns "hectares")',
        "all orchards",
        '(orchard.list :planted_year 1988 :columns ["name" "hectares"])',
    ),
    # The date in hand is meant again, also where rows have several.
    (
        '(sale.count :on "harvest/picked_on" :during [2023-01-01 2023-12-31])',
        "and in 2022?",
        '(sale.count :on "harvest/picked_on" :during [2022-01-01 2022-12-31])',
    ),
    (
        '(sale.count :on "harvest/picked_on" :during [2023-01-01 2023-12-31])',
        "per month",
        '(sale.count :by "harvest/picked_on/month" :on "harvest/picked_on" :during [2023-01-01 2023-12-31])',
    ),
    (
        '(harvest.sum :of "weight_kg" :during [2023-09-01 2023-09-30])',
        "for the whole year",
        '(harvest.sum :of "weight_kg" :during [2023-01-01 2023-12-31])',
    ),
    # Only what rows have or lead to is named: it is shown beside them.
    (
        SOUTH,
        "show hectares and region",
        '(orchard.list :region_code "S" :columns ["name" "hectares" "region/code" "region/name"])',
    ),
    (
        SOUTH,
        "hectares as well",
        '(orchard.list :region_code "S" :columns ["name" "hectares"])',
    ),
    (
        PICKERS,
        "show thair emails",
        '(picker.list :where {:orchard {:name "Larkfield"}} :columns ["first_name" "last_name" "email"])',
    ),
    # Columns that are asked for alone.
    (
        PICKERS,
        "What are their hourly wages?",
        '(picker.list :where {:orchard {:name "Larkfield"}} :columns "hourly_wage")',
    ),
    (
        "(picker.count :orchard_id 1)",
        "list the names",
        '(picker.list :orchard_id 1 :columns ["first_name" "last_name"])',
    ),
    ("(picker.count :orchard_id 1)", "list the emails", '(picker.list :orchard_id 1 :columns "email")'),
    (
        '(orchard.list :name "Larkfield" :columns "planted_year")',
        "give me the hectares",
        '(orchard.list :name "Larkfield" :columns "hectares")',
    ),
    # A bare number is one of the figure that is shown, or takes the place of the number before.
    (
        '(orchard.list :region_code "S" :columns ["name" "hectares"])',
        "only above 10",
        '(orchard.list :region_code "S" :hectares {:above 10} :columns ["name" "hectares"])',
    ),
    (
        '(orchard.list :region_code "S" :columns ["name" "hectares"])',
        "the average of that",
        '(orchard.average :of "hectares" :region_code "S")',
    ),
    (PICKERS, "what about their emails", '(picker.list :orchard_id 1 :columns "email")'),
    ("(picker.count :orchard_id 1)", "and for 2", "(picker.count :orchard_id 2)"),
    # A whole question inherits nothing.
    (
        SOUTH,
        "List the pickers with their emails",
        '(picker.list :columns ["first_name" "last_name" "email"])',
    ),
    (
        '(fruit.list :name "Apple" :columns "colour")',
        "which fruit is purple",
        '(fruit.list :colour "purple" :columns "name")',
    ),
    # Totals, and the greatest of one thing.
    (FRUITS, "what is the total", '(harvest.sum :of "weight_kg")'),
    (
        '(harvest.list :during [2022-01-01 2022-12-31] :columns ["picked_on" "weight_kg"])',
        "how much is that in total",
        '(harvest.sum :of "weight_kg" :during [2022-01-01 2022-12-31])',
    ),
    (
        PICKERS,
        "what is their highest hourly wage",
        '(picker.max :of "hourly_wage" :where {:orchard {:name "Larkfield"}})',
    ),
    (
        TOTAL,
        "which fruit had the most",
        '(harvest.sum :of "weight_kg" :by "fruit_id" :during [2022-01-01 2022-12-31]'
        ' :columns ["fruit/name" "sum"] :order {:desc "sum"} :top 1)',
    ),
    (
        FRUITS,
        "who is on top",
        '(harvest.sum :of "weight_kg" :by "fruit_id" :columns ["fruit/name" "sum"]'
        ' :order {:desc "sum"} :top 1)',
    ),
    (
        '(harvest.count :by "fruit_id" :columns ["fruit/name" "count"] :order {:desc "count"} :top 2)',
        "by weight instead",
        '(harvest.sum :of "weight_kg" :by "fruit_id" :columns ["fruit/name" "sum"]'
        ' :order {:desc "sum"} :top 2)',
    ),
    (BUYER, "make it 3", '(sale.sum :of "amount" :by "buyer" :order {:desc "sum"} :top 3)'),
    (BUYER, "make it the top 3", '(sale.sum :of "amount" :by "buyer" :order {:desc "sum"} :top 3)'),
    # A date between two days is the period in hand, however it is written.
    (
        '(harvest.sum :of "weight_kg" :picked_on {:between [2023-08-01 2023-08-31]})',
        "and september?",
        '(harvest.sum :of "weight_kg" :during [2023-09-01 2023-09-30])',
    ),
    # The last part of a period in hand, and not the one before today.
    (
        TOTAL,
        "just the last quarter",
        '(harvest.sum :of "weight_kg" :during [2022-10-01 2022-12-31])',
    ),
    # A number that no count can reach is one of the rows.
    (
        '(sale.count :by "buyer")',
        "only those above 150",
        '(sale.count :by "buyer" :amount {:above 150})',
    ),
    (
        '(sale.count :by "buyer")',
        "only those above 2",
        '(sale.count :by "buyer" :having {:count {:above 2}})',
    ),
    # What rows are sorted by is named behind "by", whatever follows.
    (
        SOUTH,
        "sort by hectares descending",
        '(orchard.list :region_code "S" :columns "name" :order {:desc "hectares"})',
    ),
    (
        '(orchard.sum :of "hectares" :region_code "S")',
        "sort by hectares, biggest first",
        '(orchard.list :region_code "S" :columns ["name" "hectares"] :order {:desc "hectares"})',
    ),
    # Each of the rows in hand.
    (
        SOUTH,
        "how many pickers does each orchard have",
        '(picker.count :by "orchard_id" :where {:orchard {:region_code "S"}}'
        ' :columns ["orchard/name" "count"])',
    ),
    (
        PICKERS,
        "how often was each of them harvesting",
        '(harvest.count :by "picker_id" :where {:picker {:orchard {:name "Larkfield"}}}'
        ' :columns ["picker/first_name" "picker/last_name" "count"])',
    ),
    (
        "(picker.count :orchard_id 1)",
        "who are these labourers",
        '(picker.list :orchard_id 1 :columns ["first_name" "last_name"])',
    ),
    (
        '(harvest.list :weight_kg {:above 90} :columns ["picked_on" "picker/first_name" "picker/last_name"])',
        "whose are they",
        '(harvest.list :weight_kg {:above 90} :columns ["picked_on" "picker/first_name" "picker/last_name"])',
    ),
    (
        FRUITS,
        "sort alphabetically",
        '(harvest.sum :of "weight_kg" :by "fruit_id" :columns ["fruit/name" "sum"] :order "fruit/name")',
    ),
    (
        FRUITS,
        "just the first 2",
        '(harvest.sum :of "weight_kg" :by "fruit_id" :columns ["fruit/name" "sum"] :top 2)',
    ),
    (
        FRUITS,
        "the average weight instead of the total",
        '(harvest.average :of "weight_kg" :by "fruit_id" :columns ["fruit/name" "average"])',
    ),
    (
        '(sale.count :by "buyer")',
        "how many buyers is that",
        '(sale.count :groups true :by "buyer")',
    ),
    ('(sale.count :by "buyer")', "split by year", '(sale.count :by ["buyer" "sold_on/year"])'),
    # Bounds: another end is added, the same end takes the place.
    (HEAVY, "and below 140", "(harvest.list :weight_kg {:above 100 :below 140})"),
    (HEAVY, "and below 50", "(harvest.list :weight_kg {:below 50})"),
    # So many must belong to each, and the one that most belongs to.
    (
        '(picker.list :columns ["first_name" "last_name"])',
        "only those with more than 2 harvests",
        "(picker.list :where {:harvest-by-picker {:how-many {:above 2}}}"
        ' :columns ["first_name" "last_name"])',
    ),
    # Fewer columns.
    (
        '(picker.list :columns ["last_name" "hourly_wage"])',
        "drop the hourly wage",
        '(picker.list :columns "last_name")',
    ),
    (
        '(picker.list :columns ["last_name" "hourly_wage"])',
        "without the hourly wage",
        '(picker.list :columns "last_name")',
    ),
    ("(harvest.count :picker_id 1)", "which harvests?", "(harvest.list :picker_id 1)"),
    # Groups by what names or dates them.
    (
        FRUITS,
        "sort by name",
        '(harvest.sum :of "weight_kg" :by "fruit_id" :columns ["fruit/name" "sum"] :order "fruit/name")',
    ),
    (
        '(harvest.sum :of "weight_kg" :by "picked_on/month")',
        "newest first",
        '(harvest.sum :of "weight_kg" :by "picked_on/month" :order {:desc "picked_on/month"})',
    ),
    (
        '(harvest.sum :of "weight_kg" :by "picked_on/month" :order {:desc "sum"})',
        "sort by month",
        '(harvest.sum :of "weight_kg" :by "picked_on/month" :order "picked_on/month")',
    ),
    # The opposite takes the place of what was held.
    ('(fruit.list :colour "red")', "not red", '(fruit.list :colour {:not "red"})'),
    # A noun with a value is the value's.
    (
        '(harvest.count :by "fruit_id" :columns ["fruit/name" "count"])',
        "only green fruit",
        '(harvest.count :by "fruit_id" :where {:fruit {:colour "green"}} :columns ["fruit/name" "count"])',
    ),
    (
        PICKERS,
        "with the orchard hectares",
        '(picker.list :where {:orchard {:name "Larkfield"}}'
        ' :columns ["first_name" "last_name" "orchard/hectares"])',
    ),
    # The rows behind figures of groups.
    (
        '(picker.count :by "orchard_id" :columns ["orchard/name" "count"])',
        "who are the ones in Millbrook",
        '(picker.list :where {:orchard {:name "Millbrook"}} :columns ["first_name" "last_name"])',
    ),
    # Of a name of two columns the other goes too.
    (
        '(harvest.count :where {:picker {:first_name "Berta" :last_name "Quill"}})',
        "and Fenn?",
        '(harvest.count :where {:picker {:last_name "Fenn"}})',
    ),
    # A message that stands by itself.
    (SOUTH, "How many fruits are there?", "(fruit.count)"),
    (SOUTH, "How many pickers are there in each orchard?", '(picker.count :by "orchard/name")'),
    (PICKERS, "What is the average hourly wage of pickers?", '(picker.average :of "hourly_wage")'),
]


def test_there_points_at_something_unless_it_says_that_something_exists() -> None:
    assert lean_of("who works there").pronoun == 2
    assert lean_of("how many pickers are there").pronoun is None


def test_instead_is_no_name_of_a_new_question() -> None:
    assert lean_of("by fruit instead").polite.split() == ["by", "fruit"]


def readings(orchard: Orchard, before: str, message: str) -> tuple[Reading, ...]:
    return follow_ups(message, statement(before), orchard.planner, period_grammar().find(message), TODAY)


@pytest.mark.parametrize(("before", "message", "after"), FOLLOWED)
def test_what_is_meant_after_a_statement(orchard: Orchard, before: str, message: str, after: str) -> None:
    best = readings(orchard, before, message)[0]
    assert best.statement.verb == statement(after).verb
    assert orchard.rows(best.statement) == orchard.rows(statement(after)), best.statement
    assert best.uncovered == ()


def test_the_second_of_a_top_cannot_be_said(orchard: Orchard) -> None:
    assert edits_of("and the second one?", statement(BUYER), orchard.planner) == ()


def test_a_condition_on_a_top_is_a_guess(orchard: Orchard) -> None:
    top = '(harvest.list :order {:desc "weight_kg"} :top 3)'
    best = readings(orchard, top, "which of them are plums")[0]
    assert "top" in best.guesses


def test_words_that_nothing_covers_are_named(orchard: Orchard) -> None:
    assert "shoe" in readings(orchard, PICKERS, "show their emails and shoe sizes")[0].uncovered


def test_a_statement_that_is_no_frame_has_no_edits(orchard: Orchard) -> None:
    assert edits_of("how many", statement("(sales.report)"), orchard.planner) == ()


@pytest.mark.parametrize(
    ("message", "kinds"),
    [
        ("what about plums?", {"about"}),
        ("show their emails too", {"plural", "also"}),
        ("How many fruits are there?", set[str]()),
        ("fruits that are red", set[str]()),
        ("the weight of that", {"singular"}),
        ("убери фильтр", {"undo"}),
        ("각각 몇 개", {"each"}),
    ],
)
def test_how_a_message_leans(message: str, kinds: set[str]) -> None:
    lean = lean_of(message)
    assert kinds <= lean.kinds
    assert (lean.strength > 0) == bool(kinds - {"each"})
    assert len(lean.text) == len(message)


_SAID = """and what about only those them their its too instead same how many list show sort by reverse first
top 2 most least remove that filter average maximum above 30 Larkfield apple picker fruits each all of one
year month weight name the ? , а их 그중에서 'x' 2023 september"""
WORDS = st.sampled_from([*_SAID.split(), "\x00", "\ud800"])
BEFORE = st.sampled_from(sorted({before for before, _, _ in FOLLOWED}))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=BEFORE, text=st.one_of(st.text(max_size=40), st.lists(WORDS, max_size=8).map(" ".join)))
def test_any_text_is_read_and_every_reading_compiles(orchard: Orchard, before: str, text: str) -> None:
    for reading in readings(orchard, before, text):
        assert not isinstance(orchard.tables.compile(reading.statement, Dialect.SQLITE), tuple)
        assert not isinstance(orchard.tables.compile(reading.statement, Dialect.POSTGRES), tuple)


def test_what_is_in_hand_need_not_be_named_in_full(orchard: Orchard) -> None:
    told = edits_of("and the lowest wage?", statement(WAGE), orchard.planner, (), TODAY)[0]
    anew = edits_of("and their wage?", statement(PICKERS), orchard.planner, (), TODAY)[0]
    assert told.support.weakest == 1.0
    assert anew.support.weakest < 1.0
