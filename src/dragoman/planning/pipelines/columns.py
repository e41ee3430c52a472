"""The columns that a message names of the tables in hand: chosen, added or left out."""

from collections.abc import Iterable

from dragoman.contracts.record import Record
from dragoman.contracts.schema import ColumnInfo, ValueType
from dragoman.planning.pipelines.items import Kind
from dragoman.planning.pipelines.request import Request
from dragoman.planning.pipelines.table_names import ColumnSpan, NamesSaid
from dragoman.planning.pipelines.words import Cue


class ColumnsSaid(Record, frozen=True):
    """Columns by their names, and the items of the message that name them."""

    chosen: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    covered: frozenset[int] = frozenset()
    """The items that name them."""
    unclear: tuple[str, ...] = ()
    """Several columns that one word may mean."""


def columns_said(
    request: Request, columns: Iterable[ColumnInfo], table: str, *, postfix: bool
) -> ColumnsSaid:
    """What the words that are left name of a table's columns."""
    known = tuple(columns)
    types = {column.name: column.type for column in known}
    spans = NamesSaid(request.pieces.tokens, request.spoken).columns(known, table)
    free = {at for each in request.left for at in _words(request, each)}
    free |= {at for at in range(len(request.pieces.tokens)) if _follows_column(request, at)}
    chosen: list[str] = []
    dropped: list[str] = []
    covered: set[int] = set()
    unclear: tuple[str, ...] = ()
    done = -1
    for span in spans:
        if span.start < done or not any(at in free for at in range(span.start, span.end)):
            continue
        if len(span.columns) > 1:
            unclear = unclear or span.columns
            continue
        is_out = _is_left_out(request, span, postfix=postfix)
        # Paid orders have no column in mind, though one is called paid_at.
        if not (span.whole or is_out or _is_called_column(request, span)):
            continue
        if _is_flag_of_rows(request, span, types[span.columns[0]]):
            continue
        (dropped if is_out else chosen).append(span.columns[0])
        covered.update(range(span.start, span.end))
        done = span.end
    alone = (*chosen, *dropped)
    is_flag = len(alone) == 1 and types[alone[0]] is ValueType.BOOLEAN and not request.order.also
    if is_flag and not _calls_column(request):
        # Those that are active, those that are not active: the rows are meant.
        return ColumnsSaid(unclear=unclear)
    return ColumnsSaid(
        tuple(dict.fromkeys(chosen)), tuple(dict.fromkeys(dropped)), frozenset(covered), unclear
    )


def _words(request: Request, item: int) -> range:
    return range(request.items[item].start, request.items[item].end)


def _follows_column(request: Request, token: int) -> bool:
    """A word beside the word for columns is one, whatever else it may be: the status column."""
    at = next((n for n, item in enumerate(request.items) if item.start <= token < item.end), None)
    if at is None or token in request.read.used:
        return False
    beside = (request.items[n] for n in (at - 1, at + 1) if 0 <= n < len(request.items))
    return any(item.is_a(Cue.COLUMN) for item in beside)


def _is_called_column(request: Request, span: ColumnSpan) -> bool:
    """Whether a word for columns, or for what stands in one, is beside a name."""
    at = next(n for n, item in enumerate(request.items) if item.start <= span.start < item.end)
    beside = (request.items[n] for n in (at - 1, at + 1, at + 2) if 0 <= n < len(request.items))
    return any(item.is_a(Cue.COLUMN, Cue.DETAIL) for item in beside)


def _calls_column(request: Request) -> bool:
    return any(item.is_a(Cue.COLUMN, Cue.DETAIL) for item in request.items)


def _is_flag_of_rows(request: Request, span: ColumnSpan, kind: ValueType) -> bool:
    """Active customers are those with the flag, and not a column of flags."""
    behind = next((item for item in request.items if item.start == span.end), None)
    beside = behind is not None and behind.kind is Kind.TABLE
    return beside and kind is ValueType.BOOLEAN and not _is_called_column(request, span)


def _is_left_out(request: Request, span: ColumnSpan, *, postfix: bool) -> bool:
    """Whether a column is one of those behind (or before) a word such as without."""
    at = next(n for n, item in enumerate(request.items) if item.start <= span.start < item.end)
    behind = at + 1
    while behind < len(request.items) and request.items[behind].is_a(Cue.FILLER, Cue.COLUMN, Cue.DETAIL):
        behind += 1
    if behind < len(request.items) and request.items[behind].is_a(Cue.LEAVE_OUT):
        return True
    step = 1 if postfix else -1
    place = at + step
    while 0 <= place < len(request.items):
        item = request.items[place]
        if item.is_a(Cue.EXCEPT, Cue.NEGATION):
            return True
        passable = item.is_a(Cue.FILLER, Cue.COLUMN, Cue.DETAIL, Cue.ALSO) and not item.is_a(Cue.ONLY)
        if not passable and place not in request.left and item.kind is not Kind.TABLE:
            return False
        place += step
    return False
