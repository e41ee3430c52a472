"""Secrets in text: passwords, keys and tokens, found by their form or by the name they stand under.

A finding says what kind of secret it is and where, never what it is.
"""

from dragoman.guards.secrets.kinds import Secret, SecretKind
from dragoman.guards.secrets.redaction import redacted, scrubbed, scrubbed_value
from dragoman.guards.secrets.secret_names import is_telling
from dragoman.guards.secrets.secret_search import find_secrets, may_hold_secret, suspects

__all__ = [
    "Secret",
    "SecretKind",
    "find_secrets",
    "is_telling",
    "may_hold_secret",
    "redacted",
    "scrubbed",
    "scrubbed_value",
    "suspects",
]
