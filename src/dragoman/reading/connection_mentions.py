"""The databases that a message names: "@crm", with the small words that belong to the name.

What is left is read as if the name were not there: which database is asked is no part of what is asked. Of
a query that was typed only a name before it counts, and not a letter of the query changes.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.record import Record
from dragoman.locales.documents import lexicon_of
from dragoman.locales.registry import every_language

_NAME: Final = r"(?<![\w.@/])@(?P<name>[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)?)"


_QUERY: Final = re.compile(r"\s*(?:\(\s*)*(?:select|values|with\s+\w+\s+as)\b", re.IGNORECASE)


class MentionedConnections(Record, frozen=True):
    """The message without them, and what they are called in full."""

    rest: str
    names: tuple[str, ...]


def mentioned_connections(text: str, catalog: Catalog) -> MentionedConnections | None:
    """None where the message names no connection of the workspace."""
    if "@" not in text:
        return None
    names: dict[str, None] = {}

    def taken(found: re.Match[str]) -> str:
        spec = catalog.connection_named(_ascii(found["name"]))
        if spec is None:
            return found.group()
        names[spec.name] = None
        return " "

    opening = _mention().match(text.lstrip())
    query = text.lstrip()[opening.end() :] if opening is not None else text
    if _QUERY.match(query):
        if opening is not None:
            taken(opening)
        return MentionedConnections(query.strip(), tuple(names)) if names else None
    rest = _mention().sub(taken, text)
    return MentionedConnections(" ".join(rest.split()), tuple(names)) if names else None


def _ascii(name: str) -> str:
    """A name without the ending that a language glues to it: @crm에서."""
    found = re.match(r"[A-Za-z0-9_.-]+", name)
    return found.group().rstrip(".-") if found is not None else name


@cache
def _mention() -> re.Pattern[str]:
    """A name between its small words, of any language: "in the @crm database"."""
    words = [lexicon_of(each)["connection_words"] for each in every_language()]
    before = _any_of(word for each in words for word in each["before"])
    after = _any_of(word for each in words for word in each["after"])
    return re.compile(rf"(?:\b{before}\s+)*{_NAME}(?:\s+{after}\b)?", re.IGNORECASE)


def _any_of(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, sorted(set(words), key=len, reverse=True)))})"
