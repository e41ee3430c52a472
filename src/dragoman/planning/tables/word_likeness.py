"""How words are like words of names: made of each other, or the same but for a slip of the keyboard."""

from collections.abc import Collection, Iterator

from dragoman.planning.tables.ordinary_words import ordinary_stems

_CLOSE = 86.0
_SHORTEST = 4
_ENDINGS = frozenset(
    {"er", "or", "ee", "ion", "ation", "ition", "ment", "al", "y", "ity", "ive", "ance", "ence", "ist"}
    | {"ship", "s", "ed", "en", "ing", "age", "ure", "ant", "ent", "ry", "ery", "ic", "ical", "ian", "an"}
    | {"ly", "able"}
)
_COMPOUND = 0.72
_MOSTLY = 0.7
_SHORT_FORM = 5
_CUT, _CUT_SHORT = 3, 0.62


def begun_alike(word: str, others: Collection[str], *, widely: bool) -> Iterator[tuple[str, float]]:
    """Words of which one is the beginning of the other. `widely`: made of it, or short for it."""
    if len(word) < _SHORTEST:
        return
    for other in others:
        if widely and len(other) == _CUT and len(word) >= 2 * _CUT and word.startswith(other):
            # `ins_provider`: what is cut so short is no word of its own.
            if other not in ordinary_stems():
                yield other, _CUT_SHORT
            continue
        if other == word or len(other) < _SHORTEST:
            continue
        if widely and len(other) >= _SHORTEST and word.endswith(other):
            # The last part of a word says what it is: a bookstore is a store.
            yield other, _COMPOUND
            continue
        if not (other.startswith(word) or word.startswith(other)) or (widely and not _is_made(word, other)):
            continue
        yield other, 0.55 + 0.3 * min(len(word), len(other)) / max(len(word), len(other))


def _is_made(word: str, other: str) -> bool:
    """Whether the longer of two words is made of the shorter, or the name is a short form of the word."""
    shorter, longer = sorted((word, other), key=len)
    short_form = shorter == other and (len(other) >= _SHORT_FORM or other not in ordinary_stems())
    return longer[len(shorter) :] in _ENDINGS or short_form or len(shorter) >= _MOSTLY * len(longer)


def slips(word: str, others: Collection[str], *, widely: bool) -> Iterator[tuple[str, float]]:
    """Words that differ by a slip. `widely`: two letters that changed places are one."""
    if len(word) < (_SHORTEST if widely else _SHORTEST + 1) or not word.isalpha():
        return
    # Imported when a word is unknown: a slip is looked for.
    from rapidfuzz import fuzz, process

    near = process.extract(word, list(others), scorer=fuzz.ratio, score_cutoff=_CLOSE, limit=2)
    for other, score, _ in near:
        yield other, score / 100
    if near or not widely:
        return
    from rapidfuzz.distance import OSA

    for other in others:
        alike = len(other) >= _SHORTEST and other[0] == word[0]
        if alike and OSA.distance(word, other, score_cutoff=1) <= 1:
            yield other, 0.93
