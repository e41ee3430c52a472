"""Rows for the tests: a few companies that are easy to mistake, and as many others as a test needs."""

import random
from collections.abc import Iterable, Iterator

from dragoman.entities import EntityIndex, EntityIndexConfig, EntityRow, SearchKey

CONFIG = EntityIndexConfig(
    "company", (SearchKey("name"), SearchKey("alias", 0.9)), ("country", "kind"), create_verb="company.create"
)

_SYLLABLES = ("al", "be", "cor", "den", "el", "fa", "gor", "hi", "in", "ka", "lo", "mar", "nor", "os", "per")
_WORDS = ("Trading", "Capital", "Logistics", "Трейд", "Строй", "무역", "건설", "Group", "Holding", "Foods")
_FORMS = ("Ltd", "LLC", "GmbH", "ООО", "АО", "주식회사", "")


def row(key: str, name: str, *aliases: str, **discriminators: str) -> EntityRow:
    return EntityRow(key, name, (name, *aliases), discriminators)


def rows_of(names: Iterable[str]) -> list[EntityRow]:
    return [row(f"k{number}", name) for number, name in enumerate(names)]


def index_of(*names: str) -> EntityIndex:
    """An index in memory; the keys are k0, k1 and so on."""
    return EntityIndex.in_memory(CONFIG, rows_of(names))


def made_up(count: int, seed: int = 1) -> Iterator[str]:
    """Different names of companies."""
    chance = random.Random(seed)
    seen: set[str] = set()
    while len(seen) < count:
        stem = "".join(chance.choice(_SYLLABLES) for _ in range(chance.randint(2, 4))).capitalize()
        name = " ".join(filter(None, (stem, chance.choice(_WORDS), chance.choice(_FORMS))))
        if name not in seen:
            seen.add(name)
            yield name
