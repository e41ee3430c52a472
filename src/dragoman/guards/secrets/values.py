"""Whether a value can be a secret: not a placeholder, not a plain word, random enough."""

import math
import re
from collections import Counter

from dragoman._patterns import lazy_pattern
from dragoman.guards.secrets.secret_names import NameKind, is_telling
from dragoman.guards.secrets.words import words

LEAST_PASSWORD_BITS = 6.0
LEAST_TOKEN_BITS = 24.0
LEAST_TOKEN_LENGTH = 8
LONGEST_PLACEHOLDER = 200

# `${X:-hunter2}` is none: what stands after the dash is used when nothing else is.
_PLACEHOLDER = lazy_pattern(
    r"\$\{\{?\s*[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?\s*\}?\}|\$\w+|\$\([^)]*\)|\{\{.*\}\}|[#@%$]?\{\w*\}"
    r"|<[^<>]*>|%\w+%|%\(\w+\)s|%[sd]|env:\w+|:\w+|\?\d*|@[\w-]+|\[[^\W\d]+\]|[*•.…]+"
    r"|(?:os\.environ|os\.getenv|process\.env|ENV|env|vault|secrets?)[.\[(:].*"
    r"|your[-_ ].*|.*[-_]here|(?:redacted|masked|hidden|none|null|nil)",
    re.DOTALL | re.IGNORECASE,
)
_IDENTIFIER = lazy_pattern(r"[^\W\d][\w.]*")
_WORDS = lazy_pattern(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_a-zA-Z]+")
_PUNCTUATION = "\"'`,.;:!?)]}>"


def is_placeholder(text: str) -> bool:
    """`${DB_PASSWORD}`, `<token>`, `***`: something stands for the secret, which is elsewhere."""
    if len(text) > LONGEST_PLACEHOLDER:
        return text.count(text[0]) == len(text)
    return len(set(text)) < 2 or _PLACEHOLDER.fullmatch(text) is not None


def is_no_password(text: str) -> bool:
    """Whether a text that follows a telling name only says something about it."""
    bare = text.strip(_PUNCTUATION)
    return is_placeholder(text) or is_placeholder(bare) or bare.lower() in words("no_passwords")


def is_told_of_password(text: str) -> bool:
    """Whether a word is one of those that rules and types of a password are written in."""
    return len(text) > 1 and text.lower() in words("no_passwords")


def is_description(text: str) -> bool:
    """Whether a word after `is` says what a password is like, and not which it is."""
    bare = text.strip(_PUNCTUATION).lower()
    return bare in words("descriptions") or bare.endswith(tuple(words("description_endings")))


def is_secret_under(kind: NameKind | None, text: str) -> bool:
    """Whether a text that stands alone under a name is what the name says."""
    if kind is None or is_placeholder(text):
        return False
    if kind is NameKind.TOKEN:
        return is_token(text)
    return bits(text) >= LEAST_PASSWORD_BITS


def is_wordlike(text: str) -> bool:
    """A word, or names put together: nothing in it that a password would have and a word would not."""
    bare = text.strip(_PUNCTUATION)
    if not bare:
        return True
    parts = re.split(r"[_.-]", bare)
    return all(
        part.isalpha() and (part == part.lower() or part.istitle() or part.isupper())
        for part in parts
        if part
    )


def is_identifier(text: str) -> bool:
    return _IDENTIFIER.fullmatch(text) is not None


def is_telling_reference(text: str) -> bool:
    """`v.password`, `self.api_key`: the same thing elsewhere, by its name."""
    return is_identifier(text) and "." in text and is_telling(text)


def is_token(text: str) -> bool:
    """Random enough not to be a word, a column or a file: no space, two kinds of characters, many bits."""
    if len(text) < LEAST_TOKEN_LENGTH or any(c.isspace() for c in text) or not is_mixed(text):
        return False
    return bits(text) >= LEAST_TOKEN_BITS and not _is_made_of_words(text)


def is_mixed(text: str) -> bool:
    """Two of small letters, capitals and digits."""
    return sum(any(test(c) for c in text) for test in (str.islower, str.isupper, str.isdigit)) > 1


def _is_made_of_words(text: str) -> bool:
    """`customerToken`, `users.api_key_v2`: words of some length, with at most a small number after them."""
    bare = re.sub(r"[_.-]?v?\d{1,2}\Z", "", text)
    if any(c.isdigit() for c in bare):
        return False
    words = _WORDS.findall(bare)
    return (
        sum(map(len, words)) >= 3 * len(words) and _IDENTIFIER.fullmatch(bare.replace("-", "_")) is not None
    )


def bits(text: str) -> float:
    """Shannon's measure of the whole text."""
    total = len(text)
    return sum(-count * math.log2(count / total) for count in Counter(text).values())
