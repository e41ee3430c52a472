"""A YAML document as a small tree that knows where each part of it stands."""

from collections.abc import Iterator

import msgspec

from dragoman.language.document import Extent


class Scalar(msgspec.Struct, gc=False):
    """A text, plain or in quotes or as a block. Only a plain one can mean something else than its text."""

    start: int
    end: int
    text: str
    plain: bool
    block: bool = False

    @property
    def extent(self) -> Extent:
        return self.start, self.end


class Listing(msgspec.Struct):
    start: int
    end: int
    flow: bool
    items: list["Node"]

    @property
    def extent(self) -> Extent:
        return self.start, self.end


class Mapping(msgspec.Struct):
    """Keys and values side by side; `key` is one that still waits for its value."""

    start: int
    end: int
    flow: bool
    keys: list[Scalar]
    values: list["Node"]
    key: "Node | None" = None

    def add(self, value: "Node") -> None:
        """Put a value under the key that waits. What is under something else than a text is left out."""
        key = self.key
        if type(key) is Scalar:
            self.keys.append(key)
            self.values.append(value)
        self.key = None

    @property
    def extent(self) -> Extent:
        return self.start, self.end


class Refused(msgspec.Struct, gc=False):
    """Something that is not taken and was said to be wrong: an alias."""

    start: int
    end: int

    @property
    def extent(self) -> Extent:
        return self.start, self.end


Node = Scalar | Listing | Mapping | Refused


class Tree(msgspec.Struct):
    """A document as read.

    `whole` is false where a syntax error made the reader leave something out: then what is missing may have
    been there.
    """

    root: Node | None
    whole: bool

    def nodes(self) -> Iterator[Node]:
        """Every node, in the order of the text."""
        pending: list[Node] = [self.root] if self.root is not None else []
        while pending:
            node = pending.pop()
            yield node
            if isinstance(node, Listing):
                pending.extend(reversed(node.items))
            elif isinstance(node, Mapping):
                for key, value in zip(reversed(node.keys), reversed(node.values), strict=True):
                    pending += (value, key)
