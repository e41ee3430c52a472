"""The sentences of a language: phrases as data, with dates, counts and lists put in."""

import datetime as dt
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from dragoman.contracts.state import DateScope
from dragoman.locales.documents import phrases_of
from dragoman.locales.language import Language
from dragoman.locales.registry import FALLBACK, language, languages

_SHOWN_WORD = 40
_SHOWN_WORDS = 5


class Phrases:
    """What can be said in one language."""

    def __init__(self, spoken: Language, texts: Mapping[str, Any]) -> None:
        self.language = spoken.code
        self._plural = spoken.plural
        self._capital_nouns = spoken.capital_nouns
        self._texts = texts

    def say(self, key: str, *parts: str, **values: object) -> str:
        text: str = self._texts[key]
        return text.format(*parts, **values)

    def knows(self, key: str) -> bool:
        return key in self._texts

    def day(self, day: dt.date) -> str:
        month = self._texts["months"][day.month - 1]
        return self.say("day", day=day.day, month=month, year=day.year)

    def dates(self, dates: DateScope, *, as_of: bool) -> str:
        if as_of or dates.start == dates.end:
            return self.say("on_day", day=self.day(dates.end))
        return self.say("from_to", start=self.day(dates.start), end=self.day(dates.end))

    def rows(self, count: int) -> str:
        plurals = self._texts["plurals"]
        form: str = plurals.get(self._plural(count)) or plurals["other"]
        return form.format(n=f"{count}")

    def inside(self, title: str) -> str:
        """A title inside a sentence; an abbreviation keeps its capitals, and a noun where all do."""
        keeps = self._capital_nouns or title[1:2].isupper()
        return title if keeps else title[:1].lower() + title[1:]

    def joined(self, items: Iterable[str]) -> str:
        """`a, b and c`."""
        found = list(items)
        if len(found) < 2:
            return "".join(found)
        last: str = self._texts["list_and"]
        return ", ".join(found[:-1]) + last + found[-1]


def in_quotes(words: tuple[str, ...]) -> str:
    """The first few of some words, none longer than a line."""
    shown = [f"“{w if len(w) <= _SHOWN_WORD else w[: _SHOWN_WORD - 1] + '…'}”" for w in words[:_SHOWN_WORDS]]
    more = f" (+{len(words) - _SHOWN_WORDS})" if len(words) > _SHOWN_WORDS else ""
    return ", ".join(shown) + more


@cache
def _phrases(language: Language) -> Phrases:
    return Phrases(language, phrases_of(language))


def phrases(code: str) -> Phrases:
    """The phrases of a language, or the English ones where there is no such language."""
    return _phrases(language(code if code in languages() else FALLBACK))
