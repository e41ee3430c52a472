"""Tokens of a server: made, found, revoked. What is kept of one is its digest."""

import hashlib
import secrets
import time
from collections.abc import Iterable
from typing import Final

from dragoman.contracts.errors import LabelRefused, TokenNotFound, Unauthorized
from dragoman.contracts.record import Record
from dragoman.guards.labels import accept_label
from dragoman.session.stores.protocol import Desk, StoredToken, TokenKind

__all__ = ["AccessTokens", "Issued", "StoredToken", "TokenKind"]

_PREFIX: Final = "drgm_"
_SECRET_BYTES: Final = 32
_ID_BYTES: Final = 4
LINK_SECONDS: Final = 15 * 60.0
COOKIE_SECONDS: Final = 12 * 3600.0


class Issued(Record, frozen=True):
    """A new token. It is shown once: nobody can look it up again."""

    token: str
    stored: StoredToken


class AccessTokens:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def issue(
        self,
        owner: str,
        *,
        title: str = "",
        kind: TokenKind = TokenKind.BEARER,
        seconds: float | None = None,
    ) -> Issued:
        """A new token of an owner. Its bits are random, so a plain digest of it can be kept: there is nothing
        to guess."""
        if kind is TokenKind.BEARER and not owner.strip():
            raise LabelRefused("a token needs an owner", hint="name whose sessions it opens: --owner ann")
        token = _PREFIX + secrets.token_urlsafe(_SECRET_BYTES)
        now = time.time()
        stored = StoredToken(
            secrets.token_hex(_ID_BYTES),
            _digest(token),
            accept_label(owner.strip(), "owner"),
            accept_label(title, "title"),
            kind,
            now,
            now + seconds if seconds is not None else None,
        )
        self._desk.add_token(stored)
        return Issued(token, stored)

    def owner_of(self, token: str, kinds: Iterable[TokenKind]) -> StoredToken:
        """Who a token stands for. Raises `Unauthorized`."""
        found = self._desk.token(_digest(token)) if _is_ours(token) else None
        if found is None or found.kind not in kinds:
            raise unauthorized()
        return found

    def exchange(self, link: str) -> Issued:
        """The cookie for a link, which is used up. Raises `Unauthorized`."""
        found = self._desk.take_token(_digest(link)) if _is_ours(link) else None
        if found is None or found.kind is not TokenKind.LINK:
            raise unauthorized()
        return self.issue(found.owner, title=found.title, kind=TokenKind.COOKIE, seconds=COOKIE_SECONDS)

    def list(self) -> list[StoredToken]:
        """The bearer tokens, the oldest first."""
        return [token for token in self._desk.tokens() if token.kind is TokenKind.BEARER]

    def revoke(self, token_id: str) -> None:
        """Whoever shows it is nobody from now on. Raises `TokenNotFound`."""
        if not self._desk.drop_token(token_id):
            raise TokenNotFound(f"there is no token {token_id[:60]!r}", hint="dragoman token list shows them")

    def forget_local(self, title: str) -> None:
        """Drop the links and cookies of a server that ends, and those that nobody can use any more."""
        now = time.time()
        for token in self._desk.tokens():
            of_server = token.kind is not TokenKind.BEARER and token.title == title
            if of_server or (token.expires_at is not None and token.expires_at <= now):
                self._desk.drop_token(token.id)


def unauthorized() -> Unauthorized:
    return Unauthorized(
        "no valid token was shown",
        hint="send Authorization: Bearer TOKEN (dragoman token create --owner NAME makes one),"
        " or open the URL that dragoman serve printed",
    )


def _is_ours(token: str) -> bool:
    return token.startswith(_PREFIX) and token.isascii() and len(token) < 200


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("ascii")).hexdigest()
