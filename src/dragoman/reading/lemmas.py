"""The keys by which words are compared: a form, and what it is a form of in the language it is in."""

from functools import lru_cache

from dragoman.locales.documents import lexicon_of
from dragoman.locales.registry import of_script
from dragoman.locales.script import script_of
from dragoman.reading.languages import Spoken


@lru_cache(maxsize=20_000)
def keys_of(form: str, spoken: Spoken) -> tuple[str, ...]:
    """The form itself, then the words it may be a form of."""
    language = spoken.of(script_of(form))
    others = () if language is None else language.lemmas(language, form)
    return tuple(dict.fromkeys((form, *others)))


@lru_cache(maxsize=20_000)
def name_keys(form: str, spoken: Spoken) -> tuple[str, ...]:
    """The keys by which a word of a message may be a word of a name: names are in no dictionary, so that in
    a language with endings of names these are cut off."""
    language = spoken.of(script_of(form))
    endings = () if language is None else lexicon_of(language)["name_endings"]
    if not endings:
        return keys_of(form, spoken)
    cut = [form[: -len(ending)] for ending in endings if form.endswith(ending)]
    return tuple(dict.fromkeys((form, *(stem for stem in cut if len(stem) >= 2))))


def stems_of_name(word: str) -> tuple[str, ...]:
    """What stays of a word of a name in all its cases, in any language that is written in its letters."""
    languages = of_script(script_of(word))
    stems = [each.name_stem(each, word) for each in languages if each.name_stem is not None]
    return tuple(dict.fromkeys(stems)) or (word,)


def is_particle(form: str, spoken: Spoken) -> bool:
    """Whether a word is nothing but the end of the word before it: the 의 of `Alfa Trade의`."""
    language = spoken.of(script_of(form))
    if language is None or language.is_particle is None:
        return False
    return language.is_particle(language, form)
