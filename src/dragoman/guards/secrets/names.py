"""Names that tell: what stands under `dbPassword` or `X-Api-Key` is a secret by its name alone.

A name is read by its words, and its last word decides: a `password_column` holds the name of a column.
"""

import re
from enum import StrEnum
from functools import lru_cache

from dragoman.guards.secrets.words import words


class NameKind(StrEnum):
    """How much a name tells: a password may be any text, a token never is a plain word."""

    PASSWORD = "password"  # noqa: S105
    TOKEN = "token"  # noqa: S105


LONGEST = 120
"""Nobody names a thing with more characters; of a longer name the end is read."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_PASSWORD_WORD = re.compile(
    r".*(?:password|passwd|passphrase|passcode|passwort|pwd|secret)s?|pass|pw|psw"
    r"|(?:db|user|pg|my|sql|mysql|ssh|root|admin|ftp|smtp|mail|imap|ldap|proxy|login|key|store|keystore|redis"
    r"|mongo|rabbit|vpn|wifi|sudo|http)pass"
    r"|парол[ьяюе]|паролем|секрет|비밀번호|암호"
)
_TOKEN_ENDING = re.compile(
    r"(?:\A|_)(?:\w*token|jwt|bearer|credentials?|authorization|auth|\w*(?:api|access|secret|private|account)key"
    r"|(?:api|access|secret|private|auth|signing|encryption|account|shared|master|service|role|storage|ssh"
    r"|deploy|webhook|license|app|application|consumer|subscription)_keys?"
    r"|access_key_id|service_role|access_signature|(?:auth|session)_cookie|токен|토큰)s?\Z"
)


def is_telling(name: str) -> bool:
    """Whether what stands under this name is a secret by its name alone."""
    return kind_of_name(name) is not None


@lru_cache(maxsize=4096)
def _kind(name: str) -> NameKind | None:
    parts = [word.lower() for word in _WORD.findall(name)]
    while len(parts) > 1 and (parts[-1] in words("afterthoughts") or parts[-1].isdigit()):
        parts.pop()
    if not parts:
        return None
    last, before = parts[-1], parts[-2] if len(parts) > 1 else ""
    if _PASSWORD_WORD.fullmatch(last):
        other = before in words("questions") or (last == "pass" and before in words("other_passes"))
        return None if other else NameKind.PASSWORD
    return NameKind.TOKEN if _TOKEN_ENDING.search("_".join(parts[-4:])) else None


def kind_of_name(name: str) -> NameKind | None:
    return _kind(name[-LONGEST:])
