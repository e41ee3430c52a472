"""The entities that a message names, as the arguments of a write verb take them."""

from collections.abc import Iterable
from typing import Final

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.program import EntityMatch
from dragoman.contracts.state import EntityRef
from dragoman.planning.packs.write_form import Named
from dragoman.reading.reading import Mention, MentionKind, Reading
from dragoman.reading.tokens import tokens_of

_AS_GOOD_AS_SAID: Final = 0.9
_BEGINNING: Final = 4


def named_in(reading: Reading, catalog: Catalog, kind: str = "", text: str = "") -> tuple[Named, ...]:
    """The entities that a message names, where they stand. For an answer of a `kind`, the whole of it may be
    a name that only the index knows."""
    found: list[Named] = []
    for mention in reading.mentions:
        if mention.kind in (MentionKind.ENTITY, MentionKind.OBJECT):
            refs = _refs(mention, reading)
            if refs:
                found.append(Named(mention.start, mention.end, mention.text, refs))
    known = {ref for each in found for ref in each.refs}
    rest = [refs for refs in reading.objects if not known.issuperset(refs)]
    if rest:
        found.append(Named(0, len(text), text.strip(), rest[0]))
    if kind and not any(ref.kind == kind for each in found for ref in each.refs):
        wanted = text.strip(" .,;:!?\"'“”«»")
        matches = [each for each in catalog.entity_matches(kind, wanted) if _is_said(each, wanted)]
        refs = tuple(EntityRef(kind, match.entity_id, match.display) for match in matches)
        found += [Named(0, len(text), text.strip(), refs)] if refs else []
    return tuple(found)


def _is_said(match: EntityMatch, text: str) -> bool:
    """Whether an answer says a name, and is not only like one: nothing is written on what a word happens to
    look like."""
    if match.score >= _AS_GOOD_AS_SAID:
        return True
    name = [token.form for token in tokens_of(match.display)]
    said = [token.form for token in tokens_of(text)]
    return bool(said) and all(any(_is_word(word, each) for each in name) for word in said)


def _is_word(word: str, name: str) -> bool:
    from rapidfuzz.distance import OSA

    if word == name or (len(word) >= _BEGINNING and name.startswith(word)):
        return True
    return len(word) > _BEGINNING and word[0] == name[0] and OSA.distance(word, name) <= 1


def _refs(mention: Mention, reading: Reading) -> tuple[EntityRef, ...]:
    """Everything that a mention can mean."""
    means = {tuple(each.split(" ", 1)) for each in mention.means.split(" | ")}
    objects = [refs for refs in reading.objects if any((ref.kind, ref.id) in means for ref in refs)]
    entities = [ref for ref in reading.entities if (ref.kind, ref.id) in means]
    return tuple(dict.fromkeys((*(ref for refs in objects[:1] for ref in refs), *entities)))


def is_word_of(named: Named, taken: Iterable[tuple[int, int]]) -> bool:
    """Whether what looks like a name is a word of the verb: the fund of "create a fund"."""
    return any(start <= named.start and named.end <= end for start, end in taken)
