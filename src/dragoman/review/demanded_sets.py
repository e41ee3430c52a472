"""Which rows make up a result: different ones, both of two, and none that cannot be."""

from collections.abc import Iterator
from decimal import Decimal

from dragoman.review.case import (
    Case,
    is_bare_figure,
    shown_paths,
)
from dragoman.review.commitments import number_of
from dragoman.review.demanded_others import paired
from dragoman.review.records import Code, Objection
from dragoman.tables.graph import TableKey
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import ReadRequest
from dragoman.tables.verbs import TableVerb


def distinct(case: Case) -> Iterator[Objection]:
    """ "Different" needs rows that differ: made so, or so by a key."""
    if all(_differs(case, request) for request in case.committed.requests) or paired(case):
        return
    for cue in case.message.does("distinct"):
        if not case.is_used_cue(cue):
            yield case.demanded(Code.DISTINCT_MISSING, cue)
            return


def _differs(case: Case, request: ReadRequest) -> bool:
    if request.distinct or request.by or any(each.distinct for each in request.measures):
        return True
    if is_bare_figure(request):
        # Rows of a table differ by themselves.
        return all(each.of is None or each.verb is not TableVerb.COUNT for each in request.measures)
    own = [path.column.info.name for path in shown_paths(request) if not path.links]
    return request.table.determined_by(own) or len(own) == len(request.table.columns)


def _joined_by_and(case: Case) -> bool:
    """Two values of one column with nothing but "and" between them, asked of something else than their rows:
    who plays tennis and golf plays both."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.LIST or case.message.does("either", "negation"):
        return False
    texts = [a for a in case.committed.atoms if a.either and isinstance(a.value, str) and a.sign == "equal"]
    tables = {_shown_table(request, path) for path in shown_paths(request)}
    return len(texts) > 1 and all(atom.table not in tables for atom in texts)


def _shown_table(request: ReadRequest, path: ColumnPath) -> TableKey:
    return path.links[-1].target if path.links else request.table.key


def impossible(case: Case) -> Iterator[Objection]:
    """Above 50 and below 20 at once: two rows were meant, and the program looks for one."""
    above: dict[str, Decimal] = {}
    below: dict[str, Decimal] = {}
    for atom in case.committed.atoms:
        number = number_of(atom.value)
        if number is None or atom.column is None or atom.negated or atom.either:
            continue
        name = "/".join([*(link.name for link in atom.links), atom.column.name])
        if atom.sign in ("above", "at-least"):
            above[name] = number
        elif atom.sign in ("below", "at-most"):
            below[name] = number
    for name in above.keys() & below.keys():
        if above[name] > below[name]:
            yield case.objection(Code.BOTH_MISSING, f"{above[name]}, {below[name]}", name)
            return


def _counts_all(case: Case) -> bool:
    """Whether groups are kept that have as many different values as are looked for: then they have all."""
    counts = [a for a in case.committed.atoms if a.having and a.sign == "equal" and not a.negated]
    sought = {a.value for a in case.committed.atoms if a.either and a.sign == "equal" and not a.having}
    counted = [m.of.column for m in case.committed.measures if m.distinct and isinstance(m.of, ColumnPath)]
    held = [a.column for a in case.committed.atoms if a.either]
    return (
        bool(sought)
        and all(column in counted for column in held)
        and any(number_of(a.value) == len(sought) for a in counts)
    )


def both(case: Case) -> Iterator[Objection]:
    """ "Both A and B" is not "A or B"."""
    if _joined_by_and(case):
        values = [str(atom.value) for atom in case.committed.atoms if atom.either]
        yield case.objection(Code.BOTH_MISSING, ", ".join(values[:2]))
        return
    for cue in case.message.does("both"):
        spans = [atom for atom in case.committed.atoms if atom.sign == "within"]
        loose = any(atom.either for atom in case.committed.atoms) and not case.message.does("either")
        loose = loose and not _counts_all(case)
        if loose or (spans and not case.message.does("between")):
            yield case.demanded(Code.BOTH_MISSING, cue)
            return
