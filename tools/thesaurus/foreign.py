"""English words for the words of other languages, through the synsets that both belong to."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Final

from tools.thesaurus.groups import Pair
from tools.thesaurus.near import said
from tools.thesaurus.wordnet import PARTS, Key, WordNet

Table = dict[str, dict[str, int]]

BY_RANK: Final = (90, 80, 75, 70, 65, 65, 60)
"""Hundredths for the first senses of an English word. More of them than for near words: the foreign word says
which one is meant, and an order that is bought is the seventh sense of order."""

OWN: Final = 95
"""For words of our own: somebody has looked at them."""

NAME: Final = 90
MOST_WORDS: Final = 8
MOST_NAMES: Final = 2
"""The first words of a synset are the usual ones: Germany comes before Federal Republic of Germany."""

LEAST: Final = 60
_RARE: Final = 15
"""So much less for a sense that is hardly ever met in texts, or for a part of speech that is."""

_MOST_MOVED: Final = 20
_LEAST_SHARE: Final = 0.1
_LEAST_TAGS: Final = 5


def translations(
    wordnet: WordNet,
    table: Path,
    words: Collection[str],
    pairs: Iterable[Pair],
    written: Callable[[str], str],
) -> Table:
    """The English words for each word of a table, at most `MOST_WORDS` of them. `pairs` of a foreign and an
    English word come on top. `written` gives the one spelling that a language's words are looked up in."""
    found: Table = defaultdict(dict)
    meant = _meant(wordnet, words)
    through = (Pair(lemma, *each) for key, lemma in _rows(wordnet, table) for each in meant.get(key, ()))
    for lemma, word, weight in through:
        near = found[written(lemma)]
        near[word] = max(weight, near.get(word, 0))
    return with_pairs(found, pairs, written)


def with_pairs(table: Table, pairs: Iterable[Pair], written: Callable[[str], str]) -> Table:
    """A table with further pairs of a foreign and an English word."""
    found: Table = defaultdict(dict, table)
    for lemma, word, weight in pairs:
        near = found[written(lemma)]
        near[word] = max(weight, near.get(word, 0))
    return {lemma: _best(near) for lemma, near in found.items()}


def names(wordnet: WordNet, table: Path, written: Callable[[str], str]) -> Table:
    """The English names for each name of a table: of countries and languages."""
    found: Table = defaultdict(dict)
    for key, lemma in _rows(wordnet, table):
        usual = wordnet.synsets[key].words[:MOST_NAMES]
        found[written(lemma)].update({word: NAME for word in usual if said(word)})
    return {lemma: near for lemma, near in found.items() if near}


def _best(near: dict[str, int]) -> dict[str, int]:
    return dict(sorted(near.items(), key=lambda each: (-each[1], each[0]))[:MOST_WORDS])


def _meant(wordnet: WordNet, words: Collection[str]) -> dict[Key, list[tuple[str, int]]]:
    """For each synset the English words that stand for it, and how usual that is."""
    found: dict[Key, list[tuple[str, int]]] = defaultdict(list)
    for word in sorted(words):
        for part in PARTS.values():
            for key, weight in _weighed(wordnet, (word, part)):
                found[key].append((word, weight))
    return found


def _weighed(wordnet: WordNet, word: Key) -> Iterator[tuple[Key, int]]:
    tagged = wordnet.tagged(word)
    everywhere = sum(wordnet.tagged((word[0], part)) for part in PARTS.values())
    for rank, (key, weight) in enumerate(zip(wordnet.senses.get(word, ()), BY_RANK, strict=False), 1):
        share = wordnet.tags.get(word, {}).get(rank, 0)
        rare_sense = tagged >= _LEAST_TAGS and share < _LEAST_SHARE * tagged
        rare_part = everywhere >= _LEAST_TAGS and tagged < _LEAST_SHARE * everywhere
        weight -= _RARE * (rare_sense + rare_part)
        if weight >= LEAST:
            yield key, weight


def _rows(wordnet: WordNet, table: Path) -> Iterator[tuple[Key, str]]:
    """The synsets and words of a file of the Open Multilingual Wordnet."""
    for line in table.read_text(encoding="utf-8").splitlines():
        synset, _, rest = line.partition("\t")
        kind, _, lemma = rest.partition("\t")
        if kind.endswith(":lemma") and lemma and (key := _key(wordnet, synset)):
            yield key, lemma.strip()


def _key(wordnet: WordNet, synset: str) -> Key | None:
    """The synset with a place in WordNet's files. Debian corrects a few words in its copy of them, which
    moves what follows by a few letters; no synset is as short as that."""
    place, _, part = synset.partition("-")
    places = (f"{int(place) + moved:08}" for moved in range(_MOST_MOVED + 1))
    return next((key for each in places if (key := (each, part)) in wordnet.synsets), None)
