"""The secret finder: one cheap search that lets nearly every text pass, and a closer look at the rest."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain

from dragoman.guards.secrets import assignments, blocks, forms, urls
from dragoman.guards.secrets.kinds import Secret, SecretKind
from dragoman.guards.secrets.plain import Plain, is_disguised, plain_reading
from dragoman.guards.secrets.secret_names import NameKind, kind_of_name
from dragoman.guards.secrets.values import is_secret_under

_Tree = dict[str, "_Tree"]


def may_hold_secret(text: str) -> bool:
    """Whether a closer look is needed; one cheap search, over many values joined as well as over one."""
    if _has_mark(text):
        return True
    plain = plain_reading(text) if is_disguised(text) else None
    return plain is not None and _has_mark(plain.text)


def suspects(named: Iterable[tuple[str, str]]) -> frozenset[str]:
    """The names whose texts need a closer look: all of them where any text may hold a secret, otherwise those
    that tell of one."""
    placed = list(named)
    names = frozenset(name for name, _ in placed)
    if may_hold_secret("\n".join([text for _, text in placed])):
        return names
    return frozenset(name for name in names if kind_of_name(name) is not None)


def find_secrets(text: str, name: str = "") -> tuple[Secret, ...]:
    """Every secret in a text that stands under `name`, in the order of the text, none over another."""
    if name and is_secret_under(kind := kind_of_name(name), text):
        named = SecretKind.NAMED_PASSWORD if kind is NameKind.PASSWORD else SecretKind.NAMED_TOKEN
        return (Secret(named, 0, len(text)),)
    marked = _has_mark(text)
    plain = plain_reading(text) if marked or is_disguised(text) else None
    if marked or (plain is not None and _has_mark(plain.text)):
        return tuple(_merged(_found(text, plain)))
    return ()


def _found(text: str, plain: Plain | None) -> Iterator[Secret]:
    """In the text as it is written and as it is read: what one cuts short the other may have whole."""
    yield from _by_form(text)
    if plain is not None:
        for secret in _by_form(plain.text):
            yield Secret(secret.kind, *plain.place(secret.start, secret.end))


def _by_form(text: str) -> Iterator[Secret]:
    return chain(
        urls.secrets_in_urls(text),
        blocks.private_keys(text),
        forms.formed_secrets(text),
        assignments.assigned_secrets(text),
    )


def _merged(found: Iterator[Secret]) -> Iterator[Secret]:
    """Two findings over one stretch are one: of the kind that begins first, the surer one among equals."""
    last: Secret | None = None
    for secret in sorted(found, key=lambda each: each.start):
        if last is not None and secret.start < last.end:
            last = Secret(last.kind, last.start, max(last.end, secret.end))
        else:
            if last is not None:
                yield last
            last = secret
    if last is not None:
        yield last


def _has_mark(text: str) -> bool:
    return _first_look(ascii_only=text.isascii()).search(text.lower()) is not None


@cache
def _first_look(*, ascii_only: bool) -> re.Pattern[str]:
    """All marks as one pattern that shares their beginnings: several times faster than one after another."""
    tree: _Tree = {}
    for mark in (*forms.MARKS, *urls.MARKS, *blocks.MARKS, *assignments.marks()):
        # The engine skips faster where every first character is an ASCII one.
        if ascii_only and not mark.isascii():
            continue
        node = tree
        for character in mark:
            node = node.setdefault(character, {})
        node[""] = {}
    # Without brackets around it all, or the engine would not know which first characters to skip.
    return re.compile("|".join((*_branches(tree), *forms.MARK_PATTERNS)))


def _branches(tree: _Tree) -> list[str]:
    return [re.escape(character) + _pattern_of(below) for character, below in sorted(tree.items())]


def _pattern_of(tree: _Tree) -> str:
    # Where one mark ends there is no need to look for a longer one.
    if "" in tree:
        return ""
    branches = _branches(tree)
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"
