"""Data files as records: YAML read with a place on everything, and every difference from the record said.

>>> from dragoman.contracts.record import Record
>>> class Shelf(Record, frozen=True):
...     name: str
...     books: tuple[str, ...] = ()
>>> read_record(Source("name: poetry\\nbooks: [Iliad]"), Shelf)
Shelf(name='poetry', books=('Iliad',))
>>> [finding.code for finding in read_record(Source("nmae: poetry"), Shelf)]
['missing_key', 'unknown_key']
"""

import datetime as dt
import re
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import inspect

from dragoman.contracts.decoding import converted
from dragoman.contracts.program import Diagnostic
from dragoman.contracts.record import Record
from dragoman.language.document import Extent
from dragoman.language.oml.findings import Findings, listed, nearest
from dragoman.language.oml.yaml_text import read_tree
from dragoman.language.oml.yaml_tree import Listing, Mapping, Node, Scalar
from dragoman.language.source import Source

_T = TypeVar("_T", bound=Record)
_MISSING = object()
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_DECIMAL = re.compile(r"(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,18})?")
_BOOLEANS = {"true": True, "false": False}
_NOTHING = frozenset({"", "~", "null"})


def read_record(source: Source, kind: type[_T]) -> _T | tuple[Diagnostic, ...]:
    """The record that a document holds, or everything that is wrong with it."""
    placed = read_placed(source, kind)
    return placed.record if isinstance(placed, Placed) else placed


class Placed(Generic[_T]):
    """A record, and where in its document each part of it stands."""

    def __init__(self, record: _T, root: Node) -> None:
        self.record = record
        self._root = root

    def extent(self, *path: str | int) -> Extent:
        """Where a value stands; for one that is not written, the nearest written thing around it."""
        node = self._root
        for step in path:
            inner = _inside(node, step)
            if inner is None:
                return self._start(node)
            node = inner[1]
        return node.extent

    def key_extent(self, *path: str | int) -> Extent:
        """Where the key of a value stands, or the value itself in a list."""
        node: Node = self._root
        for step in path[:-1]:
            inner = _inside(node, step)
            if inner is None:
                return self._start(node)
            node = inner[1]
        last = _inside(node, path[-1]) if path else None
        return last[0].extent if last else self._start(node)

    @staticmethod
    def _start(node: Node) -> Extent:
        """A whole map may be a page: its first character is a place as well."""
        return node.extent if isinstance(node, Scalar) else (node.start, node.start + 1)


def _inside(node: Node, step: str | int) -> tuple[Node, Node] | None:
    """The key and the value one step further in; an item of a list is its own key."""
    if isinstance(node, Mapping):
        pairs = zip(node.keys, node.values, strict=True)
        return next(((key, value) for key, value in pairs if key.text == step), None)
    if isinstance(node, Listing) and isinstance(step, int) and 0 <= step < len(node.items):
        return node.items[step], node.items[step]
    return None


def read_placed(source: Source, kind: type[_T]) -> Placed[_T] | tuple[Diagnostic, ...]:
    """The record with the places of its parts, or everything that is wrong with it."""
    findings = Findings(source)
    tree = read_tree(source, findings)
    if tree.root is None and not len(findings):
        findings.error(
            "empty_document", (0, 0), "there is nothing in it", f"write the fields of {kind.__name__}"
        )
    value = _Reading(findings).read(tree.root, inspect.type_info(kind)) if tree.root is not None else None
    if len(findings) or tree.root is None:
        return findings.diagnostics()
    return Placed(converted(value, kind), tree.root)


class _Reading:
    """Turns nodes into plain values of the type that is wanted. The depth of trees is bounded."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings

    def read(self, node: Node, wanted: inspect.Type) -> Any:
        match wanted:
            case inspect.UnionType(types=types):
                return self._union(node, types)
            case inspect.StructType():
                return self._struct(node, wanted)
            case inspect.DictType(value_type=value_type):
                return self._dict(node, value_type)
            case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
                return self._list(node, item)
            case _:
                return self._scalar(node, wanted)

    def _union(self, node: Node, types: tuple[inspect.Type, ...]) -> Any:
        """An optional value, or a text where a list of texts is meant as well."""
        others = [each for each in types if not isinstance(each, inspect.NoneType)]
        if len(others) < len(types) and isinstance(node, Scalar) and node.plain and node.text in _NOTHING:
            return None
        return self.read(node, others[0])

    def _struct(self, node: Node, wanted: inspect.StructType) -> Any:
        if not isinstance(node, Mapping):
            return self._wrong(node, f"the fields of {wanted.cls.__name__}")
        fields = {field.encode_name: field for field in wanted.fields}
        read: dict[str, Any] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            field = fields.get(key.text)
            if field is None:
                near = nearest(key.text, fields)
                hint = f"did you mean {near}?" if near else f"there are: {listed(fields)}"
                self._findings.error("unknown_key", key.extent, f"the key {key.text!r} is unknown", hint)
            else:
                read[key.text] = self.read(value, field.type)
        for name, field in fields.items():
            if field.required and name not in read:
                message = f"the key {name!r} is missing"
                self._findings.error("missing_key", (node.start, node.start + 1), message, "add it")
        return read

    def _dict(self, node: Node, value_type: inspect.Type) -> Any:
        if isinstance(node, Scalar) and node.plain and node.text in _NOTHING:
            return {}
        if not isinstance(node, Mapping):
            return self._wrong(node, "names with values")
        pairs = zip(node.keys, node.values, strict=True)
        return {key.text: self.read(value, value_type) for key, value in pairs}

    def _list(self, node: Node, item_type: inspect.Type) -> Any:
        if isinstance(node, Scalar) and node.plain and node.text in _NOTHING:
            return ()
        if not isinstance(node, Listing):
            return self._wrong(node, "a list")
        return [self.read(item, item_type) for item in node.items]

    def _scalar(self, node: Node, wanted: inspect.Type) -> Any:
        if not isinstance(node, Scalar):
            return self._wrong(node, _NAMES.get(type(wanted), "a value"))
        match wanted:
            case inspect.StrType():
                return node.text
            case inspect.IntType() if node.plain and _INTEGER.fullmatch(node.text):
                return self._number(node, wanted)
            case inspect.DecimalType() if node.plain and _DECIMAL.fullmatch(node.text):
                return node.text
            case inspect.BoolType() if node.plain and node.text in _BOOLEANS:
                return _BOOLEANS[node.text]
            case inspect.EnumType(cls=cls):
                words = [str(member.value) for member in cls]
                if node.text in words:
                    return node.text
                return self._wrong(node, f"one of {listed(words)}")
            case inspect.DateType():
                try:
                    return converted(node.text, dt.date)
                except msgspec.ValidationError:
                    return self._wrong(node, "a date such as 2020-03-31")
            case _:
                return self._wrong(node, _NAMES.get(type(wanted), "something else"))

    def _number(self, node: Scalar, wanted: inspect.IntType) -> Any:
        number, least, most = int(node.text), wanted.ge, wanted.le
        if (least is not None and number < least) or (most is not None and number > most):
            return self._wrong(node, f"a whole number from {least} to {most}")
        return number

    def _wrong(self, node: Node, wanted: str) -> Any:
        self._findings.error("wrong_type", node.extent, f"here should be {wanted}", f"write {wanted}")
        return _MISSING


_NAMES: dict[type[inspect.Type], str] = {
    inspect.StrType: "a text",
    inspect.IntType: "a whole number",
    inspect.DecimalType: "a number such as 0.25",
    inspect.BoolType: "true or false",
}
