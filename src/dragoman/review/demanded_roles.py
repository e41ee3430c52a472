"""Names and numbers play the role that was said: invoice 214, reports to Nina, mean and not maximum."""

from collections.abc import Iterator
from itertools import pairwise

from dragoman.contracts.schema import ValueType
from dragoman.locales.documents import lexicon_of
from dragoman.review.case import Case, says, shown_paths
from dragoman.review.commitments import Atom, number_of
from dragoman.review.names import Named, parts_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.tables.graph import Column, Link, Table, TableKey
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import ReadRequest
from dragoman.tables.verbs import TableVerb


def numbered(case: Case) -> Iterator[Objection]:
    """ "Invoice 214" is the invoice with that key, and not one with that price."""
    for named in case.named:
        number = case.words[named.last : named.last + 1]
        if not named.tables or named.columns or not number or number[0].number is None:
            continue
        if case.message.in_period(number[0]) or not number[0].text.isdigit():
            continue
        atoms = [atom for atom in case.committed.atoms if number_of(atom.value) == number[0].number]
        if atoms and not any(_is_key(case, atom, named) for atom in atoms):
            yield case.objection(Code.ROLE_MISSING, f"{case.said_of(named)} {number[0].text}", atoms[0].part)
            return


def _is_key(case: Case, atom: Atom, named: Named) -> bool:
    if atom.column is None or atom.table is None:
        return True
    table = case.graph.tables[atom.table]
    if atom.table in named.tables and atom.column.info.name in table.info.primary_key:
        return True
    words = words_of(atom.column.info.name)
    if words & column_words("key") and (
        atom.table in named.tables or says(case.words[named.last - 1], words)
    ):
        return True
    links = case.graph.links(table).values()
    leads = any(
        link.target in named.tables and any(here == atom.column.info.name for here, _ in link.pairs)
        for link in links
    )
    return leads or says(case.words[named.last - 1], words)


def unsaid_keys(case: Case) -> Iterator[Objection]:
    """ "Ratings that are 4 or 5" have that score, and not that number: a key is said to be one, or stands
    behind what it is the key of."""
    for atom in case.committed.atoms:
        number = number_of(atom.value)
        if number is None or atom.column is None or atom.table is None or atom.part in case.carried:
            continue
        if atom.sign != "equal" or case.graph.tables[atom.table].info.primary_key != (atom.column.info.name,):
            continue
        place = next((at for at, word in enumerate(case.words) if word.number == number), None)
        if place is not None and not _says_key(case, atom.table, atom.column, place):
            yield case.objection(Code.ROLE_MISSING, case.words[place].text, atom.part)
            return


def _says_key(case: Case, table: TableKey, column: Column, place: int) -> bool:
    """Whether the words before a number say that it is a key: other numbers may stand between."""
    spoken = case.message.spoken.languages
    joins = {word for each in spoken for word in lexicon_of(each)["dates"]["and"]}
    joins |= {case.message.said(cue).casefold() for cue in case.message.does("either")}
    while place > 0 and (case.words[place - 1].number is not None or case.words[place - 1].form in joins):
        place -= 1
    if place == 0 or case.words[place - 1].keys & column_words("key"):
        return True
    if any(named.last == place and table in named.tables for named in case.named):
        return True
    names = words_of(case.graph.tables[table].info.name) | words_of(column.info.name)
    return says(case.words[place - 1], names)


def flags(case: Case) -> Iterator[Objection]:
    """ "Active customers" are those whose flag says so, and not all with the flag beside them."""
    tested = {atom.column.name for atom in case.committed.atoms if atom.column is not None}
    tested |= {path.column.name for request in case.committed.requests for path in request.by}
    for first, second in pairwise(case.named):
        if first.last != second.first or not second.tables:
            continue
        found = {
            name for table, name in first.columns if table in second.tables and _is_flag(case, table, name)
        }
        if found and not found & tested:
            yield case.objection(Code.NAME_MISSING, case.said_of(first))
            return


def _is_flag(case: Case, key: TableKey, name: str) -> bool:
    column = case.graph.tables[key].columns[name]
    samples = {sample.casefold() for sample in column.info.samples}
    return column.type is ValueType.BOOLEAN or (bool(samples) and samples <= column_words("flag"))


def known_already(case: Case) -> Iterator[Objection]:
    """What a condition fixes is not an answer: "where is the north office" shows not its name alone."""
    if not case.committed.requests:
        return
    request = case.committed.requests[-1]
    paths = shown_paths(request)
    # A row that others are compared with is fixed, and not those that are shown.
    if request.verb is not TableVerb.LIST or not paths or len(case.committed.requests) > 1:
        return
    fixed = {
        (atom.links, atom.column.name)
        for atom in case.committed.atoms
        if atom.column is not None and atom.sign == "equal" and not atom.negated and not atom.either
    }
    # The key of the row beside its name tells no more.
    telling = [path for path in paths if not _is_own_key(case, request, path)] or paths
    if all((path.links, path.column.name) in fixed for path in telling):
        yield case.objection(Code.SHOWN_KNOWN, part=", ".join(path.written for path in paths))


def _is_own_key(case: Case, request: ReadRequest, path: ColumnPath) -> bool:
    table, name = _owner(case, request, path), path.column.info.name
    if table is None or name not in table.info.primary_key:
        return False
    # Of a key of several columns what leads to other rows tells nothing: whose title, and not which.
    leading = any(name in key.columns for key in table.info.foreign_keys)
    return len(table.info.primary_key) == 1 or leading


def siblings(case: Case) -> Iterator[Objection]:
    """Where two columns differ in a word, the one whose word was said: mean, and not maximum, load."""
    said = (
        frozenset().union(*(word.keys for word in case.words if not word.quoted))
        if case.words
        else frozenset()
    )
    # "The number of rooms" says the count of a `room_count`.
    counted = column_words("pieces") if case.message.does("count") else frozenset()
    used = {(path.links, path.column.name) for path in case.committed.columns}
    for request in case.committed.requests:
        if len(request.columns) >= len(request.table.columns):
            continue
        for path in case.committed.columns:
            table = _owner(case, request, path)
            other = None if table is None else _nearer(path.column, table, said | counted)
            if other is not None and (path.links, other.name) not in used:
                yield case.objection(Code.COLUMN_CONTRADICTED, _spelled(other), path.written)
                return


def _owner(case: Case, request: ReadRequest, path: ColumnPath) -> Table | None:
    table = case.graph.tables[path.links[-1].target] if path.links else request.table
    return table if path.column.name in table.columns else None


def _nearer(column: Column, table: Table, said: frozenset[str]) -> Column | None:
    """A column with the same words but for one, where the message says that one and not the other's."""
    mine = [part for part in parts_of(column.info.name) if _tells(part)]
    for other in table.columns.values():
        theirs = [part for part in parts_of(other.info.name) if _tells(part)]
        if other.name == column.name or len(mine) != len(theirs) or len(mine) < 2:
            continue
        ours = [part for part in mine if not any(part & each for each in theirs)]
        his = [part for part in theirs if not any(part & each for each in mine)]
        if (
            len(ours) == len(his) == 1
            and his[0] & said
            # An id and a name of one thing are not rivals.
            and not (ours[0] | his[0]) & (column_words("key") | column_words("plain"))
            and not ours[0] & said
        ):
            shared = [part for part in mine if any(part & each for each in theirs)]
            if any(part & said for part in shared):
                return other
    return None


def _tells(part: frozenset[str]) -> bool:
    return max(map(len, part)) > 2 or bool(part & column_words("key"))


def _spelled(column: Column) -> str:
    return column.info.name.replace("_", " ")


def denied_rows(case: Case) -> Iterator[Objection]:
    """ "Guests who never came in May" are not those with a visit in another month."""
    cues = case.message.does("negation")
    if not cues or not case.committed.requests:
        return
    request = case.committed.requests[-1]
    paths = shown_paths(request)
    if not paths or request.verb is not TableVerb.LIST:
        return
    for atom in case.committed.atoms:
        if not atom.negated or atom.sign == "missing" or atom.links or atom.having:
            continue
        elsewhere = all(path.links and path.links[0].single for path in paths)
        if elsewhere and not any(request.table.key in named.tables for named in case.named):
            yield case.demanded(Code.NEGATION_MISSING, cues[0], atom.part)
            return


def only_keys(case: Case) -> Iterator[Objection]:
    """ "Which agents" wants to see who they are, and not their numbers."""
    if not case.committed.requests:
        return
    request = case.committed.requests[-1]
    paths = shown_paths(request)
    if not paths or any(word.keys & column_words("key") for word in case.words):
        return
    if request.verb is TableVerb.LIST and all(_is_bare_key(case, request, path) for path in paths):
        yield case.objection(Code.LABEL_MISSING, part=", ".join(path.written for path in paths))


def _is_bare_key(case: Case, request: ReadRequest, path: ColumnPath) -> bool:
    table = _owner(case, request, path)
    if table is None:
        return False
    name = path.column.info.name
    keys = {*table.info.primary_key, *(each for key in table.info.foreign_keys for each in key.columns)}
    pointed = any(each.target in named.tables for each in _leading(case, table, name) for named in case.named)
    coded = (name in table.info.primary_key or pointed) and not any(
        word.keys & words_of(name) for word in case.words
    )
    if words_of(name) & column_words("called"):
        return False
    if name not in keys or not (coded or words_of(name) & column_words("id")):
        return False
    tables = [table, *(case.graph.tables[each.target] for each in _leading(case, table, name))]
    return any(
        words_of(column.name) & column_words("called") for each in tables for column in each.info.columns
    )


def _leading(case: Case, table: Table, name: str) -> list[Link]:
    return [link for link in case.graph.links(table).values() if link.single and (name in dict(link.pairs))]
