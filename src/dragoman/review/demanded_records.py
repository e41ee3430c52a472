"""What people do is kept in tables: who bought something has orders, and what was played has plays."""

from collections.abc import Iterator

from dragoman.review.case import Case, says, shown_paths
from dragoman.review.commitments import Atom
from dragoman.review.names import words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.graph import Table, TableKey

_AGENTS = ("r", "er", "or")
_SHORTEST = 4
_TWO = 2


def tables_of_verbs(case: Case) -> Iterator[Objection]:
    """ "The most played artists" goes by plays, "who ever managed it" by the table of managers."""
    held = bool(case.committed.atoms or case.committed.linkings)
    if (len(case.committed.tables) < _TWO and held) or case.before:
        # What is asked of one table needs no record of another.
        return
    told = case.message.vocabulary
    used = frozenset().union(*(words_of(case.graph.tables[key].info.name) for key in case.committed.tables))
    for word in case.words:
        if word.capital or not told.passive.search(word.form) or case.uses_words(word):
            continue
        if _is_told_otherwise(case, word):
            continue
        tables = {each.key for each in case.graph.tables.values() if _is_done_in(word, each)}
        if tables and not tables & case.committed.tables and not says(word, used):
            yield case.objection(Code.NAME_MISSING, word.text)
            return


def _is_told_otherwise(case: Case, word: Word) -> bool:
    """Whether what was done stands in rows that are used: as their kind, as their date, or as a sale."""
    told = case.message.vocabulary
    tables = [case.graph.tables[key] for key in case.committed.tables]
    sales = column_words("sale")
    if word.form in told.sold and any(words_of(table.info.name) & sales for table in tables):
        return True
    agents = {key + ending for key in word.keys if len(key) >= _SHORTEST for ending in _AGENTS}
    if any(text.casefold() in agents for text in case.committed.texts):
        return True
    return any(word.keys & words_of(column.info.name) for table in tables for column in table.dates)


def _is_done_in(word: Word, table: Table) -> bool:
    """Whether a table is called after what a verb does, or after who does it."""
    names = words_of(table.info.name)
    stems = [key for key in word.keys if len(key) >= _SHORTEST and key != word.form]
    return any(key in names or any(key + ending in names for ending in _AGENTS) for key in stems)


def traded(case: Case) -> Iterator[Objection]:
    """Who bought something has orders: that there is a review of it says nothing."""
    told = case.message.vocabulary
    bought = (n for n, each in enumerate(case.words) if each.form in told.bought)
    at = next((n for n in bought if not n or case.words[n - 1].form != "we"), None)
    word = None if at is None else case.words[at]
    if word is None or len(case.committed.tables) < _TWO or case.before:
        return
    sales = column_words("sale") | column_words("payment")
    traded = [key for key, table in case.graph.tables.items() if words_of(table.info.name) & sales]
    if traded and not any(_is_traded(case, key, sales) for key in case.committed.tables):
        yield case.objection(Code.NAME_MISSING, word.text)


def _is_traded(case: Case, key: TableKey, sales: frozenset[str]) -> bool:
    """Whether a table is one of sales, or its rows belong to one: lines of orders."""
    table = case.graph.tables[key]
    if words_of(table.info.name) & sales:
        return True
    links = case.graph.links(table).values()
    ends = [case.graph.tables[link.target] for link in links if link.single]
    return any(words_of(end.info.name) & sales for end in ends)


def far_states(case: Case) -> Iterator[Objection]:
    """ "Vehicles that are active" is not said of the customers of their shipments: the state of other rows is
    meant only where something speaks of these."""
    for atom in case.committed.atoms if not case.before else ():
        if not _is_far_state(atom):
            continue
        ends = [case.graph.tables[link.target].info.name for link in atom.links]
        words = words_of(atom.links[-1].name).union(*map(words_of, ends[-1:]))
        if not case.mentions(words):
            yield case.objection(Code.FILTER_UNASKED, part=atom.part)
            return


def _is_far_state(atom: Atom) -> bool:
    """Whether a condition holds linked rows to a state: `status`, `is_active`."""
    if atom.sign != "equal" or atom.column is None or atom.having or not atom.links:
        return False
    return bool(words_of(atom.column.info.name) & column_words("state"))


def own_averages(case: Case) -> Iterator[Objection]:
    """ "Above the average of their own line" is held against as many averages as there are lines."""
    own = next(_own_kind(case), None)
    compares = bool(case.message.does("average")) and len(case.committed.requests) > 1
    if own is not None and compares and not any(request.by for request in case.committed.requests):
        yield case.objection(Code.COMPARISON_MISSING, own.text)


def _own_kind(case: Case) -> Iterator[Word]:
    """Words by which things are held against their like: "their own", "the average for their line"."""
    told = case.message.vocabulary
    yield from (word for word in case.words if word.form in told.itself)
    kinds = told.own_kind
    averages = [cue.last for cue in case.message.does("average")]
    for place in range(min(averages, default=len(case.words)) + 1, len(case.words)):
        before, word = case.words[place - 1], case.words[place]
        if before.form in kinds.get("before", ()) and word.form in kinds.get("theirs", ()):
            yield word


def both_ends(case: Case) -> Iterator[Objection]:
    """ "Who reports to whom" asks for both."""
    told = case.message.vocabulary
    asked = [word for word in case.words if word.form in told.who]
    if len(asked) < _TWO or case.before or not case.committed.requests:
        return
    shown = {path.links for path in shown_paths(case.committed.requests[-1])}
    if len(shown) < _TWO:
        yield case.objection(Code.SHOWN_MISSING, asked[0].text)
