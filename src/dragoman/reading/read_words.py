"""Slips in a question over tables: which word of it was read as which name or value of the program.

The planner over tables finds names that are nearly spelled, and keeps no record of it. What a person has to
be told follows from the two texts: a word that no word of the program is a form of, and that is a slip away
from one.
"""

import re
from collections.abc import Iterator
from typing import Final

from dragoman.contracts.program import Map, Program, Sequence, Text, Value
from dragoman.locales.language import function_words_of
from dragoman.locales.thesaurus import near_words
from dragoman.reading.languages import spoken_with
from dragoman.reading.lemmas import keys_of
from dragoman.reading.tokens import tokens_of

_SHORTEST: Final = 4
_LONG: Final = 8
"""From here on two slips are one word."""
_CAPITALS: Final = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")


def read_words(text: str, program: Program, language: str) -> tuple[tuple[str, str], ...]:
    """Each word that was read as another one, as it was written, and that one."""
    from rapidfuzz.distance import OSA

    spoken = spoken_with(language, text)
    words = {word.casefold(): word for word in _words_of(program) if len(word) >= _SHORTEST}
    # A form of a word that a name has in it is no slip either: customers, CustomerId.
    whole = {part for word in words.values() for part in (word.casefold(), *_joined(word))}
    keys = {key for part in whole for key in keys_of(part, spoken)}
    small = {word for each in spoken.languages for word in function_words_of(each)}
    found = []
    for token in tokens_of(text):
        form = token.form
        if len(form) < _SHORTEST or not form.isalpha() or form in small or form in near_words():
            # What is a word is written as it is meant.
            continue
        if not keys.isdisjoint(keys_of(form, spoken)) or any(_is_part(form, word) for word in words):
            continue
        most = 2 if len(form) >= _LONG else 1
        near = [word for word in words if word[0] == form[0] and OSA.distance(form, word) <= most]
        # A plural that changes a vowel is no slip: women, woman.
        if len(near) == 1 and not _is_vowel_plural(form, near[0]):
            found.append((text[token.start : token.end], words[near[0]]))
    return tuple(found)


def _is_vowel_plural(form: str, word: str) -> bool:
    return len(form) == len(word) and _consonants(form) == _consonants(word)


def _consonants(word: str) -> str:
    return "".join(letter for letter in word if letter not in "aeiou")


def _is_part(form: str, word: str) -> bool:
    return form.startswith(word) or word.startswith(form)


def _words_of(program: Program) -> Iterator[str]:
    """The words of the names and values of a program."""
    for statement in program:
        yield from _split(statement.verb.rpartition(".")[0])
        for argument in statement.arguments:
            yield from _split(argument.name)
            yield from _texts(argument.value)


def _texts(value: Value) -> Iterator[str]:
    match value:
        case Text(value=text):
            yield from _split(text)
        case Sequence(items=items):
            for item in items:
                yield from _texts(item)
        case Map(entries=entries):
            for entry in entries:
                yield from _split(entry.key)
                yield from _texts(entry.value)
        case _:
            return


def _joined(name: str) -> tuple[str, ...]:
    """The words of a name that are told apart by their capitals alone."""
    return tuple(part.casefold() for part in _CAPITALS.split(name) if len(part) >= _SHORTEST)


def _split(name: str) -> Iterator[str]:
    yield from name.replace("_", " ").replace("-", " ").replace(".", " ").split()
