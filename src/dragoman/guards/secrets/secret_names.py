"""Names that tell: what stands under `dbPassword` or `X-Api-Key` is a secret by its name alone.

A name is read by its words, and its last word decides: a `password_column` holds the name of a column.
"""

import re
from enum import StrEnum
from functools import cache, lru_cache

from dragoman._patterns import lazy_pattern
from dragoman.guards.secrets.words import unaccented, without_accents, words


class NameKind(StrEnum):
    """How much a name tells: a password may be any text, a token never is a plain word."""

    PASSWORD = "password"  # noqa: S105
    TOKEN = "token"  # noqa: S105


LONGEST = 120
"""Nobody names a thing with more characters; of a longer name the end is read."""

# Marks of scripts such as Devanagari and Thai are no letters, but parts of words.
MARKED = "\u0900-\u0e7f"
_WORD = lazy_pattern(rf"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z](?:[^\W\d_a-zA-Z]|[{MARKED}])*")
_PASSWORD_WORD = lazy_pattern(
    r".*(?:password|passwd|passphrase|passcode|passwort|pwd|secret)s?|pass|pw|psw"
    r"|(?:db|user|pg|my|sql|mysql|ssh|root|admin|ftp|smtp|mail|imap|ldap|proxy|login|key|store|keystore|redis"
    r"|mongo|rabbit|vpn|wifi|sudo|http)pass"
)
_TOKEN_ENDING = lazy_pattern(
    r"(?:\A|_)(?:\w*token|jwt|bearer|credentials?|authorization|auth|\w*(?:api|access|secret|private|account)key"
    r"|(?:api|access|secret|private|auth|signing|encryption|account|shared|master|service|role|storage|ssh"
    r"|deploy|webhook|license|app|application|consumer|subscription)_keys?"
    r"|access_key_id|service_role|access_signature|(?:auth|session)_cookie)s?\Z"
)


def is_telling(name: str) -> bool:
    """Whether what stands under this name is a secret by its name alone."""
    return kind_of_name(name) is not None


@lru_cache(maxsize=4096)
def _kind(name: str) -> NameKind | None:
    parts = last_words(name)
    if not parts:
        return None
    last, before = parts[-1], parts[-2] if len(parts) > 1 else ""
    if _PASSWORD_WORD.fullmatch(last):
        other = before in words("questions") or (last == "pass" and before in words("other_passes"))
        return None if other else NameKind.PASSWORD
    if last in without_accents("passwords") or _is_phrase(parts):
        return NameKind.PASSWORD
    if not last.isascii() and (joined := _joined().search(last)):
        return NameKind.TOKEN if joined["name"] in words("tokens") else NameKind.PASSWORD
    if last in words("tokens") or last in words("phrases") - {"phrase"}:
        return NameKind.PASSWORD if last in words("phrases") else NameKind.TOKEN
    return NameKind.TOKEN if _TOKEN_ENDING.search("_".join(parts[-4:])) else None


def kind_of_name(name: str) -> NameKind | None:
    return _kind(name[-LONGEST:])


def last_words(name: str) -> list[str]:
    """The words of a name up to the one that decides, in small letters and without accents."""
    parts = [word.lower() for word in _WORD.findall(unaccented(name))]
    while len(parts) > 1 and (parts[-1] in words("afterthoughts") or parts[-1].isdigit()):
        parts.pop()
    return parts


def ends_in_particle(name: str) -> bool:
    """`비밀번호는`, `密码是`: the name and a word that says the value comes next."""
    if name.isascii():
        return False
    joined = _joined().search(name)
    return joined is not None and joined["particle"] != ""


@cache
def phrase_ends() -> frozenset[str]:
    """The last words of names of several words."""
    return frozenset(phrase.rpartition("_")[2] for phrase in without_accents("password_phrases"))


def _is_phrase(parts: list[str]) -> bool:
    phrases = without_accents("password_phrases")
    return any("_".join(parts[-length:]) in phrases for length in (2, 3) if length <= len(parts))


@cache
def _joined() -> re.Pattern[str]:
    """A name at the end of a run of letters that no space divides, with a particle or without."""
    names = "|".join(word for word in sorted((*words("passwords"), *words("tokens"))) if _is_uncased(word))
    particles = "|".join(sorted(words("particles")))
    return re.compile(rf"(?P<name>{names})(?P<particle>(?:{particles})?)\Z")


def _is_uncased(word: str) -> bool:
    """Of a script without capitals, where words are joined."""
    return word.upper() == word
