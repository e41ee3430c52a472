"""What a table is called in other languages, where the dictionary has one word for it."""

from functools import cache
from typing import Final

from dragoman.databases.values import ValueIndex
from dragoman.locales.registry import every_language, language
from dragoman.locales.script import LATIN, script_of
from dragoman.locales.thesaurus import words_for
from dragoman.planning.database.planner import QuestionPlanner
from dragoman.planning.database.schema_words import SchemaWords
from dragoman.planning.pivot.choices import Choices
from dragoman.planning.tables.name_words import plain_words
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Table

_MOST: Final = 3
_PLURALS: Final = (
    ("ies", "y"),
    ("sses", "ss"),
    ("shes", "sh"),
    ("ches", "ch"),
    ("xes", "x"),
    ("ss", "ss"),
    ("s", ""),
    ("", ""),
)


class ForeignNames:
    """Finds the words of other languages that questions over one database take for a table."""

    def __init__(self, planner: QuestionPlanner) -> None:
        self._things = planner.things
        schema = SchemaWords(planner.knowledge, planner.linker)
        self._choices = {
            each.code: Choices(schema, ValueIndex(()), each.code)
            for each in every_language()
            if each.script != LATIN
        }

    def of_table(self, table: Table) -> dict[str, list[str]]:
        """By language the words that mean this table and no other, the likeliest first."""
        words = plain_words(table.info.name)
        # Of several words none alone is the name.
        if len(words) != 1 or not table.info.name.isascii():
            return {}
        found = {code: self._words(table, code, words[0]) for code in self._choices}
        return {code: words for code, words in found.items() if words}

    def _words(self, table: Table, code: str, english: str) -> list[str]:
        weights: dict[str, float] = {}
        for form in _dictionary_forms(english):
            for word, weight in words_for(code, form).items():
                weights[word] = max(weight, weights.get(word, 0.0))
        ranked = sorted(weights, key=lambda word: (-weights[word], len(word), word))
        script = language(code).script
        nouns = (word for word in ranked if all(script_of(letter) == script for letter in word))
        own = (word for word in nouns if self._means(table, code, word))
        return [word for _, word in zip(range(_MOST), own, strict=False)]

    def _means(self, table: Table, code: str, word: str) -> bool:
        choices = self._choices[code]
        best = next(iter(choices.of((word,))), None)
        return best is not None and set(choices.tables_of(best)) == {table.key}


@cache
def _dictionary_forms(word: str) -> tuple[str, ...]:
    """A word, and the singular that it may be the plural of, as a dictionary writes them."""
    old, new = next(pair for pair in _PLURALS if word.endswith(pair[0]))
    singular = word[: len(word) - len(old)] + new
    return (singular, word) if singular and stem(singular) == stem(word) else (word,)
