"""The names of entities in a message: whole names, inflected ones, and parts of names."""

from collections.abc import Callable, Container, Iterable, Sequence
from typing import NamedTuple

from dragoman.catalog.named_entity import NamedEntity
from dragoman.reading.lemmas import name_keys, stem_of_name
from dragoman.reading.tokens import Script, Token, tokens_of


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
        if len(tokens) > 1 and all(token.script is Script.HANGUL for token in tokens):
            spellings.append(("".join(spellings[0]),))
        for words in spellings:
            self._names.append((words, entity))
            for word in words:
                self.words[word] = None
                for key in (word, stem_of_name(word)):
                    self._by_word.setdefault(key, set()).add(len(self._names) - 1)

    def matches(self, tokens: Sequence[Token], is_plain: Callable[[str], bool]) -> list[NameMatch]:
        """The longest run of words of one name from every place. `is_plain` tells words with a meaning of
        their own: such a word alone is a name only where it is the whole of one."""
        having = [self._names_with(token.form) for token in tokens]
        found: list[NameMatch] = []
        for start in range(len(tokens)):
            names, end = having[start], start + 1
            while names and end < len(tokens) and (narrowed := names & having[end]):
                names, end = narrowed, end + 1
            match = self._match(tokens[start:end], start, names, is_plain) if names else None
            while match is None and names and end - 1 > start:
                end -= 1
                names = set.intersection(*having[start:end])
                match = self._match(tokens[start:end], start, names, is_plain)
            if match is not None:
                found.append(match)
        return found

    def words_beside(self, tokens: Sequence[Token], place: int) -> tuple[str, ...]:
        """The words of all names that a word next to a place is a word of."""
        found: dict[str, None] = {}
        for beside in (place - 1, place + 1):
            if 0 <= beside < len(tokens):
                for name in sorted(self._names_with(tokens[beside].form)):
                    found.update(dict.fromkeys(w for w in self._names[name][0] if w.isalpha()))
        return tuple(found)

    def _names_with(self, form: str) -> set[int]:
        found: set[int] = set()
        for key in name_keys(form):
            found |= self._by_word.get(key, set())
        return found

    def _match(
        self, tokens: Sequence[Token], start: int, names: set[int], is_plain: Callable[[str], bool]
    ) -> NameMatch | None:
        forms = tuple(token.form for token in tokens)
        ordered = sorted(names)
        full = [name for name in ordered if _is_whole(forms, self._names[name][0])]
        exact = [name for name in full if self._names[name][0] == forms]
        chosen = exact or full or ordered
        if not full and not self._may_be_short(forms, ordered, is_plain):
            return None
        known = {word for name in chosen for word in self._names[name][0]}
        entities = tuple(dict.fromkeys(self._names[name][1] for name in chosen))
        same = sum(form in known for form in forms)
        scope = not any(self.kinds[entity] in self._objects for entity in entities)
        return NameMatch(start, start + len(forms), same, bool(full), scope, entities)

    def _is_head(self, form: str, name: int) -> bool:
        words = self._names[name][0]
        return len(words) <= _SHORT_NAME or stem_of_name(words[0]) in name_keys(form)

    def _may_be_short(
        self, forms: tuple[str, ...], names: Iterable[int], is_plain: Callable[[str], bool]
    ) -> bool:
        telling = [form for form in forms if not form.isdigit() and len(form) > 1 and not is_plain(form)]
        if len(forms) == 1:
            return bool(telling) and len(forms[0]) > 2 and any(self._is_head(forms[0], n) for n in names)
        return bool(telling) and not is_plain(forms[0]) and not is_plain(forms[-1])


_SHORT_NAME = 3
"""A longer name is a sentence: one of its words, unless it is the first, does not name it."""


def _is_whole(forms: tuple[str, ...], name: tuple[str, ...]) -> bool:
    return len(forms) == len(name) and all(
        word == form or stem_of_name(word) in name_keys(form) for form, word in zip(forms, name, strict=True)
    )
