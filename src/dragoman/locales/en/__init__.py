"""English."""

from importlib.resources import files

from dragoman.locales.dictionary import no_dictionary
from dragoman.locales.en.forms import is_command, lemmas, noun_form
from dragoman.locales.language import Language
from dragoman.locales.script import LATIN

LANGUAGE = Language(
    code="en",
    name="English",
    script=LATIN,
    folder=files(__name__),
    lemmas=lemmas,
    has_word=no_dictionary,
    noun_form=noun_form,
    is_command=is_command,
)
