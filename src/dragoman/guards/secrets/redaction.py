"""Texts and values without their secrets: what may be shown, logged, recorded or sent."""

from dragoman.guards.secrets.secret_names import is_telling
from dragoman.guards.secrets.secret_search import find_secrets
from dragoman.guards.secrets.values import is_placeholder

GONE = "…"
"""What stands in the place of a secret."""

MAX_ROUNDS = 8
MAX_DEPTH = 200


def redacted(text: str, limit: int = 40) -> str:
    """A piece of source as a message may quote it: short, in quotes, and without its secrets."""
    if find_secrets(text):
        return "a value that is not shown"
    shown = text if len(text) <= limit else text[: limit - 1] + "…"
    return repr(shown)


def scrubbed(text: str) -> str:
    """A message with its secrets left out, should one have found its way into it.

    What is left is searched again: with a piece gone, what stood around it may read as something else.
    """
    for _ in range(MAX_ROUNDS):
        found = find_secrets(text)
        if not found:
            return text
        pieces, position = list[str](), 0
        for secret in found:
            pieces += (text[position : secret.start], GONE)
            position = secret.end
        text = "".join((*pieces, text[position:]))
    return GONE if find_secrets(text) else text


def scrubbed_value(value: object, name: str = "", depth: int = 0) -> object:
    """A JSON value without secrets: texts scrubbed, and what stands under a telling name gone.

    A yes, a no, nothing, and what only stands for a secret stay as they are.
    """
    if depth > MAX_DEPTH:
        return GONE
    match value:
        case dict():
            return {
                scrubbed(key) if isinstance(key, str) else key: scrubbed_value(
                    each, key if isinstance(key, str) else "", depth + 1
                )
                for key, each in value.items()
            }
        case list() | tuple():
            return [scrubbed_value(each, name, depth + 1) for each in value]
        case str():
            return GONE if _hides(name, value) else scrubbed(value)
        case bool() | None:
            return value
        case int() | float():
            return GONE if _hides(name, str(value)) else value
        case _:
            return value


def _hides(name: str, text: str) -> bool:
    return name != "" and is_telling(name) and not is_placeholder(text)
