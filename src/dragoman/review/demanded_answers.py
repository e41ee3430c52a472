"""What a result shows is what was asked for: things by their names, and figures where figures were asked."""

from collections.abc import Iterator

from dragoman.contracts.schema import ValueType
from dragoman.review.case import Case, is_bare_figure, is_moment, is_number, path_words, says, shown_paths
from dragoman.review.demanded_words import is_of_noun
from dragoman.review.names import labels_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.repeated import is_one_row
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Cue
from dragoman.tables.graph import Link, Table
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import ReadRequest
from dragoman.tables.verbs import TableVerb

_STEM = 5
_FIGURES = ("count", "sum", "average", "share", "most", "least", "extreme", "each", "by")


def raw_keys(case: Case) -> Iterator[Objection]:
    """ "The capital of Norway" is a city by its name, and not the number of its row."""
    request = _last(case)
    if request is None or request.verb is not TableVerb.LIST:
        return
    if _is_whole(request) and not case.message.does("who"):
        return
    if any(w.keys & column_words("key") for w in case.words):
        return
    shown = shown_paths(request)
    for path in shown:
        link = _followed_by(case, _table_of(case, request, path), path)
        if link is None or not is_number(path) or not _has_label(case.graph.tables[link.target]):
            continue
        further = any(link in each.links for each in shown)
        words = words_of(link.name) | words_of(case.graph.tables[link.target].info.name)
        words = words - column_words("key") - case.message.small_words
        if not further and (case.mentions(words) or _is_begun(case, words)):
            yield case.objection(Code.LABEL_MISSING, part=path.written)
            return


def _is_begun(case: Case, words: frozenset[str]) -> bool:
    """Whether a verb begins as a name does: located, of `location`."""
    stems = {word[:_STEM] for word in words if len(word) > _STEM}
    verbal = case.message.vocabulary.verbal
    return any(word.form[:_STEM] in stems for word in case.words if verbal.search(word.form))


def _followed_by(case: Case, table: Table, path: ColumnPath) -> Link | None:
    """The link that a column alone is the key of."""
    name = path.column.info.name
    found = [
        link
        for link in case.graph.links(table).values()
        if link.single and "-by-" not in link.name and [here for here, _ in link.pairs] == [name]
    ]
    return found[0] if found else None


def _has_label(table: Table) -> bool:
    return any(words_of(column.name) & column_words("called") for column in table.info.columns)


def held_only(case: Case) -> Iterator[Objection]:
    """ "Books over 20" shows books, and not the prices that they are held against."""
    request = _last(case)
    if request is None or request.verb is not TableVerb.LIST:
        return
    paths = [path for path in shown_paths(request) if not _is_bare_key(case, request, path)]
    held = {
        (atom.links, atom.column.name)
        for atom in case.committed.atoms
        if atom.column is not None and not atom.having
    }
    ranked = [each.by for each in request.order if isinstance(each.by, ColumnPath)]
    if ranked and not request.top and any(_is_said(case, path) for path in paths):
        return
    held |= {(path.links, path.column.name) for path in ranked}
    compared = ranked or any(atom.sign != "equal" and not atom.having for atom in case.committed.atoms)
    if not paths or not compared or case.head >= len(case.words) or _asks_for(case, paths):
        return
    texts = any(path.type is ValueType.TEXT for path in paths)
    if not texts and all((path.links, path.column.name) in held for path in paths):
        part = ", ".join(path.written for path in paths)
        yield case.objection(Code.SHOWN_MISSING, case.words[case.head].text, part)


def _is_said(case: Case, path: ColumnPath) -> bool:
    """Whether a word that is no cue says what a column is called: "list" asks for no `list_price`."""
    taken = {at for cue in case.message.cues for at in range(cue.first, cue.last)}
    return any(says(word, path_words(path)) for at, word in enumerate(case.words) if at not in taken)


def _asks_for(case: Case, paths: list[ColumnPath]) -> bool:
    """Whether the first words of a message name what is shown."""
    if case.message.does("when") and any(is_moment(path.type) for path in paths):
        return True
    head, following = case.words[case.head], case.words[case.head + 1 : case.head + 2]
    if any(says(head, path_words(path)) for path in paths):
        return True
    # "Tent prices over 100" are prices; "passes expire in June" are passes.
    figures = [path for path in paths if not is_moment(path.type)]
    return any(says(word, path_words(path)) for word in following for path in figures)


def lone_numbers(case: Case) -> Iterator[Objection]:
    """ "What did the repairs cost" is one sum, and no list of costs."""
    request = _last(case)
    if request is None or request.verb is not TableVerb.LIST or request.top or request.order:
        return
    paths = shown_paths(request)
    if len(paths) != 1 or len(request.columns) != 1 or not is_number(paths[0]) or _is_picked(case):
        return
    table = _table_of(case, request, paths[0])
    if paths[0].column not in table.measures or case.message.does("distinct", "each"):
        return
    asks = case.message.vocabulary.asks
    # "Show the price of boots" may well be a list.
    if any(cue.first == 0 and case.words[0].form not in asks for cue in case.message.does("which")):
        return
    parts = [word for word in case.words if says(word, words_of(paths[0].column.info.name))]
    # "Prices" are many, and "price" of many rows is mostly a figure.
    if parts and not any(word.form.endswith("s") and len(word.keys) > 1 for word in parts):
        yield case.objection(Code.MEASURE_MISSING, parts[0].text, paths[0].written)


def listed_totals(case: Case) -> Iterator[Objection]:
    """What begins with "total" is one figure, even where a column is called so."""
    request = _last(case)
    if request is None or request.verb is not TableVerb.LIST or request.top or request.order:
        return
    for cue in case.message.does("sum", "average"):
        if cue.first <= case.head and cue.last < len(case.words) and not _is_column(case, request, cue):
            yield case.demanded(Code.MEASURE_MISSING, cue)
            return


def _is_column(case: Case, request: ReadRequest, cue: Cue) -> bool:
    """Whether "total" only begins the name of a column that is shown of one row, or beside another."""
    shown = shown_paths(request)
    named = next((each for each in case.named if each.first == cue.first and each.last > cue.last), None)
    if named is None or (len(shown) < 2 and not is_one_row(case, request)):
        return False
    return any((request.table.key, path.column.name) in named.columns for path in shown if not path.links)


def _is_picked(case: Case) -> bool:
    """Whether a condition names single rows."""
    return any(
        atom.sign == "equal" and not atom.negated and isinstance(atom.value, str | int)
        for atom in case.committed.atoms
    )


def bare_figures(case: Case) -> Iterator[Objection]:
    """ "Clerks earning between 500 and 900" are a list of clerks."""
    request = _last(case)
    if request is None or not is_bare_figure(request) or case.before:
        return
    cues = [cue for cue in case.message.does(*_FIGURES) if not is_of_noun(case, cue)]
    named = next((each for each in case.named if each.first == case.head), None)
    if cues or named is None or not named.tables or case.message.hints("amount"):
        return
    word = case.words[case.head]
    told = case.message.vocabulary
    if word.form in told.vague or word.keys & (told.measured | told.hints.get("sum", frozenset())):
        return
    yield case.objection(Code.MEASURE_UNASKED, case.said_of(named), str(request.verb))


def nobodies(case: Case) -> Iterator[Objection]:
    """ "Who was paid in March" asks for names, and no figure is one."""
    request = _last(case)
    first = next(iter(case.message.does("who")), None)
    if request is None or first is None or first.first or case.before or not is_bare_figure(request):
        return
    if case.words[0].form in case.message.vocabulary.who:
        yield case.objection(Code.SHOWN_MISSING, case.words[0].text)


def workers(case: Case) -> Iterator[Objection]:
    """Who works in an office is staff, and no customer."""
    request = _last(case)
    if request is None or not case.message.does("who"):
        return
    for verb, names in case.message.vocabulary.workers.items():
        word = next((word for word in case.words if verb in word.keys), None)
        rivals = [t for t in case.graph.tables.values() if words_of(t.info.name) & names]
        shown = {_table_of(case, request, path).key for path in shown_paths(request)} | {request.table.key}
        if word is not None and rivals and not any(table.key in shown for table in rivals):
            yield case.objection(Code.SHOWN_MISSING, word.text)
            return


def leaders(case: Case) -> Iterator[Objection]:
    """Who runs a department is its head, and not everybody in it."""
    told = case.message.vocabulary.hints.get("leading", frozenset())
    word = next((word for word in case.words if word.form in told), None)
    if word is None or not case.message.does("who") or case.before:
        return
    heads = column_words("leader")
    known = any(
        any(
            words_of(name) & heads
            for name in (table.info.name, *case.graph.links(table), *table.by_real_name)
        )
        for table in case.graph.tables.values()
    )
    if known and not case.committed.names & heads:
        yield case.objection(Code.ROLE_MISSING, word.text)


def _last(case: Case) -> ReadRequest | None:
    return case.committed.requests[-1] if case.committed.requests else None


def _is_whole(request: ReadRequest) -> bool:
    return len(request.columns) >= len(request.table.columns)


def _table_of(case: Case, request: ReadRequest, path: ColumnPath) -> Table:
    return case.graph.tables[path.links[-1].target] if path.links else request.table


def _is_bare_key(case: Case, request: ReadRequest, path: ColumnPath) -> bool:
    """A key that says nothing to a person. Where rows have no name a key that is a text is their name."""
    named = path.type is not ValueType.TEXT or _has_label(_table_of(case, request, path))
    return named and _is_row_key(case, request, path)


def _is_row_key(case: Case, request: ReadRequest, path: ColumnPath) -> bool:
    table = _table_of(case, request, path)
    return path.column.info.name in table.info.primary_key and path.column.name not in labels_of(table)
