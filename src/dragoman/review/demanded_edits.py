"""A follow-up changes what its words are about, and nothing that hangs together is changed by half."""

from collections.abc import Iterator

from dragoman.review.case import Case, is_bare_figure, is_short_for, path_words, shown_paths
from dragoman.review.commitments import Atom, Committed, number_of
from dragoman.review.likeness import supports
from dragoman.review.names import words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.tables.graph import Table
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import ReadRequest


def kept_fewer(case: Case) -> Iterator[Objection]:
    """ "Only those who came by train" keeps fewer rows, and shows no more columns instead."""
    opening = case.words[0] if case.words else None
    if not case.before or opening is None or opening.form not in case.message.vocabulary.narrowing:
        return
    before, now = case.before[-1], case.committed
    same = _figures(before) == _figures(now) and _columns(now) == _columns(before)
    if _rows(before) == _rows(now) and (same or len(_columns(now)) > len(_columns(before))):
        yield case.objection(Code.VALUE_MISSING, case.message.text)
        return
    # What is kept of an answer is the same kind of answer.
    one, other = before.requests[-1], now.requests[-1] if now.requests else None
    if other is not None and one.table.key != other.table.key and one.measures and not other.measures:
        yield case.objection(Code.MEASURE_MISSING, case.message.text)


def _figures(committed: Committed) -> tuple[object, ...]:
    return tuple((request.verb, request.measures) for request in committed.requests)


def _rows(committed: Committed) -> tuple[object, ...]:
    """What decides which rows and groups there are."""
    cuts = [(request.top, request.limit, request.by, request.order) for request in committed.requests]
    return committed.atoms, committed.linkings, tuple(cuts)


def _columns(committed: Committed) -> set[str]:
    return {path.written for request in committed.requests for path in request.columns}


def loose_figures(case: Case) -> Iterator[Objection]:
    """ "Make it 10" holds no figure against exactly 10, and "what about 2022" none against a year."""
    for atom in case.committed.atoms:
        value = number_of(atom.value)
        if not atom.having or atom.sign != "equal" or value is None or atom.part in case.carried:
            continue
        at = [n for n, word in enumerate(case.words) if word.number == value]
        if at and all(_is_last(case, n) for n in at) and not case.message.does("exact"):
            yield case.objection(Code.HAVING_UNASKED, part=atom.part)
            return


def _is_last(case: Case, at: int) -> bool:
    """Whether nothing that could be counted stands behind a number."""
    small = case.message.small_words
    return case.message.in_period(case.words[at]) or all(word.keys & small for word in case.words[at + 1 :])


def halved_names(case: Case) -> Iterator[Objection]:
    """ "And Reed?" after Nina Holt asks for no Nina Reed."""
    first, last = column_words("first_name"), column_words("last_name")
    held = {atom.part for before in case.before for atom in before.atoms}
    texts = [atom for atom in case.committed.atoms if isinstance(atom.value, str) and atom.column is not None]
    for old in texts:
        if old.part not in held or any(supports(word, str(old.value)) for word in case.words):
            continue
        for mine, other in ((first, last), (last, first)):
            if _is(old, mine) and any(_is(new, other) and _is_new(new, old, held) for new in texts):
                yield case.objection(Code.FILTER_UNASKED, words=str(old.value), part=old.part)
                return


def _is(atom: Atom, names: frozenset[str]) -> bool:
    return atom.column is not None and bool(words_of(atom.column.info.name) & names)


def _is_new(new: Atom, old: Atom, held: set[str]) -> bool:
    return new.part not in held and new.links == old.links and new.table == old.table


def amounts_as_groups(case: Case) -> Iterator[Objection]:
    """An amount of money makes no groups, unless each amount was asked for."""
    for request in case.committed.requests:
        for path in request.by:
            whole = path.type.value == "integer"
            if path.part is not None or whole or path.column not in _measures(case, request):
                continue
            each = any(case.named_after(cue.last, 1) for cue in case.message.does("each"))
            figures = case.message.does("count", "sum", "average", "most", "least") and case.mentions(
                path_words(path)
            )
            if not each and not (figures and not case.before):
                yield case.objection(Code.GROUP_UNASKED, part=path.written)
                return


def _measures(case: Case, request: ReadRequest) -> set[object]:
    ends = [case.graph.tables[path.links[-1].target] for path in request.by if path.links]
    return {column for table in (request.table, *ends) for column in table.measures}


def other_figures(case: Case) -> Iterator[Objection]:
    """ "The average of that" is of a number that was shown, where no word names another."""
    last = case.before[-1].requests[-1] if case.before else None
    if last is None or not case.committed.requests or last.measures:
        return
    shown = [path for path in shown_paths(last) if path.column in _of(case, last, path).measures]
    for each in case.committed.requests[-1].measures:
        path = each.of
        if not isinstance(path, ColumnPath) or each.distinct or not shown or case.mentions(path_words(path)):
            continue
        if len(last.columns) < len(last.table.columns) and path.column not in [p.column for p in shown]:
            yield case.objection(Code.COLUMN_CONTRADICTED, case.message.text, each.written)
            return


def _of(case: Case, request: ReadRequest, path: ColumnPath) -> Table:
    return case.graph.tables[path.links[-1].target] if path.links else request.table


def instead(case: Case) -> Iterator[Objection]:
    """ "By weight instead" works out or parts by weight."""
    told = case.message.vocabulary
    at = next((n for n, word in enumerate(case.words) if word.form in told.replaced), None)
    if not case.before or not at:
        return
    word = case.words[at - 1]
    small = word.keys & case.message.small_words or word.number is not None
    known = any(
        word.keys & words_of(name) or any(is_short_for(part, word.form) for part in words_of(name))
        for table in case.graph.tables.values()
        for name in (table.info.name, *(column.info.name for column in table.columns.values()))
    )
    cue = any(each.first <= at - 1 < each.last for each in case.message.cues)
    if known and not small and not cue and not case.uses_words(word):
        yield case.objection(Code.NAME_MISSING, word.text)


def listed_now(case: Case) -> Iterator[Objection]:
    """ "List the ones of 2018" is a list, whatever was counted before."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or not case.before or not is_bare_figure(request):
        return
    opening = next((cue for cue in case.message.does("which") if cue.first == 0), None)
    if opening is None or case.words[0].form in case.message.vocabulary.asks:
        return
    figures = case.message.does("count", "sum", "average", "share", "most", "least", "extreme")
    behind = case.words[opening.last : opening.last + 2]
    if not figures and any(word.form in case.message.vocabulary.ones for word in behind):
        yield case.demanded(Code.MEASURE_UNASKED, opening, str(request.verb))
