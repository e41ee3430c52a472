"""Reads a Markdown answer as `answer_v1_markdown`."""

import re
from typing import Final

from dragoman.contracts.answer_shapes import AnswerSection, AnswerV1Markdown, Citation

_HEADING: Final = re.compile(r"^\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$")
_CITATION: Final = re.compile(r"^\s*(?:[-*]\s+)?\[(\d{1,3})\]:?\s+(\S.*)$")


def read_markdown(text: str) -> AnswerV1Markdown:
    """The sections and citations of an answer. Citations are the lines that it ends with: a passage may have
    a list of its own."""
    lines = text.rstrip().splitlines()
    citations: list[Citation] = []
    while lines and (found := _CITATION.match(lines[-1])) is not None:
        citations.append(Citation(int(found[1]), found[2].strip()))
        lines.pop()
    sections: list[tuple[str, list[str]]] = [("", [])]
    for line in lines:
        heading = _HEADING.match(line)
        if heading is not None:
            sections.append((heading[1], []))
        else:
            sections[-1][1].append(line)
    read = (AnswerSection(title, "\n".join(own).strip()) for title, own in sections)
    kept = tuple(each for each in read if each.title or each.text)
    return AnswerV1Markdown(kept, tuple(reversed(citations)))
