"""The hints as the data files have them, one file for each script."""

from importlib.resources import files
from typing import TypeVar

import msgspec
import yaml

from dragoman.contracts.record import Record


class LatinHints(Record, frozen=True):
    words: tuple[str, ...]


class KoreanHints(Record, frozen=True):
    hints: tuple[str, ...]
    lookalikes: tuple[str, ...]
    plural: str
    after_any: tuple[str, ...]
    after_consonant: tuple[str, ...]
    after_vowel: tuple[str, ...]
    short_tails: tuple[str, ...]
    open_tails: tuple[str, ...]


class Form(Record, frozen=True):
    """One form of a word, where its other forms do not count."""

    form: str


class RussianHints(Record, frozen=True):
    """Lemmas and forms, alone or one after the other as a phrase."""

    hints: tuple[str | Form | tuple[str | Form, ...], ...]


H = TypeVar("H", LatinHints, KoreanHints, RussianHints)


def hints_of(script: str, kind: type[H]) -> H:
    text = files("dragoman.guards.track").joinpath("hints", f"{script}.yaml").read_text(encoding="utf-8")
    return msgspec.convert(yaml.load(text, Loader=yaml.CSafeLoader), type=kind)
