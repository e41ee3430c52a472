"""Questions that were found to work, kept beside what they were found for: other data are tried again."""

from pathlib import Path
from typing import Final

import msgspec

from dragoman.contracts.decoding import decoded
from dragoman.contracts.record import Record

FILE: Final = "suggestions.json"
_VERSION: Final = 1


class Kept(Record, frozen=True):
    """What was found, for which schema, and how the file of the data looked then."""

    version: int
    fingerprint: str
    stamp: str
    questions: tuple[str, ...]


def load(folder: Path, fingerprint: str, stamp: str) -> tuple[str, ...] | None:
    """What is kept for this schema and these data; None where that is nothing, or not readable."""
    try:
        kept = decoded((folder / FILE).read_bytes(), Kept)
    except (OSError, msgspec.DecodeError):
        return None
    same = (kept.version, kept.fingerprint, kept.stamp) == (_VERSION, fingerprint, stamp)
    return kept.questions if same else None


def encoded(fingerprint: str, stamp: str, questions: tuple[str, ...]) -> bytes:
    return msgspec.json.encode(Kept(_VERSION, fingerprint, stamp, questions))
