"""From libyaml's events to a tree: within limits, and with everything OML does not take refused."""

from collections.abc import Callable
from typing import Any

from yaml._yaml import CParser
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from dragoman.contracts.errors import InternalSignal
from dragoman.language.document import Extent
from dragoman.language.oml.yaml_tree import Listing, Mapping, Node, Refused, Scalar

MAX_DEPTH = 100


class TooDeep(InternalSignal):
    """Lists and maps stand deeper in each other than `MAX_DEPTH`, at this position."""

    def __init__(self, at: int) -> None:
        super().__init__("lists and maps stand too deep in each other")
        self.at = at


class Building:
    """One pass over the events of a text. It builds with an explicit stack, so no depth can break it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._stack: list[Listing | Mapping] = []
        self._top: Listing | Mapping | None = None
        self._properties = "&" in text or "!" in text
        self._documents = 0
        self.root: Node | None = None
        self.refusals: list[tuple[str, Extent, str, str]] = []

    def read(self) -> None:
        """Raises `yaml.YAMLError` where the text is not YAML, and `TooDeep`."""
        # libyaml's events always have their marks; the types of PyYAML's own do not say so.
        next_event: Callable[[], Any] = CParser(self._text).get_event
        # Most of a document is keys and scalars under them: theirs is the short way through the loop.
        while True:
            event = next_event()
            kind = type(event)
            if kind is ScalarEvent:
                style = event.style
                node = Scalar(event.start_mark.index, event.end_mark.index, event.value, not style)
                if style == "|" or style == ">":
                    self._trim(node)
                if self._properties:
                    self._check_properties(event, node.extent)
                top = self._top
                if type(top) is Mapping:
                    if top.key is None:
                        top.key = node
                    else:
                        top.add(node)
                else:
                    self._add(node)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                self._open(event)
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                self._close(event)
            elif not self._other(event):
                return

    def _other(self, event: Any) -> bool:
        """Whether to read on after an event that is rare."""
        if isinstance(event, AliasEvent):
            self._alias(event)
        elif isinstance(event, DocumentStartEvent):
            self._document(event)
        return self._documents < 2 and not isinstance(event, StreamEndEvent)

    def _trim(self, node: Scalar) -> None:
        """libyaml counts the empty lines after a block to it."""
        node.block = True
        node.end = node.start + len(self._text[node.start : node.end].rstrip())

    def _open(self, event: Any) -> None:
        start = event.start_mark.index
        if len(self._stack) >= MAX_DEPTH:
            raise TooDeep(start)
        flow = bool(event.flow_style)
        node = (
            Mapping(start, start + 1, flow, [], [])
            if isinstance(event, MappingStartEvent)
            else Listing(start, start + 1, flow, [])
        )
        if self._properties:
            self._check_properties(event, node.extent)
        self._add(node)
        self._stack.append(node)
        self._top = node

    def _add(self, node: Node) -> None:
        """Put a node where it belongs: it is the root, an item, a key or a value."""
        top = self._top
        if type(top) is Listing:
            top.items.append(node)
        elif type(top) is not Mapping:
            self.root = node
        elif top.key is None:
            top.key = node
        else:
            top.add(node)

    def _close(self, event: Any) -> None:
        closed = self._stack.pop()
        self._top = owner = self._stack[-1] if self._stack else None
        if closed.flow:
            closed.end = event.end_mark.index
        if isinstance(closed, Mapping):
            self._check_keys(closed)
        elif closed.items and not closed.flow:
            # The end of a block is where the next token stands; its last item ends where it is seen to end.
            closed.end = closed.items[-1].end
        if isinstance(owner, Mapping) and owner.key is closed:
            message, hint = "a list or map cannot be a key", "write a name and a colon"
            self._refuse("key_not_text", closed.extent, message, hint)

    def _check_keys(self, closed: Mapping) -> None:
        if not closed.flow and closed.values:
            closed.end = max(closed.values[-1].end, closed.keys[-1].end)
        names = {key.text for key in closed.keys}
        if len(names) != len(closed.keys) or "<<" in names:
            self._refuse_keys(closed)

    def _refuse_keys(self, closed: Mapping) -> None:
        """Only the first of a key is kept, and no merge key."""
        entries = list(zip(closed.keys, closed.values, strict=True))
        closed.keys, closed.values = [], []
        kept: set[str] = set()
        for key, value in entries:
            if key.text == "<<" and key.plain:
                hint = 'write the keys out; in quotes, "<<" is a key like others'
                self._refuse("yaml_merge_key", key.extent, "a merge key is not taken", hint)
            elif key.text in kept:
                message = "this key appears twice in its map"
                self._refuse("duplicate_key", key.extent, message, "keep one of them")
            else:
                kept.add(key.text)
                closed.keys.append(key)
                closed.values.append(value)

    def _alias(self, event: Any) -> None:
        node = Refused(event.start_mark.index, event.end_mark.index)
        self._refuse("yaml_alias", node.extent, "an alias is not taken", "write the value again")
        self._add(node)

    def _document(self, event: Any) -> None:
        self._documents += 1
        at = event.start_mark.index
        if self._documents > 1:
            message = "a second document begins here"
            self._refuse("several_documents", (at, at + 3), message, "put it into a file of its own")
        if event.version is not None or event.tags:
            message, hint = "directives are not taken", "remove the lines that begin with %"
            self._refuse("yaml_directive", (at, at + 1), message, hint)

    def _check_properties(self, event: Any, at: Extent) -> None:
        if event.anchor is not None:
            self._refuse("yaml_anchor", at, "an anchor is not taken", "remove it")
        if event.tag is not None:
            hint = "remove it; a value in quotes is a text, a plain one what it looks like"
            self._refuse("yaml_tag", at, "a tag is not taken", hint)

    def _refuse(self, code: str, extent: Extent, message: str, hint: str) -> None:
        self.refusals.append((code, extent, message, hint))
