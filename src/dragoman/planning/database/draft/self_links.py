"""A table that points at itself: whose boss, who reports to whom, what belongs under what."""

from dragoman.planning.database.draft.pair_links import find_pair_link
from dragoman.planning.database.draft.people import role_asked
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.segments import Piece, Segment
from dragoman.planning.database.sketch import Slot
from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Link

_WORDS = (Piece.UNKNOWN, Piece.VERB, Piece.NAME, Piece.CUE)
_WITHIN = "sub"
_SPOKEN_OF = 0.3


def find_self_link(work: Work) -> None:
    """Where a row of the subject is named, the rows below it are asked for, or the one above it."""
    work.role = _own_role(work, role_asked(work.asked))
    if work.role is not None and _plays_elsewhere(work, work.role):
        work.cost += _SPOKEN_OF
    if work.sketch.same is not None:
        return
    up = [link for link in work.joins.self_links(work.subject) if link.single and len(link.pairs) == 1]
    if not up:
        find_pair_link(work)
        return
    found = _link_word(work, up)
    if found is None:
        return
    word, link = found
    uncovered = work.sketch.uncovered
    named = _named_row(work)
    if named is None:
        return
    uncovered[:] = [text for text in uncovered if text != word.text]
    # Of two tables of people with the same names the one that is spoken of has such a link.
    work.cost -= _SPOKEN_OF
    if _below(work, word, named) or _described(work, word, named):
        work.self_links = (link,)
        work.role = None
    elif _key(work, link) not in work.asked.things(work.sketch.shown):
        work.role = _key(work, link)


def _own_role(work: Work, role: Thing | None) -> Thing | None:
    """Who manages a shop is its own manager, and not the manager of that manager."""
    if role is None or role.table.key == work.subject.key:
        return role
    target = work.asked.target(role)
    for own in work.knowledge.things.of_table[work.subject.key]:
        found = work.asked.target(own) if own.words == role.words else None
        if found is not None and target is not None and found.key == target.key:
            return own
    return role


def _plays_elsewhere(work: Work, role: Thing) -> bool:
    """Whether what is named has such a key itself: the manager of a shop is not the manager of its staff."""
    named = [values[0].thing.table for values in work.asked.chosen.values.values()]
    if not named or any(table.key == role.table.key for table in named):
        return False
    target = work.asked.target(role)
    own = (each for table in named for each in work.knowledge.things.of_table[table.key])
    keys = (work.asked.target(each) for each in own if work.knowledge.is_role(each))
    return target is not None and any(each is not None and each.key == target.key for each in keys)


def _key(work: Work, link: Link) -> Thing:
    return work.knowledge.things.of_column[(*work.subject.key, link.pairs[0][0])]


def _named_row(work: Work) -> Segment | None:
    """The words that name a row of the subject."""
    for kept in work.sketch.kept:
        values = work.asked.chosen.values.get(id(kept))
        if values is None or values[0].thing.table.key != work.subject.key or kept.negative:
            continue
        if values[0].thing in work.asked.named_by(work.subject):
            return kept.segment
    return None


def _link_word(work: Work, up: list[Link]) -> tuple[Segment, Link] | None:
    """The word that speaks of the link, and the link it speaks of."""
    keys = {_key(work, link).number: link for link in up}
    for slot in work.sketch.slots():
        thing = work.asked.thing(slot)
        if thing is not None and thing.number in keys:
            return slot.segment, keys[thing.number]
    words = work.asked.words.above_self | work.asked.words.below_self
    for piece in work.sketch.pieces:
        said = piece.stem in words or (piece.stem in work.asked.words.serving and _works_for(work, piece))
        if piece.piece in _WORDS and (said or _is_within(piece)):
            return piece, up[0]
        required = [link for link in up if work.asked.words.required & set(_key(work, link).words)]
        if required and piece.stem in work.asked.words.requiring:
            return piece, required[0]
    return None


def _works_for(work: Work, piece: Segment) -> bool:
    """Somebody, and not at a place."""
    return _behind(work, piece)[:1] == ["for"]


def _is_within(piece: Segment) -> bool:
    """Parts of something of their own kind: subcategories, sub-tasks."""
    return piece.piece is not Piece.CUE and piece.text.casefold().startswith(_WITHIN)


def _below(work: Work, word: Segment, named: Segment) -> bool:
    """Whether the rows below the one that is named are asked for: who reports to her, whom does she lead."""
    words = work.asked.words
    asks = any(
        each.text.casefold() in english().asks for each in work.sketch.pieces if each.end <= named.start
    )
    rising = words.below_self | words.requiring
    rises = any(
        piece.stem in rising or _is_within(piece) or (piece.stem in words.serving and _works_for(work, piece))
        for piece in work.sketch.pieces
        if piece.piece is not Piece.VALUE
    )
    first = word.text.casefold().split()[0]
    done = first.endswith("ed") and "by" in (word.text.casefold().split() + _behind(work, word))
    if done:
        return True
    turned = named.start < word.start and asks
    if rises:
        return not turned
    # A noun for those above: her manager. A verb there asks for those below: whom does she manage.
    return turned and not names_above(first)


def names_above(word: str) -> bool:
    """Whether a word is a noun for the one above: manager, head; and no verb: manages."""
    return word.endswith(("er", "or", "ers", "ors")) or word in english().above_self


def link_down(work: Work, key: Thing) -> Link | None:
    """The link from a row to those below it, where a key of the subject leads to the one above."""
    up = work.joins.find_link(key)
    if up is None or key.table.key != work.subject.key or up.target != work.subject.key:
        return None
    turned = tuple((there, here) for here, there in up.pairs)
    return next((each for each in work.joins.self_links(work.subject) if each.pairs == turned), None)


def _described(work: Work, word: Segment, named: Segment) -> bool:
    """ "Whose manager is she", "with her as the manager": those below her are told of by the one above."""
    rows = [slot.segment for slot in work.sketch.slots() if _is_subject(work, slot)]
    if not any(row.end <= word.start for row in rows):
        return False
    first, last = sorted((word, named), key=lambda each: each.start)
    between = [each for each in work.sketch.pieces if first.end <= each.start and each.end <= last.start]
    before = [each.text.casefold() for each in work.sketch.pieces if each.end <= first.start]
    if first is word:
        plain = all(each.kinds <= {"fill"} or each.piece is Piece.NAME for each in between)
        return plain and not set(before[-2:]).isdisjoint(english().whose)
    return any(each.text.casefold() == "as" for each in between)


def _is_subject(work: Work, slot: Slot) -> bool:
    thing = work.asked.thing(slot)
    return thing is not None and thing.column is None and thing.table.key == work.subject.key


def _behind(work: Work, word: Segment) -> list[str]:
    return [piece.text.casefold() for piece in work.sketch.pieces if piece.start == word.end]
