"""The thing that a question asks for: shown by what it is called, once each, and not what is known of it."""

from collections.abc import Iterator
from typing import Final

from dragoman.contracts.schema import ValueType
from dragoman.review.case import Case, is_bare_figure, is_moment, says, shown_paths
from dragoman.review.commitments import Atom
from dragoman.review.demanded_values import distinct_of
from dragoman.review.names import HALVES, Named, is_half, labels_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.graph import Table
from dragoman.tables.paths import ColumnPath
from dragoman.tables.verbs import TableVerb

_SHORTEST: Final = 3
_FEW: Final = 40
_EXTREMES: Final = (TableVerb.MAX, TableVerb.MIN)
_AGENTS: Final = ("r", "er", "or")


def newest_things(case: Case) -> Iterator[Objection]:
    """ "The newest guide" is a guide, and not a day."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb not in _EXTREMES or not is_bare_figure(request) or case.before:
        return
    of = request.of
    if not isinstance(of, ColumnPath) or not is_moment(of.type) or case.message.does("when"):
        return
    told = case.message.vocabulary
    timely = column_words("time") | told.parts | told.timed
    if any(word.keys & timely for word in case.words):
        return
    cue = next(iter(case.message.does("most", "least", "extreme")), None)
    if cue is not None and cue.last < len(case.words):
        yield case.objection(Code.SHOWN_MISSING, case.words[cue.last].text, of.written)


def both_halves(case: Case) -> Iterator[Objection]:
    """ "The names of the guides" are whole names, where a table keeps first and last ones."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or any(word.keys & _halves() for word in case.words):
        return
    if case.message.does("full-name"):
        return
    if not any(word.keys & column_words("label") for word in case.words):
        return
    paths = shown_paths(request)
    for path in paths:
        half = next((n for n in range(2) if _ends_as_half(path, n)), None)
        if half is None:
            continue
        table = case.graph.tables[path.links[-1].target] if path.links else request.table
        others = [c for c in table.columns.values() if is_half(c, 1 - half) or _is_other(path, c, half)]
        if others and not any(each.column in others for each in paths):
            yield case.objection(Code.LABEL_MISSING, part=path.written)
            return


def _halves() -> frozenset[str]:
    return frozenset().union(*(column_words(kind) for kind, _ in HALVES)) - {"name"}


def _ends_as_half(path: ColumnPath, half: int) -> bool:
    """`au_lname` is a last name."""
    parts = path.column.info.name.casefold().split("_")
    return is_half(path.column, half) or (len(parts) > 1 and parts[-1] in column_words(HALVES[half][0]))


def _is_other(path: ColumnPath, column: object, half: int) -> bool:
    """Whether a column is the other half, with the same beginning: `au_fname`."""
    mine, name = path.column.info.name.casefold(), getattr(column, "name", "").casefold()
    start, _, end = name.rpartition("_")
    kind = HALVES[1 - half][0]
    return bool(start) and mine.startswith(f"{start}_") and end in column_words(kind)


def known_things(case: Case) -> Iterator[Objection]:
    """ "In which ports is Arden known" asks for other ports than the one that is called so."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.LIST or case.before or case.committed.linkings:
        return
    atoms = case.committed.atoms
    if len(atoms) != 1 or not _tells_one(request.table, atoms[0]):
        return
    if atoms[0].column is not None and case.mentions(words_of(atoms[0].column.info.name) - _plain_labels()):
        # "Which guides have the surname Holt": what they are held to was named itself.
        return
    for cue in case.message.does("which"):
        named = next((each for each in case.named if each.first == cue.last), None)
        if named is None or request.table.key not in named.tables:
            continue
        noun = case.words[named.last - 1]
        # "Which country is Peru in" is answered elsewhere; a plural asks for several.
        if noun.is_plural:
            yield case.objection(Code.SHOWN_KNOWN, part=atoms[0].part)
            return


def _plain_labels() -> frozenset[str]:
    return column_words("label")


def _tells_one(table: Table, atom: Atom) -> bool:
    if atom.links or atom.column is None or atom.sign != "equal" or atom.negated or atom.either:
        return False
    name = atom.column.info.name
    return table.determined_by([name]) or (
        atom.column.name in labels_of(table) and atom.column.info.distinct == table.info.rows
    )


def places_once(case: Case) -> Iterator[Objection]:
    """ "From which towns do the guides come" is a list of towns, each once, and not of guides."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.LIST or request.distinct or case.before:
        return
    told = case.message.vocabulary
    if len(case.words) < _SHORTEST or case.words[0].form not in told.places | told.ways.get("from", set()):
        return
    cue = next((each for each in case.message.does("which") if each.first == 1), None)
    if cue is None:
        return
    word = case.words[cue.last] if cue.last < len(case.words) else None
    paths = shown_paths(request)
    if word is None or not word.is_plural or says(word, words_of(request.table.info.name)):
        return
    if any(path.links and _says_path(case, word, path) for path in paths):
        yield case.objection(Code.REPEATED_ROWS, word.text)


def _says_path(case: Case, word: Word, path: ColumnPath) -> bool:
    table = case.graph.tables[path.links[-1].target]
    return says(word, words_of(path.column.info.name) | words_of(table.info.name))


def doers_by_role(case: Case) -> Iterator[Objection]:
    """ "Who owns the boat" is its owner, where a column says who is one."""
    known, told = case.values, case.message.vocabulary
    if known is None or not case.words or case.before:
        return
    # "Which parties organized the fair": where the program goes by the rows that say what somebody was.
    by_way = case.words[0].form not in told.who
    texts = {text.casefold() for text in case.committed.texts}
    for word in case.words[1:]:
        if word.capital or word.quoted or word.form in case.message.small_words or case.uses_words(word):
            continue
        stems = {key for key in word.keys if len(key) >= _SHORTEST and key.isalpha()}
        agents = {stem + ending for stem in stems for ending in _AGENTS}
        agents |= told.agents.get(word.form, frozenset())
        if agents & (texts | case.committed.names):
            return
        if not by_way and _has_table(case, agents):
            yield case.objection(Code.NAME_MISSING, word.text)
            return
        for agent in sorted(agents):
            places = known.exactly(agent)
            if by_way:
                places = tuple(each for each in places if (each.schema, each.table) in case.committed.tables)
            if any(_is_role(case, place.schema, place.table, place.column) for place in places):
                yield case.objection(Code.VALUE_MISSING, word.text, agent)
                return


def _has_table(case: Case, agents: frozenset[str] | set[str]) -> bool:
    """Whether a table is called by those who did it."""
    return any(agents & words_of(table.info.name) for table in case.graph.tables.values())


def _is_role(case: Case, schema: str, table: str, column: str) -> bool:
    """Whether a column has few values, and so says what kind of thing a row is."""
    found = case.graph.tables.get((schema, table))
    kind = found.by_real_name.get(column) if found is not None else None
    if found is None or kind is None:
        return False
    many = distinct_of(case, found, kind)
    return many is not None and many <= _FEW


def labels_first(case: Case) -> Iterator[Objection]:
    """ "What are their jobs" shows what jobs are called, and no numbers of theirs alone."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.LIST:
        return
    if any(word.keys & column_words("key") for word in case.words):
        return
    paths = shown_paths(request)
    for named in case.named:
        mine = [path for path in paths if path.links and path.links[-1].target in named.tables]
        if not mine or any(path.column.type is ValueType.TEXT for path in mine) or _is_of(case, named, mine):
            continue
        table = case.graph.tables[mine[0].links[-1].target]
        keys = {name for key in table.info.foreign_keys for name in key.columns}
        texts = [c for c in table.columns.values() if c.type is ValueType.TEXT and c.info.name not in keys]
        if texts:
            yield case.objection(Code.LABEL_MISSING, case.said_of(named), mine[0].written)
            return


def _is_of(case: Case, named: Named, paths: list[ColumnPath]) -> bool:
    """Whether the columns that are shown were said themselves."""
    own = named.keys | column_words("key")
    return all(case.mentions(words_of(path.column.info.name) - own) for path in paths)


def livings(case: Case) -> Iterator[Objection]:
    """ "What does Runa do" asks for her job, and not for all that is known of her."""
    told = case.message.vocabulary
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.LIST or case.before or len(case.words) < _SHORTEST:
        return
    behind = next((n for n, word in enumerate(case.words) if n > 1 and word.form in told.doing), None)
    if case.words[0].form not in told.things or case.words[1].form not in told.doing or behind is None:
        return
    rest = case.words[behind + 1 :]
    if any(not (word.keys & (case.message.small_words | told.livelihood)) for word in rest):
        return
    jobs = column_words("job")
    columns = (column for table in case.graph.tables.values() for column in table.by_real_name)
    known = jobs & frozenset().union(*map(words_of, columns))
    texts = [path for path in shown_paths(request) if path.column.type is ValueType.TEXT]
    names = (words_of(path.column.info.name) for path in texts)
    if known and not any(words & jobs and not words & column_words("id") for words in names):
        yield case.objection(Code.SHOWN_MISSING, case.message.text, request.table.name)
