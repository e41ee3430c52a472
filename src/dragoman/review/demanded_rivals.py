"""Of two links, columns or figures that are much alike, the one that the words speak of."""

from collections.abc import Iterator
from typing import Final

from dragoman.review.case import Case, is_moment, says, shown_paths
from dragoman.review.commitments import Links
from dragoman.review.names import parts_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.graph import Column, Link, Table, TableKey
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import ReadRequest
from dragoman.tables.verbs import TableVerb

_STEM: Final = 5
_HUB: Final = 2


def rival_links(case: Case) -> Iterator[Objection]:
    """ "Boarding guests" of a quay board there, where another link says where they land."""
    if not case.committed.requests:
        return
    ways = dict.fromkeys(_ways(case))
    used = {link for _, links in ways for link in links}
    for base, links in ways:
        table = base
        for link in links:
            rivals = [r for r in case.graph.links(table).values() if _is_rival(r, link)]
            word = _role_word(case, table, link, [r for r in rivals if r not in used])
            if word is not None:
                yield case.objection(Code.ROLE_MISSING, word.text, link.name)
                return
            table = case.graph.tables[link.target]


def _ways(case: Case) -> Iterator[tuple[Table, Links]]:
    """Every way along links that the program takes and that no turn before has taken."""
    before = {path.links for each in case.before for path in each.columns}
    for request in case.committed.requests[-1:]:
        links = [each.links for each in case.committed.linkings]
        links += [path.links for path in case.committed.columns]
        for each in links:
            if each and each not in before:
                yield request.table, each


def _is_rival(other: Link, link: Link) -> bool:
    return other != link and other.target == link.target and other.single == link.single


def _role_word(case: Case, table: Table, link: Link, rivals: list[Link]) -> Word | None:
    """A word that tells the role of a rival, where none tells that of the link."""
    role = _role(case, table, link)
    if not rivals or not role or any(_tells(word, role) for word in case.words):
        return None
    others = frozenset().union(*(_role(case, table, rival) for rival in rivals)) - role
    return next((word for word in case.words if not word.quoted and _tells(word, others)), None)


def _role(case: Case, table: Table, link: Link) -> frozenset[str]:
    """What a link is called beyond the two tables that it joins."""
    ends = words_of(table.info.name) | words_of(case.graph.tables[link.target].info.name)
    return words_of(link.name.rpartition("-by-")[2]) - ends - column_words("key") - case.message.small_words


def _tells(word: Word, role: frozenset[str]) -> bool:
    """Whether a word is one of some, or begins as it does: embarking, of embarkation."""
    stems = {part[:_STEM] for part in role if len(part) >= _STEM}
    return says(word, role) or word.form[:_STEM] in stems


def shared_parents(case: Case) -> Iterator[Objection]:
    """The owners of a boat are not all who live in its town, where a table pairs owners with boats."""
    for request in case.committed.requests[-1:]:
        for each in case.committed.linkings:
            up, down = each.links[:1], each.links[1:_HUB]
            if not up or not down or not up[0].single or down[0].single:
                continue
            hub = case.graph.tables[up[0].target]
            if case.mentions(words_of(hub.info.name)) or request.table.key == down[0].target:
                continue
            if _are_paired(case, request.table.key, down[0].target, hub.key):
                yield case.objection(Code.ROLE_MISSING, case.message.text, f"{up[0].name}/{down[0].name}")
                return


def _are_paired(case: Case, one: TableKey, other: TableKey, hub: TableKey) -> bool:
    for key, table in case.graph.tables.items():
        ends = {link.target for link in case.graph.links(table).values() if link.single}
        if key != hub and {one, other} <= ends:
            return True
    return False


def own_links_first(case: Case) -> Iterator[Objection]:
    """ "Tickets with customer and owner" show their own owner, and not the customer's."""
    for request in case.committed.requests[-1:]:
        for path in shown_paths(request):
            links = path.links
            own = case.graph.links(request.table).get(links[-1].name) if len(links) >= _HUB else None
            if own is None or own.target != links[-1].target:
                continue
            if not _stand_together(case, links[-2], links[-1]):
                yield case.objection(Code.ROLE_MISSING, links[-1].name, path.written)
                return


def _stand_together(case: Case, first: Link, last: Link) -> bool:
    """Whether two links are spoken of as one: the customer's owner, the owner of the customer."""
    joining = case.message.vocabulary.joining - {"of"}
    spots = [
        [at for at, word in enumerate(case.words) if word.keys & words_of(link.name)]
        for link in (first, last)
    ]
    for one in spots[0]:
        for other in spots[1]:
            between = case.words[min(one, other) + 1 : max(one, other)]
            if one != other and not any(word.form in joining for word in between):
                return True
    return False


def _spots(case: Case, link: Link) -> list[int]:
    return [at for at, word in enumerate(case.words) if word.keys & words_of(link.name)]


def longer_names(case: Case) -> Iterator[Objection]:
    """The "home address" is not `address`, where there is a `home_street_address` too."""
    used = {path.column for path in case.committed.columns}
    for request in case.committed.requests[-1:]:
        if len(request.columns) >= len(request.table.columns):
            continue
        for path in shown_paths(request):
            table = _table_of(case, request, path)
            other = next((o for o in table.columns.values() if o not in used and _adds(case, o, path)), None)
            if other is not None:
                yield case.objection(Code.COLUMN_CONTRADICTED, other.name.replace("_", " "), path.written)
                return


def _adds(case: Case, other: Column, path: ColumnPath) -> bool:
    """Whether a name holds all words of another and one more, which was said and is used nowhere."""
    mine, theirs = words_of(path.column.info.name), parts_of(other.info.name)
    more = [part for part in theirs if not part & mine]
    if not more or not mine <= words_of(other.info.name) or other.type is not path.type:
        return False
    small = case.message.small_words | column_words("key") | column_words("plain")
    told = [part for part in more if not part & small]
    return any(
        word.keys & part and not word.quoted and not case.uses_words(word)
        for part in told
        for word in case.words
    )


def ids_beside_names(case: Case) -> Iterator[Objection]:
    """Who the skippers are is told by `skipper_name`, and not by `skipper_id` beside it."""
    if any(word.keys & column_words("key") for word in case.words):
        return
    for request in case.committed.requests[-1:]:
        paths = shown_paths(request)
        if request.verb is not TableVerb.LIST or not paths:
            continue
        if all(_has_name(_table_of(case, request, path), path) for path in paths):
            yield case.objection(Code.LABEL_MISSING, part=", ".join(path.written for path in paths))
            return


def _has_name(table: Table, path: ColumnPath) -> bool:
    mine = words_of(path.column.info.name)
    bare = mine - column_words("id")
    return bare != mine and any(
        bare and words_of(other.info.name) - column_words("label") == bare and other != path.column
        for other in table.columns.values()
    )


def owed_as_sales(case: Case) -> Iterator[Objection]:
    """What was sold is not what is still owed, nor a tax on it."""
    word = next((word for word in case.words if word.form in case.message.vocabulary.sold), None)
    if word is None:
        return
    for each in case.committed.measures:
        if not isinstance(each.of, ColumnPath):
            continue
        owed = words_of(each.of.column.info.name) & column_words("owed")
        if owed and not case.mentions(owed):
            yield case.objection(Code.COLUMN_CONTRADICTED, word.text, each.written)
            return


def dates_as_amounts(case: Case) -> Iterator[Objection]:
    """ "The most repairs" counts them, and looks for no latest `repair_date`."""
    rows = case.message.vocabulary.amounts.get("rows", frozenset())
    for cue in case.message.does("most", "least"):
        noun = case.words[cue.last : cue.last + 1]
        if not noun or case.message.said(cue).casefold() not in rows or noun[0].keys & column_words("time"):
            continue
        for request in case.committed.requests:
            for key in [each.by for each in request.order[:1]] if request.top or request.limit else ():
                if not isinstance(key, ColumnPath) or not is_moment(key.type):
                    continue
                if says(noun[0], words_of(key.column.info.name)):
                    said = f"{case.message.said(cue)} {noun[0].text}"
                    yield case.objection(Code.RANK_MISSING, said, key.written)
                    return


def _table_of(case: Case, request: ReadRequest, path: ColumnPath) -> Table:
    return case.graph.tables[path.links[-1].target] if path.links else request.table
