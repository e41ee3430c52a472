"""What a comment on a table or a column says: a short name, a list of codes with their meanings, or nothing.

Only what is plainly one or the other counts. A sentence, an address, a note to oneself, a type or a unit
teaches nothing.
"""

from collections.abc import Iterator
from functools import cache
from typing import Final

from dragoman._patterns import lazy_pattern
from dragoman.contracts.record import Record
from dragoman.locales.registry import every_language
from dragoman.locales.script import LATIN, script_of

_MOST_WORDS: Final = 3
_LONGEST: Final = 400
_SHORTEST_LATIN: Final = 3
_WORD: Final = lazy_pattern(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_LETTERS: Final = lazy_pattern(r"[^\W_]+")
_FIRST_CODE: Final = r"\s+(?=\d+\s*(?:[=:(→–—-]))"
_NAME_ENDS: Final = lazy_pattern(rf"[:(\[{{.\n]|\s[-–—]+\s|[–—]|{_FIRST_CODE}")
_BRACKETED: Final = lazy_pattern(r"[(\[{]([^()\[\]{}]+)[)\]}]")
_AFTER_NAME: Final = lazy_pattern(rf"{_FIRST_CODE}|[:.\n]\s*|\s[-–—]+\s")
_QUOTES: Final = "\"'“”„«»‘’`"
_CODE: Final = rf"[{_QUOTES}]?(?P<code>-?\w{{1,20}})[{_QUOTES}]?"
_BETWEEN: Final = r"(?:\s*(?:=>|->|→|==?|:|–|—)\s*|\s+-+\s+|(?<=\d)-)"
_ENTRY: Final = lazy_pattern(rf"{_CODE}(?:{_BETWEEN}(?P<meaning>[^\d=:→>–—]+)|\s?\((?P<inner>[^()]+)\))\.?")
_SEPARATORS: Final = ("\n", ";", "|", ",", "/")
_NEXT_ENTRY: Final = lazy_pattern(rf"\s+(?=[{_QUOTES}]?-?\w{{1,20}}[{_QUOTES}]?\s*(?:[=:(]|->|→))")


class Comment(Record, frozen=True):
    """A name in small letters, and codes with what they mean; each may be missing."""

    name: str = ""
    codes: tuple[tuple[str, str], ...] = ()


def read_comment(text: str) -> Comment:
    plain = text.strip()
    if not plain or len(plain) > _LONGEST or "://" in plain or "?" in plain or _is_disowned(plain):
        return Comment()
    for listed in _lists(plain):
        codes = _codes(listed)
        if codes:
            return Comment("" if listed == plain else _name(plain), codes)
    return Comment(_name(plain))


def _lists(text: str) -> Iterator[str]:
    """The parts of a comment that may be a list of codes: all of it, what is in brackets, what follows the
    name."""
    yield text
    for found in _BRACKETED.finditer(text):
        yield found[1].strip()
    name = _AFTER_NAME.search(text)
    if name is not None:
        yield text[name.end() :].strip()


def _codes(text: str) -> tuple[tuple[str, str], ...]:
    for separator in _SEPARATORS:
        if separator in text:
            found = _entries([part for part in text.split(separator) if part.strip()])
            if found:
                return found
    return _entries(_NEXT_ENTRY.split(text))


def _entries(parts: list[str]) -> tuple[tuple[str, str], ...]:
    """Codes and meanings, where every part is such a pair and no two are alike."""
    pairs: list[tuple[str, str]] = []
    for part in parts:
        found = _ENTRY.fullmatch(part.strip())
        if found is None:
            return ()
        meaning = (found["meaning"] or found["inner"]).strip().strip(_QUOTES)
        pairs.append((found["code"], " ".join(meaning.casefold().split())))
    codes, meanings = {code for code, _ in pairs}, {meaning for _, meaning in pairs}
    if len(pairs) < 2 or len(codes) < len(pairs) or len(meanings) < len(pairs):
        return ()
    told = [(code, meaning) for code, meaning in pairs if _is_meaning(code, meaning)]
    return tuple(told)


def _is_meaning(code: str, meaning: str) -> bool:
    small, _, _, empty = _vocabulary()
    words = meaning.split()
    return (
        _is_phrase(words) and meaning != code.casefold() and meaning not in empty and not small & set(words)
    )


def _name(text: str) -> str:
    """What stands before any colon, dash, bracket or full stop, where it is a name and no sentence."""
    small, _, no_names, _ = _vocabulary()
    words = _NAME_ENDS.split(text, maxsplit=1)[0].casefold().split()
    if not _is_phrase(words) or (small | no_names) & set(words):
        return ""
    if len(words) == 1 and script_of(words[0]) == LATIN and len(words[0]) < _SHORTEST_LATIN:
        return ""
    return " ".join(words)


def _is_phrase(words: list[str]) -> bool:
    return 0 < len(words) <= _MOST_WORDS and all(_WORD.fullmatch(word) for word in words)


def _is_disowned(text: str) -> bool:
    low = f" {' '.join(_LETTERS.findall(text.casefold()))} "
    return any(f" {word} " in low for word in _vocabulary()[1])


@cache
def _vocabulary() -> tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str]]:
    """Of all languages together: small words, what disowns a comment, what is in no name, what is no meaning.
    Nobody says which language a comment is in."""
    texts = [each.texts("comments") for each in every_language() if each.has_document("comments")]
    small = frozenset(word for each in every_language() for word in each.function_words())
    disowned, names, meanings = (
        frozenset(str(word).casefold() for text in texts for word in text.get(key, ()))
        for key in ("disowned", "no_names", "no_meanings")
    )
    return small, disowned, names, meanings
