"""What people type when they mean a name: the name, its beginning, a slip, its words in another order."""

import random
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Final

from dragoman.entities.entity_name import bones_of, squashed, words_of

LEAST_LETTERS: Final = 5
TWO_SLIPS: Final = 10
"""From so many letters on, half of the slips come in pairs."""

_LATIN: Final = "abcdefghijklmnopqrstuvwxyz"
_CYRILLIC: Final = "абвгдежзиклмнопрстуфхцчшщыьэюя"
_JAMO: Final = ((0x1100, 0x1112), (0x1161, 0x1175), (0x11A8, 0x11C2))
_HANGUL: Final = re.compile("[가-힣]")
_LETTERS: Final = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
        "a,b,v,g,d,e,e,zh,z,i,y,k,l,m,n,o,p,r,s,t,u,f,kh,ts,ch,sh,shch,,y,,e,yu,ya".split(","),  # noqa: SIM905
        strict=True,
    )
)

Maker = Callable[[str], str | None]
"""Makes a query of a name, or None of a name that it cannot be made of."""


class Queries:
    """Makes queries of each kind, for a known set of names."""

    def __init__(self, names: Sequence[str], chance: random.Random) -> None:
        self._chance = chance
        self._sorted = sorted(squashed(bones_of(name)) for name in names)
        self._present = frozenset(self._sorted)
        self._written = frozenset("".join(words_of(name)) for name in names)
        self.kinds: dict[str, Maker] = {
            "exact": lambda name: name,
            "prefix": self.beginning,
            "typo": self.slip,
            "token swap": self.swap,
        }
        self.spoken: dict[str, Maker] = {
            "other script": transliterated,
            "no legal form": self.without_form,
        }

    def is_present(self, text: str) -> bool:
        return squashed(bones_of(text)) in self._present

    def _is_written(self, text: str) -> bool:
        return "".join(words_of(text)) in self._written

    def beginning(self, name: str) -> str | None:
        """The least part of the name, but more than half, with which at most five names begin; no name that
        there is."""
        for length in range(len(name) * 6 // 10, len(name)):
            begun = squashed(bones_of(name[:length]))
            if len(begun) >= LEAST_LETTERS - 1 and 0 < self._beginning_with(begun) <= 5:
                return None if begun in self._present else name[:length]
        return None

    def _beginning_with(self, begun: str) -> int:
        return bisect_left(self._sorted, begun + "\U0010ffff") - bisect_left(self._sorted, begun)

    def slip(self, name: str) -> str | None:
        """The name with one or two letters put in, left out, changed or exchanged; no name that there is."""
        letters = sum(map(len, words_of(name)))
        if letters < LEAST_LETTERS:
            return None
        text = self._edited(name)
        if letters >= TWO_SLIPS and self._chance.random() < 0.5:
            text = self._edited(text)
        return None if self.is_present(text) else text

    def _edited(self, name: str) -> str:
        """One slip. In Hangul it is a letter of a syllable that changes, as it does on a keyboard."""
        characters = list(unicodedata.normalize("NFD", name) if _HANGUL.search(name) else name)
        place = self._chance.choice([index for index, letter in enumerate(characters) if letter.isalpha()])
        letter = characters[place]
        jamo = next((extent for extent in _JAMO if extent[0] <= ord(letter) <= extent[1]), None)
        if jamo is not None:
            characters[place] = chr(self._chance.randint(*jamo))
            return unicodedata.normalize("NFC", "".join(characters))
        other = self._chance.choice(_CYRILLIC if letter.lower() in _CYRILLIC + "йё" else _LATIN)
        match self._chance.randrange(4):
            case 0:
                characters[place] = other
            case 1:
                characters[place] = ""
            case 2:
                characters[place] = letter + other
            case _ if place + 1 < len(characters):
                characters[place : place + 2] = characters[place + 1], letter
        return "".join(characters)

    def swap(self, name: str) -> str | None:
        words = name.split()
        if len(words) < 2:
            return None
        place = self._chance.randrange(1, len(words))
        text = " ".join(words[place:] + words[:place])
        return None if self._is_written(text) else text

    def without_form(self, name: str) -> str | None:
        """The name of a company as people say it; no name that is written so."""
        core = re.sub(r"^(?:ООО|АО|ПАО|ЗАО|ИП) |[«»\"]|\(주\)|㈜|주식회사|유한회사", "", name)
        core = re.sub(r" (?:Ltd\.?|LLC|Inc\.?|GmbH|AG|S\.A\.|PLC|B\.V\.|Corp\.)$", "", core).strip()
        return None if core == name or self._is_written(core) else core


def transliterated(name: str) -> str | None:
    """A Cyrillic name in Latin letters, in one of the usual ways."""
    if not any(letter in _LETTERS for letter in name.lower()):
        return None
    return "".join(_LETTERS.get(letter, letter) for letter in name.lower()).title()
