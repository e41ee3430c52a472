"""What texts turn out to be where an engine has no dates."""

import pytest

from dragoman.contracts.schema import ValueType
from dragoman.databases.discovery.written_types import are_no_dates, type_of_texts


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
