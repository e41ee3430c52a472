"""Words that were written as one inside of names, and words that were cut short."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

from dragoman.contracts.record import Record

LONGEST = 30
_MOST_PARTS = 4
_LONGEST_BEGINNING = 4
_KNOWN, _DICTIONARY, _BEGINNING, _LETTER = 1.0, 1.3, 1.25, 1.6
"""What a part costs: a word of databases, any other word, the beginning of a table's name, one letter."""
_ENDINGS = frozenset({"age", "able", "less", "ship", "man", "men", "or", "ess", "ing", "red", "ate", "ion"})
"""Words that stand at the end of other words by chance."""
_KEYS = frozenset({"id", "no", "nr"})
_SHORTEST, _SHORTEST_OF_DICTIONARY = 2, 4


class NameWords(Record, frozen=True):
    """What names of one database are made of."""

    known: AbstractSet[str]
    """Words of databases, those of this one among them."""
    short: Mapping[str, tuple[str, ...]]
    """What abbreviations stand for."""
    dictionary: AbstractSet[str]


def written_apart(word: str, words: NameWords, near: Sequence[str] = ()) -> tuple[str, ...]:
    """The words that a word is made of: `hiredate`, `clublocation`, `stuid`; none where it is not made of
    words. `near`: the names of tables that it may begin with cut short: the `pname` of projects."""
    if len(word) > LONGEST:
        return ()
    found = _cheapest(word, words, tuple(near), _MOST_PARTS)
    return found[1] if found is not None and len(found[1]) > 1 else ()


def _cheapest(
    word: str, words: NameWords, near: tuple[str, ...], most: int
) -> tuple[float, tuple[str, ...]] | None:
    """The fewest parts, words of databases before others. A beginning that was cut short comes first only."""
    if most == 0:
        return None
    best: tuple[float, tuple[str, ...]] | None = None
    for cut in range(1, len(word) + 1):
        part = _part(word[:cut], words, last=cut == len(word), first=most == _MOST_PARTS)
        if part is None and most == _MOST_PARTS and (len(word) - cut > _SHORTEST or word[cut:] in _KEYS):
            part = _beginning(word[:cut], near)
        if part is None or (best is not None and part[0] >= best[0]):
            continue
        if cut == len(word):
            rest: tuple[float, tuple[str, ...]] | None = (0.0, ())
        else:
            rest = _cheapest(word[cut:], words, (), most - 1)
        if rest is not None and (best is None or part[0] + rest[0] < best[0]):
            best = (part[0] + rest[0], (*part[1], *rest[1]))
    return best


def _part(text: str, words: NameWords, *, last: bool, first: bool) -> tuple[float, tuple[str, ...]] | None:
    if len(text) < _SHORTEST or (last and not first and text in _ENDINGS):
        return None
    written = words.short.get(text)
    if written:
        return _KNOWN, written
    if text in words.known:
        return _KNOWN, (text,)
    if len(text) >= _SHORTEST_OF_DICTIONARY and text in words.dictionary:
        return _DICTIONARY, (text,)
    return None


def _beginning(text: str, near: Iterable[str]) -> tuple[float, tuple[str, ...]] | None:
    if len(text) > _LONGEST_BEGINNING:
        return None
    whole = next((each for each in near if each.startswith(text)), None)
    if whole is None:
        return None
    return (_LETTER if len(text) == 1 else _BEGINNING), (whole,)


@lru_cache(maxsize=16384)
def is_cut_short(text: str, whole: str) -> bool:
    """Whether a text is a word without its end, or without letters inside of it: stor, plyr."""
    if not 2 <= len(text) < len(whole) or text[0] != whole[0]:
        return False
    if whole.startswith(text):
        return True
    if len(text) < 3 or any(letter in "aeiou" for letter in text[1:]):
        return False
    rest = iter(whole)
    return all(letter in rest for letter in text)
