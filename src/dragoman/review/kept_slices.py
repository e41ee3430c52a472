"""A message that leans on another asks its own question: what was only true of the one before is not kept."""

from collections.abc import Iterator

from dragoman.review.case import Case, is_bare_figure, shown_paths
from dragoman.review.commitments import Atom, measures_of
from dragoman.review.demanded_figures import is_near
from dragoman.review.likeness import supports
from dragoman.review.names import words_of
from dragoman.review.oversights import is_flag
from dragoman.review.records import Code, Objection
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import ReadRequest
from dragoman.tables.verbs import TableVerb

_FIGURES = ("average", "sum", "count", "share")
_RANKS = ("most", "least", "extreme")
_OPENING = 3


def grouped_by_one(case: Case) -> Iterator[Objection]:
    """ "And the pieces by status" is said of each status: the one that came first before is not all that is
    left of them."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or not case.before:
        return
    for cue in case.message.does("each", "by"):
        for path in request.by:
            word = case.words[cue.last] if cue.last < len(case.words) else None
            held = next((atom for atom in case.committed.atoms if _holds(atom, path)), None)
            if word is not None and held is not None and not _is_said(case, held):
                yield case.demanded(Code.GROUP_MISSING, cue, held.part)
                return


def _holds(atom: Atom, path: ColumnPath) -> bool:
    """Whether all groups but one are left out."""
    one = atom.sign == "equal" and not (atom.negated or atom.either or atom.having)
    return one and atom.column == path.column and atom.links == path.links


def _is_said(case: Case, atom: Atom) -> bool:
    return isinstance(atom.value, str) and any(supports(word, atom.value) for word in case.words)


def limits_kept(case: Case) -> Iterator[Objection]:
    """ "And the average price per glaze", behind the first three by their pieces, is asked of all of them."""
    told = case.message.vocabulary
    request, last = _last(case)
    if request is None or last is None or request.top is None or request.top != last.top:
        return
    if not (case.message.does(*_FIGURES) and case.message.does("each", "by")) or case.message.does(*_RANKS):
        return
    points = any(word.form in told.ones | told.back or word.number == request.top for word in case.words)
    if not points and measures_of(request) != measures_of(last):
        yield case.objection(Code.LIMIT_UNASKED, part=str(request.top))


def counted_of_them(case: Case) -> Iterator[Objection]:
    """ "How many of them were repaired" counts them, each once, and not their repairs."""
    told = case.message.vocabulary
    request, last = _last(case)
    if request is None or last is None or request.verb is not TableVerb.COUNT or last.by or request.by:
        return
    for cue in case.message.does("count"):
        behind = [word.form for word in case.words[cue.last : cue.last + 2]]
        if len(behind) > 1 and behind[0] in told.owning | told.joining and behind[1] in told.ones | told.back:
            distinct = any(each.distinct for each in request.measures)
            if request.table.key != last.table.key and not distinct:
                yield case.demanded(Code.COUNTED_MISSING, cue, request.table.name)
                return


def _last(case: Case) -> tuple[ReadRequest | None, ReadRequest | None]:
    """What the program asks, and what was asked before."""
    now = case.committed.requests[-1] if case.committed.requests else None
    before = case.before[-1].requests if case.before else ()
    return now, before[-1] if before else None


def single_rows(case: Case) -> Iterator[Objection]:
    """ "The largest single sale" is one sale, and no sum of several."""
    told = case.message.vocabulary
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or not request.by:
        return
    sums = any(each.verb in (TableVerb.SUM, TableVerb.AVERAGE) for each in request.measures)
    for cue in case.message.does(*_RANKS) if sums else ():
        beside = case.words[max(cue.first - 1, 0) : cue.last + 1]
        if any(word.form in told.marks.get("single", ()) for word in beside):
            yield case.demanded(Code.MEASURE_UNASKED, cue, request.measures[0].written)
            return


def those_of_others(case: Case) -> Iterator[Objection]:
    """ "Which towns do we have" asks for all towns, and not for those alone where some potter lives."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or case.before or request.verb is not TableVerb.LIST or not request.distinct:
        return
    if case.committed.atoms or case.committed.linkings or request.order or request.joined:
        return
    told = case.message.vocabulary
    paths = [each for each in (request.shown or request.columns) if isinstance(each, ColumnPath)]
    ends = {path.links[-1].target for path in paths if path.links and all(x.single for x in path.links)}
    if len(ends) != 1 or not all(path.links for path in paths):
        return
    there = case.graph.tables[ends.pop()]
    base = words_of(request.table.info.name) - words_of(there.info.name)
    named = case.mentions(words_of(there.info.name) - case.message.small_words)
    asked = any(word.keys & (told.once | told.ours) for word in case.words)
    if named and asked and not case.mentions(base):
        yield case.objection(Code.SHOWN_MISSING, case.message.text, request.table.name)


def flags_shown(case: Case) -> Iterator[Objection]:
    """ "And which are insured": those for which it holds, and no column of yes and no."""
    told = case.message.vocabulary
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.LIST:
        return
    starts = [at + 1 for at, word in enumerate(case.words) if word.form in told.clauses and at < _OPENING]
    for path in request.shown or request.columns:
        if not isinstance(path, ColumnPath) or not is_flag(path.column) or not _are_asked_for(case):
            continue
        held = any(atom.column == path.column for atom in case.committed.atoms)
        behind = [word for at in starts for word in case.words[at : at + 1]]
        if not held and any(word.keys & words_of(path.column.info.name) for word in behind):
            yield case.objection(Code.VALUE_MISSING, case.message.text, path.written)
            return


def _are_asked_for(case: Case) -> bool:
    """Whether a message opens with a question for those of which something holds."""
    asked = case.message.vocabulary.asks | case.message.vocabulary.who
    return any(word.form in asked for word in case.words[:2])


def added_figures(case: Case) -> Iterator[Objection]:
    """ "With the average price" stands beside each row that was listed, and is no single figure."""
    told = case.message.vocabulary
    request, last = _last(case)
    if request is None or last is None or last.verb is not TableVerb.LIST or not case.words:
        return
    if case.words[0].form in told.shown_with.get("with", ()) and is_bare_figure(request):
        yield case.objection(Code.GROUP_MISSING, case.message.text)


def counts_in_total(case: Case) -> Iterator[Objection]:
    """ "How many points in total" adds points up, where rows have them: the rows are not counted."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.COUNT:
        return
    totals = {cue.first for cue in case.message.does("sum")}
    for cue in case.message.does("count"):
        at = cue.last
        if at + 1 not in totals or at >= len(case.words) or not case.words[at].is_plural:
            continue
        word = case.words[at]
        own = any(word.form in (name, f"{name}s") for name in words_of(request.table.info.name))
        named = ((column, words_of(column.info.name)) for column in request.table.measures)
        figures = [each for each, names in named if word.keys & names or is_near(word, names)]
        if figures and not own:
            yield case.objection(Code.MEASURE_MISSING, word.text, figures[0].name)
            return


def of_each_one(case: Case) -> Iterator[Objection]:
    """ "What kind is each" is told of each row that was listed: beside it, and not by itself."""
    request, last = _last(case)
    if request is None or last is None or last.verb is not TableVerb.LIST or last.distinct:
        return
    if request.verb is not TableVerb.LIST or request.table.key == last.table.key:
        return
    ends = {link.target for path in shown_paths(request) for link in path.links}
    for cue in case.message.does("each"):
        if case.named_after(cue.last, 1) is None and last.table.key not in ends:
            yield case.demanded(Code.SHOWN_MISSING, cue, last.table.name)
            return
