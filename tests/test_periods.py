"""Days, months, quarters and years in a message: every real one is found exactly, an impossible one never."""

import calendar
import datetime as dt
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.homes import demo_home
from dragoman.contracts.state import DateScope
from dragoman.locales import language
from dragoman.reading.message import Reader
from dragoman.reading.period_grammar import period_grammar
from dragoman.reading.periods import EARLIEST_YEAR, LATEST_YEAR, PeriodMention

MONTHS: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
LEXICON: Final = language("en").document("lexicon")
GRAMMAR: Final = period_grammar()


def _ordinal(day: int) -> str:
    ending = "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"


DAY_FORMS: Final[dict[str, Callable[[int, int, int], str]]] = {
    "2020-03-31": lambda y, m, d: f"{y:04}-{m:02}-{d:02}",
    "31.3.2020": lambda y, m, d: f"{d}.{m}.{y:04}",
    "31.03.2020": lambda y, m, d: f"{d:02}.{m:02}.{y:04}",
    "31 March 2020": lambda y, m, d: f"{d} {MONTHS[m - 1]} {y:04}",
    "31 march, 2020": lambda y, m, d: f"{d} {MONTHS[m - 1].lower()}, {y:04}",
    "31st of March 2020": lambda y, m, d: f"{_ordinal(d)} of {MONTHS[m - 1]} {y:04}",
    "31 MAR 2020": lambda y, m, d: f"{d} {MONTHS[m - 1][:3].upper()} {y:04}",
    "31 Mar. 2020": lambda y, m, d: f"{d} {MONTHS[m - 1][:3]}. {y:04}",
    "March 31, 2020": lambda y, m, d: f"{MONTHS[m - 1]} {d}, {y:04}",
    "March 31st 2020": lambda y, m, d: f"{MONTHS[m - 1]} {_ordinal(d)} {y:04}",
    "Mar. 31  2020": lambda y, m, d: f"{MONTHS[m - 1][:3]}. {d}  {y:04}",
}
NUMERIC: Final = ("2020-03-31", "31.03.2020")
"""The forms in which a month can be one that no calendar has."""

days: Final = st.dates(dt.date(EARLIEST_YEAR, 1, 1), dt.date(LATEST_YEAR, 12, 31))
years: Final = st.integers(EARLIEST_YEAR, LATEST_YEAR)
months: Final = st.integers(1, 12)
forms: Final = st.sampled_from(list(DAY_FORMS))


def _only(text: str) -> PeriodMention:
    found = GRAMMAR.find(text)
    assert len(found) == 1, found
    return found[0]


def test_the_lexicon_has_every_month_by_name_and_by_abbreviation() -> None:
    assert LEXICON["months"] == [name.lower() for name in MONTHS]
    assert LEXICON["month_abbreviations"] == [name[:3].lower() for name in MONTHS]


# Real periods.


@given(days, forms, st.sampled_from(["{}", "stock on {}?", "({}).", "as of {}, please", "«{}»"]))
def test_a_day_is_found_where_it_stands(day: dt.date, form: str, sentence: str) -> None:
    text = DAY_FORMS[form](day.year, day.month, day.day)
    mention = _only(sentence.format(text))
    assert mention.text == text
    assert (mention.start, mention.end) == (sentence.index("{}"), sentence.index("{}") + len(text))
    assert mention.possible
    assert mention.scope() == mention.scope(1999) == DateScope(day.replace(day=1), day)


def _month_by_month() -> Iterator[tuple[int, int]]:
    yield from itertools.product(range(EARLIEST_YEAR, LATEST_YEAR + 1), range(1, 13))


def _finds_every_day(year: int, month: int, form: str) -> None:
    last = calendar.monthrange(year, month)[1]
    text = "; ".join(DAY_FORMS[form](year, month, day) for day in range(1, last + 1))
    first = dt.date(year, month, 1)
    scopes = [mention.scope() for mention in GRAMMAR.find(text)]
    assert scopes == [DateScope(first, first.replace(day=day)) for day in range(1, last + 1)]


def test_every_day_of_three_centuries_is_found_in_some_form() -> None:
    for (year, month), form in zip(_month_by_month(), itertools.cycle(DAY_FORMS)):
        _finds_every_day(year, month, form)


@pytest.mark.long
@pytest.mark.parametrize("form", DAY_FORMS)
def test_every_day_of_three_centuries_is_found_in_every_form(form: str) -> None:
    for year, month in _month_by_month():
        _finds_every_day(year, month, form)


@given(
    years,
    months,
    st.sampled_from(["{0} {1}", "{0}, {1}", "{2} {1}", "{2}. {1}", "{1}-{3:02}", "in {0} {1}?"]),
)
def test_a_month_of_a_year_is_all_of_it(year: int, month: int, form: str) -> None:
    name = MONTHS[month - 1]
    mention = _only(form.format(name, year, name[:3], month))
    last = calendar.monthrange(year, month)[1]
    assert mention.scope() == DateScope(dt.date(year, month, 1), dt.date(year, month, last))


@given(
    years, st.integers(1, 4), st.sampled_from(["Q{1} {0}", "q{1}, {0}", "{0} Q{1}", "{0}, q{1}", "Q{1}{0}"])
)
def test_a_quarter_of_a_year_is_all_of_it(year: int, quarter: int, form: str) -> None:
    scope = _only(form.format(year, quarter)).scope()
    assert scope is not None
    assert (scope.start, scope.end + dt.timedelta(days=1)) == (
        dt.date(year, 3 * quarter - 2, 1),
        dt.date(year + (quarter == 4), (3 * quarter) % 12 + 1, 1),
    )


@given(years)
def test_a_year_is_all_of_it(year: int) -> None:
    assert _only(f"sales in {year}").scope() == DateScope(dt.date(year, 1, 1), dt.date(year, 12, 31))


@given(years, months)
def test_without_a_year_the_year_in_hand_is_taken(year: int, month: int) -> None:
    name = MONTHS[month - 1]
    last = calendar.monthrange(year, month)[1]
    whole = DateScope(dt.date(year, month, 1), dt.date(year, month, last))
    assert _only(f"and for {name}?").scope() is None
    assert _only(f"and for {name}?").scope(year) == whole
    assert _only(f"and for {name[:3]}.?").scope(year) == whole
    for text in (f"28 {name}", f"{name} 28", f"the 28th of {name}"):
        assert _only(text).scope(year) == DateScope(whole.start, dt.date(year, month, 28))
    quarter = (month + 2) // 3
    assert _only(f"q{quarter}").scope(year) == _only(f"q{quarter} {year}").scope()


# Impossible ones.


@given(st.integers(1, 9999), st.integers(0, 99), st.integers(0, 99), st.sampled_from(NUMERIC))
@example(1900, 2, 29, "2020-03-31")
@example(2020, 0, 1, "2020-03-31")
@example(2020, 13, 1, "31.03.2020")
@example(1899, 12, 31, "31.03.2020")
@example(2200, 1, 1, "2020-03-31")
def test_digits_are_a_day_only_if_the_calendar_has_it(year: int, month: int, day: int, form: str) -> None:
    mention = _only(DAY_FORMS[form](year, month, day))
    real = EARLIEST_YEAR <= year <= LATEST_YEAR and _exists(year, month, day)
    assert mention.possible is real
    assert (mention.scope() is not None) is real
    assert (mention.scope(2020) is not None) is real


@given(st.integers(1, 9999), months, st.integers(0, 99), forms)
@example(2021, 2, 29, "29 February 2021")
@example(2000, 2, 29, "Mar. 31  2020")
@example(2020, 4, 31, "31 MAR 2020")
@example(2020, 6, 0, "March 31, 2020")
def test_a_named_month_has_only_the_days_it_has(year: int, month: int, day: int, form: str) -> None:
    mention = _only(DAY_FORMS.get(form, DAY_FORMS["31 March 2020"])(year, month, day))
    real = EARLIEST_YEAR <= year <= LATEST_YEAR and _exists(year, month, day)
    assert mention.possible is real
    assert (mention.scope() is not None) is real


def _exists(year: int, month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]


@pytest.mark.parametrize(
    "text", ["30 February", "31 April", "June 31", "32 May", "0 May", "31st of November"]
)
def test_a_day_that_no_year_has_is_no_period(text: str) -> None:
    mention = _only(text)
    assert not mention.possible
    assert all(mention.scope(year) is None for year in range(EARLIEST_YEAR, LATEST_YEAR + 1))


def test_the_leap_day_is_a_day_of_leap_years_alone() -> None:
    mention = _only("29 February")
    for year in range(EARLIEST_YEAR, LATEST_YEAR + 1):
        assert (mention.scope(year) is not None) is calendar.isleap(year)


@pytest.mark.parametrize(
    "text", ["0000-03-31", "31.03.0000", "March 0000", "31 March 0000", "0000-03", "q1 0000"]
)
def test_the_year_zero_is_no_year(text: str) -> None:
    mention = _only(text)
    assert not mention.possible
    assert mention.scope(2020) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "stock of Alfa Trade",
        "20200331",
        "2020-3-31",
        "12020-03-31",
        "2020-03-311",
        "v2020",
        "2020th",
        "D-120",
        "P-2020",
        "1850",
        "2200",
        "marching",
        "decade",
        "may-be",
        "q5",
        "q12020x",
        "Q1-2020",
        "octoberfest",
    ],
)
def test_what_only_looks_like_a_period_is_none(text: str) -> None:
    assert GRAMMAR.find(text) == []


# Any text.


_pieces: Final = st.sampled_from(
    [
        "2020",
        "-",
        ".",
        "03",
        "31",
        " ",
        ",",
        "q",
        "1",
        "March",
        "may",
        "of",
        "th",
        "st",
        "feb.",
        "0",
        "APRİL",
        "aprıl",
    ]
)


@given(st.text(max_size=40) | st.lists(_pieces).map("".join))
@example("2020-03-31 2020-03 31.3.2020")
def test_mentions_stand_in_order_and_apart(text: str) -> None:
    found = GRAMMAR.find(text)
    assert all(mention.text == text[mention.start : mention.end] for mention in found)
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))
    assert GRAMMAR.find(text) == found


@pytest.mark.parametrize("text", ["APRİL 2020", "aprıl 2020", "31 aprıl"])
def test_the_turkish_letters_i_break_nothing(text: str) -> None:
    GRAMMAR.find(text)


# In a message.


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    home: Path = demo_home(tmp_path_factory.mktemp("demo"))
    return Reader(Catalog(home).load())


@given(day=days, form=forms)
def test_a_message_reads_its_period(reader: Reader, day: dt.date, form: str) -> None:
    text = DAY_FORMS[form](day.year, day.month, day.day)
    reading = reader.read(f"stock of Alfa Trade on {text}")
    assert reading.period is not None
    assert reading.period.scope() == DateScope(day.replace(day=1), day)
    assert (reading.verb, reading.uncovered) == ("inventory.stock", ())


@pytest.mark.parametrize(
    "text", ["31 April 2020", "2020-13-01", "29 February 2021", "31.11.2020", "1 May 1850", "2020-02-30"]
)
def test_a_message_with_an_impossible_date_has_no_period_and_says_what_nothing_covers(
    reader: Reader, text: str
) -> None:
    reading = reader.read(f"stock of Alfa Trade on {text}")
    assert reading.period is None
    assert reading.uncovered == (text,)


@pytest.mark.parametrize("text", ["31.03.20", "2020-03-31T12:00", "3/31/20"])
def test_a_date_in_a_form_that_is_not_known_is_not_read_as_a_part_of_it(reader: Reader, text: str) -> None:
    assert reader.read(f"stock of Alfa Trade on {text}").uncovered


def test_two_periods_are_none_to_go_by(reader: Reader) -> None:
    reading = reader.read("sales of Alfa Trade in March 2020 and April 2020")
    assert (reading.period, reading.periods) == (None, 2)
