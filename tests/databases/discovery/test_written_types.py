"""What texts turn out to be where an engine has no dates."""

import pytest

from dragoman.contracts.schema import ValueType
from dragoman.databases.discovery.written_types import are_no_dates, numbers_of_texts, type_of_texts


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["2021-03-04", "", "2020-12-31"], ValueType.DATE),
        (["2021-03-04 10:15:00", "2021-03-04"], ValueType.DATETIME),
        (["2021-03-04T10:15", "2021-03-04T10:15:30.25"], ValueType.DATETIME),
        (["2021-03-04T10:15:00Z", "2021-03-04T10:15:00+02:00"], ValueType.INSTANT),
        (["2021-03-04", "soon"], ValueType.TEXT),
        (["2021-13-04"], ValueType.TEXT),
        (["04/03/2021"], ValueType.TEXT),
        (["", ""], ValueType.TEXT),
        ([], ValueType.TEXT),
    ],
)
def test_texts_that_are_all_dates_are_dates(texts: list[str], kind: ValueType) -> None:
    assert type_of_texts(texts) is kind


@pytest.mark.parametrize(
    ("texts", "other"),
    [
        (["2021-03-04", "", "2020-12-31 08:15:00"], False),
        (["1989-8-1", "1978-11-23"], True),
        (["04/12/2005 09:30"], True),
        ([*["2021-03-04"] * 19, "soon"], False),
        (["", ""], False),
        ([], False),
    ],
)
def test_a_column_of_dates_may_hold_other_texts(texts: list[str], other: bool) -> None:
    assert are_no_dates(texts) is other


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        (["12", "7", ""], (ValueType.INTEGER, 7, 12)),
        ([" 3.5 ", "-2", "0"], (ValueType.DECIMAL, -2, 3.5)),
        (["12", "n/a", "-", "NULL", "9"], (ValueType.INTEGER, 9, 12)),
        (["12", "about 9"], None),
        (["12", "1,200"], None),
        (["12", "1e6"], None),
        (["12", "5 %"], None),
        (["007", "012"], None),
        (["+49301234", "+49305678"], None),
        (["1234567890123456", "12"], None),
        (["1.", "2."], None),
        (["12", "12"], None),
        (["", "-"], None),
        ([], None),
    ],
)
def test_texts_that_are_all_numbers_write_numbers(
    texts: list[str], numbers: tuple[ValueType, float, float] | None
) -> None:
    assert numbers_of_texts(texts) == numbers
