"""Nouns that are listed to be shown, those that rows are ordered by, and conditions that an "or" joins."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from dragoman.contracts.schema import ValueType
from dragoman.review.case import Case, path_words, says
from dragoman.review.commitments import Atom, number_of
from dragoman.review.demanded_figures import is_near
from dragoman.review.likeness import supports
from dragoman.review.names import Named, parts_of
from dragoman.review.records import Code, Objection
from dragoman.review.stronger_names import is_met, names_of_columns
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Cue, Word
from dragoman.tables.computation import Expressed, columns_in
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import Measured, ReadRequest, Shown
from dragoman.tables.verbs import TableVerb

_LONGEST: Final = 3
"""So many words name one thing of a list at most."""
_FEWEST: Final = 2
_NEAR: Final = 6

Item = tuple[int, int]
"""Where one thing of a list begins and ends."""


def listed_nouns(case: Case) -> Iterator[Objection]:
    """ "The name, nation and key of each potter" are three columns."""
    request = case.committed.requests[-1] if case.committed.requests else None
    shown = (request.shown or request.columns) if request is not None else ()
    if request is None or case.before or not shown:
        return
    for cue in case.message.does("which"):
        items = _items(case, cue.last) if _opens(case, cue) else []
        if len(items) < _FEWEST or len(shown) >= len(items):
            continue
        heads = [case.words[last - 1].form for _, last in items]
        for (first, last), head in zip(items, heads, strict=True):
            # Of two amounts one is left out, whichever it is.
            left = heads.count(head) > 1 or not _is_shown(case, shown, case.words[last - 1])
            if left and not _is_figure(case, first, last):
                text = case.message.text[case.words[first].start : case.words[last - 1].end]
                yield case.objection(Code.SHOWN_MISSING, text)
                return


def _opens(case: Case, cue: Cue) -> bool:
    """Whether a sentence begins with a cue."""
    before = case.message.text[: case.words[cue.first].start].rstrip()
    return not before or before[-1] in ".?!;"


def _is_figure(case: Case, first: int, last: int) -> bool:
    figures = case.message.does("count", "sum", "average", "share", "most", "least", "extreme", "distinct")
    return any(cue.first < last and first < cue.last for cue in figures)


def _items(case: Case, at: int) -> list[Item]:
    """The things that commas and "and" join from a word on, up to a small word that says whose they are."""
    told, found = case.message.vocabulary, list[Item]()
    joining = told.joining - told.owning
    ends = {cue.last for cue in case.message.does("both") if cue.first == at}
    at = max(ends, default=at)
    while at < len(case.words):
        while at < len(case.words) and case.words[at].form in told.articles:
            at += 1
        first = at
        while at < len(case.words) and _goes_on(case, first, at):
            at += 1
        if at == first or at - first > _LONGEST:
            return []
        found.append((first, at))
        if at == len(case.words):
            return found
        joined = case.words[at].form in joining
        if not joined and "," not in case.message.text[case.words[at - 1].end : case.words[at].start]:
            break
        at += joined
    # Behind what is to be shown stands whose it is.
    return found if at < len(case.words) and case.words[at].form in told.owning else []


def _goes_on(case: Case, first: int, at: int) -> bool:
    word, told = case.words[at], case.message.vocabulary
    if word.number is not None or word.quoted or word.form in told.joining:
        return False
    if word.keys & case.message.small_words and word.form not in told.parts:
        return False
    return at == first or case.message.text[case.words[at - 1].end : word.start].isspace()


def _is_shown(case: Case, shown: tuple[Shown | Expressed, ...], head: Word) -> bool:
    paths = [path for each in shown for path in _columns_of(each)]
    if any(says(head, path_words(path)) or is_near(head, path_words(path)) for path in paths):
        return True
    if head.keys & column_words("label"):
        # What rows are called by is a text, and no key of theirs.
        return any(path.type is ValueType.TEXT and not _is_key(path) for path in paths)
    # What only a value says is no column that is left out.
    keyed = head.keys & (column_words("key") | column_words("id"))
    known = keyed or head.keys & case.message.vocabulary.idle
    return bool(known) or any(supports(head, text) for text in case.committed.texts)


def _is_key(path: ColumnPath) -> bool:
    return bool(parts_of(path.column.info.name)[-1] & column_words("key"))


def names_of_both(case: Case) -> Iterator[Objection]:
    """ "The titles of plays and books" are those of both."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or case.before or request.verb is not TableVerb.LIST:
        return
    told = case.message.vocabulary
    joining = told.joining - told.owning
    for named, other in pairwise(case.named):
        between = [
            word.form for word in case.words[named.last : other.first] if word.form not in told.articles
        ]
        before = [word for word in case.words[: named.first] if word.form not in told.articles][-2:]
        if len(between) != 1 or between[0] not in joining or not (named.tables and other.tables):
            continue
        if len(before) < _FEWEST or not before[0].keys & column_words("label"):
            continue
        if before[1].form not in told.owning:
            continue
        for each in (named, other):
            if not each.columns and case.words[each.last - 1].is_plural and not _shows(case, request, each):
                yield case.objection(Code.SHOWN_MISSING, case.said_of(each))
                return


def shown_beside(case: Case) -> Iterator[Objection]:
    """ "The pots that Runa fixed, with the buyer" shows who bought each."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or case.before or request.verb is not TableVerb.LIST:
        return
    if not (request.shown or request.columns):
        return
    told = case.message.vocabulary
    for at, word in enumerate(case.words[:-2]):
        if word.form not in told.shown_with.get("with", ()) or case.words[at + 1].form not in told.articles:
            continue
        named = case.named_after(at + 2, 0)
        if named is None or not named.tables or named.last < len(case.words):
            continue
        held = any(request.table.key in each.tables for each in case.named if each.first == named.first)
        if not held and not _shows(case, request, named):
            yield case.objection(Code.SHOWN_MISSING, case.said_of(named))
            return


def _shows(case: Case, request: ReadRequest, named: Named) -> bool:
    paths = [path for each in request.shown or request.columns for path in _columns_of(each)]
    tables = {path.links[-1].target if path.links else request.table.key for path in paths}
    word = case.words[named.last - 1]
    return bool(tables.intersection(named.tables)) or any(says(word, path_words(path)) for path in paths)


def _columns_of(each: Shown | Expressed) -> tuple[ColumnPath, ...]:
    if isinstance(each, Measured):
        return () if each.of is None else tuple(columns_in(each.of))
    return tuple(columns_in(each))


def ordered_nouns(case: Case) -> Iterator[Objection]:
    """ "In descending order by train time" is by the time, and by nothing else."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or not request.order or case.before:
        return
    for cue in case.message.does("order", "ascending", "descending"):
        run = _ordered_by(case, cue)
        if not run or not names_of_columns(case, run):
            continue
        paths = [path for each in request.order for path in _columns_of(each.by)]
        names = frozenset[str]().union(*(path_words(path) for path in paths))
        names |= {each.by.verb.value for each in request.order if isinstance(each.by, Measured)}
        if not says(run[-1], names) and not is_near(run[-1], names):
            text = case.message.text[run[0].start : run[-1].end]
            yield case.objection(Code.ORDER_MISSING, text, request.order[0].by.written)
            return


def _ordered_by(case: Case, cue: Cue) -> tuple[Word, ...]:
    """The words behind "ordered by", if they name something."""
    told, at = case.message.vocabulary, cue.last
    led = case.words[at - 1].form in told.edge_of
    if not led and at < len(case.words) and case.words[at].form in (*told.edge_of, *told.owning):
        led, at = True, at + 1
    while at < len(case.words) and case.words[at].form in told.articles:
        at += 1
    first = at
    while at < len(case.words) and _goes_on(case, first, at):
        if any(each.first <= at < each.last for each in case.message.cues):
            break
        at += 1
    return case.words[first:at] if led else ()


def listed_as_counts(case: Case) -> Iterator[Objection]:
    """ "The names of clubs and their respective harbours" are no numbers of clubs."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.COUNT or not request.by or case.before:
        return
    shown = [each for each in request.shown if isinstance(each, Measured)]
    word = next((word for word in case.words[:_NEAR] if word.keys & column_words("label")), None)
    figures = ("count", "most", "least", "extreme", "above", "below", "at-least", "at-most", "share", "sum")
    if word is None or not word.is_plural or not shown or request.order or request.having:
        return
    if case.message.does(*figures) or case.message.hints("count"):
        return
    yield case.objection(Code.MEASURE_UNASKED, word.text, shown[0].written)


def either_as_both(case: Case) -> Iterator[Objection]:
    """ "Made of oak or longer than 5" needs no more than one of the two."""
    atoms = [a for a in case.committed.atoms if a.column is not None and not a.having and not a.negated]
    for cue in case.message.does("either") if not case.before else ():
        if cue.last - cue.first > 1:
            continue
        before = [a for a in atoms if _stands(case, a, max(cue.first - _NEAR, 0), cue.first)]
        behind = [a for a in atoms if _stands(case, a, cue.last, cue.last + _NEAR + 1)]
        both = [a for a in before for b in behind if a.column != b.column and not (a.either or b.either)]
        if both and not any(a.column == b.column for a in before for b in behind):
            yield case.objection(Code.BOTH_MISSING, case.message.said(cue), both[0].part)
            return


def _stands(case: Case, atom: Atom, first: int, last: int) -> bool:
    """Whether the value of a condition stands between two places, and nowhere else."""
    number = number_of(atom.value)
    spots = [
        at
        for at, word in enumerate(case.words)
        if (number is not None and word.number == number)
        or (isinstance(atom.value, str) and supports(word, atom.value))
    ]
    return bool(spots) and all(first <= at < last for at in spots)


def articles_before_texts(case: Case) -> Iterator[Objection]:
    """ "End in a foreign harbour" looks for no text that ends like that."""
    told = case.message.vocabulary
    for atom in case.committed.atoms:
        value = atom.value
        if atom.sign not in ("starts", "ends") or not isinstance(value, str) or atom.part in case.carried:
            continue
        spots = [at for at, word in enumerate(case.words) if supports(word, value) and not word.quoted]
        if spots and all(at and case.words[at - 1].form in told.articles for at in spots):
            behind = case.words[spots[0] + 1 : spots[0] + 2]
            if behind and not is_met(case, behind[0]):
                yield case.objection(Code.FILTER_UNASKED, part=atom.part)
                return
