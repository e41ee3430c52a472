"""What texts turn out to be where an engine has no dates."""

import pytest

from dragoman.contracts.schema import ValueType
from dragoman.databases.discovery.written_types import type_of_texts


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
