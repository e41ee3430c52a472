"""A table that points at itself: whose boss, who reports to whom, what belongs under what."""

from dragoman.planning.database.draft.people import role_asked
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.segments import Piece, Segment
from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.things import Thing
from dragoman.tables.graph import Link


def find_self_link(work: Work) -> None:
    """Where a row of the subject is named, the rows below it are asked for, or the one above it."""
    work.role = _own_role(work, role_asked(work.asked))
    up = [link for link in work.joins.self_links(work.subject) if link.single and len(link.pairs) == 1]
    if not up:
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
    if _below(work, word, named):
        work.self_link = link
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
        if piece.piece in (Piece.UNKNOWN, Piece.VERB, Piece.NAME, Piece.CUE) and piece.stem in words:
            return piece, up[0]
    return None


def _below(work: Work, word: Segment, named: Segment) -> bool:
    """Whether the rows below the one that is named are asked for: who reports to her, whom does she lead."""
    words = work.asked.words
    asks = any(
        each.text.casefold() in english().asks for each in work.sketch.pieces if each.end <= named.start
    )
    rises = any(
        piece.stem in words.below_self for piece in work.sketch.pieces if piece.piece is not Piece.VALUE
    )
    first = word.text.casefold().split()[0]
    done = first.endswith("ed") and "by" in (word.text.casefold().split() + _behind(work, word))
    if done:
        return True
    turned = named.start < word.start and asks
    if rises:
        return not turned
    # A noun for those above: her manager. A verb there asks for those below: whom does she manage.
    return turned and not first.endswith(("er", "or", "ers", "ors")) and first not in english().above_self


def _behind(work: Work, word: Segment) -> list[str]:
    return [piece.text.casefold() for piece in work.sketch.pieces if piece.start == word.end]
