"""From a source to its YAML tree: limits first, then events, mending and reading on after a syntax error.

libyaml ends at its first error. The reader then mends a copy of the text (see `recovery`), of the same length
so that every position stays true, and reads again, so that one run reports every error.
"""

import re
from bisect import bisect_left

import yaml

from dragoman._patterns import lazy_pattern
from dragoman.language.oml.findings import Findings
from dragoman.language.oml.recovery import Fault, fault_of, mended
from dragoman.language.oml.yaml_events import MAX_DEPTH, Building, TooDeep
from dragoman.language.oml.yaml_tree import Tree
from dragoman.language.source import Source

MAX_BYTES = 1_000_000
MAX_REPAIRS = 20
REPAIR_BUDGET = 2_000_000
"""How many characters may be read again after mending: a long text is not read twenty times."""

_UNREADABLE = lazy_pattern(
    r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_PLAIN = re.compile(r"[\t\n\r\x20-\x7e]*+")


def read_tree(source: Source, findings: Findings) -> Tree:
    """The document in a text; without a root where nothing can be read."""
    nothing = Tree(None, whole=False)
    if _is_too_large(source.text):
        message = f"the program is longer than {MAX_BYTES:,} bytes"
        findings.error("source_too_large", (0, 0), message, "divide it into several pipelines")
        return nothing
    positions = _Positions(source.text)
    if _has_unreadable(source.text, positions.skipped, findings):
        return nothing
    tree = _read(positions, findings)
    positions.relocate(tree)
    return tree


def _is_too_large(text: str) -> bool:
    if len(text) > MAX_BYTES or text.isascii():
        return len(text) > MAX_BYTES
    return len(text.encode("utf-8", "replace")) > MAX_BYTES


def _has_unreadable(text: str, start: int, findings: Findings) -> bool:
    found = False
    if _PLAIN.fullmatch(text, start):
        return found
    for match in _UNREADABLE.finditer(text, start):
        found = True
        message = f"the character U+{ord(match[0]):04X} cannot stand in a program"
        hint = "remove it, or write its escape between double quotes"
        findings.error("control_character", match.span(), message, hint)
    return found


class _Positions:
    """The text as libyaml gets it, and where its characters stand in the source.

    A byte order mark is not part of the document. CRLF becomes LF first: libyaml counts it as one character
    inside scalars and as two elsewhere.
    """

    def __init__(self, text: str) -> None:
        self.skipped = 1 if text.startswith("\ufeff") else 0
        body = text[self.skipped :]
        self.text = body.replace("\r\n", "\n")
        pairs = [match.start() for match in re.finditer("\r\n", body)] if len(self.text) < len(body) else []
        self._breaks = [at - removed for removed, at in enumerate(pairs)]

    def place(self, at: int) -> int:
        """Where a position in `text` is in the source."""
        return at + self.skipped + bisect_left(self._breaks, at)

    def relocate(self, tree: Tree) -> None:
        if self.skipped or self._breaks:
            for node in tree.nodes():
                node.start, node.end = self.place(node.start), self.place(node.end)


def _read(positions: _Positions, findings: Findings) -> Tree:
    text: str | None = positions.text
    allowed = min(MAX_REPAIRS, 1 + REPAIR_BUDGET // (len(positions.text) + 1))
    faults: dict[int, Fault] = {}
    building = None
    while text is not None and building is None:
        attempt = Building(text)
        try:
            attempt.read()
            building = attempt
        except TooDeep as error:
            message = f"lists and maps stand more than {MAX_DEPTH} deep in each other"
            faults[error.at] = Fault("too_deep", error.at, error.at + 1, message, "write it flatter")
            text = None
        except yaml.YAMLError as error:
            fault = fault_of(error, text)
            again = fault.start in faults
            faults.setdefault(fault.start, fault)
            text = mended(text, fault) if len(faults) <= allowed and not again else None
    for fault in faults.values():
        extent = positions.place(fault.start), positions.place(fault.end)
        findings.error(fault.code, extent, fault.message, fault.hint)
    if building is None:
        return Tree(None, whole=False)
    for code, (start, end), message, hint in building.refusals:
        findings.error(code, (positions.place(start), positions.place(end)), message, hint)
    return Tree(building.root, whole=all(fault.kept for fault in faults.values()))
