"""Whether the files of a language can be used: read as YAML, shaped as English is, every field filled.

A language of the package is held against English by its tests. One from outside comes with whatever is
installed, and what is wrong with it has to be said before anybody talks to it.
"""

from collections.abc import Iterator, Mapping
from string import Formatter
from typing import Any

import yaml

from dragoman.contracts.errors import LanguageInvalid
from dragoman.locales.language import Language

SAID = ("phrases", "program_words", "review")
"""The files of sentences: a field in braces is filled where the sentence is said."""
FILES = ("lexicon", "cues", "follow_ups", "questions", "track_hints", "function_words", "suggestions", *SAID)


def sound(spoken: object, model: Language, origin: str = "") -> Language:
    """The language itself; `origin` is who brought it. Raises `LanguageInvalid` with all that is wrong."""
    if not isinstance(spoken, Language):
        raise LanguageInvalid(
            f"{origin or 'this'} is no language: it is of the type {type(spoken).__name__}",
            hint="name a dragoman.locales.Language there, or uninstall the package",
        )
    faults = [fault for name in FILES for fault in _faults(spoken, model, name)]
    if faults:
        raise LanguageInvalid(
            f"the language {spoken.code}{f' of {origin}' if origin else ''} cannot be used: {faults[0]}",
            hint="correct its files, or uninstall it",
            language=spoken.code,
            faults=faults,
        )
    return spoken


def _faults(spoken: Language, model: Language, name: str) -> Iterator[str]:
    try:
        if not spoken.has_document(name):
            return
        own: object = spoken.texts(name)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        yield f"{name}.yaml cannot be read: {' '.join(str(error).split())}"
        return
    yield from _misshapen(own, model.texts(name), f"{name}.yaml", "")
    if name in SAID and isinstance(own, Mapping):
        yield from _misfilled(own, model.texts(name), f"{name}.yaml", "")


def _misshapen(own: object, wanted: object, file: str, path: str) -> Iterator[str]:
    """Where a table, a list or a text stands in the place of another of them."""
    where = f"{file}: {path}" if path else file
    if _shape(own) != _shape(wanted):
        yield f"{where} is {_shape(own)}, and has to be {_shape(wanted)}"
    elif isinstance(own, Mapping) and isinstance(wanted, Mapping):
        for key, inner in own.items():
            if key in wanted:
                yield from _misshapen(inner, wanted[key], file, f"{path}.{key}" if path else str(key))


def _misfilled(own: Mapping[str, Any], wanted: Mapping[str, Any], file: str, path: str) -> Iterator[str]:
    """Sentences with a field that nobody fills, or with braces that do not close."""
    for key, said in own.items():
        where, model = (f"{path}.{key}" if path else str(key)), wanted.get(key)
        if isinstance(said, Mapping) and isinstance(model, Mapping):
            yield from _misfilled(said, model, file, where)
        elif isinstance(said, str) and isinstance(model, str):
            try:
                unknown = _fields(said) - _fields(model)
            except ValueError as error:
                yield f"{file}: {where} is no sentence with fields: {error}"
                continue
            if unknown:
                filled = ", ".join(sorted(_fields(model))) or "none"
                yield f"{file}: {where} has the field {sorted(unknown)[0]}; the fields are {filled}"


def _fields(sentence: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(sentence) if field is not None}


def _shape(part: object) -> str:
    match part:
        case Mapping():
            return "a table"
        case list():
            return "a list"
        case str():
            return "a text"
        case _:
            return "nothing"
