"""Which rows are ranked, ordered and gathered: what the words beside a superlative or an order say."""

from collections.abc import Iterator

from dragoman.reading.tokens import fold
from dragoman.review.case import Case, is_moment, is_number, path_words, says
from dragoman.review.demanded_figures import is_near
from dragoman.review.doers import says_who
from dragoman.review.names import Named, labels_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.words import Cue, Word
from dragoman.tables.graph import Table
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import Measured, ReadRequest
from dragoman.tables.verbs import TableVerb

_PHRASE = 4
"""So many words behind an order may say what it is by."""
_RELATIVE = 3
"""So far before a superlative the noun may stand that it is about: the club that has the most."""


def plural_numbers(case: Case) -> Iterator[Objection]:
    """ "What are the numbers of the open berths" asks for the numbers that they have."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.COUNT or request.by or case.before:
        return
    told = case.message.vocabulary
    for cue in case.message.does("count"):
        # "The room numbers of": a noun before it says which numbers.
        alone = cue.first == 0 or case.words[cue.first - 1].form in told.articles
        if alone and fold(case.message.said(cue)) in told.numbers_of:
            yield case.demanded(Code.SHOWN_MISSING, cue)
            return


def ordered_by_words(case: Case) -> Iterator[Objection]:
    """ "In order of berth length" orders by the length, and not by what berths are called."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or not request.order or case.before:
        return
    for cue in case.message.does("order", "descending", "ascending"):
        phrase = _phrase(case, cue)
        if not phrase or any(_is_of(case, request, each.by, phrase) for each in request.order):
            continue
        if _names_figure(case, request, phrase):
            said = case.message.text[case.words[cue.first].start : phrase[-1].end]
            yield case.objection(Code.RANK_MISSING, said, _written(request.order[0].by))
            return


def _phrase(case: Case, cue: Cue) -> tuple[Word, ...]:
    """The words behind an order that say what it is by: up to the next small word."""
    at, small = cue.last, case.message.small_words
    # "By ascending number of seats": what has the number is behind it.
    counts = [each for each in case.message.does("count") if each.last < len(case.words)]
    numbers = {place for each in counts for place in range(each.first, each.last)}
    while at < len(case.words) and (case.words[at].keys & small or at in numbers):
        at += 1
    last = at
    while last < min(len(case.words), at + _PHRASE) and not case.words[last].keys & small:
        last += 1
    return case.words[at:last]


def _is_of(case: Case, request: ReadRequest, key: object, phrase: tuple[Word, ...]) -> bool:
    """Whether any word of a phrase is about a key of an order. The name of the table alone is not."""
    if isinstance(key, Measured):
        added = key.verb in (TableVerb.COUNT, TableVerb.SUM)
        return key.of is None or added or _is_of(case, request, key.of, phrase)
    if not isinstance(key, ColumnPath):
        return True
    table = case.graph.tables[key.links[-1].target] if key.links else request.table
    own = path_words(key) - words_of(table.info.name)
    return any(says(word, own) or is_near(word, own) for word in phrase)


def _names_figure(case: Case, request: ReadRequest, phrase: tuple[Word, ...]) -> bool:
    """Whether the last word of a phrase names a number or a date of the rows, or what is counted of them."""
    counts = [case.words[cue.first].start for cue in case.message.does("count")]
    if any(phrase[0].start <= start <= phrase[-1].start for start in counts):
        return True
    for column in request.table.columns.values():
        numeric = is_number(ColumnPath((), column)) or is_moment(column.type)
        own = words_of(column.info.name) - words_of(request.table.info.name)
        if numeric and phrase[-1].keys & own and phrase[-1].form not in case.message.vocabulary.vague:
            return True
    return False


def _written(key: object) -> str:
    return key.written if isinstance(key, ColumnPath | Measured) else ""


def ranked_things(case: Case) -> Iterator[Objection]:
    """ "The town of the club with the most members" ranks clubs, and not towns."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or not request.by or not request.order or case.before:
        return
    many = case.message.vocabulary.amounts.get("rows", frozenset())
    for cue in case.message.does("most", "least"):
        if fold(case.message.said(cue)) not in many:
            continue
        named = _ranked_noun(case, cue)
        if named is not None and not any(_tells(case, request, path, named) for path in request.by):
            said = f"{case.said_of(named)} … {case.message.said(cue)}"
            yield case.objection(Code.RANK_MISSING, said, request.by[0].written)
            return


def _ranked_noun(case: Case, cue: Cue) -> Named | None:
    """The table that is named before a superlative in its relative clause, as the owner of what is shown."""
    told = case.message.vocabulary
    for named in reversed(case.named):
        between = case.words[named.last : cue.first]
        if named.last > cue.first or not named.tables or len(between) > _RELATIVE:
            continue
        related = bool(between) and between[0].form in told.relative
        before = case.words[max(named.first - 2, 0) : named.first]
        owned = len(before) == 2 and before[0].form in told.owning and before[1].form in told.articles
        return named if related and owned else None
    return None


def _tells(case: Case, request: ReadRequest, path: ColumnPath, named: Named) -> bool:
    """Whether groups by a column are the rows that were named: by their key or name, or a key to them."""
    table = case.graph.tables[path.links[-1].target] if path.links else request.table
    if table.key in named.tables:
        return path.column.info.name in table.info.primary_key or path.column.name in labels_of(table)
    return any(
        link.target in named.tables and any(here == path.column.info.name for here, _ in link.pairs)
        for link in case.graph.links(table).values()
    )


def lone_groups(case: Case) -> Iterator[Objection]:
    """Groups that are chosen by how many rows they have are not of one row each."""
    for request in case.committed.requests:
        counted = request.verb is TableVerb.COUNT and request.of is None and not request.joined
        own = [path.column.info.name for path in request.by if not path.links and path.part is None]
        having = [each.measured for each in request.having]
        chosen = all(_is_count(each) for each in having) and (having or (request.top and request.order))
        if counted and chosen and _are_single(request.table, own):
            yield case.objection(Code.GROUP_UNASKED, part=", ".join(path.written for path in request.by))
            return


def _is_count(measured: object) -> bool:
    return isinstance(measured, Measured) and measured.verb is TableVerb.COUNT


def _are_single(table: Table, names: list[str]) -> bool:
    """Whether some columns tell every row of a table from the others. In a small table a kind may do so by
    chance; beside another column it is a name."""
    if table.determined_by(names) or len(names) < 2:
        return table.determined_by(names)
    columns = [column for column in table.columns.values() if column.info.name in names]
    rows = table.info.rows or 0
    return rows > 1 and any(column.info.distinct == rows for column in columns)


def aged(case: Case) -> Iterator[Objection]:
    """The youngest is first by age or by birth, and not by how often something is there."""
    told = case.message.vocabulary.ages
    words = [w for w in case.words if any(w.form in each for each in told.values())]
    for request in case.committed.requests if words and not case.before else ():
        if request.top is None or not request.order:
            continue
        key = request.order[0].by
        if isinstance(key, Measured) and key.verb in (TableVerb.COUNT, TableVerb.SUM):
            yield case.objection(Code.RANK_MISSING, words[0].text, key.written)
            return


def done_by_them(case: Case) -> Iterator[Objection]:
    """ "How many courses are enrolled in by pupils": who does it gathers nothing."""
    by, counts = case.message.does("by"), case.message.vocabulary.counts_rows
    told = case.message.vocabulary.marks.get("made_by", frozenset())
    made = any(fold(case.message.said(cue)) in told for cue in case.message.does("nothing"))
    if case.message.does("each", "most", "least", "extreme", "order") or case.before or not (by or made):
        return
    passive = [cue for cue in by if says_who(case, cue)]
    asked = any(fold(case.message.said(cue)) in counts for cue in case.message.does("count"))
    for request in case.committed.requests[-1:]:
        if asked and len(by) == len(passive) and request.by and not request.having:
            yield case.objection(Code.GROUP_UNASKED, part=", ".join(path.written for path in request.by))
            return
