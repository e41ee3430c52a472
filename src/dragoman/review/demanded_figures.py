"""A figure is of the column that was named: a height is not a price, and units are no money."""

from collections.abc import Iterator
from difflib import get_close_matches

from dragoman.contracts.schema import ValueType
from dragoman.locales.thesaurus import near
from dragoman.review.case import Case, is_moment, leads_to, path_words, says
from dragoman.review.commitments import Atom, measures_of, number_of
from dragoman.review.names import words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.paths import ColumnPath
from dragoman.tables.verbs import TableVerb

_SHORT_NAME = 2
_ADDED = (TableVerb.SUM, TableVerb.AVERAGE)
_ALIKE = 0.8
"""So much alike, a word may be a name with a slip of the keyboard."""


def unnamed_figures(case: Case) -> Iterator[Objection]:
    """ "Average height" is the average of no other column, if nothing in the message speaks of that one."""
    for cue in case.message.does("average") if not case.before else ():
        word = _noun_after(case, cue.last)
        if word is None or case.uses_words(word) or is_near(word, case.committed.names):
            continue
        told = case.message.vocabulary.kept_as
        if any(told.get(key, frozenset()) & case.committed.names for key in word.keys):
            continue
        for each in case.committed.measures:
            path = each.of
            if each.verb is not TableVerb.AVERAGE or not isinstance(path, ColumnPath):
                continue
            if not is_spoken_of(case, words_of(path.column.info.name)):
                yield case.objection(Code.COLUMN_CONTRADICTED, word.text, path.written)
                return


def _noun_after(case: Case, at: int) -> Word | None:
    """The next word that is neither small nor a cue, if none of another kind stands between."""
    for place in range(at, min(at + 2, len(case.words))):
        word = case.words[place]
        if any(cue.first <= place < cue.last for cue in case.message.cues) or word.number is not None:
            return None
        if not word.keys & case.message.small_words:
            return word
    return None


def is_near(word: Word, names: frozenset[str]) -> bool:
    """Whether a word means about the same as one of some names."""
    return any(near(key).keys() & names for key in word.keys)


def may_mean(word: Word, names: frozenset[str]) -> bool:
    """Whether a word is near a name from either side: the table of near words knows some pairs from one."""
    if is_near(word, names):
        return True
    return any(word.keys & near(name).keys() for name in names if len(name) > _SHORT_NAME)


def is_spoken_of(case: Case, names: frozenset[str]) -> bool:
    """Whether any word says one of some names, or means about the same."""
    known = case.message.vocabulary.figures
    if any(known.get(key, frozenset()) & names for word in case.words for key in word.keys):
        return True
    if case.mentions(names) or any(is_near(word, names) for word in case.words):
        return True
    return any(is_slip(word, name) for word in case.words for name in names)


def is_slip(word: Word, name: str) -> bool:
    """Whether a word may be a name, or a form of it, with a slip of the keyboard."""
    return any(get_close_matches(key, [name], 1, _ALIKE) for key in word.keys)


def ordinals(case: Case) -> Iterator[Objection]:
    """What numbers rows through is not an amount."""
    known = column_words("ordinal")
    for each in case.committed.measures:
        if each.verb not in _ADDED or not isinstance(each.of, ColumnPath):
            continue
        found = words_of(each.of.column.info.name) & known
        if found and not case.mentions(found) and not case.before:
            yield case.objection(Code.COLUMN_CONTRADICTED, case.message.text, each.written)
            return


def counted_sums(case: Case) -> Iterator[Objection]:
    """ "How many rentals in total" is not a sum of a column that nobody named."""
    for cue in case.message.does("count"):
        word = case.words[cue.last] if cue.last < len(case.words) else None
        if word is None or not _is_table(case, word):
            continue
        if any(each.verb is TableVerb.COUNT for each in case.committed.measures):
            continue
        # What is summed inside of a condition only tells which rows are meant.
        for each in measures_of(case.committed.requests[-1]) if case.committed.requests else ():
            if each.verb is TableVerb.SUM and isinstance(each.of, ColumnPath):
                names = words_of(each.of.column.info.name)
                # So many tracks are sold as the sum of quantities says.
                if not names & column_words("pieces") and not case.mentions(names):
                    yield case.objection(Code.COUNTED_MISSING, word.text, each.written)
                    return


def _is_table(case: Case, word: Word) -> bool:
    """Whether a word stands in the name of a table."""
    return any(word.keys & words_of(table.info.name) for table in case.graph.tables.values())


def units_and_money(case: Case) -> Iterator[Objection]:
    """Units sold are no money, and revenue is no number of units."""
    told = case.message.vocabulary.pieces
    # Copies may be the things themselves: the value of all copies.
    words = [word for word in case.words if not _is_table(case, word)]
    pieces = next((word for word in words if word.form in told.get("pieces", ())), None)
    money = next((word for word in words if word.form in told.get("money", ())), None)
    for each in case.committed.measures:
        if each.verb not in _ADDED or not isinstance(each.of, ColumnPath):
            continue
        names = words_of(each.of.column.info.name)
        many, paid = names & column_words("pieces"), names & column_words("money")
        if pieces is not None and money is None and paid and not many:
            yield case.objection(Code.COLUMN_CONTRADICTED, pieces.text, each.written)
            return
        if money is not None and pieces is None and many and not paid:
            yield case.objection(Code.COLUMN_CONTRADICTED, money.text, each.written)
            return


def numbered_nouns(case: Case) -> Iterator[Objection]:
    """ "5 crowns and up" is held against crowns, and not against the deposit."""
    for at, word in enumerate(case.words[:-1]):
        noun = case.words[at + 1]
        if word.number is None or case.message.in_period(word) or case.message.in_period(noun):
            continue
        # "Order 214 shipped": the number is of the noun before it.
        if at and _is_name(case, case.words[at - 1]):
            continue
        if noun.form in case.message.vocabulary.units or noun.keys & case.message.small_words:
            continue
        if any(cue.first <= at + 1 < cue.last for cue in case.message.cues) or not _is_name(case, noun):
            continue
        atoms = [atom for atom in case.committed.atoms if number_of(atom.value) == word.number]
        if not atoms or word.number in case.committed.cut:
            continue
        if not any(_holds(case, atom, noun) for atom in atoms):
            yield case.objection(Code.COLUMN_CONTRADICTED, f"{word.text} {noun.text}", atoms[0].part)
            return


def _is_name(case: Case, word: Word) -> bool:
    """Whether a word stands in the name of any table or column."""
    return any(
        word.keys & words_of(name)
        for table in case.graph.tables.values()
        for name in (table.info.name, *(column.info.name for column in table.columns.values()))
    )


def _holds(case: Case, atom: Atom, noun: Word) -> bool:
    if atom.having or atom.column is None:
        return True
    names = words_of(atom.column.info.name).union(*(words_of(link.name) for link in atom.links))
    if says(noun, names) or is_near(noun, names):
        return True
    # "More than 10 products in stock" is held against the products' `stock`.
    own = atom.table is not None and says(noun, words_of(case.graph.tables[atom.table].info.name))
    return own and is_spoken_of(case, words_of(atom.column.info.name))


def counted_keys(case: Case) -> Iterator[Objection]:
    """Different values of a column are counted that no word speaks of."""
    for request in case.committed.requests:
        for each in request.measures:
            path = each.of
            if not each.distinct or not isinstance(path, ColumnPath) or path.part is not None or case.before:
                continue
            table = case.graph.tables[path.links[-1].target] if path.links else request.table
            names = path_words(path) | leads_to(case.graph, table, path)
            if path.column.info.name in table.info.primary_key:
                names |= words_of(table.info.name)
            names -= column_words("key")
            # Who has all of some values is found by counting them.
            if any(atom.either and atom.column == path.column for atom in case.committed.atoms):
                continue
            if names and not is_spoken_of(case, names) and not is_moment(path.type):
                yield case.objection(Code.COUNTED_MISSING, part=each.written)
                return


def ranked_texts(case: Case) -> Iterator[Objection]:
    """The top rows are ranked by a figure, and not by a name."""
    for request in case.committed.requests:
        if request.verb is not TableVerb.LIST or request.top is None or not request.order:
            continue
        by = request.order[0].by
        if not isinstance(by, ColumnPath) or by.type is not ValueType.TEXT:
            continue
        sorts = case.message.does("ascending", "descending", "order")
        if case.message.does("most", "least", "extreme") and not sorts:
            yield case.objection(Code.RANK_MISSING, part=by.written)
            return
