"""Batches: one JSON object with an `id` on each line in, one verdict with that `id` on each line out."""

import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO, TypeVar

import click
import msgspec

from dragoman.cli.inputs import opened
from dragoman.contracts.errors import InternalSignal

MAX_LINE = 16 * 1024 * 1024
"""Bytes of a line without its line feed."""

Request = Mapping[str, Any]
Judge = Callable[[Request], Mapping[str, object]]
Refuse = Callable[[str, str], Mapping[str, object]]
"""What else the verdict on a line says that has an id and cannot be judged: the fields of the command."""
_T = TypeVar("_T")


class Malformed(InternalSignal):
    """A line, or a field of it, that cannot be judged."""

    def __init__(self, finding: str, message: str, request: Request | None = None) -> None:
        super().__init__(message)
        self.finding = finding
        self.request = request


def jsonl_option(function: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--jsonl", "batch", is_flag=True, help="Judge one JSON object per line of FILE or stdin."
    )(function)


def run_batch(judge: Judge, refuse: Refuse, name: str = "-") -> None:
    """Judge every line, in order, each the moment it was read. Nothing on a line can end the batch."""
    with opened(name) as source:
        for line in _lines(source):
            # Escapes, so that any id and any value can be written whatever the terminal's encoding is.
            sys.stdout.write(json.dumps(msgspec.to_builtins(_verdict(judge, refuse, line))) + "\n")
            sys.stdout.flush()


def field(request: Request, name: str, kind: type[_T], default: _T | None = None) -> _T:
    """A field of a line, of its type; a default makes it one that may be left out or null."""
    value = request.get(name)
    if value is None and default is not None:
        return default
    if name not in request:
        raise Malformed("missing_field", f"the field {name} is missing")
    if type(value) is not kind:
        raise Malformed("invalid_field", f"the field {name} must be of the type {_NAMES[kind]}")
    return value


_NAMES: Mapping[type, str] = {str: "string", bool: "boolean", list: "list", dict: "object"}


def _verdict(judge: Judge, refuse: Refuse, line: bytes | None) -> Mapping[str, object]:
    request: Request | None = None
    try:
        request = _request(line)
        return {"id": request["id"], **judge(request)}
    except Malformed as error:
        known = request or error.request
        shape = refuse(error.finding, error.message) if known is not None else {}
        told = {"ok": False, "code": error.finding, "message": error.message}
        return {"id": known["id"] if known is not None else None, **told, **shape}


def _request(line: bytes | None) -> Request:
    if line is None:
        raise Malformed("line_too_long", f"a line has more than {MAX_LINE:,} bytes")
    twice: list[str] = []
    try:
        # Not the strict reader: a text under judgement may hold half a character, and must get its verdict.
        request = json.loads(
            line.decode("utf-8-sig"),
            object_pairs_hook=lambda pairs: _unique(pairs, twice),
            parse_constant=_refuse_constant,
            parse_float=_finite,
        )
    except UnicodeDecodeError as error:
        raise Malformed("not_utf8", f"byte {error.start + 1} of the line is not UTF-8") from error
    except RecursionError as error:
        raise Malformed("too_deep", "the line is nested too deep") from error
    except ValueError as error:
        raise Malformed("invalid_json", "the line is not a JSON object") from error
    if not isinstance(request, dict):
        raise Malformed("invalid_json", "the line is not a JSON object")
    if "id" not in request:
        raise Malformed("missing_id", "the object on the line has no id")
    if twice:
        known = None if "id" in twice else request
        raise Malformed("duplicate_key", "an object on the line has a key twice", known)
    return request


def _refuse_constant(word: str) -> object:
    raise ValueError(word)


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(digits)
    return number


def _unique(pairs: list[tuple[str, Any]], twice: list[str]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        twice.extend(key for key, _ in pairs)
    return made


def _lines(source: BinaryIO) -> Iterator[bytes | None]:
    """The lines without their ends; none for one that is longer than is taken, which is not kept."""
    while line := source.readline(MAX_LINE + 2):
        whole = line.endswith(b"\n")
        if whole or len(line) <= MAX_LINE:
            yield line.rstrip(b"\r\n") if len(line) <= MAX_LINE + 1 else None
            continue
        while rest := source.readline(1 << 20):
            if rest.endswith(b"\n"):
                break
        yield None
