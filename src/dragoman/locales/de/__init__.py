"""German: words as data, forms out of the dictionary."""

from importlib.resources import files

from dragoman.locales.dictionary import no_names
from dragoman.locales.language import Language
from dragoman.locales.script import LATIN

LANGUAGE = Language(
    code="de",
    name="Deutsch",
    script=LATIN,
    folder=files(__name__),
    decimal=",",
    thousands=".",
    letters={"ä": "ae", "ö": "oe", "ü": "ue"},
    capital_nouns=True,
    is_name=no_names,
)
