"""Which English words the thesaurus is about: those that name things in databases.

The words of many schemas come first. They alone would be fitted to the schemas at hand, so WordNet's own
frequent nouns for things that databases hold come with them, and no word of a single schema counts.
"""

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Final

from benchmarks.questions_data import is_held_out
from tools.thesaurus.wordnet import Synset, WordNet

SCHEMAS_OF_A_WORD: Final = 2
"""In so many databases at least must a word be found."""

TAGGED: Final = 4
"""So often at least must a noun be found in WordNet's tagged texts."""

FIELDS: Final = frozenset({4, 6, 10, 14, 15, 18, 21, 23, 28})
"""Acts, artifacts, communication, groups, places, persons, possessions, quantities and times."""

_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_LEAST_LETTERS: Final = 3
_ENDINGS: Final = {
    "n": (
        ("ies", "y"),
        ("ses", "s"),
        ("xes", "x"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("s", ""),
    ),
    "v": (("ies", "y"), ("es", "e"), ("s", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "a": (),
}


def vocabulary(wordnet: WordNet, databases: Path) -> frozenset[str]:
    return frozenset(_of_schemas(wordnet, databases)) | frozenset(_of_texts(wordnet))


def _of_schemas(wordnet: WordNet, databases: Path) -> Iterator[str]:
    schemas: dict[str, set[str]] = defaultdict(set)
    for path in sorted(databases.glob("*.sqlite")):
        if not is_held_out(path.stem):
            for word in _schema_words(path):
                for base in _bases(wordnet, word):
                    schemas[base].add(path.stem)
    yield from (word for word, found in schemas.items() if len(found) >= SCHEMAS_OF_A_WORD)


def _schema_words(path: Path) -> set[str]:
    """The words of the names of tables and columns, and pairs of words that follow each other."""
    found: set[str] = set()
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
        rows = database.execute(
            "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'"
        )
        for name in {name for row in rows for name in row}:
            words = [word.lower() for word in _WORDS.findall(name)]
            found.update(words)
            found.update(f"{first} {second}" for first, second in pairwise(words))
    return found


def _bases(wordnet: WordNet, form: str) -> set[str]:
    """The dictionary forms of a word: orders is order, taught is teach."""
    if len(form) < _LEAST_LETTERS:
        return set()
    found = {form} if any((form, part) in wordnet.senses for part in _ENDINGS) else set()
    for part, endings in _ENDINGS.items():
        bases = [form.removesuffix(ending) + base for ending, base in endings if form.endswith(ending)]
        candidates = (wordnet.irregular.get((form, part), ""), *bases)
        if base := next((each for each in candidates if (each, part) in wordnet.senses), ""):
            found.add(base)
    return found


def _of_texts(wordnet: WordNet) -> Iterator[str]:
    for (word, part), senses in wordnet.senses.items():
        if (
            part == "n"
            and len(word) >= _LEAST_LETTERS
            and wordnet.tagged((word, part)) >= TAGGED
            and _is_kind_of_thing(wordnet.synsets[senses[0]])
        ):
            yield word


def _is_kind_of_thing(synset: Synset) -> bool:
    """Not one thing with its own name, as Vermont: that is a value."""
    return synset.field in FIELDS and not any(each.symbol == "@i" for each in synset.pointers)
