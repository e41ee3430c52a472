"""A message as a turn may have it: text of a sensible length, without a secret in it."""

from dragoman.guards.message import accept_message
from dragoman.guards.secrets import scrubbed


def accepted_message(message: str | bytes) -> str:
    """The message, checked and scrubbed. Raises as `accept_message`."""
    return scrubbed(accept_message(message))
