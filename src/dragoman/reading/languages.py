"""Which languages a message is read in: one for each script it is written in.

Scripts are told by their letters. Where several languages share one, the small words decide: "und für" is
German, "and for" is English. Names do not count, whatever words they are made of.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dragoman.locales.language import Language, function_words_of
from dragoman.locales.registry import FALLBACK, default_of, every_language, language, languages, of_script
from dragoman.locales.script import LATIN, NO_SCRIPT, script_of
from dragoman.reading.tokens import Token


class Spoken(NamedTuple):
    """The languages of a message, by their codes, at most one for each script."""

    languages: tuple[Language, ...]

    def of(self, script: str) -> Language | None:
        """The language that words of a script are in; of a script nobody speaks of, the usual one."""
        own = next((each for each in self.languages if each.script == script), None)
        return own if own is not None else default_of(script)

    def with_scripts(self, scripts: Iterable[str]) -> "Spoken":
        """With the usual languages of further scripts."""
        own = {each.script for each in self.languages}
        added = (default_of(script) for script in dict.fromkeys(scripts) if script not in own)
        return Spoken(_sorted((*self.languages, *(each for each in added if each is not None))))


def usual_languages() -> Spoken:
    """For every script the language that it is read in without other evidence."""
    scripts = dict.fromkeys(each.script for each in every_language())
    return Spoken(_sorted(each for script in scripts for each in of_script(script)[:1]))


def spoken_with(code: str, text: str) -> Spoken:
    """The languages of a text that was read as one: it for its own script, the usual ones for others."""
    known = language(code) if code in languages() else language(FALLBACK)
    scripts = {script_of(letter) for letter in set(text)}
    others = (default_of(script) for script in scripts if script != known.script)
    own = (known,) if known.script in scripts or scripts <= {NO_SCRIPT} else ()
    return Spoken(_sorted((*own, *(other for other in others if other is not None))))


def spoken_in(tokens: Iterable[Token], before: str = "") -> tuple[Spoken, ...]:
    """The languages that a message may be in, the likeliest first: more than one only where the small words
    of several have as much to say. Then the language of the conversation goes first, or else English."""
    written: dict[str, list[str]] = {LATIN: []}
    for token in tokens:
        written.setdefault(token.script, []).append(token.form)
    found: list[tuple[Language, ...]] = [()]
    for script, forms in written.items():
        # No more than one script is in doubt at a time: of the others the likeliest is taken.
        likely = _likely(of_script(script), forms, before)
        doubt = likely if len(found) == 1 else likely[:1]
        found = [(*others, each) for others in found for each in doubt] or found
    return tuple(Spoken(_sorted(each)) for each in found)


def _likely(rivals: Sequence[Language], forms: Sequence[str], before: str) -> tuple[Language, ...]:
    if len(rivals) < 2:
        return tuple(rivals)
    small = [function_words_of(each) for each in rivals]
    said = [sum(form in words for form in forms) for words in small]
    best = [each for each, count in zip(rivals, said, strict=True) if count == max(said)]
    ordered = tuple(sorted(best, key=lambda each: each.code != before))
    return ordered if forms else ordered[:1]


def language_of(text: str, spoken: Spoken, tokens: Iterable[Token] = (), before: str = "") -> str:
    """The language in whose letters most is written. Of a message of names alone the names count; one without
    letters is in the language of the conversation."""
    counted = tuple(tokens)
    sizes = dict.fromkeys((each.script for each in every_language()), 0)
    for script, size in (
        ((token.script, len(token.form)) for token in counted)
        if counted
        else ((script_of(letter), 1) for letter in text if letter.isalpha())
    ):
        if script in sizes:
            sizes[script] += size
    if not counted and any(size for script, size in sizes.items() if script != LATIN):
        sizes[LATIN] = 0
    if not any(sizes.values()):
        return before if before in languages() else FALLBACK
    # Beside other letters Latin ones are often no language at all: csv, VAT, LED.
    most = min(sizes, key=lambda script: (-sizes[script], script == LATIN, script))
    main = spoken.of(most)
    return main.code if main is not None else FALLBACK


def _sorted(found: Iterable[Language]) -> tuple[Language, ...]:
    return tuple(sorted(found, key=lambda each: each.code))
