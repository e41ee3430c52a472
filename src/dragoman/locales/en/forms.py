"""English words without their endings: rules, and a list of what goes by none."""

from dragoman.locales.data import LanguageData
from dragoman.locales.en.spelling import american


def lemmas(language: LanguageData, form: str) -> list[str]:
    respelled = american(form)
    found = _lemmas(language, form)
    return found if respelled == form else [*found, respelled, *_lemmas(language, respelled)]


def _lemmas(language: LanguageData, form: str) -> list[str]:
    known = language.document("lexicon")["lemmas"].get(form)
    found = [] if known is None else [known]
    if len(form) > 3 and form.endswith("s") and form[-2] not in "siu'":
        found.append(form[:-1])
        if form.endswith("ies"):
            found.append(form[:-3] + "y")
        elif form.endswith(("ches", "shes", "xes", "sses")):
            found.append(form[:-2])
    for ending in ("ed", "ing"):
        stem = form.removesuffix(ending)
        if stem != form and len(stem) >= 3:
            found.extend((stem, stem + "e"))
            if stem.endswith("i"):
                found.append(stem[:-1] + "y")
            if len(stem) > 3 and stem[-1] == stem[-2]:
                found.append(stem[:-1])
    return found


def noun_form(language: LanguageData, words: str, form: str) -> str:
    """A name in the plural, the only form that a question needs: its last word may be in it already."""
    *before, last = words.split(" ")
    return " ".join((*before, _plural(last)))


def _plural(word: str) -> str:
    if not word[-1:].isalpha() or not word.isascii() or word.isupper() or word.endswith("s"):
        return f"{word}es" if word.endswith("ss") and word.isascii() else word
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("x", "ch", "sh")) else f"{word}s"


def is_command(language: LanguageData, form: str) -> bool:
    """Whether a form may tell somebody to do something. With an s it is a plural: orders that were paid."""
    return not form.endswith("s") or form.endswith(("ss", "us"))
