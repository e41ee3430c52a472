"""The files of a language as they are read: what one does not have is empty, or said in English."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from dragoman.locales.language import Language
from dragoman.locales.registry import FALLBACK, language

Document = Mapping[str, Any]


@cache
def lexicon_of(spoken: Language) -> Document:
    """The words of the conversation itself."""
    return _completed(spoken.document("lexicon"), _emptied(language(FALLBACK).document("lexicon")))


@cache
def cues_of(spoken: Language) -> Document:
    """The words that tell what a message is, in whatever order they stand."""
    return _completed(spoken.document("cues"), _emptied(language(FALLBACK).document("cues")))


@cache
def talk_of(spoken: Language) -> Document:
    """The words that lean on what is in hand, and the everyday forms of others."""
    return _completed(spoken.document("talk"), _emptied(language(FALLBACK).document("talk")))


@cache
def escapes_of(spoken: Language) -> Document:
    """The words that escape hatches are made of."""
    return _completed(spoken.texts("escapes"), _emptied(language(FALLBACK).texts("escapes")))


@cache
def rows_of(spoken: Language) -> Document:
    """The words of messages about one row of a result."""
    return _completed(spoken.texts("rows"), _emptied(language(FALLBACK).texts("rows")))


@cache
def knowledge_of(spoken: Language) -> Document:
    """The words by which knowledge is asked for, and those that mean the same in documents."""
    return _completed(spoken.texts("knowledge"), _emptied(language(FALLBACK).texts("knowledge")))


@cache
def phrases_of(spoken: Language) -> Document:
    """The sentences that are said back; those that the language lacks, in English."""
    return {**language(FALLBACK).document("phrases"), **spoken.document("phrases")}


@cache
def model_texts_of(spoken: Language) -> Document:
    """What a language model is told; in English where the language has no words for it."""
    own = spoken.document("model")
    return own or language(FALLBACK).document("model")


def _completed(own: Document, other: Document) -> Document:
    """A document with the sections that it lacks taken from another."""
    found = dict(own)
    for key, part in other.items():
        if key not in found:
            found[key] = part
        elif isinstance(part, Mapping) and part and isinstance(found[key], Mapping):
            found[key] = _completed(found[key], part)
    return found


def _emptied(part: Any) -> Any:
    """The sections of a document without a word in them."""
    if not isinstance(part, Mapping):
        return []
    if not any(isinstance(each, Mapping | list) for each in part.values()):
        return {}
    return {key: _emptied(each) for key, each in part.items()}
