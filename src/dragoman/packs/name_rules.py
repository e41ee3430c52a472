"""The names and texts of a pack: their form, their languages, and words that mean two things."""

import re
from collections.abc import Iterator

from dragoman.contracts.pack import DATE_ARGUMENTS, Pack, Texts, VerbFrame, Words
from dragoman.language.program_names import HINT, IDENTIFIER, VERB, is_kebab
from dragoman.locales.registry import languages
from dragoman.packs.marks import Mark, Path
from dragoman.packs.statements import USER

RESERVED = frozenset({"id", "mode", "needs", "as"})
"""What a statement says of itself; no argument may be called so."""

MAX_NAME = 100
_LANGUAGE = re.compile(r"[a-z]{2,3}\Z")
_PARAMETER = re.compile(r"[a-z_][a-z0-9_]*\Z")


def marks_of_names(pack: Pack) -> Iterator[Mark]:
    """Names in the form that the notation, files and SQL parameters can have."""
    if not is_kebab(pack.pack):
        yield Mark("pack_name", f"{pack.pack[:60]!r} is no name for a pack", HINT, ("pack",))
    if pack.version < 1:
        yield Mark("version", "versions begin with 1", "write version: 1", ("version",))
    for section, names in (("entities", pack.entities), ("scopes", pack.scopes)):
        for name in names:
            if not _fits(IDENTIFIER, name):
                hint = "write ASCII letters, digits, dashes and underscores"
                yield Mark("name_form", f"{name[:60]!r} is no name", hint, (section, name)).on_key()
    for section, kebabs in (("metrics", pack.metrics), ("documents", pack.documents)):
        for name in kebabs:
            if not is_kebab(name):
                yield Mark("name_form", f"{name[:60]!r} is no name", HINT, (section, name)).on_key()
    for name, verb in pack.verbs.items():
        if not _fits(VERB, name):
            hint = "write domain.verb, for example stories.count"
            yield Mark("verb_name", f"{name[:60]!r} is no name of a verb", hint, ("verbs", name)).on_key()
        if verb.domain and not _fits(IDENTIFIER, verb.domain):
            yield Mark("name_form", f"{verb.domain[:60]!r} is no domain", HINT, ("verbs", name, "domain"))
        given_by_date = {DATE_ARGUMENTS[verb.date]} if verb.date else set()
        for argument in verb.arguments:
            yield from _of_an_argument(argument, given_by_date, ("verbs", name, "arguments", argument))


def _of_an_argument(name: str, given_by_date: set[str], at: Path) -> Iterator[Mark]:
    if not _fits(IDENTIFIER, name) or not _PARAMETER.match(name.replace("-", "_")):
        hint = "write small ASCII letters, digits and dashes, for example start-date"
        yield Mark("argument_name", f"{name[:60]!r} is no name of an argument", hint, at).on_key()
    if name in RESERVED | {USER}:
        yield Mark(
            "reserved_name", f"{name} means something else already", "choose another name", at
        ).on_key()
    if name in given_by_date:
        yield Mark("reserved_name", f"{name} comes with date:", "remove it from arguments:", at).on_key()


def _fits(form: re.Pattern[str], name: str) -> bool:
    return len(name) <= MAX_NAME and form.match(name) is not None


def marks_of_texts(pack: Pack) -> Iterator[Mark]:
    """Texts for people: there are some, none is empty, and their languages are known."""
    for texts, path, wanted in _texts(pack):
        if wanted and not texts:
            yield Mark("no_title", "there is no text in any language", "write {en: …}", path)
        for language, text in texts.items():
            yield from _of_a_language(language, (*path, language))
            if not text.strip():
                yield Mark("empty_text", "the text is empty", "write it, or remove it", (*path, language))
    for words, path in _words(pack):
        for language, listed in words.items():
            yield from _of_a_language(language, (*path, language))
            for number, word in enumerate(listed):
                if not word.strip():
                    yield Mark("empty_text", "the word is empty", "remove it", (*path, language, number))
    for name, document in pack.documents.items():
        at: Path = ("documents", name)
        yield from (mark for mark in _of_a_language(document.language, (*at, "language"), at_key=False))
        if not document.text.strip():
            yield Mark("empty_text", "the document is empty", "write its text", (*at, "text"))


def _of_a_language(language: str, path: Path, *, at_key: bool = True) -> Iterator[Mark]:
    if not _LANGUAGE.match(language):
        mark = Mark("language_form", f"{language[:20]!r} is no language", f"write one of {_known()}", path)
    elif language not in languages():
        message = f"nothing reads the language {language} yet"
        mark = Mark("unknown_language", message, f"known are {_known()}", path, minor=True)
    else:
        return
    yield mark.on_key() if at_key else mark


def _known() -> str:
    return ", ".join(languages())


def _texts(pack: Pack) -> Iterator[tuple[Texts, Path, bool]]:
    yield pack.title, ("title",), True
    for name, entity in pack.entities.items():
        yield entity.title, ("entities", name, "title"), False
        yield dict.fromkeys(entity.localized, "column"), ("entities", name, "localized"), False
    for name, scope in pack.scopes.items():
        yield scope.title, ("scopes", name, "title"), False
    for name, metric in pack.metrics.items():
        yield metric.title, ("metrics", name, "title"), True
        yield metric.definition, ("metrics", name, "definition"), True
    for name, verb in pack.verbs.items():
        yield verb.title, ("verbs", name, "title"), True
        yield verb.definition, ("verbs", name, "definition"), False
        for argument_name, argument in verb.arguments.items():
            yield argument.title, ("verbs", name, "arguments", argument_name, "title"), False
        for number, column in enumerate(verb.columns):
            yield column.title, ("verbs", name, "columns", number, "title"), False


def _words(pack: Pack) -> Iterator[tuple[Words, Path]]:
    for name, table in pack.tables.items():
        yield table.words, ("tables", name, "words")
        for column, said in table.columns.items():
            at: Path = ("tables", name, "columns", column)
            yield said.words, (*at, "words")
            yield said.verbs, (*at, "verbs")
    for name, entity in pack.entities.items():
        yield entity.words, ("entities", name, "words")
    for name, metric in pack.metrics.items():
        yield metric.words, ("metrics", name, "words")
    for name, verb in pack.verbs.items():
        yield verb.words, ("verbs", name, "words")
        for argument_name, argument in verb.arguments.items():
            yield argument.words, ("verbs", name, "arguments", argument_name, "words")


def marks_of_words(pack: Pack) -> Iterator[Mark]:
    """A word by which two root verbs are asked for decides nothing: people will be asked which they mean."""
    first: dict[tuple[str, str], str] = {}
    for words, verb, path in _claims(pack):
        for language, listed in words.items():
            for number, word in enumerate(listed):
                claimed = first.setdefault((language, _folded(word)), verb)
                if claimed != verb:
                    message = f"{word!r} asks for {claimed} as well as for {verb}"
                    place = (*path, language, number)
                    yield Mark("ambiguous_word", message, "leave it to one of them", place, minor=True)


def _claims(pack: Pack) -> Iterator[tuple[Words, str, Path]]:
    for name, verb in pack.verbs.items():
        if verb.frame is VerbFrame.ROOT:
            yield verb.words, name, ("verbs", name, "words")
    for name, metric in pack.metrics.items():
        # Over a table it is a figure of its own.
        yield metric.words, metric.verb or name, ("metrics", name, "words")


def _folded(word: str) -> str:
    return " ".join(word.casefold().replace("ё", "е").split())
