"""Words that belong together in the language of data, and pairs that do not, written down by hand."""

from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import NamedTuple


class Pair(NamedTuple):
    first: str
    second: str
    weight: int


def grouped(path: Path) -> Iterator[Pair]:
    """The pairs of a file of groups: `80 coupon voucher`, or `75 teacher instructor : teach`."""
    for line in _lines(path):
        weight, _, rest = line.partition(" ")
        before, parts, after = (_words(part) for part in rest.partition(":"))
        pairs = product(before, after) if parts else combinations(before, 2)
        yield from (Pair(first, second, int(weight)) for first, second in pairs if first != second)


def translated(path: Path, code: str, weight: int) -> Iterator[Pair]:
    """The words of a language with the English ones: `coupon | ru купон | de gutschein coupon`."""
    for line in _lines(path):
        english, *others = (_words(part) for part in line.split("|"))
        for own, *words in others:
            if own == code:
                yield from (Pair(word, english[0], weight) for word in words)


def stopped(path: Path) -> frozenset[frozenset[str]]:
    """Pairs, and single words that are near nothing."""
    return frozenset(frozenset(_words(line)) for line in _lines(path))


def _words(text: str) -> list[str]:
    return [word.replace("_", " ") for word in text.split()]


def _lines(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line
