"""HTML as blocks, by the standard library's own parser, which recovers from anything."""

from html.parser import HTMLParser
from typing import Final

from dragoman.documents.blocks import PARAGRAPH, Block

_SILENT: Final = frozenset({"script", "style", "template", "noscript", "svg", "nav", "iframe", "object"})
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_BREAKS: Final = frozenset(
    [
        *("p", "div", "section", "article", "main", "header", "footer", "aside", "dl", "dd", "dt", "tr"),
        *("form", "blockquote", "pre", "figure", "figcaption", "address", "hr", "body"),
    ]
)
_PARTS: Final = frozenset({"li", "tr", "dd", "dt", "br"})
_CELLS: Final = frozenset({"td", "th"})
_DEEPEST: Final = 10_000
"""So many silent elements inside each other are counted: more are no document."""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[Block] = []
        self._said: list[str] = []
        self._first = self._last = 1
        self._level = PARAGRAPH
        self._silent: list[str] = []
        self._tail = ""
        self._lists = 0
        self._parted = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT and len(self._silent) < _DEEPEST:
            self._silent.append(tag)
        elif tag in _HEADINGS:
            self._end()
            self._level = _HEADINGS[tag]
        elif tag == "title":
            self._end()
            self._level = 1
        elif tag in ("ul", "ol", "table", "dl"):
            # What announces a list belongs to it: the list goes on in the same block.
            if not self._announces():
                self._end()
            self._lists += 1
            self._parted = True
        elif tag in _PARTS and (self._lists or tag == "br"):
            self._said.append("\n")
        elif tag in _CELLS:
            self._said.append(" | " if self._said and self._said[-1] != "\n" else "")
        elif tag in _BREAKS and not self._lists and (tag != "p" or not self._announces()):
            self._end()

    def handle_endtag(self, tag: str) -> None:
        if self._silent and tag == self._silent[-1]:
            self._silent.pop()
        elif tag in _HEADINGS or tag == "title":
            self._end()
        elif tag in ("ul", "ol", "table", "dl"):
            self._lists = max(0, self._lists - 1)
            if not self._lists:
                self._end()
        elif tag in _BREAKS and not self._lists and not self._announces():
            self._end()

    def _announces(self) -> bool:
        return self._tail == ":"

    def handle_data(self, data: str) -> None:
        if self._silent or not data.strip():
            if self._said and not self._silent:
                self._said.append(" ")
            return
        line = self.getpos()[0]
        if not self._tail:
            self._first = line + data[: len(data) - len(data.lstrip())].count("\n")
        self._last = line + data.rstrip().count("\n")
        self._tail = data.rstrip()[-1]
        before, behind = (" " if end.isspace() else "" for end in (data[0], data[-1]))
        self._said.append(before + " ".join(data.split()) + behind)

    def close(self) -> None:
        super().close()
        self._end()

    def _end(self) -> None:
        rows = (" ".join(row.split()) for row in "".join(self._said).split("\n"))
        text = "\n".join(row for row in rows if row)
        if text:
            level = self._level
            self.blocks.append(Block(text, self._first, self._last, level, parted=self._parted and not level))
        self._said, self._tail, self._level, self._parted = [], "", PARAGRAPH, self._lists > 0


def html_blocks(text: str) -> list[Block]:
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return reader.blocks
