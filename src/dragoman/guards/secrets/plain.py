"""A text as a person reads it: wide letters narrow, invisible characters gone, escapes undone.

Each character of the plain text knows where it came from, so that what is found there has a place in the text
as it was written.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from dragoman._patterns import lazy_pattern
from dragoman.contracts.record import Record

# Letters that have one form only, if no mark follows: of scripts with spaces, and of scripts without.
_SPACED = "\xc0-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e\u0400-\u0482\u048a-\u052f\u2013\u2014\u2026"
_JOINED = "\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff\uac00-\ud7a3"
# Marks that join the letter before them. A run of them is cut: sorting a long one would take quadratic time.
_MARKS = "\u0300-\u036f"
_JOINING = _MARKS + "\u1160-\u11ff\u3099\u309a\uff9e\uff9f"
_PIECE = lazy_pattern(
    r"(?P<percent>(?:%(?:25){0,6}[0-9A-Fa-f]{2})+)"
    r"|&(?:amp;){0,6}(?P<entity>\#\d{1,7}|\#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,20});"
    r"|\\{1,4}(?:u(?P<wide>[0-9A-Fa-f]{4})|x(?P<narrow>[0-9A-Fa-f]{2}))"
    rf"|(?P<run>[{_JOINED}]++(?![{_JOINING}]))"
    rf"|(?P<cluster>[A-Za-z{_SPACED}][{_MARKS}]{{1,8}}|[^\x00-\x7f{_SPACED}][{_JOINING}]{{0,8}})"
)
_ESCAPE = lazy_pattern(r"%[0-9A-Fa-f]{2}|&(?:#|[A-Za-z]{2,20};)|\\[ux][0-9A-Fa-f]{2}")
_ENCODED = lazy_pattern(r"%(?:25){0,6}([0-9A-Fa-f]{2})")
# Quotes and spaces of print hide no word.
_ODD = lazy_pattern(f"[^\x00-\x7f\xa0\xab\xbb\u2018-\u201e{_SPACED}{_JOINED}]")
# Written without spaces, or with endings joined to foreign words: a Latin word beside them is a word.
_UNSPACED = lazy_pattern("[\u0e00-\u0e7f\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")
_QUOTES = dict.fromkeys("“”„‟«»「」『』″", '"') | dict.fromkeys("‘’‚‛‹›′", "'")
# What scrubbing leaves must not be read as anything else.
_KEPT = frozenset("…")


class Plain(Record, frozen=True):
    """The text to read, and for each of its characters where it begins and ends in the text as written."""

    text: str
    starts: list[int]
    ends: list[int]

    def place(self, start: int, end: int) -> tuple[int, int]:
        return self.starts[start], self.ends[end - 1]


def is_disguised(text: str) -> bool:
    """Whether a plain reading may show words that the text as written does not; cheap for ordinary texts."""
    if ("%" in text or "&" in text or "\\" in text) and _ESCAPE.search(text):
        return True
    return not text.isascii() and _ODD.search(text) is not None


def plain_reading(text: str) -> Plain | None:
    """The plain reading of a text, or none where it reads as it is written."""
    if text.isascii() and not is_disguised(text):
        return None
    writer = _Writer()
    position = 0
    for piece in _PIECE.finditer(text):
        writer.copy(text, position, piece.start())
        position = piece.end()
        if piece.lastgroup == "run":
            writer.copy(text, *piece.span())
            continue
        for read, start, end in _read(piece):
            writer.write(read, start, end)
    writer.copy(text, position, len(text))
    plain = "".join(writer.pieces)
    return None if plain == text else Plain(plain, writer.starts, writer.ends)


class _Writer:
    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self._last = ""

    def copy(self, text: str, start: int, end: int) -> None:
        if start < end:
            self._part(text[start], start)
            self.pieces.append(text[start:end])
            self.starts.extend(range(start, end))
            self.ends.extend(range(start + 1, end + 1))
            self._last = text[end - 1]

    def write(self, read: str, start: int, end: int) -> None:
        if read:
            self._part(read[0], start)
            self.pieces.append(read)
            self.starts.extend([start] * len(read))
            self.ends.extend([end] * len(read))
            self._last = read[-1]

    def _part(self, following: str, at: int) -> None:
        """A space that was not written, between a word and one of a script without spaces."""
        last = self._last
        if (_is_latin(last) and _UNSPACED.match(following)) or (
            _is_latin(following) and _UNSPACED.match(last)
        ):
            self.pieces.append(" ")
            self.starts.append(at)
            self.ends.append(at)


def _is_latin(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character in ("$", "!", "@", "#", "%", "^", "*"))


def _read(piece: re.Match[str]) -> Iterator[tuple[str, int, int]]:
    start, end = piece.span()
    match piece.lastgroup:
        case "percent":
            yield from _decoded(piece[0], start)
        case "entity":
            # Its table of names is large, and hardly any text has one.
            import html

            yield "".join(map(_plain, html.unescape(f"&{piece['entity']};"))), start, end
        case "wide" | "narrow":
            yield _plain(chr(int(piece["wide"] or piece["narrow"], 16))), start, end
        case _:
            yield _plain(piece["cluster"]), start, end


def _decoded(text: str, start: int) -> Iterator[tuple[str, int, int]]:
    """Percent signs undone, however often they were encoded over each other."""
    escapes = list(_ENCODED.finditer(text))
    data = bytes(int(escape[1], 16) for escape in escapes)
    position = 0
    for character in data.decode("utf-8", "surrogateescape"):
        size = len(character.encode("utf-8", "surrogateescape"))
        first, last = escapes[position], escapes[position + size - 1]
        yield _plain(character), start + first.start(), start + last.end()
        position += size


@lru_cache(maxsize=4096)
def _plain(cluster: str) -> str:
    if cluster in _KEPT:
        return cluster
    if cluster in _QUOTES:
        return _QUOTES[cluster]
    return "".join(c for c in unicodedata.normalize("NFKC", cluster) if not _is_invisible(c))


def _is_invisible(character: str) -> bool:
    selector = "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
    return selector or unicodedata.category(character) == "Cf" or character in _FILLERS
