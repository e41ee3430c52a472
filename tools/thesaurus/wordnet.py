"""WordNet's own files, as far as the thesaurus needs them: senses by frequency, synsets, pointers."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple, Self

PARTS: Final = {"noun": "n", "verb": "v", "adj": "a"}
"""WordNet's names of its files, and the letter that stands for each part of speech."""

_TYPES: Final = {"1": "n", "2": "v", "3": "a", "5": "a"}
"""How sense keys write parts of speech; 5 is an adjective that belongs to another."""

Key = tuple[str, str]
"""A synset: its place in the file, and the part of speech. Or a word and its part of speech."""


class Pointer(NamedTuple):
    """A relation to another synset. Between two words of the synsets where the places are not 0."""

    symbol: str
    target: Key
    own_place: int
    target_place: int


class Synset(NamedTuple):
    field: int
    """Which of WordNet's lexicographer files it is in: 18 are persons, 21 possessions."""
    words: tuple[str, ...]
    pointers: tuple[Pointer, ...]


class WordNet(NamedTuple):
    synsets: Mapping[Key, Synset]
    senses: Mapping[Key, tuple[Key, ...]]
    """The synsets of a word, the most frequent sense first."""
    tags: Mapping[Key, Mapping[int, int]]
    """How often each sense of a word (from 1) was met in WordNet's tagged texts."""
    irregular: Mapping[Key, str]
    """Base forms of irregular forms."""

    @classmethod
    def read(cls, folder: Path) -> Self:
        synsets: dict[Key, Synset] = {}
        senses: dict[Key, tuple[Key, ...]] = {}
        irregular: dict[Key, str] = {}
        for name, part in PARTS.items():
            synsets.update(_synsets(folder / f"data.{name}", part))
            senses.update(_senses(folder / f"index.{name}", part))
            for line in _lines(folder / f"{name}.exc"):
                form, base, *_ = line.split()
                irregular[form, part] = base
        return cls(synsets, senses, _tags(folder / "cntlist.rev"), irregular)

    def tagged(self, word: Key) -> int:
        return sum(self.tags.get(word, {}).values())


def _lines(path: Path) -> Iterator[str]:
    """The lines of a file after the licence, whose lines begin with a space."""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if line and not line.startswith(" "):
            yield line


def _synsets(path: Path, part: str) -> Iterator[tuple[Key, Synset]]:
    for line in _lines(path):
        place, field, _, count, *rest = line.partition(" | ")[0].split()
        size = int(count, 16) * 2
        words = tuple(_plain(word) for word in rest[:size:2])
        yield (place, part), Synset(int(field), words, tuple(_pointers(rest[size:])))


def _pointers(written: list[str]) -> Iterator[Pointer]:
    count, *rest = written
    for start in range(0, int(count) * 4, 4):
        symbol, place, part, words = rest[start : start + 4]
        target = (place, "a" if part == "s" else part)
        yield Pointer(symbol, target, int(words[:2], 16), int(words[2:], 16))


def _plain(word: str) -> str:
    """A word without the mark of where an adjective may be used, as `galore(ip)`."""
    return word.partition("(")[0].replace("_", " ").lower()


def _senses(path: Path, part: str) -> Iterator[tuple[Key, tuple[Key, ...]]]:
    for line in _lines(path):
        word, _, count, *rest = line.split()
        places = rest[-int(count) :]
        yield (word.replace("_", " "), part), tuple((place, part) for place in places)


def _tags(path: Path) -> dict[Key, dict[int, int]]:
    found: dict[Key, dict[int, int]] = defaultdict(dict)
    for line in _lines(path):
        sense_key, rank, count = line.split()
        word, _, sense = sense_key.partition("%")
        if part := _TYPES.get(sense[0]):
            found[word.replace("_", " "), part][int(rank)] = int(count)
    return dict(found)
