"""Which English words are near each other, and how near."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Set
from typing import Final

from tools.thesaurus.groups import Pair
from tools.thesaurus.wordnet import PARTS, Key, Pointer, WordNet

SAME: Final = 80
DERIVED: Final = 75
KIND: Final = 60
"""Hundredths: one synset, one word made of the other, one a kind of the other."""

MOST_SENSES: Final = 3
MOST_KINDS: Final = 25
"""A synset with more kinds than that (person, device) says nothing about any of them."""

_DERIVED: Final = ("+", "\\")
"""Made of another word; an adjective that belongs to a noun."""
_KINDS: Final = ("@", "~", "=")
"""More general, less general, and what an adjective is a value of: old is one of age."""

_LEAST_PART: Final = 0.15
_PREFERRED: Final = 2
_LEAST_SHARE: Final = 0.1
_GOOD_SHARE: Final = 0.25
_LEAST_TAGS: Final = 5
_LESS_FREQUENT: Final = 0.9
_LEAST_LETTERS: Final = 3

Near = dict[str, dict[str, int]]


def near_words(
    wordnet: WordNet, words: Collection[str], pairs: Iterable[Pair], stopped: Set[frozenset[str]]
) -> Near:
    """For each word what is near it, in hundredths; both ways. `pairs` come on top of what WordNet has, and
    `stopped` takes away from it: pairs, and single words."""
    found: Near = defaultdict(dict)
    for word in sorted(words):
        for other, weight in _neighbours(wordnet, word, words):
            names = {frozenset((word, other)), frozenset((word,)), frozenset((other,))}
            if weight and other != word and said(word) and said(other) and not names & stopped:
                _add(found, Pair(word, other, weight))
    for pair in pairs:
        _add(found, pair)
    return dict(found)


def _add(found: Near, pair: Pair) -> None:
    first, second, weight = pair
    found[first][second] = found[second][first] = max(weight, found[first].get(second, 0))


def _neighbours(wordnet: WordNet, word: str, words: Collection[str]) -> Iterator[tuple[str, int]]:
    for part in PARTS.values():
        for key, frequency in frequent(wordnet, (word, part)):
            synset = wordnet.synsets[key]
            for other in synset.words:
                if weight := _used(wordnet, (other, part), key, words):
                    yield other, round(SAME * frequency * weight)
            for pointer in synset.pointers:
                yield from _pointed(wordnet, word, key, pointer, words)


def _pointed(
    wordnet: WordNet, word: str, own: Key, pointer: Pointer, words: Collection[str]
) -> Iterator[tuple[str, int]]:
    """The words that a relation of a sense leads to. A word is made of another one in any of their frequent
    senses; kinds are looked at in first senses only, since a kind of a rare sense is a riddle."""
    synset, target = wordnet.synsets[own], wordnet.synsets.get(pointer.target)
    if target is None:
        return
    part = pointer.target[1]
    if pointer.symbol in _DERIVED and synset.words[pointer.own_place - 1] == word:
        other = target.words[pointer.target_place - 1]
        if wordnet.tagged((other, part)) or other in words:
            yield other, round(DERIVED * _frequency(wordnet, (other, part), pointer.target))
    elif pointer.symbol in _KINDS and _is_first(wordnet, (word, own[1]), own):
        general = synset if pointer.symbol == "~" else target
        if sum(each.symbol == "~" for each in general.pointers) <= MOST_KINDS:
            near = [other for other in target.words if _is_first(wordnet, (other, part), pointer.target)]
            yield from ((other, KIND) for other in near if other in words or part == "a")


def frequent(wordnet: WordNet, word: Key) -> Iterator[tuple[Key, float]]:
    """The senses of a word that people mean by it, with a factor for how often they do."""
    for key in wordnet.senses.get(word, ())[:MOST_SENSES]:
        if frequency := _frequency(wordnet, word, key):
            yield key, frequency


def _used(wordnet: WordNet, word: Key, sense: Key, words: Collection[str]) -> float:
    """How frequent a sense of a neighbour is. What nobody writes is not worth a line: only plain nouns are
    kept without a text that has them."""
    is_plain = word[1] == "n" and " " not in word[0] and "-" not in word[0]
    is_known = is_plain or word[0] in words or wordnet.tagged(word) > 0
    return _frequency(wordnet, word, sense) if is_known else 0.0


def _is_first(wordnet: WordNet, word: Key, sense: Key) -> bool:
    return wordnet.senses.get(word, (None,))[0] == sense and bool(_frequency(wordnet, word, sense))


def _frequency(wordnet: WordNet, word: Key, sense: Key) -> float:
    """1 for the first sense, and for each early one of a word that is too rare to put its senses in order.
    0 where a word is hardly ever that part of speech: nobody who says "school" means the verb."""
    senses = wordnet.senses.get(word, ())[:MOST_SENSES]
    if sense not in senses or not _is_part(wordnet, word):
        return 0.0
    rank, tagged = senses.index(sense) + 1, wordnet.tagged(word)
    share = wordnet.tags.get(word, {}).get(rank, 0) / tagged if tagged else 1.0
    if rank == 1 or tagged < _LEAST_TAGS or share >= _GOOD_SHARE:
        return 1.0
    return _LESS_FREQUENT if share >= _LEAST_SHARE else 0.0


def _is_part(wordnet: WordNet, word: Key) -> bool:
    """Whether people use a word as that part of speech. What is a noun is the noun in a schema, unless texts
    clearly prefer the verb or the adjective."""
    counts = {part: wordnet.tagged((word[0], part)) for part in PARTS.values()}
    if word[1] != "n" and (word[0], "n") in wordnet.senses:
        return counts[word[1]] > _PREFERRED * counts["n"]
    total = sum(counts.values())
    return total < _LEAST_TAGS or counts[word[1]] / total >= _LEAST_PART


def said(word: str) -> bool:
    """Whether a word is one that people say of data: letters, and a space or a hyphen at most."""
    plain = word.replace(" ", "").replace("-", "")
    return len(plain) >= _LEAST_LETTERS and plain.isascii() and plain.isalpha() and word.count(" ") <= 1
