"""Which language a message is written in."""

from collections.abc import Iterable

from dragoman.reading.lexicon import lexicons
from dragoman.reading.tokens import Script, Token, script_of

FALLBACK = "en"
"""The language of a message that is written in none."""


def language_of(text: str, tokens: Iterable[Token] = ()) -> str:
    """The language in whose letters most is written. Of a message of names alone the names count."""
    counted = tuple(tokens)
    sizes = {lexicon.language: 0 for lexicon in lexicons()}
    by_script = {Script(lexicon.script): lexicon.language for lexicon in lexicons()}
    for script, size in (
        ((token.script, len(token.form)) for token in counted)
        if counted
        else ((script_of(letter), 1) for letter in text if letter.isalpha())
    ):
        language = by_script.get(script)
        if language is not None:
            sizes[language] += size
    if not counted and any(size for language, size in sizes.items() if language != by_script[Script.LATIN]):
        sizes[by_script[Script.LATIN]] = 0
    best = max(sizes.values(), default=0)
    if not best:
        return FALLBACK
    # Beside other letters Latin ones are often no language at all: csv, VAT, LED.
    order = sorted(sizes, key=lambda name: (-sizes[name], name == FALLBACK, name))
    return order[0]
