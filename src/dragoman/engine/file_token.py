"""How a file is known again, whatever name it has by then."""

from pathlib import Path

import msgspec

from dragoman.contracts.decoding import decoded
from dragoman.contracts.record import Record


class Token(Record, frozen=True):
    """Giving a file another name changes none of these; writing into it does."""

    device: int
    inode: int
    size: int
    changed_ns: int


def token_of(path: Path) -> Token | None:
    """Of a plain file only; a link is not followed."""
    try:
        found = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return Token(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


def written(token: Token) -> str:
    return msgspec.json.encode(token).decode()


def read(token: str) -> Token | None:
    try:
        return decoded(token, Token)
    except msgspec.MsgspecError:
        return None
