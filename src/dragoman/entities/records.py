"""What an entity index is told, and what it answers."""

from collections.abc import Mapping
from enum import StrEnum

from dragoman.contracts.pack import KeyType, ResolutionMode
from dragoman.contracts.record import Record


class How(StrEnum):
    """How a name was found, from the surest to the least sure."""

    KEY = "key"
    """The text is the key of the entity."""
    EXACT = "exact"
    """The same name; case, accents, width, punctuation and spaces are not looked at."""
    LEGAL_FORM = "legal_form"
    """The same name but for its legal form."""
    TRANSLITERATION = "transliteration"
    """The same name in another script."""
    SPELLING = "spelling"
    """The same sound in the same script, written in another way."""
    PREFIX = "prefix"
    """The name begins with the text."""
    TYPO = "typo"
    """A few letters are different."""
    TOKENS = "tokens"
    """The words stand in another order, or not all of them are there."""
    SIMILAR = "similar"
    """Only alike."""


class SearchKey(Record, frozen=True):
    """A column that is searched. A weight under 1 lowers the score of what is found through it."""

    column: str
    weight: float = 1.0


class EntityIndexConfig(Record, frozen=True):
    """How the entities of one type are searched for, told apart, returned and created."""

    entity_type: str
    search_keys: tuple[SearchKey, ...]
    discriminators: tuple[str, ...] = ()
    resolution_mode: ResolutionMode = ResolutionMode.SEARCH_MODAL
    return_key_type: KeyType = KeyType.CODE
    create_verb: str = ""
    """The verb that makes a new entity of this type, if there is one."""

    def weight(self, position: int) -> float:
        """The weight of a row's name: of the search key at its place, of the last one for further names."""
        keys = self.search_keys
        return keys[min(position, len(keys) - 1)].weight if keys else 1.0


class EntityRow(Record, frozen=True):
    """One entity. Its names stand in the order of the search keys; an empty one is passed over."""

    key: str
    display: str
    names: tuple[str, ...]
    discriminators: Mapping[str, str] = {}


class Match(Record, frozen=True):
    """An entity that may be meant. The score goes from 0 to 100; `name` is the name that was found."""

    key: str
    display: str
    score: float
    how: How
    name: str = ""
    discriminators: Mapping[str, str] = {}


class Found(Record, frozen=True):
    """The matches of a search, best first; the one that binds by itself, if one does; and the verb that
    could make a new entity instead."""

    matches: tuple[Match, ...] = ()
    bound: Match | None = None
    create_verb: str = ""

    @property
    def may_create(self) -> bool:
        return bool(self.create_verb)
