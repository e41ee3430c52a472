"""The wording that a page sends for an object that is selected on it: its name, in quotes or behind a colon,
is that object and nothing else, whatever verbs, dates or other names stand in it."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.record import Record
from dragoman.contracts.state import EntityRef
from dragoman.locales.documents import talk_of
from dragoman.locales.language import Language
from dragoman.reading.languages import Spoken
from dragoman.reading.lemmas import keys_of
from dragoman.reading.reading import Mention, MentionKind, Reading
from dragoman.reading.tokens import Token, fold, tokens_of
from dragoman.reading.vocabulary import Vocabulary

_QUOTED: Final = re.compile(
    r"«([^«»]+)»|‹([^‹›]+)›|「([^「」]+)」|『([^『』]+)』|[“„‟”]([^“”„‟]+)[“”]|[‘‚‛]([^‘’‚‛]+)[‘’]"
    r"|\"([^\"]+)\"|(?<!\w)'([^']+)'(?!\w)"
)
_BEHIND_COLON: Final = re.compile(r":\s*([^:;,.?!\n]+)")
_MOST_BETWEEN: Final = 2
"""So many words may stand between the word for selecting and the quote: what kind of thing it is."""


class Selected(Record, frozen=True):
    """An object named in the wording for a selected one: its name, where that stands, and the message without
    any of it."""

    name: str
    start: int
    end: int
    rest: str


def find_selected(text: str, spoken: Spoken, vocabularies: Sequence[Vocabulary]) -> Selected | None:
    """The selected object that a message names; None where it does not say that one is selected."""
    for quoted in _QUOTED.finditer(text):
        name = next(group for group in quoted.groups() if group is not None)
        lead = _lead(text[: quoted.start()], spoken, vocabularies)
        if lead is not None and name.strip():
            rest = text[:lead] + " " * (quoted.end() - lead) + text[quoted.end() :]
            return Selected(name.strip(), quoted.start(), quoted.end(), rest)
    behind = _BEHIND_COLON.search(text)
    lead = _lead(text[: behind.start()], spoken, vocabularies) if behind is not None else None
    if behind is None or lead is None or not behind[1].strip():
        return None
    rest = text[:lead] + " " * (behind.end() - lead) + text[behind.end() :]
    return Selected(behind[1].strip(), behind.start(1), behind.end(1), rest)


def named_exactly(name: str, catalog: Catalog) -> tuple[EntityRef, ...]:
    """Everything that is called so, but for case and signs. Where names are too many to hold, the index is
    asked."""
    words = [token.form for token in tokens_of(name)]
    held = [
        entity.ref
        for entity in catalog.entities
        if any([token.form for token in tokens_of(each)] == words for each in entity.names)
    ]
    for kind in catalog.searched if not held else ():
        held.extend(
            EntityRef(kind, match.entity_id, match.display)
            for match in catalog.entity_matches(kind, name)
            if [token.form for token in tokens_of(match.display)] == words
        )
    return tuple(dict.fromkeys(held))


def with_selected(reading: Reading, selected: Selected, refs: tuple[EntityRef, ...]) -> Reading:
    """What the rest of the message says, of the selected object. A name that nothing has is left over."""
    if not refs:
        return replace(reading, uncovered=(*reading.uncovered, selected.name))
    means = " | ".join(f"{ref.kind} {ref.id}" for ref in refs)
    mention = Mention(MentionKind.OBJECT, selected.start, selected.end, selected.name, means)
    mentions = sorted((*reading.mentions, mention), key=lambda each: each.start)
    # It is named: what points at an object points at this one.
    return replace(
        reading, objects=(*reading.objects, refs), mentions=tuple(mentions), anaphor=False, phrase=None
    )


def _lead(before: str, spoken: Spoken, vocabularies: Sequence[Vocabulary]) -> int | None:
    """Where the words that say an object is selected begin, if they stand right before the quote."""
    tokens = tokens_of(before)
    for place in range(len(tokens) - 1, max(-1, len(tokens) - 2 - _MOST_BETWEEN), -1):
        if not _is_one_of(tokens[place], spoken, "words"):
            if _is_thing(tokens[place], spoken, vocabularies):
                continue
            return None
        while place and _is_small(tokens[place - 1], vocabularies):
            place -= 1
        return tokens[place].start
    return None


def _is_thing(token: Token, spoken: Spoken, vocabularies: Sequence[Vocabulary]) -> bool:
    keys = keys_of(token.form, spoken)
    of_rows = any(not v.row_words.isdisjoint(keys) for v in vocabularies)
    of_kinds = any(key in v.kinds.forms for v in vocabularies for key in keys)
    return of_rows or of_kinds or _is_one_of(token, spoken, "things")


def _is_small(token: Token, vocabularies: Sequence[Vocabulary]) -> bool:
    """Whether a word only leads up to the object: for the, по, zum."""
    return any(
        token.form in v.gaps or token.form in v.fillers or token.form in v.language.function_words()
        for v in vocabularies
    )


def _is_one_of(token: Token, spoken: Spoken, part: str) -> bool:
    keys = keys_of(token.form, spoken)
    return any(not _listed(language, part).isdisjoint(keys) for language in spoken.languages)


@cache
def _listed(language: Language, part: str) -> frozenset[str]:
    spoken = Spoken((language,))
    return frozenset(
        key for word in talk_of(language)["selected"][part] for key in keys_of(fold(word), spoken)
    )
