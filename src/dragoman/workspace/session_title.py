"""What a session is called: the line that began it, or the name that somebody gave it."""

from dragoman.guards.labels import MAX_LABEL, accept_label
from dragoman.guards.secrets import scrubbed

_SHOWN = 80


def title_of(text: str) -> str:
    # Before it is cut: half of a secret is no longer known as one.
    line = "".join(character if character.isprintable() else " " for character in scrubbed(text))
    line = accept_label(" ".join(line.split())[:MAX_LABEL], "title")
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
