"""A connection as an entry of connections.yaml. Its secrets become variables, for somebody to set."""

import re

import yaml

from dragoman.contracts.connection import ConnectionSpec, SecretText, Transport
from dragoman.databases.connections.variables import is_only_variables

FALLBACK = "data"

_NO_LETTER = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST = 40


def alias_for(spec: ConnectionSpec) -> str:
    """A name for a connection that has none: its database's, or its file's without the ending."""
    name = (
        spec.database
        or spec.path.rstrip("/").rpartition("/")[2].partition(".")[0]
        or spec.host.partition(".")[0]
    )
    plain = _NO_LETTER.sub("-", name).strip("-_")[:_LONGEST].lower()
    return plain if plain[:1].isalpha() and plain != "default" else f"{FALLBACK}-{plain}".strip("-")


def written_entry(spec: ConnectionSpec, alias: str) -> tuple[str, dict[str, SecretText]]:
    """The text of the entry, and the variables that must be set for it, with what they have to hold.

    A secret that is not known yet has nothing to hold so far.
    """
    variables: dict[str, SecretText] = {}
    prefix = re.sub("[^A-Za-z0-9_]", "_", alias).upper()

    def hidden(secret: SecretText | None, ending: str) -> str:
        if secret is not None and is_only_variables(secret.reveal()):
            return secret.reveal()
        variables[f"{prefix}_{ending}"] = secret or SecretText("")
        return f"${{{prefix}_{ending}}}"

    entry: dict[str, object] = {}
    if spec.family is not None:
        entry["family"] = spec.family
    if spec.url is not None:
        entry["url"] = hidden(spec.url, "URL")
    elif spec.path:
        entry["path"] = spec.path
    elif spec.transport is Transport.REST:
        entry["url"] = f"https://{spec.host}"
        entry["key"] = hidden(spec.password, "KEY")
    else:
        entry["host"] = spec.host
        if spec.port:
            entry["port"] = spec.port
        if spec.user:
            entry["user"] = spec.user
        if spec.password is not None:
            entry["password"] = hidden(spec.password, "PASSWORD")
        entry["database"] = spec.database
    if spec.default:
        entry["default"] = True
    if spec.description:
        entry["description"] = spec.description
    if spec.options:
        entry["options"] = dict(spec.options)
    text = yaml.safe_dump({alias: entry}, allow_unicode=True, sort_keys=False, width=10_000)
    return text, variables
