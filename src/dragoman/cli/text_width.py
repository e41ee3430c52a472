"""How wide a text is in a terminal: letters of East Asia take two cells, marks on letters none."""

from collections.abc import Iterator

ELLIPSIS = "…"
_NARROW = dict.fromkeys(map(ord, "…─·–—“”’"))
"""Signs of one cell that our own tables and sentences have."""


def width_of(text: str) -> int:
    """How many cells a printable text takes."""
    if text.isascii():
        return len(text)
    letters = text.translate(_NARROW)
    if letters.isascii() and letters.isprintable():
        return len(text)
    # Imported for texts that need it: most have a cell for each letter.
    from wcwidth import wcswidth

    return max(0, wcswidth(text))


def clusters(text: str) -> Iterator[str]:
    """The letters of a text, each with the marks on it: what must not be torn apart."""
    if text.isascii():
        yield from text
        return
    held = ""
    for letter in text:
        # What adds nothing to the width of what is before it belongs to it.
        if held and width_of(held + letter) == width_of(held):
            held += letter
            continue
        if held:
            yield held
        held = letter
    if held:
        yield held


def cut(text: str, most: int) -> str:
    """A text of at most so many cells; one that was cut says so with an ellipsis."""
    if width_of(text) <= most:
        return text
    kept, used = [], 0
    for cluster in clusters(text):
        used += width_of(cluster)
        if used > most - 1:
            break
        kept.append(cluster)
    return "".join(kept) + ELLIPSIS


def padded(text: str, width: int, *, right: bool = False) -> str:
    """A text with blanks up to a width; `right`: the blanks come first."""
    blanks = " " * (width - width_of(text))
    return blanks + text if right else text + blanks


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most so many cells: between words where that is possible, else inside one."""
    lines, line = [], ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if width_of(joined) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        *full, line = _pieces(word, width)
        lines.extend(full)
    return [*lines, line]


def _pieces(word: str, width: int) -> list[str]:
    pieces, piece, used = [], "", 0
    for cluster in clusters(word):
        needed = width_of(cluster)
        if piece and used + needed > width:
            pieces.append(piece)
            piece, used = "", 0
        piece, used = piece + cluster, used + needed
    return [*pieces, piece]
