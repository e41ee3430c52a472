"""English words for a word of another language, those first that the database knows."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import Any, Final

from msgspec.structs import replace

from dragoman.contracts.record import Record
from dragoman.databases.values import ValueIndex
from dragoman.locales.registry import FALLBACK, language
from dragoman.locales.thesaurus import kin_of, names, translations
from dragoman.planning.database.schema_words import SchemaWords
from dragoman.planning.pivot.sounds import SoundIndex
from dragoman.planning.tables.name_words import plain_words
from dragoman.planning.tables.words import stem, tokens_of

_UNNAMED: Final = 0.35
"""What a word is worth that nothing in the database is called by, beside one that is a name there."""
_UNDERSTOOD: Final = 0.8
"""What it is worth where questions are made of it and somebody has chosen it: revenue needs no column."""
_CHOSEN: Final = 0.95
_VALUE: Final = 0.75
"""What a whole value is worth, beside a name."""
_TABLE: Final = 0.02
_OTHER_LEMMA: Final = 0.06
"""So much less for each lemma that is less likely."""
_JOINED: Final = 0.85
_NAME: Final = 0.05
_HARDLY: Final = 0.5
"""A word that names nothing better than this may be a value instead."""
_KIN: Final = 0.7
_NEAR: Final = 0.08
"""So much more for what is near the other words: the kind of a penguin is its species."""
_SURELY: Final = 0.8
_LOAN: Final = 65.0
"""How like the word of a schema a loan word has to be written, of 100."""
_SPOKEN: Final = 0.05
"""So much more for a word that questions are made of: revenue is asked for, receipts are not."""


class Choice(Record, frozen=True):
    """An English word, what it is worth here, and the tables and columns that it may name."""

    english: str
    worth: float
    things: frozenset[int] = frozenset()
    is_value: bool = False


class Choices:
    """Chooses among English words by what one database has."""

    def __init__(self, schema: SchemaWords, values: ValueIndex, code: str) -> None:
        self._schema = schema
        self._values = values
        self._code = code
        self._named = lru_cache(maxsize=4096)(self._names)

    def of(self, lemmas: Iterable[str]) -> tuple[Choice, ...]:
        """The words for a form that may be one of several lemmas, the likeliest first."""
        found: dict[str, float] = {}
        for place, lemma in enumerate(lemmas):
            called = names(self._code, lemma)
            for english, weight in translations(self._code, lemma).items():
                # A country is written as a name is.
                said, more = (english.title(), _NAME) if english in called else (english, 0.0)
                found[said] = max(found.get(said, 0.0), weight + more - _OTHER_LEMMA * place)
        chosen = [self._weighed(each, weight + _SPOKEN * _is_spoken(each)) for each, weight in found.items()]
        # Of equal words the shortest is the plainest.
        return tuple(sorted(chosen, key=lambda each: (-each.worth, len(each.english), each.english)))

    def has_word(self, form: str) -> bool:
        """Whether there are English words for a form."""
        return bool(translations(self._code, form))

    def kept(self, word: str) -> tuple[Choice, ...]:
        """A word of the message that is English already, where it is one of a name: id."""
        choice = self._weighed(word, 1.0)
        return (choice,) if choice.things else ()

    def kin(self, lemmas: Iterable[str]) -> tuple[Choice, ...]:
        """The words for a lemma that no dictionary has, through one that begins alike: of a market, market.
        Only what the schema has a name for is taken: that much is a guess."""
        found = self.of(kin for lemma in lemmas for kin in kin_of(self._code, lemma))
        return tuple(replace(each, worth=each.worth * _KIN) for each in found if each.things)

    def named_by_pack(self, lemmas: Iterable[str], best: Choice | None = None) -> str | None:
        """The table or column that a pack calls by one of these words; None where the `best` word of the
        dictionary means that table anyway."""
        things = self._schema.knowledge.things
        for lemma in lemmas:
            if lemma.isascii():
                continue
            tables = [things.all[number] for number, _ in things.aliases.get(stem(lemma), ())]
            tables = [thing for thing in tables if thing.column is None]
            if tables and best is not None and set(self.tables_of(best)) == {tables[0].table.key}:
                return None
            if tables:
                return tables[0].table.name.replace("_", " ")
            for number in things.also.get(stem(lemma), ()):
                column = things.all[number].column
                if column is not None:
                    return " ".join(plain_words(column.info.name)) or column.name
        return None

    def heard(self, spellings: Sequence[str]) -> Choice | None:
        """The word of a name in the schema that one of these Latin spellings sounds like: a loan word."""
        word = self._sounds.like(spellings, least=_LOAN)
        return None if word is None else self._weighed(word, 1.0)

    @cached_property
    def _sounds(self) -> SoundIndex:
        things = self._schema.knowledge.things.all
        names = (each.table.info.name if each.column is None else each.column.info.name for each in things)
        return SoundIndex([word for name in names for word in plain_words(name)])

    def joined(self, first: Choice, second: Choice) -> bool:
        """Whether two words together name one column or table."""
        if not first.things & second.things:
            return False
        tokens = tokens_of(f"{first.english} {second.english}")
        named = self._schema.links(tokens).named.get(0, ())
        return any(each.end == len(tokens) and each.score >= _JOINED for each in named)

    def _weighed(self, english: str, weight: float) -> Choice:
        things, best, table = self._named(english)
        place = next(iter(self._values.exactly(english)), None) if best < _HARDLY else None
        known = max(best + _TABLE * table, _VALUE * (place is not None))
        said = english if place is None else place.value
        least = _UNDERSTOOD if weight >= _CHOSEN and _is_spoken(english) else _UNNAMED
        return Choice(said, weight * (least + (1 - least) * known), things, place is not None)

    def near(self, found: tuple[Choice, ...], tables: Collection[tuple[str, str]]) -> tuple[Choice, ...]:
        """Choices again, those first that name something in tables that are spoken of."""
        things = self._schema.knowledge.things.all

        def worth(choice: Choice) -> float:
            inside = any(things[number].table.key in tables for number in choice.things)
            return choice.worth + _NEAR * inside

        return tuple(sorted(found, key=lambda each: (-worth(each), len(each.english), each.english)))

    def is_table(self, choice: Choice) -> bool:
        return any(self.tables_of(choice))

    def tables_of(self, choice: Choice) -> Iterator[tuple[str, str]]:
        """The tables that a word is the name of."""
        things = self._schema.knowledge.things.all
        if choice.worth >= _SURELY:
            named = (things[number] for number in sorted(choice.things))
            yield from (thing.table.key for thing in named if thing.column is None)

    def _names(self, english: str) -> tuple[frozenset[int], float, bool]:
        tokens = tokens_of(english)
        named = [each for each in self._schema.links(tokens).named.get(0, ()) if each.end == len(tokens)]
        best = max((each.score for each in named), default=0.0)
        table = any(each.thing.column is None and each.score == best for each in named)
        return frozenset(each.thing.number for each in named), best, table


@cache
def _spoken_words() -> frozenset[str]:
    """The words that the English lexicon of questions knows."""
    english = language(FALLBACK)
    documents = [english.texts(name) for name in ("questions", "analysis")]
    return frozenset(word for each in documents for text in _texts(each) for word in text.casefold().split())


def _texts(section: Any) -> Iterator[str]:
    if isinstance(section, str):
        yield section
    elif isinstance(section, Mapping):
        for key, inner in section.items():
            yield str(key)
            yield from _texts(inner)
    elif isinstance(section, Sequence):
        for inner in section:
            yield from _texts(inner)


def _is_spoken(english: str) -> bool:
    return all(word in _spoken_words() for word in english.split())
