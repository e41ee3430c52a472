"""The sentences of a language: phrases as data, with dates, counts and lists put in."""

import datetime as dt
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from dragoman.contracts.state import DateScope

FALLBACK = "en"
_SHOWN_WORD = 40
_SHOWN_WORDS = 5


class Phrases:
    """What can be said in one language."""

    def __init__(self, language: str, texts: dict[str, Any]) -> None:
        self.language = language
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
        form: str = plurals.get(_plural(self.language, count)) or plurals["other"]
        return form.format(n=f"{count}")

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
def languages() -> tuple[str, ...]:
    """The languages there are phrases of: one file each."""
    folder = files("dragoman.answering").joinpath("phrases")
    return tuple(sorted(f.name.removesuffix(".yaml") for f in folder.iterdir() if f.name.endswith(".yaml")))


@cache
def phrases(language: str) -> Phrases:
    """The phrases of a language, or the English ones where there are none."""
    known = language if language in languages() else FALLBACK
    text = files("dragoman.answering").joinpath("phrases", f"{known}.yaml").read_text("utf-8")
    return Phrases(known, yaml.load(text, Loader=yaml.CSafeLoader))


def _plural(language: str, count: int) -> str:
    """The plural category, as the languages here have them."""
    if language == "ru":
        if count % 10 == 1 and count % 100 != 11:
            return "one"
        return "few" if count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14) else "other"
    return "one" if count == 1 else "other"
