"""A name as it is read: its core, its legal forms and its skeleton."""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from dragoman.entities.folded_names import LONGEST, clean, fold, fold_all, join_letters, plain
from dragoman.entities.legal_forms import core_of, part, part_anywhere
from dragoman.entities.skeleton import skeleton
from dragoman.entities.vocabulary import table

LONGEST_SKELETON: Final = 240
"""A skeleton is measured by this many letters; whether long names are the same is decided by the whole."""

_LEAST_SYLLABLES: Final = 2
_PARTICLE: Final = 0.5
_MISPLACED: Final = 0.5


class Name(NamedTuple):
    core: list[str]
    forms: frozenset[str]
    skeleton: str

    @property
    def joined(self) -> str:
        return "".join(self.core)


class Wanted(NamedTuple):
    """A text that names an entity, in one of the ways it can be read."""

    plain: str
    name: Name
    squashed: str
    stem: str
    """All words but the last, and the first letter of that: what stays whichever sound is cut."""
    words: frozenset[str]
    sorted: str
    penalty: float


def read_name(text: str) -> Name:
    return _name(*part(words_of(text)))


def bones_of(text: str) -> str:
    """The skeleton of a name alone."""
    return bones_of_all((text,))[0]


def bones_of_all(texts: Sequence[str]) -> list[str]:
    """The skeletons of many names, which takes less time than one after another."""
    cut = [text if len(text) <= LONGEST else text[:LONGEST] for text in texts]
    found = []
    for words, text in zip(fold_all(cut), cut, strict=True):
        if not words or 1 in map(len, words):
            words = _settled(words, text)
        bones = skeleton(core_of(words))
        found.append(bones if len(bones) <= LONGEST_SKELETON else bones[:LONGEST_SKELETON])
    return found


def words_of(text: str) -> list[str]:
    """The folded words of a name. A name of nothing but punctuation is one word, as it is written."""
    text = text[:LONGEST]
    return _settled(fold(text), text)


def _settled(words: list[str], text: str) -> list[str]:
    if not words:
        written = plain(text)
        return [written] if written else []
    if len(words) > 1 and 1 in map(len, words):
        return join_letters(words)
    return words


def squashed(bones: str) -> str:
    return bones.replace(" ", "")


def in_order(bones: str) -> str:
    """The words of a skeleton in the order of the alphabet, which says nothing of how they stood."""
    return "".join(sorted(bones.split(" ")))


def readings(text: str) -> tuple[Wanted, ...]:
    """The ways to read a text: as it is, without a particle that Korean hangs on the name, and without
    legal forms that stand where no name has them, as they do when words have changed places."""
    text = clean(text)
    name = read_name(text)
    if not name.core:
        return ()
    found = [_wanted(text, name, 0.0)]
    bare = _without_particle(name.core[-1])
    if bare is not None:
        found.append(_wanted(text, _name([*name.core[:-1], bare], name.forms), _PARTICLE))
    core, forms = part_anywhere(name.core)
    if forms:
        found.append(_wanted(text, _name(core, name.forms | forms), _MISPLACED))
    return tuple(found)


def _name(core: list[str], forms: frozenset[str]) -> Name:
    return Name(core, forms, skeleton(core)[:LONGEST_SKELETON])


def _wanted(text: str, name: Name, penalty: float) -> Wanted:
    bones = name.skeleton
    before, _, last = bones.rpartition(" ")
    return Wanted(
        plain(text),
        name,
        squashed(bones),
        squashed(before) + last[:1],
        frozenset(bones.split(" ")),
        in_order(bones),
        penalty,
    )


@cache
def _particles() -> tuple[str, ...]:
    return tuple(table("particles"))


def _without_particle(word: str) -> str | None:
    if not "가" <= word[-1] <= "힣":
        return None
    particle = next((particle for particle in _particles() if word.endswith(particle)), None)
    if particle is None or len(word) - len(particle) < _LEAST_SYLLABLES:
        return None
    return word.removesuffix(particle)
