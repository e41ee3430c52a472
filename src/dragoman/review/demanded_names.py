"""Names of a message: what the program must use of them, and the thing that it must show."""

import re
from collections.abc import Iterator

from dragoman.locales.script import NO_SCRIPT, script_of
from dragoman.review.case import (
    Case,
    is_bare_figure,
    is_counted_by_its_day,
    is_moment,
    path_words,
    says,
    shown_paths,
)
from dragoman.review.likeness import supports
from dragoman.review.names import Named, is_half, labels_of, noun_of_key, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Cue, Word
from dragoman.tables.graph import Table, TableKey
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import ReadRequest
from dragoman.tables.verbs import TableVerb

_FAR = 3
"""Over so many links a row of a figure still is of one of what is named: what customers paid for orders."""
_CUES = ("most", "least", "extreme", "count", "ascending", "descending")
"""Cues that may be written with capitals: the Shortest, A to Z."""
_IN_BRACKETS = re.compile(r"(?:\s+\w+){0,3}\s*\((\w+)\)")


def quoted(case: Case) -> Iterator[Objection]:
    """What is in quotes stands in a value."""
    texts = [_plain(text) for text in case.committed.texts]
    for word in case.words:
        if not word.quoted:
            continue
        form = _plain(word.text)
        number = any(str(each) == form for each in case.committed.numbers)
        dated = any(case.message.in_period(word) or form in str(atom.value) for atom in case.committed.atoms)
        if not (
            number or dated or any(form in text or text in form for text in texts) or _is_name(case, word)
        ):
            yield case.objection(Code.VALUE_MISSING, word.text)


def _plain(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _is_name(case: Case, word: Word) -> bool:
    words = words_of(word.text)
    return bool(words) and words <= case.committed.names


def proper_names(case: Case) -> Iterator[Objection]:
    """A word with a capital inside a sentence names a value of the program, or part of the database."""
    capitals = [word for word in case.words if word.capital and word.number is None]
    # Who Writes Every Word So says nothing by it.
    if len(capitals) * 2 > len(case.words):
        return
    for word in capitals:
        if _is_plain(case, word) or case.message.in_period(word):
            continue
        if not _is_known(case, word):
            yield case.objection(Code.VALUE_MISSING, word.text)
            return


def _is_plain(case: Case, word: Word) -> bool:
    """Whether a word with a capital names nothing: I'd, and the Shortest, where no value is called so."""
    capitals = case.message.vocabulary.capitals
    if word.keys & capitals or word.form.replace("’", "'").partition("'")[0] in capitals:
        return True
    at = case.words.index(word)
    cue = any(cue.first <= at < cue.last for cue in case.message.does(*_CUES))
    return cue and case.values is not None and not case.values.exactly(word.text)


def _is_known(case: Case, word: Word) -> bool:
    if case.uses_words(word):
        return True
    if any(supports(word, text) for text in (*case.committed.texts, *case.committed.names)):
        return True
    # In other letters a value cannot be told from another: Осло and Oslo.
    if any(script_of(text) not in (script_of(word.form), NO_SCRIPT) for text in case.committed.texts):
        return True
    return _is_explained(case, word)


def _is_explained(case: Case, word: Word) -> bool:
    """ "North Haven (NHV)": the code in brackets says which is meant."""
    found = _IN_BRACKETS.match(case.message.text, word.end)
    return found is not None and any(found[1].casefold() == text.casefold() for text in case.committed.texts)


def nouns(case: Case) -> Iterator[Objection]:
    """A word that is the name of a table or a column is used."""
    vague = case.message.vocabulary.vague
    for named in case.named:
        words = case.words[named.first : named.last]
        if len(words) == 1 and (words[0].form in vague or case.message.in_period(words[0])):
            continue
        # "The 2008 season" is a year.
        beside = case.words[max(named.first - 1, 0) : named.last + 1]
        if len(words) == 1 and any(case.message.in_period(word) for word in beside):
            continue
        if any(cue.first < named.last < cue.last for cue in case.message.cues):
            # "Hired at least twice" is not about `hired_at`.
            continue
        # "A glove" is not about a column `A`.
        if all(len(word.form) == 1 for word in words):
            continue
        if len(words) == 1 and _is_cue(case, named) and not named.tables:
            continue
        implied = _is_label(case, named) or _is_pointed_at(case, named)
        if _is_verb(case, named) or (implied and not _is_grouped_by(case, named)):
            continue
        telling = [word for word in words if word.form not in vague] or words
        in_value = any(word.form in text.casefold() for word in words for text in case.committed.texts)
        used = any(case.uses_words(word) or _is_turned(case, word) for word in telling)
        if not (in_value or used or is_counted_by_its_day(case, words[-1])):
            yield case.objection(Code.NAME_MISSING, case.said_of(named))
            return


def pointed_at(case: Case) -> Iterator[Objection]:
    """ "In that harbour" is in one of the harbours, and not everywhere."""
    for named in case.named if case.before else ():
        before = case.words[named.first - 1].form if named.first else ""
        if before not in case.message.vocabulary.pointing or not named.tables:
            continue
        if not any(case.uses_words(word) for word in case.words[named.first : named.last]):
            yield case.objection(Code.NAME_MISSING, case.said_of(named))
            return


def _is_turned(case: Case, word: Word) -> bool:
    """Whether a flag of another name says it: private, where `is_public` does not hold."""
    return bool(case.message.vocabulary.turned.get(word.form, frozenset()) & case.committed.names)


def _is_grouped_by(case: Case, named: Named) -> bool:
    """Whether figures were asked for each of it: "by category and price"."""
    return any(0 <= named.first - cue.last <= 3 for cue in case.message.does("each", "by"))


def _is_label(case: Case, named: Named) -> bool:
    """Whether rows of the program's own table are called by it: guests, in a table of their visits."""
    tables = [request.table for request in case.committed.requests]
    return any((table.key, label) in named.columns for table in tables for label in labels_of(table))


def _is_pointed_at(case: Case, named: Named) -> bool:
    """Whether rows of the program's own tables each have one of what is named: visits of a guest."""
    return any(
        _leads_to_one(case, request.table.key, named, _FAR if is_bare_figure(request) else 1)
        for request in case.committed.requests
    )


def _leads_to_one(case: Case, table: TableKey, named: Named, most: int) -> bool:
    ahead = {
        link.target
        for link in case.graph.links(case.graph.tables[table]).values()
        if link.single and "-by-" not in link.name
    }
    if ahead.intersection(named.tables):
        return True
    return most > 1 and any(_leads_to_one(case, each, named, most - 1) for each in ahead - {table})


def _is_verb(case: Case, named: Named) -> bool:
    """ "Books titled Rivers" need not be about a column `title`."""
    word = case.words[named.first]
    places = [*((key, "") for key in named.tables), *named.columns]
    names = [case.graph.tables[key].columns[name].info.name if name else key[1] for key, name in places]
    return bool(case.message.vocabulary.verbal.search(word.form)) and all(
        word.form not in name.casefold() for name in names
    )


def _is_cue(case: Case, named: Named) -> bool:
    return any(cue.first <= named.first < cue.last for cue in case.message.cues)


def shown(case: Case) -> Iterator[Objection]:
    """ "Which agents …" shows agents."""
    if not case.committed.requests:
        return
    request = case.committed.requests[-1]
    for cue in case.message.does("which"):
        at = cue.last
        # "Which 3 boats".
        while at < len(case.words) and case.words[at].number is not None:
            at += 1
        named = next((each for each in case.named if each.first == at), None)
        if named is None or not named.tables or _continues(case, named) or _is_relative(case, cue):
            continue
        if not shows(case, request, named):
            yield case.objection(Code.SHOWN_MISSING, case.said_of(named))
        return


def _is_relative(case: Case, cue: Cue) -> bool:
    """ "Groups in which services are held" asks for groups."""
    return cue.first > 0 and bool(case.words[cue.first - 1].keys & case.message.small_words)


def _continues(case: Case, named: Named) -> bool:
    """Whether the name only begins another one: "which customer city", "list the invoice totals"."""
    following = case.words[named.last : named.last + 1]
    return bool(following) and any(
        following[0].keys & words_of(column.info.name)
        for table in named.tables
        for column in case.graph.tables[table].columns.values()
    )


def shows(case: Case, request: ReadRequest, named: Named) -> bool:
    if request.verb is not TableVerb.LIST and not request.by and request.verb is not TableVerb.TOP:
        return True
    if request.table.key in named.tables and not request.by:
        return True
    for path in (*shown_paths(request), *request.by):
        table = path.links[-1].target if path.links else request.table.key
        word = case.words[named.last - 1]
        if table in named.tables or says(word, path_words(path)) or _leads(case, table, path, named):
            return True
    return False


def _leads(case: Case, table: TableKey, path: ColumnPath, named: Named) -> bool:
    """Whether a column holds keys of what was named."""
    links = case.graph.links(case.graph.tables[table]).values()
    return any(
        link.target in named.tables and any(here == path.column.info.name for here, _ in link.pairs)
        for link in links
    )


def counted(case: Case) -> Iterator[Objection]:
    """ "How many customers" counts customers, each once, and not their orders."""
    if not case.committed.requests:
        return
    request = case.committed.requests[-1]
    if request.verb is not TableVerb.COUNT or (request.by and request.having):
        return
    for cue in case.message.does("count"):
        named = next((each for each in case.named if each.first == cue.last), None)
        if named is None or not named.tables or named.columns or _continues(case, named):
            continue
        behind = case.words[named.last : named.last + 1]
        if behind and behind[0].is_plural and says(behind[0], words_of(request.table.info.name)):
            # "How many customer orders" counts orders.
            continue
        if not any(_counts(case, request, case.graph.tables[key], named) for key in named.tables):
            yield case.objection(Code.COUNTED_MISSING, case.said_of(named))
            return


def _counts(case: Case, request: ReadRequest, table: Table, named: Named) -> bool:
    called = words_of(request.table.info.name) | noun_of_key(request.table)
    if named.keys & called and (all(link.single for link in request.joined) or _once_a_group(case, request)):
        return True
    targets = {link.target for link in request.joined}
    if table.key in targets and not any(each.distinct for each in request.measures):
        return request.joined[-1].target == table.key
    for each in request.measures:
        if isinstance(each.of, ColumnPath) and each.distinct:
            ends = each.of.links[-1].target if each.of.links else request.table.key
            word = case.words[named.last - 1]
            if ends == table.key or says(word, path_words(each.of)) or _leads(case, ends, each.of, named):
                return True
    return False


def _once_a_group(case: Case, request: ReadRequest) -> bool:
    """Whether rows are counted with the groups that they belong to, in each of them once: rentals by
    category, where a film is in a category or is not."""
    link, table = request.joined[-1], case.graph.tables[request.joined[-1].target]
    known = {there for _, there in link.pairs}
    for path in request.by:
        if path.links == request.joined:
            known.add(path.column.info.name)
        elif path.links[:-1] == request.joined:
            known |= {here for here, _ in path.links[-1].pairs}
    return all(each.single for each in request.joined[:-1]) and table.determined_by(known)


def full_names(case: Case) -> Iterator[Objection]:
    """A full name has a first and a last one, where a table keeps them apart."""
    for cue in case.message.does("full-name"):
        for request in case.committed.requests[-1:]:
            paths = shown_paths(request)
            halves = [{path for path in paths if is_half(path.column, half)} for half in range(2)]
            if bool(halves[0]) is not bool(halves[1]):
                yield case.demanded(Code.SHOWN_MISSING, cue)
                return


def when(case: Case) -> Iterator[Objection]:
    """ "When" shows a date, a time or a year."""
    if not case.committed.requests:
        return
    request = case.committed.requests[-1]
    opening = [cue for cue in case.message.does("when") if cue.first == 0]
    moments = [each for each in (*shown_paths(request), *request.by) if _is_time(case, each)]
    measured = [each.of for each in request.measures if each.of is not None and _is_time(case, each.of)]
    for cue in opening if not moments and not measured else ():
        yield case.demanded(Code.SHOWN_MISSING, cue)


def _is_time(case: Case, path: object) -> bool:
    column = getattr(path, "column", None)
    if column is None:
        return True
    return is_moment(column.type) or bool(words_of(column.info.name) & column_words("time"))
