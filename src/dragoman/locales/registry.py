"""The languages there are: folders here, entry points of other packages, and what was registered."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from dragoman._offers import offers
from dragoman.contracts.errors import LanguageInvalid
from dragoman.locales.language import Language
from dragoman.locales.script import script_of
from dragoman.locales.soundness import sound

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

FALLBACK: Final = "en"
"""The language of a message that is written in none, and of names in databases."""

GROUP: Final = "dragoman.languages"
"""Entry points of this group are `Language` records."""

_registered: dict[str, Language] = {}


@cache
def _installed() -> dict[str, Language]:
    """The languages of this folder and of other packages, which may not take the code of one of these."""
    package = __name__.rpartition(".")[0]
    codes = sorted(
        place.name for place in files(package).iterdir() if place.joinpath("lexicon.yaml").is_file()
    )
    shipped: dict[str, Language] = {code: import_module(f"{package}.{code}").LANGUAGE for code in codes}
    points = [point for point in offers(GROUP) if point.name not in shipped]
    return {**{point.name: _loaded(point, shipped[FALLBACK]) for point in points}, **shipped}


def _loaded(point: "EntryPoint", model: Language) -> Language:
    try:
        brought: object = point.load()
    except (ImportError, AttributeError) as error:
        raise LanguageInvalid(
            f"the language {point.name} of {point.value} cannot be loaded: {error}",
            hint="correct the entry point, or uninstall its package",
            language=point.name,
        ) from error
    return sound(brought, model, point.value)


@cache
def _all() -> dict[str, Language]:
    return dict(sorted((_installed() | _registered).items()))


@cache
def languages() -> tuple[str, ...]:
    """The codes of all languages, sorted."""
    return tuple(_all())


@cache
def language(code: str) -> Language:
    """The language of a code, one of `languages()`."""
    return _all()[code]


@cache
def every_language() -> tuple[Language, ...]:
    return tuple(_all().values())


@cache
def of_script(script: str) -> tuple[Language, ...]:
    """The languages that are written in a script: the one that is taken without other evidence first."""
    found = [each for each in _all().values() if each.script == script]
    return tuple(sorted(found, key=lambda each: each.code != FALLBACK))


@cache
def default_of(script: str) -> Language | None:
    """The language that a script is read in without other evidence."""
    return next(iter(of_script(script)), None)


def glued_language(word: str) -> Language | None:
    """The language with any of whose letters a word is written, where endings are glued onto words there."""
    scripts = {script_of(letter) for letter in word if not letter.isascii()}
    return next((each for each in _all().values() if each.glued and each.script in scripts), None)


@cache
def glues(letter: str) -> bool:
    """Whether a letter may be written onto a word in other letters, and others onto it."""
    return glued_language(letter) is not None


@cache
def _same_letters() -> dict[int, str]:
    return {ord(written): same for each in _all().values() for written, same in each.letters.items()}


@lru_cache(maxsize=8192)
def same_letters(text: str) -> str:
    """A text with letters that people write in two ways written in one of them, in small letters."""
    return text if text.isascii() else text.translate(_same_letters())


@contextmanager
def registered(added: Language) -> Iterator[Language]:
    """One more language while the block runs. What was opened before does not know it."""
    register(added)
    try:
        yield added
    finally:
        del _registered[added.code]
        _forget()


def register(added: Language) -> None:
    """One more language, or another in the place of the one with its code. Raises `LanguageInvalid`."""
    sound(added, _installed()[FALLBACK])
    _registered[added.code] = added
    _forget()


def _forget() -> None:
    # All of them look at every language: one more may change what each of them says.
    for known in (
        _all,
        languages,
        language,
        every_language,
        of_script,
        default_of,
        glues,
        _same_letters,
        same_letters,
    ):
        known.cache_clear()
