"""A page of a result, by its reference. An answer keeps the first rows; the rest is read again."""

from collections.abc import Iterable

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.lookup import look_up
from dragoman.contracts.answer import AnswerObject, Cell, Column, Heading
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import ResultNotFound
from dragoman.contracts.record import Record
from dragoman.contracts.turn_result import ResultRows


class RowsPage(Record, frozen=True):
    """Rows from `offset` on, and how many there are."""

    result_set: str
    turn: int
    columns: tuple[Column, ...]
    headings: tuple[Heading, ...]
    offset: int
    rows: tuple[tuple[Cell, ...], ...]
    total: int
    read_again: bool
    """The rows are read anew, as the database has them now: the answer kept fewer."""


def answer_of(result_set: str, answers: Iterable[AnswerObject]) -> AnswerObject:
    found = next((each for each in answers if each.result_set_id == result_set), None)
    if found is None or not result_set:
        raise ResultNotFound(
            f"the session has no result {result_set[:60]!r}", hint="an answer names its result: result_set"
        )
    return found


def page_of(
    answer: AnswerObject, catalog: Catalog, offset: int, limit: int, cancel: Cancellation | None = None
) -> RowsPage:
    """The page, from what the answer keeps where that is enough."""
    read_again = not _is_whole(answer) and offset + limit > len(answer.rows)
    kept = all_rows(answer, catalog, cancel) if read_again else ResultRows(answer.columns, answer.rows)
    return RowsPage(
        answer.result_set_id,
        answer.turn_index,
        kept.columns,
        answer.headings,
        offset,
        kept.rows[offset : offset + limit],
        answer.rows_total or answer.row_count,
        read_again,
    )


def all_rows(answer: AnswerObject, catalog: Catalog, cancel: Cancellation | None = None) -> ResultRows:
    """Every row of a result, read again where the answer does not keep them."""
    if _is_whole(answer):
        return ResultRows(answer.columns, answer.rows)
    found = look_up(catalog, answer.program, cancel=cancel)
    return ResultRows(found.columns, found.rows)


def _is_whole(answer: AnswerObject) -> bool:
    return answer.rows_total is None and len(answer.rows) == answer.row_count
