"""The things that a message speaks of are those of the program: its main noun, and every word about them."""

from collections.abc import Iterator

from dragoman.review.case import Case, is_called_so, is_number, path_words, says, shown_paths
from dragoman.review.commitments import denies
from dragoman.review.demanded_figures import is_near, is_slip
from dragoman.review.demanded_others import is_shared
from dragoman.review.doers import is_deed
from dragoman.review.likeness import supports
from dragoman.review.names import Named, is_half, parts_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.request import ReadRequest
from dragoman.tables.verbs import TableVerb

_OWNED = 3
"""So far before its owner something may stand: the names of the."""


def main_noun(case: Case) -> Iterator[Objection]:
    """The noun that a message begins with names a table, maybe by half of its name: the program uses it."""
    if case.before or not case.committed.requests or case.head >= len(case.words):
        return
    word = case.words[case.head]
    tables = [t for t in case.graph.tables.values() if word.keys & words_of(t.info.name)]
    if not tables or case.uses_words(word) or is_near(word, case.committed.names):
        return
    request = case.committed.requests[-1]
    if is_called_so(case, word, frozenset({request.table.key})):
        return
    # Each line has one product: products are counted by their lines.
    ends = {link.target for link in case.graph.links(request.table).values() if link.single}
    if any(table.key in ends for table in tables):
        return
    if word.is_plural:
        yield case.objection(Code.NAME_MISSING, word.text)


def never_ended(case: Case) -> Iterator[Objection]:
    """What was never leased has no lease; a lease without an end is something else."""
    ends = column_words("end")
    for word in case.words:
        if word.form not in case.message.vocabulary.never:
            continue
        for atom in case.committed.atoms:
            if atom.column is None or atom.sign != "missing" or atom.negated:
                continue
            names = words_of(atom.column.info.name) & ends
            # "Never scored a point" is said of all results, and a result without points is something else.
            counted = bool(atom.links) and atom.column in case.graph.tables[atom.links[-1].target].measures
            if counted or (names and not case.mentions(names)):
                yield case.objection(Code.NEGATION_MISSING, word.text, atom.part)
                return


def idle_words(case: Case) -> Iterator[Objection]:
    """A list of all rows leaves no word unexplained: "which products are lanterns"."""
    committed = case.committed
    if case.before or len(committed.requests) != 1 or any(each.absent for each in committed.linkings):
        return
    request = committed.requests[0]
    if request.by or request.order or request.dated or request.verb not in (TableVerb.LIST, TableVerb.COUNT):
        return
    # What is compared with another column has no value either.
    if any(atom.value is not None or denies(atom) or atom.sign != "missing" for atom in committed.atoms):
        return
    for at, word in enumerate(case.words):
        if _is_idle(case, at, word):
            yield case.objection(Code.VALUE_MISSING, word.text)
            return


def _is_idle(case: Case, at: int, word: Word) -> bool:
    told = case.message.vocabulary
    # Whose things they are, says nothing of them: the countries of our clients.
    # "Support agents" are what a column calls `support_rep`.
    if at and (case.words[at - 1].form in told.ours or case.uses_words(case.words[at - 1])):
        return False
    if word.number is not None or word.keys & case.message.small_words or len(word.form) < 4:
        return False
    if is_deed(case, at) or _is_said_of(case, at):
        return False
    # Other words than nouns and what stands before them may be a way to put it: customers that we serve.
    before_noun = at + 1 < len(case.words) and case.uses_words(case.words[at + 1])
    if not told.idle or not (word.is_plural or before_noun or _is_means(case, at)):
        return False
    if any(cue.first <= at < cue.last for cue in case.message.cues) or word.form in told.vague:
        return False
    if word.keys & told.idle or case.uses_words(word) or is_near(word, case.committed.names):
        return False
    if is_called_so(case, word, frozenset({case.committed.requests[-1].table.key})):
        return False
    return not any(supports(word, name) or is_slip(word, name) for name in case.committed.names)


def _is_said_of(case: Case, at: int) -> bool:
    """Whether a word is what things do, or whose they are: guides that offer courses, the times of rowers.
    The names of rowers are something else."""
    told = case.message.vocabulary
    if not at:
        return False
    if case.words[at - 1].form in told.relative and not case.words[at].is_plural:
        return True
    before = case.words[max(at - _OWNED, 0) : at]
    called = column_words("label") | column_words("key")
    if not any(w.form in told.owning for w in before[-2:]) or any(w.keys & called for w in before):
        return False
    links = case.graph.links(case.committed.requests[-1].table).values()
    own = [link for link in links if link.single and "-by-" not in link.name]
    return any(case.words[at].keys & (words_of(link.name) | words_of(link.target[-1])) for link in own)


def _is_means(case: Case, at: int) -> bool:
    """Whether a word says by what way something came: through the window."""
    told = case.message.vocabulary
    return at > 1 and case.words[at - 1].form in told.articles and case.words[at - 2].form in told.through


def who(case: Case) -> Iterator[Objection]:
    """ "Who" is answered by a name, where rows only hold the key of somebody."""
    request = case.committed.requests[-1] if case.committed.requests else None
    cues = [
        cue for cue in case.message.does("who") if case.words[cue.first].form in case.message.vocabulary.who
    ]
    if (
        request is None
        or request.verb is not TableVerb.LIST
        or not cues
        or not request.table.info.foreign_keys
    ):
        return
    paths = shown_paths(request)
    # "The badge and date of those who came": what is asked for was named.
    relative = cues[0].first > 0 and not case.words[cues[0].first - 1].keys & case.message.vocabulary.joining
    if relative and paths and all(case.mentions(words_of(path.column.info.name)) for path in paths):
        return
    called = column_words("called") | column_words("details")
    if paths and not any(path.links or words_of(path.column.info.name) & called for path in paths):
        yield case.demanded(Code.LABEL_MISSING, cues[0], request.table.name)


def junctions(case: Case) -> Iterator[Objection]:
    """ "What did the guides get" is not a list of rows that are nothing but keys."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.LIST or case.mentions(column_words("id")):
        return
    if not case.message.does("which", "who") or case.before:
        return
    paths = shown_paths(request)
    table = request.table
    keys = {*table.info.primary_key, *(name for key in table.info.foreign_keys for name in key.columns)}
    if not paths or not table.info.foreign_keys or any(path.links for path in paths):
        return
    if all(column.info.name in keys for column in table.columns.values()):
        yield case.objection(Code.LABEL_MISSING, part=table.name)


def listed(case: Case) -> Iterator[Objection]:
    """What stands behind a colon, or behind "with their", is shown."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.LIST:
        return
    start = _list_start(case)
    # "The school with the largest hall" shows no halls.
    if start is None or any(cue.first == start for cue in case.message.does("most", "least", "extreme")):
        return
    for named in case.named:
        if named.first < start or _is_shown(case, request, named) or is_shared(case, named.first):
            continue
        yield case.objection(Code.SHOWN_MISSING, case.said_of(named))
        return


def _list_start(case: Case) -> int | None:
    for at, word in enumerate(case.words[1:], 1):
        if ":" in case.message.text[case.words[at - 1].end : word.start]:
            return at
        if case.words[at - 1].form in case.message.vocabulary.shown_with.get("with", ()) and (
            word.form in case.message.vocabulary.shown_with.get("their", ())
        ):
            return at + 1
    return None


def _is_shown(case: Case, request: ReadRequest, named: Named) -> bool:
    word = case.words[named.last - 1]
    names = [path_words(path) for path in shown_paths(request)]
    if any(says(word, each) or is_near(word, each) for each in names):
        return not _is_shown_by_key(request, word)
    return any(
        atom.column is not None and says(word, words_of(atom.column.info.name))
        for atom in case.committed.atoms
    ) or bool(word.keys & words_of(request.table.info.name))


def _is_shown_by_key(request: ReadRequest, word: Word) -> bool:
    """Whether all that is shown of a thing is the key that leads to it."""
    keys = {name for key in request.table.info.foreign_keys for name in key.columns}
    found = [path for path in shown_paths(request) if says(word, path_words(path))]
    return bool(found) and all(
        not path.links and path.column.info.name in keys and is_number(path) for path in found
    )


def beside_different(case: Case) -> Iterator[Objection]:
    """ "Different rates" shows rates, and nothing beside them."""
    for cue in case.message.does("distinct"):
        for request in case.committed.requests[-1:]:
            paths = shown_paths(request)
            if not request.distinct or request.verb is not TableVerb.LIST or len(paths) < 2:
                continue
            for path in paths:
                half = column_words("first_name") if is_half(path.column, 0) else frozenset[str]()
                half |= column_words("last_name") if is_half(path.column, 1) else frozenset()
                if not case.mentions(path_words(path) | half):
                    yield case.demanded(Code.DISTINCT_MISSING, cue, path.written)
                    return


def sorted_by(case: Case) -> Iterator[Objection]:
    """ "Tickets by topic" are in that order, or counted for each."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.LIST or request.order or case.before:
        return
    for cue in case.message.does("by"):
        if cue.first == 0 or case.message.vocabulary.passive.search(case.words[cue.first - 1].form):
            continue
        word = case.words[cue.last] if cue.last < len(case.words) else None
        if word is None or word.keys & case.message.small_words:
            continue
        if any(word.keys & words_of(c.info.name) for c in request.table.columns.values()):
            yield case.objection(Code.GROUP_MISSING, f"{case.message.said(cue)} {word.text}")
            return


def pointed_back(case: Case) -> Iterator[Objection]:
    """ "And their company" is about the rows that the turn before was about."""
    if not case.before or case.committed.atoms or case.committed.linkings:
        return
    last = case.before[-1]
    if not last.atoms or not case.committed.requests or case.committed.requests[-1].top:
        return
    word = next((word for word in case.words if word.form in case.message.vocabulary.back), None)
    if word is not None:
        yield case.objection(Code.VALUE_MISSING, word.text)


def added_names(case: Case) -> Iterator[Objection]:
    """ "Add the customer's name" adds no key."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or not case.before or request.verb is not TableVerb.LIST:
        return
    word = next((word for word in case.words if word.keys & column_words("label")), None)
    old = {path.written for each in case.before[-1].requests[-1:] for path in shown_paths(each)}
    new = [path for path in shown_paths(request) if path.written not in old]
    if word is None or not new or not old:
        return
    if all(parts_of(path.column.info.name)[-1] & column_words("key") for path in new):
        yield case.objection(Code.LABEL_MISSING, word.text, new[0].written)


def twice_followed(case: Case) -> Iterator[Objection]:
    """Who trains a guide is not the trainer of its trainer."""
    for path in case.committed.columns:
        for one, other in zip(path.links, path.links[1:], strict=False):
            if one.name != other.name:
                continue
            said = [word for word in case.words if says(word, words_of(one.name))]
            stems = [w for w in case.words if w.form[:5] == one.name.casefold()[:5]]
            if max(len(said), len(stems)) < 2 and not case.before:
                yield case.objection(Code.ROLE_MISSING, one.name, path.written)
                return


def done_last(case: Case) -> Iterator[Objection]:
    """ "Which guide was trained last" is one guide."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.order or len(case.words) < 2 or case.committed.measures:
        return
    word, verb = case.words[-1], case.words[-2]
    told = case.message.vocabulary
    if word.form in told.final and told.verbal.search(verb.form):
        yield case.objection(Code.SUPERLATIVE_MISSING, f"{verb.text} {word.text}")
