"""Dates in three languages: printed in many forms and read back; and those that count from others."""

import calendar
import datetime as dt
from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.contracts.state import DateScope
from dragoman.reading.period_grammar import period_grammar
from dragoman.reading.periods import Days, PeriodMention

OF: Final = [
    "января",
    "февраля",
    "марта",
    "апреля",
    "мая",
    "июня",
    "июля",
    "августа",
    "сентября",
    "октября",
    "ноября",
    "декабря",
]
IN: Final = [
    "январе",
    "феврале",
    "марте",
    "апреле",
    "мае",
    "июне",
    "июле",
    "августе",
    "сентябре",
    "октябре",
    "ноябре",
    "декабре",
]
RU: Final = [
    "январь",
    "февраль",
    "март",
    "апрель",
    "май",
    "июнь",
    "июль",
    "август",
    "сентябрь",
    "октябрь",
    "ноябрь",
    "декабрь",
]
EN: Final = [calendar.month_name[month] for month in range(1, 13)]
RU_QUARTERS: Final = ["первом", "втором", "третьем", "четвертом"]
EN_QUARTERS: Final = ["first", "second", "third", "fourth"]

DAYS: Final[dict[str, Callable[[dt.date], str]]] = {
    "iso": lambda d: d.isoformat(),
    "dots": lambda d: f"{d:%d.%m.%Y}",
    "slashes": lambda d: f"{d:%d/%m/%Y}",
    "year first": lambda d: f"{d:%Y.%m.%d}",
    "en": lambda d: f"{d.day} {EN[d.month - 1]} {d.year}",
    "ru": lambda d: f"{d.day} {OF[d.month - 1]} {d.year}",
    "ru с годом": lambda d: f"{d.day} {OF[d.month - 1]} {d.year} года",
    "ru г.": lambda d: f"{d.day} {OF[d.month - 1].upper()} {d.year} г.",
    "ru -е": lambda d: f"{d.day}-е {OF[d.month - 1]} {d.year}",
    "ko": lambda d: f"{d.year}년 {d.month}월 {d.day}일",
    "ko together": lambda d: f"{d.year}년{d.month}월{d.day}일",
}
MONTHS: Final[dict[str, Callable[[int, int], str]]] = {
    "iso": lambda y, m: f"{y}-{m:02}",
    "dots": lambda y, m: f"{m:02}.{y}",
    "en": lambda y, m: f"{EN[m - 1]} {y}",
    "en of": lambda y, m: f"{EN[m - 1]} of {y}",
    "ru": lambda y, m: f"{RU[m - 1]} {y}",
    "ru в": lambda y, m: f"{IN[m - 1]} {y} года",
    "ko": lambda y, m: f"{y}년 {m}월",
    "end": lambda y, m: f"end of {EN[m - 1]} {y}",
    "конец": lambda y, m: f"конец {OF[m - 1]} {y}",
    "말": lambda y, m: f"{y}년 {m}월 말",
}
QUARTERS: Final[dict[str, Callable[[int, int], str]]] = {
    "Q": lambda y, q: f"Q{q} {y}",
    "en": lambda y, q: f"{EN_QUARTERS[q - 1]} quarter of {y}",
    "ru": lambda y, q: f"{q} квартал {y}",
    "ru й": lambda y, q: f"{q}-й квартал {y} года",
    "ru в": lambda y, q: f"{RU_QUARTERS[q - 1]} квартале {y}",
    "кв": lambda y, q: f"{q} кв. {y}",
    "roman": lambda y, q: f"{['I', 'II', 'III', 'IV'][q - 1]} квартал {y}",
    "ko": lambda y, q: f"{y}년 {q}분기",
}
HALVES: Final[dict[str, Callable[[int, int], str]]] = {
    "H": lambda y, h: f"H{h} {y}",
    "en": lambda y, h: f"{EN_QUARTERS[h - 1]} half of {y}",
    "ru": lambda y, h: f"{['первое', 'второе'][h - 1]} полугодие {y}",
    "ru n": lambda y, h: f"{h} полугодие {y} года",
    "ko": lambda y, h: f"{y}년 {'상하'[h - 1]}반기",
}
days: Final = st.dates(dt.date(1900, 1, 1), dt.date(2199, 12, 31))
years: Final = st.integers(1900, 2199)
months: Final = st.integers(1, 12)


def _only(text: str) -> PeriodMention:
    found = period_grammar().find(text)
    assert len(found) == 1, (text, found)
    assert found[0].text == text[found[0].start : found[0].end]
    return found[0]


def _scope(year: int, first: int, last: int) -> DateScope:
    return DateScope(dt.date(year, first, 1), dt.date(year, last, calendar.monthrange(year, last)[1]))


@given(days, st.sampled_from(list(DAYS)))
def test_a_day_is_read_back(day: dt.date, form: str) -> None:
    mention = _only(DAYS[form](day))
    assert mention.absolute
    assert mention.is_day
    assert mention.scope() == DateScope(day.replace(day=1), day)


@given(years, months, st.sampled_from(list(MONTHS)))
def test_a_month_is_read_back(year: int, month: int, form: str) -> None:
    assert _only(MONTHS[form](year, month)).scope() == _scope(year, month, month)


@given(years, st.integers(1, 4), st.sampled_from(list(QUARTERS)))
def test_a_quarter_is_read_back(year: int, quarter: int, form: str) -> None:
    assert _only(QUARTERS[form](year, quarter)).scope() == _scope(year, 3 * quarter - 2, 3 * quarter)


@given(years, st.integers(1, 2), st.sampled_from(list(HALVES)))
def test_a_half_is_read_back(year: int, half: int, form: str) -> None:
    assert _only(HALVES[form](year, half)).scope() == _scope(year, 6 * half - 5, 6 * half)


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("the first half of June 2021", dt.date(2021, 6, 1), dt.date(2021, 6, 15)),
        ("the second half of February 2020", dt.date(2020, 2, 16), dt.date(2020, 2, 29)),
    ],
)
def test_a_month_has_halves(said: str, first: dt.date, last: dt.date) -> None:
    assert _only(said).days() == Days(first, last)


@given(years, st.sampled_from(["{}", "{} год", "в {} году", "{}년", "{} г."]))
def test_a_year_is_read_back(year: int, form: str) -> None:
    assert _only(form.format(year)).scope() == _scope(year, 1, 12)


@given(
    years,
    st.tuples(months, months).map(sorted),
    st.sampled_from(
        ["from {en0} to {en1} {y}", "с {of0} по {ru1} {y}", "{y}년 {m0}월부터 {m1}월까지", "{en0}-{en1} {y}"]
    ),
)
def test_a_range_of_months_is_read_back(year: int, ends: list[int], form: str) -> None:
    first, last = ends
    text = form.format(
        y=year, m0=first, m1=last, en0=EN[first - 1], en1=EN[last - 1], of0=OF[first - 1], ru1=RU[last - 1]
    )
    assert _only(text).scope() == _scope(year, first, last)


def test_what_starts_or_ends_in_a_period_does_so_on_any_of_its_days() -> None:
    assert _only("courses that start in May 2020").scope() == _scope(2020, 5, 5)
    assert _only("leases that end in 2021").scope() == _scope(2021, 1, 12)
    assert _only("at the end of 2021").scope() == DateScope(dt.date(2021, 12, 1), dt.date(2021, 12, 31))


@given(
    st.tuples(days, days).map(sorted),
    st.sampled_from(["en", "ru", "iso", "dots"]),
    st.sampled_from(["between {} and {}", "from {} to {}", "с {} по {}", "между {} и {}"]),
)
def test_a_range_of_days_is_read_back(ends: list[dt.date], form: str, sentence: str) -> None:
    first, last = ends
    text = sentence.format(DAYS[form](first), DAYS[form](last))
    assert _only(text).scope() == DateScope(first, last)


MARCH: Final = _scope(2020, 3, 3)
MID_MARCH: Final = DateScope(dt.date(2020, 3, 1), dt.date(2020, 3, 15))
FIRST_QUARTER: Final = _scope(2020, 1, 3)


@pytest.mark.parametrize(
    ("text", "in_hand", "scope"),
    [
        *(
            (text, MARCH, _scope(2020, 4, 4))
            for text in ("a month later", "next month", "the following month")
        ),
        *(
            (text, MARCH, _scope(2020, 2, 2))
            for text in ("the month before", "last month", "a month earlier")
        ),
        ("two months earlier", MARCH, _scope(2020, 1, 1)),
        ("the following quarter", FIRST_QUARTER, _scope(2020, 4, 6)),
        ("the previous quarter", MARCH, _scope(2019, 10, 12)),
        ("last year", MARCH, _scope(2019, 1, 12)),
        ("this year", MARCH, _scope(2020, 1, 12)),
        ("the same quarter", FIRST_QUARTER, FIRST_QUARTER),
        ("the same month a year earlier", MARCH, _scope(2019, 3, 3)),
        ("a month later", MID_MARCH, DateScope(dt.date(2020, 4, 1), dt.date(2020, 4, 15))),
        ("March last year", _scope(2020, 5, 5), _scope(2019, 3, 3)),
        ("end of the year", MARCH, DateScope(dt.date(2020, 12, 1), dt.date(2020, 12, 31))),
        *(
            (text, MARCH, _scope(2020, 4, 4))
            for text in ("на месяц позже", "в следующем месяце", "через месяц")
        ),
        *((text, MARCH, _scope(2020, 2, 2)) for text in ("за прошлый месяц", "месяцем ранее", "месяц назад")),
        ("в следующем квартале", FIRST_QUARTER, _scope(2020, 4, 6)),
        ("за прошлый год", MARCH, _scope(2019, 1, 12)),
        ("годом ранее", MARCH, _scope(2019, 3, 3)),
        ("тот же месяц годом ранее", MARCH, _scope(2019, 3, 3)),
        ("март прошлого года", MARCH, _scope(2019, 3, 3)),
        ("на конец года", MARCH, DateScope(dt.date(2020, 12, 1), dt.date(2020, 12, 31))),
        *((text, MARCH, _scope(2020, 2, 2)) for text in ("지난 달", "지난달", "저번 달", "한 달 전")),
        *((text, MARCH, _scope(2020, 4, 4)) for text in ("다음 달", "다음달", "한 달 뒤", "한 달 후")),
        ("다음 분기", FIRST_QUARTER, _scope(2020, 4, 6)),
        ("작년 같은 달", MARCH, _scope(2019, 3, 3)),
        ("작년", MARCH, _scope(2019, 1, 12)),
        ("작년 3월", MARCH, _scope(2019, 3, 3)),
        ("April", MARCH, _scope(2020, 4, 4)),
        ("на 31 мая", MARCH, _scope(2020, 5, 5)),
        ("во втором квартале", MARCH, _scope(2020, 4, 6)),
        ("3분기", MARCH, _scope(2020, 7, 9)),
    ],
)
def test_relative_periods_count_from_the_scope_in_hand(
    text: str, in_hand: DateScope, scope: DateScope
) -> None:
    mention = _only(text)
    assert not mention.absolute
    assert mention.scope() is None
    assert mention.scope(in_hand) == scope


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("last month", _scope(2026, 10, 10)),
        ("за прошлый месяц", _scope(2026, 10, 10)),
        ("지난 달", _scope(2026, 10, 10)),
        ("last quarter", _scope(2026, 7, 9)),
        ("yesterday", DateScope(dt.date(2026, 11, 1), dt.date(2026, 11, 14))),
        ("сегодня", DateScope(dt.date(2026, 11, 1), dt.date(2026, 11, 15))),
        ("오늘", DateScope(dt.date(2026, 11, 1), dt.date(2026, 11, 15))),
    ],
)
def test_without_a_scope_in_hand_the_clock_counts(text: str, scope: DateScope) -> None:
    assert _only(text).scope(None, dt.date(2026, 11, 15)) == scope


def test_yesterday_never_counts_from_what_is_in_hand() -> None:
    mention = _only("yesterday")
    assert mention.scope(MARCH) is None
    assert mention.scope(MARCH, dt.date(2026, 11, 15)) == mention.scope(None, dt.date(2026, 11, 15))


@pytest.mark.parametrize(
    "text",
    ["since March 2020", "after 31 March 2020", "с марта 2020", "после марта 2020", "до марта", "3월부터"],
)
def test_a_single_end_is_no_period(text: str) -> None:
    mention = _only(text)
    assert mention.open_ended
    assert not mention.possible


@pytest.mark.parametrize("text", ["сравни с мартом 2020", "с первым кварталом 2020"])
def test_a_period_beside_another_is_not_its_end(text: str) -> None:
    assert _only(text).absolute


@pytest.mark.parametrize(
    "text",
    ["5 quarter", "7분기", "last line", "второй", "2021-2", "месяц"],
)
def test_what_only_looks_like_a_period_is_none(text: str) -> None:
    assert period_grammar().find(text) == []
