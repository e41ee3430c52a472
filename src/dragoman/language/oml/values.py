"""From nodes of the tree to values of the program, each with its place."""

from collections.abc import Mapping as AbstractMapping

from dragoman.contracts.program import Entry, Integer, Map, Nil, Number, Sequence, Symbol, Text, Value
from dragoman.language.document import Extent, ValueSpans
from dragoman.language.oml.findings import Findings
from dragoman.language.oml.scalars import Misread, plain_value, text_value
from dragoman.language.oml.yaml_tree import Listing, Mapping, Node, Refused, Scalar
from dragoman.language.texts import PlacedText

MAX_KEY = 200

_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})


class Values:
    """Reads values, and keeps the texts and the references to steps that it meets on the way.

    `keys` says of a value in a map, by its place, where its key stands.
    """

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.texts: list[PlacedText] = []
        self.references: list[tuple[str, Extent]] = []
        self.keys: dict[Extent, Extent] = {}

    def read(self, node: Node, name: str) -> tuple[Value, ValueSpans]:
        """The value that stands at a node, under a name. The depth of trees is bounded, so recursion is."""
        extent = node.start, node.end
        if isinstance(node, Scalar):
            return self._scalar(node, name, extent), ValueSpans(extent)
        if isinstance(node, Listing):
            items = [self.read(item, name) for item in node.items]
            listing = Sequence(tuple([item for item, _ in items]))
            return listing, ValueSpans(extent, tuple([spans for _, spans in items]))
        if isinstance(node, Mapping):
            pairs = zip(node.keys, node.values, strict=True)
            values = [self.read(each, check_key(key, self.findings)) for key, each in pairs]
            self.keys.update(
                (spans.extent, key.extent) for key, (_, spans) in zip(node.keys, values, strict=True)
            )
            entries = [Entry(key.text, value) for key, (value, _) in zip(node.keys, values, strict=True)]
            return Map(tuple(entries)), ValueSpans(extent, tuple([spans for _, spans in values]))
        return Nil(), ValueSpans(extent)

    def _scalar(self, node: Scalar, name: str, extent: Extent) -> Value:
        value = plain_value(node.text) if node.plain else text_value(node.text)
        if isinstance(value, Text):
            self.texts.append((name, value.value, extent))
        elif isinstance(value, Integer | Number):
            self.texts.append((name, node.text[:MAX_KEY], extent))
        elif isinstance(value, Symbol):
            self.references.append((value.name, extent))
        elif isinstance(value, Misread):
            self.findings.error(value.code, extent, value.message, value.hint)
            return Text(node.text)
        return value


def check_key(key: Scalar, findings: Findings) -> str:
    """The text of a key, which may be anything that is not too long."""
    if not 0 < len(key.text) <= MAX_KEY:
        message = f"a key has 1 to {MAX_KEY} characters"
        findings.error("bad_key", key.extent, message, "give it a short name")
    return key.text


def text_at(
    fields: AbstractMapping[str, tuple[Scalar, Node]], name: str, findings: Findings, example: str
) -> tuple[str, Extent] | None:
    """The text under a key, where it must be one: exactly what the author wrote."""
    if name not in fields:
        return None
    node = fields[name][1]
    if isinstance(node, Scalar) and not (node.plain and node.text in _NOTHING):
        return node.text, (node.start, node.end)
    if not isinstance(node, Refused):
        extent = node.extent if node.end > node.start else fields[name][0].extent
        findings.error(
            "wrong_type", extent, f"{name} is a text, and this is {kind_of(node)}", f"write {example}"
        )
    return None


def kind_of(node: Node) -> str:
    """What stands at a node, in the words of a message."""
    if isinstance(node, Listing):
        return "a list"
    if isinstance(node, Mapping):
        return "a map"
    if isinstance(node, Scalar) and node.plain and node.text in _NOTHING:
        return "nothing"
    return "a single value"
