"""Comments of an OML text. libyaml drops them, so they are found between the scalars that it reports."""

import re
from typing import NamedTuple

from dragoman.language.oml.yaml_tree import Scalar, Tree
from dragoman.language.verbs.comments import comment_text

_COMMENT = re.compile(r"(?:(?<=[ \t\r\n])|^)#([^\r\n\x85\u2028\u2029]*)", re.MULTILINE)


class Comment(NamedTuple):
    """A comment with its place; `column` counts from 0."""

    start: int
    end: int
    column: int
    text: str


def comments_in(text: str, tree: Tree) -> list[Comment]:
    """Every comment, in order. A number sign in a scalar is none, unless beside the `|` of a block."""
    if "#" not in text:
        return []
    found: list[Comment] = []
    position = 1 if text.startswith("\ufeff") else 0
    for node in tree.nodes():
        if not isinstance(node, Scalar) or node.start < position:
            continue
        _collect(text, position, node.start, found)
        if node.block:
            header = text.find("\n", node.start, node.end)
            _collect(text, node.start, header if header >= 0 else node.end, found)
        position = node.end
    _collect(text, position, len(text), found)
    return found


def _collect(text: str, start: int, end: int, found: list[Comment]) -> None:
    """The comments in a gap. A comment runs to the end of its line, which is in the gap, too."""
    if text.find("#", start, end) < 0:
        return
    for match in _COMMENT.finditer(text, start, end):
        at = match.start()
        line = max(text.rfind("\n", 0, at) + 1, 1 if text.startswith("\ufeff") else 0)
        found.append(Comment(at, match.end(), at - line, comment_text(match[1])))
