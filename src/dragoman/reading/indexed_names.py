"""Names that are too many to hold: the words that nothing covers are looked up in the index on disk."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.program import EntityMatch
from dragoman.contracts.state import EntityRef
from dragoman.reading.reading import Mention, MentionKind, Reading
from dragoman.reading.tokens import Token, tokens_of

_EXACT = 0.99
_CLOSE = 0.7
_AHEAD = 0.15
_BEFORE, _BEHIND = 2, 3
"""So many words on either side may belong to a name, although they mean something by themselves."""

_FIXED = frozenset({MentionKind.VERB, MentionKind.ACTION, MentionKind.PERIOD, MentionKind.ESCAPE})


def with_indexed_names(text: str, reading: Reading, catalog: Catalog) -> Reading:
    """The reading with the entity that its uncovered words name, all of them, where an index knows one.

    A name that is exactly there may take in words beside them, and other names that were seen in it; of one
    that is only alike, the words alone count, and it has to be clearly ahead, or it is asked which.
    """
    several = len(reading.objects) > 1
    if not catalog.searched or reading.phrase is not None or not (reading.uncovered or several):
        return reading
    tokens = tokens_of(text)
    named = reading.of_kind(MentionKind.OBJECT) if several else ()
    unknown = [
        i
        for i, token in enumerate(tokens)
        if token.form in reading.uncovered or any(m.start <= token.start < m.end for m in named)
    ]
    if not unknown:
        return reading
    first, last = unknown[0], unknown[-1]
    for kind in catalog.searched:
        for start, end in _spans(tokens, reading.mentions, first, last):
            said = text[tokens[start].start : tokens[end].end]
            matches = catalog.entity_matches(kind, said)
            refs = _meant(matches, kind, alike=(start, end) == (first, last) and not several)
            if refs:
                found = _named(reading, refs, tokens[start].start, tokens[end].end, said, catalog)
                return replace(found, guessed=matches[0].score < _EXACT)
    return reading


def _spans(
    tokens: Sequence[Token], mentions: Sequence[Mention], first: int, last: int
) -> Iterator[tuple[int, int]]:
    """The words that may be one name, the longest first; none goes over a verb or a date."""
    fixed = [m for m in mentions if m.kind in _FIXED]

    def free(place: int) -> bool:
        token = tokens[place]
        return not any(m.start < token.end and token.start < m.end for m in fixed)

    if not all(free(place) for place in range(first, last + 1)):
        return
    low, high = first, last
    while low > max(0, first - _BEFORE) and free(low - 1):
        low -= 1
    while high < min(len(tokens) - 1, last + _BEHIND) and free(high + 1):
        high += 1
    spans = [(start, end) for start in range(low, first + 1) for end in range(last, high + 1)]
    yield from sorted(spans, key=lambda span: (span[0] - span[1], span[0]))


def _meant(matches: Sequence[EntityMatch], kind: str, *, alike: bool) -> tuple[EntityRef, ...]:
    exact = [match for match in matches if match.score >= _EXACT]
    if not exact and alike and matches and matches[0].score >= _CLOSE:
        exact = [match for match in matches if match.score > matches[0].score - _AHEAD]
    return tuple(EntityRef(kind, match.entity_id, match.display) for match in exact)


def _named(
    reading: Reading, refs: tuple[EntityRef, ...], start: int, end: int, said: str, catalog: Catalog
) -> Reading:
    """What the words of the name were taken for before, they mean no more."""
    inside = {m.means for m in reading.mentions if start <= m.start and m.end <= end}
    means = " | ".join(f"{ref.kind} {ref.id}" for ref in refs)
    mention = Mention(MentionKind.OBJECT, start, end, said, means)
    others = [m for m in reading.mentions if not (start <= m.start and m.end <= end)]
    entities = tuple(ref for ref in reading.entities if f"{ref.kind} {ref.id}" not in inside)
    objects = tuple(
        many for many in reading.objects if " | ".join(f"{r.kind} {r.id}" for r in many) not in inside
    )
    kept = replace(
        reading,
        uncovered=(),
        entities=entities,
        objects=objects,
        mentions=tuple(sorted((*others, mention), key=lambda m: m.start)),
    )
    if refs[0].kind in catalog.cards:
        return replace(kept, objects=(*objects, refs))
    return replace(kept, entities=(*entities, refs[0])) if len(refs) == 1 else reading
