"""What a caller may call things by: keys, owners, titles. Text that can be stored, shown and sent."""

from dragoman.contracts.errors import LabelRefused
from dragoman.guards.secrets import find_secrets

MAX_KEY = 200
MAX_LABEL = 500


def accept_label(value: str, what: str, limit: int = MAX_LABEL) -> str:
    """The text as it is, or a refusal that names what it was meant for."""
    if not isinstance(value, str):
        raise LabelRefused(f"the {what} is not a text", hint="give a string")
    if len(value) > limit:
        raise LabelRefused(
            f"the {what} has {len(value):,} characters; at most {limit} are taken", hint="shorten it"
        )
    if not value.isprintable() or not _is_text(value):
        raise LabelRefused(
            f"the {what} has characters that cannot be shown", hint="use plain text on one line"
        )
    return value


def accept_key(value: str) -> str:
    """A client's own key for a turn."""
    if value == "":
        raise LabelRefused("the key is empty", hint="give a key, or none")
    if find_secrets(value):
        raise LabelRefused("the key looks like a secret, and would be stored", hint="make up another key")
    return accept_label(value, "key", MAX_KEY)


def _is_text(value: str) -> bool:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
