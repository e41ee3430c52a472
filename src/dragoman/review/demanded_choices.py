"""Of several columns or values that might be meant, the one whose words were said."""

from collections.abc import Iterator
from typing import Final

from dragoman.review.case import Case, is_bare_figure, says, shown_paths
from dragoman.review.commitments import Atom, number_of
from dragoman.review.demanded_figures import is_near
from dragoman.review.likeness import split, supports
from dragoman.review.names import Named, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.computation import columns_in
from dragoman.tables.graph import Column, Table
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import ReadRequest
from dragoman.tables.verbs import TableVerb

_MANY: Final = 3
_NEAR: Final = 5
_LARGE: Final = frozenset({"hour", "day"})
_SHOWN_BEFORE: Final = 3
_FIGURES: Final = frozenset({TableVerb.MAX, TableVerb.MIN, TableVerb.SUM, TableVerb.AVERAGE})


def better_figures(case: Case) -> Iterator[Objection]:
    """ "Number of rooms" is `room_count`, and not `bathroom_count`."""
    for request in case.committed.requests:
        for each in request.measures:
            path = each.of
            if not isinstance(path, ColumnPath) or each.distinct or path.part is not None or case.before:
                continue
            table = _table_of(case, request, path)
            mine = _said(case, words_of(path.column.info.name))
            if words_of(path.column.info.name) & column_words("pieces"):
                continue
            used = {column.name for column in _used(case)}
            for other in table.measures:
                theirs = _said(case, words_of(other.info.name)) - _taken(case)
                if other.name not in used and mine < theirs and not words_of(table.info.name) >= theirs:
                    yield case.objection(Code.COLUMN_CONTRADICTED, other.name, each.written)
                    return


def _said(case: Case, names: frozenset[str]) -> frozenset[str]:
    """The parts of a name that stand in a message as they are, but for those that say little."""
    telling = names - column_words("key") - column_words("plain") - case.message.small_words
    return frozenset(name for name in telling if any(name in word.keys for word in case.words))


def _taken(case: Case) -> frozenset[str]:
    """What words may be forms of that are the whole name of a column in use: "by rating" asks for no rate."""
    whole = {column.info.name.casefold() for column in _used(case)}
    return frozenset().union(*(word.keys for word in case.words if word.form in whole))


def _used(case: Case) -> set[Column]:
    return {path.column for path in case.committed.columns}


def stock_as_sales(case: Case) -> Iterator[Objection]:
    """What was sold is not what is left."""
    told = case.message.vocabulary
    word = next((word for word in case.words if word.form in told.sold), None)
    if word is None:
        return
    for each in case.committed.measures:
        for path in columns_in(each.of) if each.of is not None else ():
            left = words_of(path.column.info.name) & column_words("left")
            if left and not case.mentions(left):
                yield case.objection(Code.COLUMN_CONTRADICTED, word.text, each.written)
                return


def far_figures(case: Case) -> Iterator[Objection]:
    """ "The quantity of all invoices" is theirs, where a table of invoices has one."""
    for request in case.committed.requests:
        for each in request.measures:
            path = each.of
            if not isinstance(path, ColumnPath) or each.distinct:
                continue
            table = _table_of(case, request, path)
            if any(table.key in named.tables for named in case.named):
                continue
            for named in case.named:
                rivals = [case.graph.tables[key] for key in named.tables]
                own = [t for t in rivals if path.column.info.name in t.by_real_name]
                if own and case.mentions(words_of(path.column.info.name)):
                    yield case.objection(Code.COLUMN_CONTRADICTED, case.said_of(named), each.written)
                    return


def names_as_values(case: Case) -> Iterator[Objection]:
    """ "Sort by price" looks for nobody called Price."""
    for atom in case.committed.atoms:
        if not isinstance(atom.value, str) or atom.part in case.carried or atom.column is None:
            continue
        spots = [at for at, word in enumerate(case.words) if supports(word, str(atom.value))]
        if not spots or any(case.words[at].capital or case.words[at].quoted for at in spots):
            continue
        named = [
            each
            for each in case.named
            for at in spots
            if each.first <= at < each.last and _is_here(case, each)
        ]
        sorted_ = any(cue.last in spots for cue in case.message.does("order"))
        grouped = any(cue.last in spots for cue in case.message.does("by", "each"))
        if sorted_ or (grouped and len(named) == len(spots)):
            yield case.objection(Code.FILTER_UNASKED, part=atom.part)
            return


def _is_here(case: Case, named: Named) -> bool:
    tables = case.committed.tables
    return any(key in tables for key, _ in named.columns)


def scraps(case: Case) -> Iterator[Objection]:
    """ "Living in Arden" asks for no book called Living After Midnight, many tables away."""
    for atom in case.committed.atoms:
        if not isinstance(atom.value, str) or not atom.links or atom.part in case.carried:
            continue
        words = split(str(atom.value).casefold())
        found = [word for word in case.words if supports(word, str(atom.value))]
        plain = all(not word.capital and not word.quoted for word in found)
        if len(words) >= _MANY and len(found) == 1 and plain and _is_verb(case, found[0]):
            yield case.objection(Code.FILTER_UNASKED, part=atom.part)
            return


def _is_verb(case: Case, word: Word) -> bool:
    return bool(case.message.vocabulary.verbal.search(word.form))


def held_before(case: Case) -> Iterator[Objection]:
    """ "Only above 10" is about a figure that was shown, where no word names another."""
    if not case.before:
        return
    last = case.before[-1]
    known = {path.column for path in last.columns} | {a.column for a in last.atoms if a.column is not None}
    for atom in case.committed.atoms:
        if atom.part in case.carried or atom.having or atom.column is None or number_of(atom.value) is None:
            continue
        if any(atom.column == column for column in known) or _is_told(case, atom):
            continue
        shown = [path for request in last.requests[-1:] for path in shown_paths(request)]
        if shown and len(shown) <= _SHOWN_BEFORE and not any(_is_noun(case, word) for word in case.words):
            yield case.objection(Code.COLUMN_CONTRADICTED, case.message.text, atom.part)
            return


def _is_told(case: Case, atom: Atom) -> bool:
    """Whether a column is named, or spoken of by what it is compared with: nothing but an age is younger."""
    if atom.column is None:
        return False
    names = words_of(atom.column.info.name)
    compared = (case.message.said(cue).casefold() for cue in case.message.does("above", "below"))
    told = case.message.vocabulary.compared
    return case.mentions(names) or any(names & told.get(said, frozenset()) for said in compared)


def _is_noun(case: Case, word: Word) -> bool:
    """Whether a word may name anything: neither small, nor a number, nor part of a cue."""
    at = case.words.index(word)
    small = word.number is not None or bool(word.keys & case.message.small_words)
    cue = any(cue.first <= at < cue.last for cue in case.message.cues)
    return not small and not cue and word.form not in case.message.vocabulary.narrowing


def asked_units(case: Case) -> Iterator[Objection]:
    """ "In hours" is worked out, unless a column holds hours."""
    told = case.message.vocabulary
    for at, word in enumerate(case.words[1:], 1):
        kind, unit = told.units.get(word.form, ("", ""))
        if unit not in _LARGE or case.words[at - 1].form not in told.in_unit or kind != "time":
            continue
        for each in case.committed.measures:
            if not isinstance(each.of, ColumnPath) or each.distinct or each.per is not None:
                continue
            named = {told.units[part][1] for part in words_of(each.of.column.info.name) if part in told.units}
            if unit not in named:
                yield case.objection(
                    Code.UNIT_MISSING, f"{case.words[at - 1].text} {word.text}", each.written
                )
                return


def half_nouns(case: Case) -> Iterator[Objection]:
    """ "Film categories" are categories, and no films."""
    vague = case.message.vocabulary.vague
    for named in case.named:
        words = case.words[named.first : named.last]
        if len(words) < 2 or words[-1].form in vague or case.uses_words(words[-1]) or not named.tables:
            continue
        in_value = any(words[-1].form in text.casefold() for text in case.committed.texts)
        if not in_value and not is_near(words[-1], case.committed.names):
            yield case.objection(Code.NAME_MISSING, case.said_of(named))
            return


def which_figure(case: Case) -> Iterator[Objection]:
    """ "Which book sold most" is a book, and no number."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or not is_bare_figure(request) or request.verb not in _FIGURES:
        return
    if len(case.words) < 2 or case.words[0].form not in case.message.vocabulary.which_of:
        return
    noun = case.words[1]
    of = request.of
    names = frozenset().union(*(words_of(path.column.info.name) for path in columns_in(of))) if of else ()
    # "Which one has the most" asks for a thing too.
    one = noun.form in case.message.vocabulary.single
    if (noun.keys & case.message.small_words and not one) or says(noun, frozenset(names)):
        return
    yield case.objection(Code.SHOWN_MISSING, noun.text)


def listed_amounts(case: Case) -> Iterator[Objection]:
    """ "Copies sold in May" is a sum, and no list."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.LIST or request.top or case.before:
        return
    # What costs more than 50 is a thing.
    if any(number_of(atom.value) is not None for atom in case.committed.atoms):
        return
    told = case.message.vocabulary
    for word in case.words[case.head : case.head + 2]:
        if any(word.form in split(text.casefold()) for text in case.committed.texts):
            # "Full-time pilots" are of a kind that is called so.
            continue
        if any(name.startswith(word.form) for name in case.committed.names):
            # Time zones are a column `timezone`.
            continue
        if word.form in told.measured and not case.uses_words(word) and not case.message.in_period(word):
            yield case.objection(Code.MEASURE_MISSING, word.text)
            return


def names_shown(case: Case) -> Iterator[Objection]:
    """ "The names of trainers" are names."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.LIST or case.before:
        return
    at = next((at for at, word in enumerate(case.words[:_NEAR]) if word.keys & column_words("label")), None)
    word = None if at is None else case.words[at]
    paths = shown_paths(request)
    if at is not None and word is not None and _names_others(case, request, at):
        yield case.objection(Code.LABEL_MISSING, word.text, ", ".join(path.written for path in paths))
        return
    if word is None or any(words_of(path.column.info.name) & column_words("called") for path in paths):
        return
    if all(_is_led(case, request, path) or path.type.value != "text" for path in paths):
        yield case.objection(Code.LABEL_MISSING, word.text, ", ".join(path.written for path in paths))


def _names_others(case: Case, request: ReadRequest, at: int) -> bool:
    """ "The names of all tags", where tags have a table: their names, and not what else is called so."""
    named = case.named_after(at + 2) if case.words[at].is_plural else None
    between = case.words[at + 1 : named.first] if named is not None else ()
    if (
        named is None
        or not named.tables
        or not between
        or between[0].form not in case.message.vocabulary.joining
    ):
        return False
    shown = {_table_of(case, request, path).key for path in shown_paths(request)}
    return shown.isdisjoint(named.tables)


def _is_led(case: Case, request: ReadRequest, path: ColumnPath) -> bool:
    info = _table_of(case, request, path).info
    return path.column.info.name in {
        *info.primary_key,
        *(n for key in info.foreign_keys for n in key.columns),
    }


def added_columns(case: Case) -> Iterator[Objection]:
    """ "With the fee" shows the fee beside what was shown."""
    request = case.committed.requests[-1] if case.committed.requests else None
    last = case.before[-1].requests[-1] if case.before else None
    if request is None or last is None or not case.words or last.verb is not TableVerb.LIST:
        return
    if case.words[0].form not in case.message.vocabulary.shown_with.get("with", ()):
        return
    if request.verb is not TableVerb.LIST:
        return
    old = {path.column for path in shown_paths(last)}
    new = {path.column for path in shown_paths(request)}
    if request.table.key != last.table.key and not old & new:
        yield case.objection(Code.SHOWN_MISSING, case.message.text)
        return
    calls = [c for c in last.table.columns.values() if c in old and words_of(c.info.name) & _called()]
    if calls and not all(column in new for column in calls):
        yield case.objection(Code.SHOWN_MISSING, case.message.text)


def _called() -> frozenset[str]:
    return column_words("called")


def _table_of(case: Case, request: ReadRequest, path: ColumnPath) -> Table:
    return case.graph.tables[path.links[-1].target] if path.links else request.table
