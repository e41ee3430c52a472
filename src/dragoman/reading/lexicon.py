"""The words of the conversation itself, one file for each language. Adding a language is adding a file."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import yaml


class Lexicon(NamedTuple):
    """The words of one language. `script` says which letters it is written in."""

    language: str
    script: str
    data: Mapping[str, Any]


@cache
def lexicons() -> tuple[Lexicon, ...]:
    """Every lexicon there is, by language. Files with two dots in their names belong to other readers."""
    folder = files("dragoman.reading").joinpath("lexicons")
    found = sorted(
        file.name for file in folder.iterdir() if file.name.endswith(".yaml") and file.name.count(".") == 1
    )
    loaded: list[Lexicon] = []
    for name in found:
        language, _, rest = name.partition(".")
        if rest == "yaml":
            data = yaml.load(folder.joinpath(name).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
            loaded.append(Lexicon(language, data["script"], data))
    return tuple(loaded)
