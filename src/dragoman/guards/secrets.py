"""Secrets in text: passwords, keys and tokens, found by their form or by the name they stand under.

A finding says what kind of secret it is and where, never what it is.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum

from dragoman.contracts.record import Record


class SecretKind(StrEnum):
    """What a secret looks like, in the words a message uses."""

    URL_PASSWORD = "a password in a connection URL"  # noqa: S105
    DSN_PASSWORD = "a password in a connection string"  # noqa: S105
    URL_PARAMETER = "a secret in the parameters of a URL"
    AWS_KEY = "an AWS access key"
    GITHUB_TOKEN = "a GitHub token"  # noqa: S105
    GITLAB_TOKEN = "a GitLab token"  # noqa: S105
    SLACK_TOKEN = "a Slack token"  # noqa: S105
    GOOGLE_KEY = "a Google API key"
    STRIPE_KEY = "a Stripe key"
    MODEL_KEY = "the key of a model provider"
    PRIVATE_KEY = "a private key"
    JSON_WEB_TOKEN = "a JSON web token"  # noqa: S105
    AUTHORIZATION = "an authorization header"
    NAMED_PASSWORD = "a password"  # noqa: S105
    NAMED_TOKEN = "a key or token"  # noqa: S105


class Secret(Record, frozen=True):
    kind: SecretKind
    start: int
    end: int


# A group named `s` is the secret itself where the rest of the match is only what tells it apart.
_FORMS: dict[SecretKind, str] = {
    SecretKind.URL_PASSWORD: r"\b[A-Za-z][A-Za-z0-9+.-]{0,40}://[^\s/:@?#]{0,200}:(?P<s>[^\s/@]{1,200})@",
    SecretKind.URL_PARAMETER: (
        r"[?&](?:password|passwd|pwd|secret|token|access_token|api_?key|client_secret|sig|signature)"
        r"=(?P<s>[^\s&#]{4,})"
    ),
    SecretKind.DSN_PASSWORD: r"(?<![\w.?&])(?:password|passwd|pwd)=(?P<s>'[^']*'|[^\s;&'\"()]++)(?!\()",
    SecretKind.AWS_KEY: r"\b(?-i:AKIA|ASIA|ABIA|ACCA)(?-i:[A-Z2-7]{16})\b",
    SecretKind.GITHUB_TOKEN: r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})",
    SecretKind.GITLAB_TOKEN: r"\bglpat-[A-Za-z0-9_-]{16,}",
    SecretKind.SLACK_TOKEN: r"\bxox[abeoprs]-[A-Za-z0-9-]{8,}|hooks\.slack\.com/services/\w+/\w+/\w+",
    SecretKind.GOOGLE_KEY: r"\b(?-i:AIza)[A-Za-z0-9_-]{30,}|\bya29\.[A-Za-z0-9_-]{20,}",
    SecretKind.STRIPE_KEY: r"\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}",
    SecretKind.MODEL_KEY: r"\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}",
    SecretKind.PRIVATE_KEY: r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY",
    SecretKind.JSON_WEB_TOKEN: r"\b(?-i:eyJ)[A-Za-z0-9_-]{8,}\.(?-i:eyJ)[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
    SecretKind.AUTHORIZATION: r"\b(?:bearer|basic)\s+(?P<s>[A-Za-z0-9._~+/=-]{12,})",
}
_PATTERNS = {kind: re.compile(form, re.IGNORECASE) for kind, form in _FORMS.items()}

# Only a text with one of these in it can match a form above.
_MARKS = (
    *(
        "://",
        "pwd",
        "passw",
        "token=",
        "key=",
        "secret=",
        "sig=",
        "signature=",
        "hooks.slack",
        "bearer",
        "basic",
    ),
    *("akia", "asia", "abia", "acca", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat", "glpat-", "xox"),
    *("aiza", "ya29.", "_live_", "_test_", "sk-", "-----begin", "eyj"),
)

# `password`, `db-password`, `dbPassword`, but not `password_column`.
_PASSWORD_NAME = re.compile(r"(?:password|passwd|passphrase|pwd|secret)s?\Z", re.IGNORECASE)
_TOKEN_NAME = re.compile(
    r"(?:\A|[._-]|(?<=[a-z])(?-i:(?=[A-Z])))"
    r"(?:token|api[._-]?key|access[._-]?key|secret[._-]?key|private[._-]?key|auth[._-]?key|signing[._-]?key"
    r"|access[._-]?key[._-]?id|credentials?|authorization|auth|bearer|jwt)s?\Z",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"\$\{[^}]*\}|\$[A-Za-z_]\w*|\$\([^)]*\)|\{\{.*\}\}|\{\w*\}|<[^<>]*>|%\w+%|%\(\w+\)s|env:\w+|:\w+|\?|@[\w-]+",
    re.DOTALL,
)

_LEAST_PASSWORD_BITS = 6.0
_LEAST_TOKEN_BITS = 24.0
_LEAST_TOKEN_LENGTH = 8


def may_hold_secret(text: str) -> bool:
    """Whether a closer look is needed; one cheap search, over many values joined as well as over one."""
    lowered = text.lower()
    return any(mark in lowered for mark in _MARKS)


def is_telling(name: str) -> bool:
    """Whether what stands under this name is a secret by its name alone."""
    return _PASSWORD_NAME.search(name) is not None or _TOKEN_NAME.search(name) is not None


def find_secrets(text: str, name: str = "") -> tuple[Secret, ...]:
    """Every secret in a text that stands under `name`, in the order of the text."""
    found = list(_by_form(text)) if may_hold_secret(text) else []
    if name and not found:
        found.extend(_by_name(text, name))
    return tuple(sorted(found, key=lambda secret: secret.start))


def redacted(text: str, limit: int = 40) -> str:
    """A piece of source as a message may quote it: short, in quotes, and without its secrets."""
    if find_secrets(text):
        return "a value that is not shown"
    shown = text if len(text) <= limit else text[: limit - 1] + "…"
    return repr(shown)


def scrubbed(text: str) -> str:
    """A message with its secrets left out, should one have found its way into it."""
    for secret in reversed(find_secrets(text)):
        text = f"{text[: secret.start]}…{text[secret.end :]}"
    return text


def _by_form(text: str) -> Iterator[Secret]:
    for kind, pattern in _PATTERNS.items():
        for match in pattern.finditer(text):
            start, end = match.span("s") if "s" in pattern.groupindex else match.span()
            if not _is_placeholder(text[start:end].strip("'\"")):
                yield Secret(kind, start, end)


def _by_name(text: str, name: str) -> Iterator[Secret]:
    if _is_placeholder(text):
        return
    if _PASSWORD_NAME.search(name) and _bits(text) >= _LEAST_PASSWORD_BITS:
        yield Secret(SecretKind.NAMED_PASSWORD, 0, len(text))
    elif _TOKEN_NAME.search(name) and _is_token(text):
        yield Secret(SecretKind.NAMED_TOKEN, 0, len(text))


def _is_placeholder(text: str) -> bool:
    """`${DB_PASSWORD}`, `<token>`, `***`: something stands for the secret, which is elsewhere."""
    return not text or _PLACEHOLDER.fullmatch(text) is not None or len(set(text)) == 1


def _is_token(text: str) -> bool:
    """Random enough not to be a word, a column or a file: no space, two kinds of characters, many bits."""
    kinds = sum(any(test(c) for c in text) for test in (str.islower, str.isupper, str.isdigit))
    enough = len(text) >= _LEAST_TOKEN_LENGTH and _bits(text) >= _LEAST_TOKEN_BITS
    return enough and kinds > 1 and not any(c.isspace() for c in text)


def _bits(text: str) -> float:
    """Shannon's measure of the whole text."""
    total = len(text)
    return sum(-count * math.log2(count / total) for count in Counter(text).values())
