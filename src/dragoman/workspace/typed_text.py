"""What is typed at a prompt: whether a program goes on in the next line, and words for what a key does."""

import re
from typing import Final

from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.locales.registry import language, languages

_OPEN: Final = frozenset({"unclosed_bracket", "unterminated_block_string"})
_BRACKET: Final = re.compile(r"(?:\s*;[^\n]*\n)*\s*\(")
_FALLBACK: Final = "en"


def goes_on(text: str) -> bool:
    """Whether a text begins like a program, and has brackets or a block of text that nothing closes yet."""
    if _BRACKET.match(text) is None:
        return False
    return any(finding.code in _OPEN for finding in read_verbs(Source(text)).diagnostics)


def phrase_for(name: str, plain: str, code: str) -> str:
    """A message that says `name`, a phrase of the lexicons, in a language: `plain` where it knows that."""
    for each in (code, _FALLBACK):
        if each in languages():
            phrases: list[str] = language(each).texts("lexicon").get("phrases", {}).get(name, [])
            if phrases:
                return plain if plain in phrases else phrases[0]
    return plain
