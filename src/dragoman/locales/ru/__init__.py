"""Russian."""

from importlib.resources import files

from dragoman.locales.language import Language
from dragoman.locales.plural import one_few_or_other
from dragoman.locales.ru.latin import latin
from dragoman.locales.ru.morphology import (
    has_word,
    is_command,
    is_name,
    lemmas,
    name_stem,
    normal_forms,
)
from dragoman.locales.ru.noun_forms import noun_form
from dragoman.locales.ru.track import has_hint
from dragoman.locales.ru.word_forms import word_forms
from dragoman.locales.script import CYRILLIC

LANGUAGE = Language(
    code="ru",
    name="русский",
    script=CYRILLIC,
    folder=files(__name__),
    decimal=",",
    thousands="\N{NO-BREAK SPACE}",
    plural=one_few_or_other,
    letters={"ё": "е"},
    keyboard=("qwertyuiop[]asdfghjkl;'zxcvbnm,.", "йцукенгшщзхъфывапролджэячсмитьбю"),
    lemmas=lemmas,
    normal_forms=normal_forms,
    has_word=has_word,
    is_command=is_command,
    is_name=is_name,
    word_forms=word_forms,
    noun_form=noun_form,
    name_stem=name_stem,
    latin=latin,
    has_hint=has_hint,
)
