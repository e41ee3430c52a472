"""What databases say when they refuse, put so that it can be shown: one line, short, without secrets."""

from dragoman.guards.secrets import scrubbed

MOST_CHARACTERS = 500


def said(text: object, *secrets: str) -> str:
    """A message of a driver, with the secrets that it could repeat taken out."""
    line = " ".join(str(text).split())
    for secret in secrets:
        if secret:
            line = line.replace(secret, "…")
    shown = scrubbed(line)
    return shown if len(shown) <= MOST_CHARACTERS else shown[: MOST_CHARACTERS - 1] + "…"
