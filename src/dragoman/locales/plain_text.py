"""A query as the hints are compared with it: one spelling for each letter, without case."""

import re
import unicodedata

# Marks inside a word that nobody sees.
_INVISIBLE = re.compile("[\u00ad\u200c\u200d\u2060\ufeff]")

_MAX_MARKS = 30


def plain_text(query: str) -> str:
    """Full-width letters become plain ones, Hangul is composed, letters lose their case."""
    if query.isascii():
        return query.lower()
    return unicodedata.normalize("NFKC", _short_of_marks(_INVISIBLE.sub("", query))).casefold()


def _short_of_marks(text: str) -> str:
    """Without endless runs of accents: to put a run in order takes the square of its length."""
    marks = "".join(character for character in set(text) if _is_mark(character))
    if not marks:
        return text
    run = re.compile(f"([{re.escape(marks)}]{{{_MAX_MARKS}}})[{re.escape(marks)}]+")
    return run.sub(r"\1", text)


def _is_mark(character: str) -> bool:
    return unicodedata.combining(unicodedata.normalize("NFKD", character)[0]) != 0
