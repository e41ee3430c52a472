"""Whether a text has a word that asks for care, in any of the languages."""

from dragoman.locales.plain_text import plain_text
from dragoman.locales.registry import every_language
from dragoman.locales.script import script_of


def has_quality_hint(query: object) -> bool:
    """Words of every language whose letters the text has: "DB" asks for care in a Korean sentence too."""
    if not isinstance(query, str):
        return False
    text = plain_text(query)
    scripts = {script_of(letter) for letter in set(text)}
    return any(each.has_hint(each, text) for each in every_language() if each.script in scripts)
