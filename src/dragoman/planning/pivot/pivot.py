"""Which messages are read by way of English, and what their readings are in the words that were typed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from dragoman.contracts.objection import Objection
from dragoman.databases.values import ValueIndex
from dragoman.locales.language import Language
from dragoman.locales.script import script_of
from dragoman.planning.database.schema_words import SchemaWords
from dragoman.planning.pivot.grammar import grammar_of
from dragoman.planning.pivot.rendering import Rendering
from dragoman.planning.tables.day_spans import DaySpan
from dragoman.planning.tables.lexicon import others_spoken
from dragoman.planning.tables.table_reading import TableReading
from dragoman.reading.periods import PeriodMention

if TYPE_CHECKING:
    from dragoman.planning.pivot.renderer import Renderer

_RENDERED: Final = 0.92
"""How sure a reading is, of what the English question alone would be: from 0.86 on it is taken. Of 97 Russian
questions over public databases half are answered then, 94 of 100 rightly; from 0.79 on it would be 88."""


class Pivot:
    """The way to English for one database. Nothing is made for a language before it is spoken."""

    def __init__(self, schema: SchemaWords, values: ValueIndex) -> None:
        self._schema = schema
        self._values = values
        self._renderers: dict[str, Renderer | None] = {}

    def rendering(self, text: str) -> Rendering | None:
        """The message as an English question; None where it is one, or its language has no way to English."""
        for language in others_spoken(text):
            renderer = self._renderer(language)
            if renderer is not None:
                found = renderer.rendered(text)
                return found if found.text else None
        return None

    def _renderer(self, language: Language) -> "Renderer | None":
        if language.code not in self._renderers:
            # English is spoken most, and needs none.
            from dragoman.planning.pivot.renderer import Renderer

            grammar = grammar_of(language)
            renders = grammar is not None and not self._speaks(language)
            self._renderers[language.code] = (
                Renderer(language, grammar, self._schema, self._values) if renders and grammar else None
            )
        return self._renderers[language.code]

    def _speaks(self, language: Language) -> bool:
        """Whether tables or columns are called in the letters of the language: English would lose them."""
        things = self._schema.knowledge.things
        return any(
            script_of(letter) == language.script
            for thing in things.all
            if not thing.is_taught
            for letter in (thing.table.info.name if thing.column is None else thing.column.info.name)
        )


def spans_of(periods: Sequence[PeriodMention]) -> tuple[DaySpan, ...]:
    """The days of periods that leave none open."""
    found = ((each, each.days()) for each in periods)
    return tuple(
        DaySpan(each.start, each.end, each.text, days.first, days.last)
        for each, days in found
        if days is not None
    )


def typed(reading: TableReading, said: Rendering) -> TableReading:
    """A reading of the English question as one of the message: words that nothing accounts for are those that
    were typed, and what could not be rendered is among them."""
    left = tuple(dict.fromkeys((*said.unknown, *said.typed_words(reading.uncovered))))
    if reading.uncovered and not left:
        # A word that nobody typed is in the way: better to name the message than to pass over it.
        left = (said.typed.strip(),)
    score = round(reading.score * _RENDERED, 4)
    return replace(reading, score=score, uncovered=left, notes=(*reading.notes, f"read as: {said.text}"))


def typed_objection(objection: Objection, said: Rendering) -> Objection:
    """An objection to an answer of the English question, with the words that were typed."""
    return replace(objection, words=said.typed_words(objection.words))
