"""Korean."""

from importlib.resources import files

from dragoman.locales.dictionary import no_dictionary
from dragoman.locales.ko.latin import latin
from dragoman.locales.ko.names import spelled
from dragoman.locales.ko.noun_forms import noun_form
from dragoman.locales.ko.particles import is_particle, lemmas, slip_letters
from dragoman.locales.ko.track import has_hint
from dragoman.locales.language import Language
from dragoman.locales.plural import always_other
from dragoman.locales.script import HANGUL

LANGUAGE = Language(
    code="ko",
    name="한국어",
    script=HANGUL,
    folder=files(__name__),
    plural=always_other,
    glued=True,
    shortest_slip=3,
    lemmas=lemmas,
    has_word=no_dictionary,
    noun_form=noun_form,
    is_particle=is_particle,
    latin=latin,
    spelled=spelled,
    slip_letters=slip_letters,
    has_hint=has_hint,
)
