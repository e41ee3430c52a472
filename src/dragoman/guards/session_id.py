"""What may be the id of a session: short and plain, so that it can be a file name and a part of a URL."""

import re

from dragoman.contracts.errors import SessionIdRefused

MAX_CHARACTERS = 64

_ID = re.compile(rf"[A-Za-z0-9][A-Za-z0-9_-]{{0,{MAX_CHARACTERS - 1}}}")


def accept_session_id(session_id: str) -> str:
    if _ID.fullmatch(session_id) is None:
        raise SessionIdRefused(
            f"{session_id[:80]!r} cannot be the id of a session",
            hint=f"use up to {MAX_CHARACTERS} of the characters A-Z a-z 0-9 _ -",
        )
    return session_id
