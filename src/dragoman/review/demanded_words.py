"""Small words that a program must answer: negation, superlatives, orders, measures, groups."""

from collections.abc import Iterator

from dragoman.reading.tokens import fold
from dragoman.review.case import (
    Case,
    is_bare_figure,
    is_key,
    is_moment,
    is_number,
    leads_to,
    path_words,
    says,
    shown_paths,
)
from dragoman.review.commitments import Atom, denies, number_of
from dragoman.review.current_states import is_end
from dragoman.review.demanded_spans import measures_time
from dragoman.review.doers import says_who
from dragoman.review.likeness import supports
from dragoman.review.names import Named, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Cue
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import ReadRequest
from dragoman.tables.verbs import TableVerb

_FIRST = 3
"""So many words behind a superlative may "first" stand: "highest rent first"."""
_NUMBERED = 6
"""So many words behind "how many" may say what column has the number."""
_COMPARING = ("above", "below", "at-least", "at-most")


def negation(case: Case) -> Iterator[Objection]:
    """Every word that denies needs something that leaves out."""
    # A negation of the turn before answers no new one, unless it is the same again.
    atoms = [
        atom for atom in case.committed.atoms if atom.part not in case.carried or _is_repeated(case, atom)
    ]
    # "And how many don't" turns what the turn before had.
    before = {each.links[-1].name for one in case.before for each in one.linkings if each.absent}
    absent = [
        each
        for each in case.committed.linkings
        if each.absent and (each.links[-1].name not in case.carried or each.links[-1].name not in before)
    ]
    if absent or any(denies(atom) or _says_no(atom) or _says_ended(atom) for atom in atoms):
        return
    if case.message.does("negative") and any(atom.sign == "missing" for atom in atoms):
        return
    # What is no longer done has a day on which that ended.
    if case.message.does("over") and any(is_end(atom) and atom.negated for atom in atoms):
        return
    for cue in case.message.does("negation", "negative"):
        word = case.words[cue.first]
        in_value = any(word.form in text.casefold() for text in case.committed.texts)
        # "Did not exceed 5" is a comparison, and "not empty" denies twice.
        compares = any(0 <= other.first - cue.last <= 2 for other in case.message.does(*_COMPARING))
        doubled = any(0 <= other.first - cue.last <= 2 for other in case.message.does("negative"))
        if not (in_value or compares or doubled or case.is_used_cue(cue)):
            yield case.demanded(Code.NEGATION_MISSING, cue)
            return


def _is_repeated(case: Case, atom: Atom) -> bool:
    text = str(atom.value).casefold()
    return any(word.form in text for word in case.words if len(word.form) > 2)


def _says_no(atom: Atom) -> bool:
    if atom.value is False or number_of(atom.value) == 0:
        return True
    below_one = atom.sign == "below" and number_of(atom.value) == 1
    return below_one or (isinstance(atom.value, str) and atom.value.casefold() in column_words("no"))


def _says_ended(atom: Atom) -> bool:
    """What has a last day of sale is not sold any more."""
    there = atom.sign == "missing" and atom.negated and atom.column is not None
    return there and atom.column is not None and bool(words_of(atom.column.info.name) & column_words("end"))


def superlatives(case: Case) -> Iterator[Objection]:
    """The greatest or the least of something, in the direction that was asked for."""
    up, down = _directions(case)
    either = up or down
    for cue in case.message.does("most", "least", "extreme"):
        if case.is_used_cue(cue) or _quantifies(case, cue) or _sorts(case, cue):
            continue
        if not either:
            if cue.does != "extreme" or _is_plain_superlative(case, cue) or _comes_first(case, cue):
                yield case.demanded(Code.SUPERLATIVE_MISSING, cue)
                return
        elif cue.does != "extreme" and not _either_way(case) and not (up if cue.does == "most" else down):
            yield case.demanded(Code.DIRECTION_MISSING, cue)
            return


def _is_plain_superlative(case: Case, cue: Cue) -> bool:
    return bool(case.message.vocabulary.superlative.search(case.words[cue.last - 1].form))


def _comes_first(case: Case, cue: Cue) -> bool:
    """Whether words ask for who is ahead of all: the top ones, the best."""
    said = fold(case.message.said(cue))
    in_value = any(said in text.casefold() for text in case.committed.texts)
    return said in case.message.vocabulary.ahead and not in_value


def _quantifies(case: Case, cue: Cue) -> bool:
    """A superlative that closes an order ("oldest first") or is part of a comparison says nothing more."""
    return any(
        other.first <= cue.first < other.last
        for other in case.message.cues
        if other.does in ("nothing", "ascending", "descending", *_COMPARING) and other != cue
    )


def _sorts(case: Case, cue: Cue) -> bool:
    """ "Highest rent first", "dearest on top" and "from youngest to oldest" only ask for an order."""
    told = case.message.vocabulary.sorts
    ends = case.message.does("most", "least") if case.words[cue.first].form in told.get("behind", ()) else ()
    closes = any(0 <= cue.first - other.last < _FIRST for other in ends)
    beside = case.words[max(cue.first - 2, 0) : cue.first]
    behind = case.words[cue.last : cue.last + _FIRST]
    said = closes or any(word.form in told.get("before", ()) for word in beside)
    said = said or any(word.form in told.get("behind", ()) for word in behind)
    return said and any(request.order for request in case.committed.requests)


def _either_way(case: Case) -> bool:
    """A rank is best where it is least; of a date of birth the oldest is the least."""
    ranks = column_words("rank") | column_words("birth")
    ordered = [each.by for request in case.committed.requests for each in request.order]
    paths = [by for by in ordered if isinstance(by, ColumnPath)]
    return any(path_words(path) & ranks or _lasts(case, path) for path in paths)


def _lasts(case: Case, path: ColumnPath) -> bool:
    """Who serves longest began first."""
    lasting = case.message.vocabulary.amounts.get("duration", frozenset())
    return is_moment(path.type) and any(word.form in lasting for word in case.words)


def _directions(case: Case) -> tuple[bool, bool]:
    """Whether the program looks for a greatest, and for a least."""
    up = down = False
    for request in case.committed.requests:
        verbs = {each.verb for each in case.committed.measures} | {request.verb}
        up |= TableVerb.MAX in verbs or request.verb is TableVerb.TOP
        down |= TableVerb.MIN in verbs
        if request.top is not None or request.limit is not None:
            if not request.order:
                up |= bool(request.by) or request.verb is TableVerb.TOP
            else:
                up |= request.order[0].descending
                down |= not request.order[0].descending
    return up, down


def orders(case: Case) -> Iterator[Objection]:
    keys = [each for request in case.committed.requests for each in request.order]
    ranked = any(r.top is not None and (r.by or r.verb is TableVerb.TOP) for r in case.committed.requests)
    falling = any(each.descending for each in keys) or (ranked and not keys)
    rising = any(not each.descending for each in keys)
    for cue in case.message.does("descending", "ascending", "order"):
        if cue.does == "order" and (case.is_used_cue(cue) or _is_done_by(case, cue)):
            continue
        if not keys and not ranked:
            yield case.demanded(Code.ORDER_MISSING, cue)
            return
        # "Descending alphabetical order" is a descending one.
        turned = any(
            other.last == cue.first or cue.last == other.first for other in case.message.does("descending")
        )
        if cue.does == "ascending" and turned:
            continue
        if (cue.does == "descending" and not falling) or (cue.does == "ascending" and not rising):
            yield case.demanded(Code.DIRECTION_MISSING, cue)
            return


def _is_done_by(case: Case, cue: Cue) -> bool:
    """ "Ordered by Alma Berg" sorts nothing, nor does what nobody ordered."""
    following = case.words[cue.last : cue.last + 1]
    denied = case.message.does("negation")
    if cue.last - cue.first == 1 and any(0 <= cue.first - each.last <= 1 for each in denied):
        # "Who has not ordered anything".
        return True
    if not following and cue.last - cue.first == 1:
        return True
    return any(supports(word, text) for word in following for text in case.committed.texts)


def measures(case: Case) -> Iterator[Objection]:
    """Sums, averages, counts and shares that were asked for are worked out somewhere."""
    for cue in case.message.does("sum", "average", "count", "share"):
        named = case.is_used_cue(cue) and not _is_total(case, cue)
        if named or _is_covered(case, cue) or is_of_noun(case, cue) or _is_replaced(case, cue):
            continue
        yield case.demanded(Code.MEASURE_MISSING, cue)
        return


def _is_total(case: Case, cue: Cue) -> bool:
    """ "Total revenue" is not a list of a column `total`; "invoice total" and "total points" may be."""
    listed = all(request.verb is TableVerb.LIST and not request.top for request in case.committed.requests)
    if cue.does != "sum" or not listed or cue.last >= len(case.words):
        return False
    beside = case.words[max(cue.first - 1, 0) : cue.first] + case.words[cue.last : cue.last + 1]
    following = case.words[cue.last]
    return not any(case.uses_words(word) for word in beside) and not following.keys & case.message.small_words


def _is_replaced(case: Case, cue: Cue) -> bool:
    """ "The total instead of the average", and the mark inside of a name: No#12."""
    before = case.words[max(cue.first - 3, 0) : cue.first]
    at = case.words[cue.first].start
    glued = at > 0 and not case.words[cue.first].form.isalnum() and case.message.text[at - 1].isalnum()
    return glued or any(word.form in case.message.vocabulary.replaced for word in before)


def is_of_noun(case: Case, cue: Cue) -> bool:
    """ "The phone number of" counts nothing, and "forest percentage" may be a column `forest`."""
    of_noun = fold(case.message.said(cue)) in case.message.vocabulary.of_nouns
    if cue.first == 0 or not (of_noun or cue.does == "share"):
        return False
    before = case.words[cue.first - 1]
    led = any(other.last == cue.first for other in case.message.cues)
    small = before.keys & case.message.small_words
    return case.uses_words(before) or (cue.does == "count" and not led and not small)


def _is_covered(case: Case, cue: Cue) -> bool:
    verbs = {str(each.verb) for each in case.committed.measures}
    verbs |= {str(request.verb) for request in case.committed.requests}
    counted = bool(case.message.does("count"))
    match cue.does:
        case "sum":
            # "The number of orders and their total" asks for both.
            beside = case.words[max(cue.first - _FIRST, 0) : cue.first]
            joined = any(word.form in case.message.vocabulary.joining - {"of"} for word in beside)
            counts = "count" in verbs and counted and not joined
            return bool(verbs & {"sum", "share"}) or counts or _sums(case)
        case "average":
            return "average" in verbs or _divides(case)
        case "count":
            averaged = any(cue.first == each.last for each in case.message.does("average"))
            if "average" in verbs and averaged and _counts_rows(case, cue):
                # The average number of guests may be one of a column.
                return True
            counts = bool(verbs & {"count", "sum", "share"}) or measures_time(case, cue)
            return counts or _shows_number(case, cue) or _has_figure(case)
        case _:
            return bool(verbs & {"share"}) or _divides(case)


def _counts_rows(case: Case, cue: Cue) -> bool:
    return fold(case.message.said(cue)) in case.message.vocabulary.counts_rows


def _sums(case: Case) -> bool:
    """`top` of groups sums."""
    return any(request.verb is TableVerb.TOP and request.by for request in case.committed.requests)


def _shows_number(case: Case, cue: Cue) -> bool:
    """ "How many seats" may be a column with that name."""
    said = frozenset().union(*(word.keys for word in case.words[cue.last : cue.last + _NUMBERED]))
    measured = [each.of for each in case.committed.measures if isinstance(each.of, ColumnPath)]
    ordered = [each.by for request in case.committed.requests for each in request.order]
    measured += [path for path in ordered if isinstance(path, ColumnPath) and is_number(path)]
    if any(words_of(path.column.info.name) & said for path in measured):
        return True
    return any(
        is_number(path) and not is_key(request, path) and words_of(path.column.info.name) & said
        for request in case.committed.requests
        if len(request.columns) < len(request.table.columns)
        for path in shown_paths(request)
    )


def _has_figure(case: Case) -> bool:
    return any(atom.having for atom in case.committed.atoms) or any(
        hasattr(request, "groups") and request.groups for request in case.committed.requests
    )


def _divides(case: Case) -> bool:
    return any(
        "divided" in repr(request) or any(each.per is not None for each in request.measures)
        for request in case.committed.requests
    )


def groups(case: Case) -> Iterator[Objection]:
    """ "Per country" needs groups of countries, where figures are asked for."""
    figures = [request for request in case.committed.requests if case.committed.measures and request.measures]
    if not figures:
        yield from _listed(case)
        return
    for cue in case.message.does("each", "by"):
        if case.is_used_cue(cue):
            continue
        named = case.named_after(cue.last, 0 if cue.does == "by" else 1)
        if all(is_bare_figure(request) for request in figures):
            if not _divides(case) and _asks_groups(case, cue, named):
                yield case.demanded(Code.GROUP_MISSING, cue)
                return
        elif cue.does == "each" and any(r.top == 1 for r in figures) and case.message.does("most", "least"):
            yield case.demanded(Code.GROUP_MISSING, cue)
            return
        elif named is not None and cue.does == "each" and not any(_grouped(case, r, named) for r in figures):
            yield case.objection(Code.GROUP_MISSING, f"{case.message.said(cue)} {case.said_of(named)}")
            return


def _is_of_rate(case: Case, cue: Cue) -> bool:
    """ "10 per unit" is what a unit price says."""
    word = case.words[cue.last] if cue.last < len(case.words) else None
    return (
        word is not None
        and cue.first > 0
        and case.words[cue.first - 1].number is not None
        and (case.uses_words(word))
    )


def _listed(case: Case) -> Iterator[Objection]:
    """ "Visits per month" is not a list of flights."""
    told = case.message.vocabulary
    for cue in case.message.does("each", "by"):
        named = case.named_after(cue.last, 0)
        certain = cue.does == "each" and fold(case.message.said(cue)) in told.each_one
        parted = cue.does == "by" and _asks_groups(case, cue, None)
        if (
            (certain or parted)
            and not case.is_used_cue(cue)
            and not _is_of_rate(case, cue)
            and not any(r.order for r in case.committed.requests)
        ):
            words = (
                case.message.said(cue) if named is None else f"{case.message.said(cue)} {case.said_of(named)}"
            )
            yield case.objection(Code.GROUP_MISSING, words)
            return


def _asks_groups(case: Case, cue: Cue, named: Named | None) -> bool:
    """ "Signed by clerks" and "older than every tree" ask for no groups."""
    if case.is_used_cue(cue):
        return False
    before = case.words[cue.first - 1] if cue.first else None
    if cue.does == "each":
        return before is None or not any(
            other.last == cue.first and other.does in ("above", "below") for other in case.message.cues
        )
    if case.words[cue.last : cue.last + 1] and case.words[cue.last].keys & case.message.vocabulary.parts:
        return True
    return (named is not None or _is_kind(case, cue)) and not says_who(case, cue) and _counts(case)


def _is_kind(case: Case, cue: Cue) -> bool:
    """ "By kind": a bare singular gathers, although nothing has that name."""
    word = case.words[cue.last] if cue.last < len(case.words) else None
    before = case.words[cue.first - 1] if cue.first else None
    if (
        word is None
        or before is None
        or word.number is not None
        or word.quoted
        or word.capital
        or word.is_plural
    ):
        return False
    done = (
        case.message.vocabulary.passive.search(before.form) or before.form in case.message.vocabulary.helping
    )
    small = word.keys & case.message.small_words or any(each.first == cue.last for each in case.message.cues)
    return not (
        done or small or case.uses_words(word) or any(supports(word, t) for t in case.committed.texts)
    )


def _counts(case: Case) -> bool:
    return bool(case.message.does("count", "sum", "average"))


def _grouped(case: Case, request: ReadRequest, named: Named) -> bool:
    """Whether a group's key has a name: the column's, its table's, or that of a link to it."""
    for path in (*request.by, *shown_paths(request)):
        table = case.graph.tables[path.links[-1].target] if path.links else request.table
        part = frozenset({path.part.value}) if path.part is not None else frozenset[str]()
        leads = leads_to(case.graph, table, path)
        if says(case.words[named.last - 1], path_words(path) | words_of(table.info.name) | part | leads):
            return True
    return False
