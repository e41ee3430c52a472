"""The names of entities in a message: whole names, inflected ones, and parts of names."""

from collections.abc import Callable, Container, Iterable, Sequence
from typing import NamedTuple

from dragoman.catalog.named_entity import NamedEntity
from dragoman.locales.registry import default_of
from dragoman.reading.languages import Spoken
from dragoman.reading.lemmas import name_keys, stems_of_name
from dragoman.reading.tokens import Token, tokens_of


class NameMatch(NamedTuple):
    """Words that name entities: the places of the words, and all entities they can mean."""

    start: int
    end: int
    exact: int
    full: bool
    scope: bool
    """Whether it narrows what is asked, and is no object to look at."""
    entities: tuple[int, ...]


class NameIndex:
    """The names of a catalog by their words."""

    def __init__(self, entities: Sequence[NamedEntity], objects: Container[str]) -> None:
        self._names: list[tuple[tuple[str, ...], int]] = []
        self._by_word: dict[str, set[int]] = {}
        self.words: dict[str, None] = {}
        self.kinds = tuple(entity.ref.kind for entity in entities)
        self._objects = objects
        for number, entity in enumerate(entities):
            for name in entity.names:
                self._add(name, number)

    def _add(self, name: str, entity: int) -> None:
        tokens = tokens_of(name)
        spellings = [tuple(token.form for token in tokens)]
        if len(tokens) > 1 and all(_is_glued(token) for token in tokens):
            spellings.append(("".join(spellings[0]),))
        for words in spellings:
            self._names.append((words, entity))
            for word in words:
                self.words[word] = None
                for key in (word, *stems_of_name(word)):
                    self._by_word.setdefault(key, set()).add(len(self._names) - 1)

    def matches(
        self, tokens: Sequence[Token], is_plain: Callable[[str], bool], spoken: Spoken
    ) -> list[NameMatch]:
        """The longest run of words of one name from every place. `is_plain` tells words with a meaning of
        their own: such a word alone is a name only where it is the whole of one."""
        having = [self._names_with(token.form, spoken) for token in tokens]
        found: list[NameMatch] = []
        for start in range(len(tokens)):
            names, end = having[start], start + 1
            while names and end < len(tokens) and (narrowed := names & having[end]):
                names, end = narrowed, end + 1
            match = self._match(tokens[start:end], start, names, is_plain, spoken) if names else None
            while match is None and names and end - 1 > start:
                end -= 1
                names = set.intersection(*having[start:end])
                match = self._match(tokens[start:end], start, names, is_plain, spoken)
            if match is not None:
                found.append(match)
        return found

    def of_kinds(self, match: NameMatch, kinds: Container[str]) -> NameMatch | None:
        """What a name means where the word for its kind stands beside it: the allianz fund is no manager."""
        entities = tuple(entity for entity in match.entities if self.kinds[entity] in kinds)
        if not entities:
            return None
        scope = not any(self.kinds[entity] in self._objects for entity in entities)
        return match._replace(entities=entities, scope=scope)

    def whole_names(self, tokens: Sequence[Token]) -> frozenset[int]:
        """The places of words that write out a name, letter by letter."""
        found: set[int] = set()
        forms = tuple(token.form for token in tokens)
        for start, form in enumerate(forms):
            for number in self._by_word.get(form, ()):
                words = self._names[number][0]
                if forms[start : start + len(words)] == words:
                    found.update(range(start, start + len(words)))
        return frozenset(found)

    def words_beside(self, tokens: Sequence[Token], place: int, spoken: Spoken) -> tuple[str, ...]:
        """The words of all names that a word next to a place is a word of."""
        found: dict[str, None] = {}
        for beside in (place - 1, place + 1):
            if 0 <= beside < len(tokens):
                for name in sorted(self._names_with(tokens[beside].form, spoken)):
                    found.update(dict.fromkeys(w for w in self._names[name][0] if w.isalpha()))
        return tuple(found)

    def _names_with(self, form: str, spoken: Spoken) -> set[int]:
        found: set[int] = set()
        for key in name_keys(form, spoken):
            found |= self._by_word.get(key, set())
        return found

    def _match(
        self,
        tokens: Sequence[Token],
        start: int,
        names: set[int],
        is_plain: Callable[[str], bool],
        spoken: Spoken,
    ) -> NameMatch | None:
        forms = tuple(token.form for token in tokens)
        ordered = sorted(names)
        full = [name for name in ordered if _is_whole(forms, self._names[name][0], spoken)]
        exact = [name for name in full if self._names[name][0] == forms]
        chosen = exact or full or ordered
        if not full and not self._may_be_short(forms, ordered, is_plain, spoken):
            return None
        known = {word for name in chosen for word in self._names[name][0]}
        entities = tuple(dict.fromkeys(self._names[name][1] for name in chosen))
        same = sum(form in known for form in forms)
        scope = not any(self.kinds[entity] in self._objects for entity in entities)
        return NameMatch(start, start + len(forms), same, bool(full), scope, entities)

    def _is_head(self, form: str, name: int, spoken: Spoken) -> bool:
        words = self._names[name][0]
        return len(words) <= _SHORT_NAME or _is_form_of(words[0], form, spoken)

    def _may_be_short(
        self,
        forms: tuple[str, ...],
        names: Iterable[int],
        is_plain: Callable[[str], bool],
        spoken: Spoken,
    ) -> bool:
        telling = [form for form in forms if not form.isdigit() and len(form) > 1 and not is_plain(form)]
        if len(forms) == 1:
            return (
                bool(telling) and len(forms[0]) > 2 and any(self._is_head(forms[0], n, spoken) for n in names)
            )
        return bool(telling) and not is_plain(forms[0]) and not is_plain(forms[-1])


_SHORT_NAME = 3
"""A longer name is a sentence: one of its words, unless it is the first, does not name it."""


def _is_whole(forms: tuple[str, ...], name: tuple[str, ...], spoken: Spoken) -> bool:
    return len(forms) == len(name) and all(
        word == form or _is_form_of(word, form, spoken) for form, word in zip(forms, name, strict=True)
    )


def _is_form_of(word: str, form: str, spoken: Spoken) -> bool:
    keys = name_keys(form, spoken)
    return any(stem in keys for stem in stems_of_name(word))


def _is_glued(token: Token) -> bool:
    language = default_of(token.script)
    return language is not None and language.glued
