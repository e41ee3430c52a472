"""Columns whose names have the words of a message, and that hold something else: a count that rows keep of
others, a key, one of two sides, and names with more in them than was said."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from dragoman.review.case import Case, shown_paths
from dragoman.review.commitments import Atom, number_of
from dragoman.review.demanded_figures import is_near
from dragoman.review.demanded_numbers import numbers_in
from dragoman.review.likeness import supports
from dragoman.review.names import parts_of, words_of
from dragoman.review.oversights import is_flag
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.graph import Column, Table
from dragoman.tables.paths import ColumnPath
from dragoman.tables.verbs import NUMBERS, TableVerb

_LONG: Final = 5


def kept_counts(case: Case) -> Iterator[Objection]:
    """ "The number of firings in 2023" counts firings of that year: how many each pot has had is kept for all
    years, and those of one pot are not those of its workshop."""
    if case.before:
        return
    far = {atom.column for atom in case.committed.atoms if _is_unnamed(case, atom)}
    for word in case.words:
        table = _table_called(case, word)
        if table is None or table.key in case.committed.tables:
            continue
        in_time = bool(case.message.periods and table.dates)
        for path in case.committed.columns:
            counts = path.column.type in NUMBERS and word.keys & words_of(path.column.info.name)
            if counts and (in_time or path.column in far):
                yield case.objection(Code.COUNTED_MISSING, word.text, path.written)
                return


def _is_unnamed(case: Case, atom: Atom) -> bool:
    """Whether a condition is one of many other rows, of which no word speaks."""
    if atom.table is None or all(link.single for link in atom.links):
        return False
    return not case.mentions(parts_of(case.graph.tables[atom.table].info.name)[-1])


def _table_called(case: Case, word: Word) -> Table | None:
    """The table whose whole name a plural is."""
    if not word.is_plural or word.quoted or word.capital:
        return None
    for table in case.graph.tables.values():
        parts = parts_of(table.info.name)
        if len(parts) == 1 and word.keys & parts[0]:
            return table
    return None


def figures(case: Case) -> Iterator[Objection]:
    """Columns that are added up, and that have something to do with what was asked for, and no more."""
    for rule in (added_keys, one_side, sold_amounts):
        yield from rule(case)


def added_keys(case: Case) -> Iterator[Objection]:
    """A key is no amount, whoever speaks of what it is the key of."""
    for each in case.committed.measures:
        if each.verb not in (TableVerb.SUM, TableVerb.AVERAGE, TableVerb.SHARE) or each.distinct:
            continue
        if isinstance(each.of, ColumnPath) and parts_of(each.of.column.info.name)[-1] & column_words("id"):
            yield case.objection(Code.MEASURE_UNASKED, part=each.written)
            return


def one_side(case: Case) -> Iterator[Objection]:
    """Points are those of the home and of the away side, where nobody says which."""
    used = {path.column for path in case.committed.columns}
    for request in case.committed.requests:
        for each in request.measures:
            if not isinstance(each.of, ColumnPath) or each.of.links or each.verb is TableVerb.COUNT:
                continue
            column = each.of.column
            other = _other_side(request.table, column)
            if other is None or other in used:
                continue
            sides = (words_of(column.info.name) | words_of(other.info.name)) & column_words("side")
            if not case.mentions(sides) and not case.before:
                yield case.objection(Code.MEASURE_UNASKED, part=each.written)
                return


def _other_side(table: Table, column: Column) -> Column | None:
    """The column that is called the same but for the side that it is of."""
    mine, sides = parts_of(column.info.name), column_words("side")
    for other in table.columns.values():
        theirs = parts_of(other.info.name)
        if other == column or len(theirs) != len(mine):
            continue
        apart = [(one, two) for one, two in zip(mine, theirs, strict=True) if one != two]
        if len(apart) == 1 and all(part & sides for part in apart[0]):
            return other
    return None


def sold_amounts(case: Case) -> Iterator[Objection]:
    """Turnover is what a column `sales_amount` has, and no other amount beside it that nobody speaks of."""
    sold = case.message.vocabulary.sides.get("sold", frozenset())
    word = next((word for word in case.words if word.form in sold), None)
    for request in case.committed.requests if word is not None and not case.before else ():
        for each in request.measures:
            if each.verb is not TableVerb.SUM or not isinstance(each.of, ColumnPath) or each.of.links:
                continue
            names = words_of(each.of.column.info.name)
            if names & sold or case.mentions(names) or not names & column_words("money"):
                continue
            if any(_is_turnover(other, sold) for other in request.table.columns.values()):
                yield case.objection(Code.COLUMN_CONTRADICTED, word.text if word else "", each.written)
                return


def _is_turnover(column: Column, sold: frozenset[str]) -> bool:
    names = words_of(column.info.name)
    money = names & (column_words("money") - column_words("price"))
    return column.type in NUMBERS and bool(names & sold and money)


def plainer_columns(case: Case) -> Iterator[Objection]:
    """What is called `ware` comes before a `ware_old_label` that has the same value, if nobody speaks of old
    labels."""
    known = case.values
    for atom in case.committed.atoms if known is not None else ():
        column, key = atom.column, atom.table
        if not isinstance(atom.value, str) or atom.sign != "equal" or column is None or key is None:
            continue
        if known is None or atom.part in case.carried:
            continue
        for place in known.exactly(atom.value):
            if (place.schema, place.table) != key or place.column == column.info.name:
                continue
            if _is_plainer(case, place.column, column.info.name):
                yield case.objection(Code.COLUMN_CONTRADICTED, atom.value, atom.part)
                return


def _is_plainer(case: Case, plain: str, name: str) -> bool:
    """Whether a name is the beginning of another, and the rest of that is never said."""
    short, long = parts_of(plain), parts_of(name)
    if len(short) >= len(long) or long[: len(short)] != short:
        return False
    rest = frozenset[str]().union(*long[len(short) :])
    return not case.mentions(rest) and not any(is_near(word, rest) for word in case.words)


def deeds_counted(case: Case) -> Iterator[Objection]:
    """ "How many handovers" counts rows, each of which was handed over at a time, and no different places of
    handovers."""
    if case.before or case.message.does("distinct"):
        return
    for request in case.committed.requests:
        dates = [parts_of(date.info.name)[0] for date in request.table.dates]
        stems = {name[:_LONG] for part in dates for name in part if len(name) >= _LONG}
        for each in request.measures:
            if not each.distinct or not isinstance(each.of, ColumnPath) or each.of.links:
                continue
            parts = parts_of(each.of.column.info.name)
            rest = frozenset[str]().union(*parts[1:])
            words = [word for word in case.words if word.is_plural and word.keys & parts[0]]
            if rest and words and words[0].form[:_LONG] in stems and not case.mentions(rest):
                yield case.objection(Code.COUNTED_MISSING, words[0].text, each.written)
                return


def pointed_values(case: Case) -> Iterator[Objection]:
    """ "Show that status" after nothing points at a status that is not there, and asks for no list of all."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or case.before or request.verb is not TableVerb.LIST or case.committed.atoms:
        return
    shown = frozenset[str]().union(*(words_of(path.column.info.name) for path in shown_paths(request)))
    for at, (word, noun) in enumerate(pairwise(case.words)):
        led = at > 0 and (case.words[at - 1].is_plural or case.uses_words(case.words[at - 1]))
        points = word.form in case.message.vocabulary.pointing and not led
        if points and noun.keys & shown and not noun.is_plural:
            yield case.objection(Code.VALUE_MISSING, f"{word.text} {noun.text}")
            return


def flags_of_nouns(case: Case) -> Iterator[Objection]:
    """ "The pots of masters" are those of potters with a flag `is_master`."""
    if case.before:
        return
    told = case.message.vocabulary
    for word in case.words:
        if len(word.form) < _LONG or not word.is_plural or word.quoted or word.keys & told.vague:
            continue
        if case.uses_words(word) or is_near(word, case.committed.names) or case.message.in_period(word):
            continue
        if any(supports(word, text) for text in case.committed.texts):
            continue
        flag = _flag_called(case, word)
        if flag is not None:
            yield case.objection(Code.NAME_MISSING, word.text, flag.name)
            return


def _flag_called(case: Case, word: Word) -> Column | None:
    """The flag that ends with a word, if nothing else has it in its name."""
    found = None
    for table in case.graph.tables.values():
        if word.keys & words_of(table.info.name):
            return None
        for column in table.columns.values():
            if not word.keys & words_of(column.info.name):
                continue
            if not is_flag(column) or not word.keys & parts_of(column.info.name)[-1]:
                return None
            found = column
    return found


def money_as_counts(case: Case) -> Iterator[Objection]:
    """ "Under $40" is held against no number of things."""
    whole = case.message.vocabulary.money.get("whole", frozenset())
    for number in numbers_in(case):
        behind = case.words[number.last : number.last + 1]
        start = case.words[number.at].start
        sign = case.message.text[:start].rstrip()[-1:]
        if sign not in whole and not any(word.form in whole for word in behind):
            continue
        for atom in case.committed.atoms:
            if atom.column is None or atom.having or number_of(atom.value) != case.words[number.at].number:
                continue
            names = parts_of(atom.column.info.name)
            if names[-1] & column_words("pieces") and not names[-1] & column_words("money"):
                yield case.objection(Code.UNIT_MISSING, f"{sign}{number.text}", atom.part)
                return


def rows_behind_flags(case: Case) -> Iterator[Objection]:
    """ "Open jobs" are jobs, and not the states with a flag in which jobs are."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or case.before or request.verb is not TableVerb.LIST or request.joined or request.by:
        return
    own = [atom for atom in case.committed.atoms if not atom.links]
    linked = {atom.links[:1] for atom in case.committed.atoms if atom.links}
    if (
        not own
        or len(linked) != 1
        or not all(atom.column is not None and is_flag(atom.column) for atom in own)
    ):
        return
    (link,) = linked.pop()
    if link.single or request.order:
        return
    shown = [path for path in (request.shown or request.columns) if isinstance(path, ColumnPath)]
    names = words_of(request.table.info.name).union(*(words_of(path.column.info.name) for path in shown))
    known = names - words_of(case.graph.tables[link.target].info.name) - case.message.small_words
    asked = case.mentions(known) or any(is_near(word, known) for word in case.words)
    if not asked and not any(word.form in case.message.vocabulary.who for word in case.words):
        yield case.objection(Code.SHOWN_MISSING, case.message.text, request.table.name)


def numbers_of_rows(case: Case) -> Iterator[Objection]:
    """Groups by a link are told by the key that leads there, and by no number of the rows beside it."""
    for request in case.committed.requests:
        for path in request.by:
            if len(path.links) != 1 or case.mentions(words_of(path.column.info.name) - column_words("key")):
                continue
            link = path.links[0]
            there = case.graph.tables[link.target]
            keyed = there.info.primary_key == (path.column.info.name,)
            if keyed and all(far != path.column.info.name for _, far in link.pairs):
                yield case.objection(Code.LABEL_MISSING, there.name, path.written)
                return
