"""Secrets before the @ of an address: a password, or a token in the place of the user."""

from collections.abc import Iterator

from dragoman._patterns import lazy_pattern
from dragoman.guards.secrets.kinds import Secret, SecretKind
from dragoman.guards.secrets.values import is_placeholder, is_token

MARKS = ("://",)

_HEAD = lazy_pattern(
    r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{0,40}://(?P<user>[^\s/:@?#\"'<>\[]*+)(?P<next>[:@])"
)
_END = lazy_pattern(r"[\s\"'<>`]|\Z")
_PORT = lazy_pattern(r"\d{1,5}(?:[/?#]|\Z)")
_LEAST_TOKEN = 16


def secrets_in_urls(text: str) -> Iterator[Secret]:
    # Where the present run of characters without white space ends, and its last @: looked up once for all
    # addresses in the run, or a text of nothing but addresses would take quadratic time.
    end, last_at, covered = -1, -1, -1
    for head in _HEAD.finditer(text):
        start = head.end()
        if head["next"] == "@":
            user = head["user"]
            if len(user) >= _LEAST_TOKEN and is_token(user):
                yield Secret(SecretKind.URL_TOKEN, *head.span("user"))
            continue
        if start > end:
            found = _END.search(text, start)
            end = found.start() if found else len(text)
            last_at = text.rfind("@", start, end)
        if last_at <= start or start <= covered or _is_port(text, start, end):
            continue
        first_at = text.find("@", start, end)
        # By the rules a password has no @ or slash in it. People write both: it ends with the last @.
        if not _is_placed(text[start:first_at]) and not is_placeholder(text[start:last_at]):
            covered = last_at
            yield Secret(SecretKind.URL_PASSWORD, start, last_at)


def _is_port(text: str, start: int, end: int) -> bool:
    """A number before a slash is a port, and what follows is a path."""
    return _PORT.match(text, start, end) is not None


def _is_placed(text: str) -> bool:
    """Whether something stands for the password before the first @; a letter may be its beginning."""
    return is_placeholder(text) and not (len(text) == 1 and text.isalnum())
