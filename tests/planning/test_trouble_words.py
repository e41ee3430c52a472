"""A refusal names the words that are the trouble."""

from dragoman.contracts.program import Statement
from dragoman.planning.tables.table_reading import TableReading
from dragoman.planning.trouble_words import left_words


def _reading(*uncovered: str) -> TableReading:
    return TableReading(Statement("fair.list"), 0.2, uncovered)


def test_what_another_likely_reading_accounts_for_is_not_the_trouble() -> None:
    assert left_words([_reading("booth", "quaint"), _reading("quaint")]) == ("quaint",)


def test_where_readings_leave_different_words_out_the_best_one_says_which() -> None:
    assert left_words([_reading("booth"), _reading("quaint")]) == ("booth",)
    assert left_words([]) == ()
