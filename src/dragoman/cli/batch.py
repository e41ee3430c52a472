"""Batches: one JSON object with an `id` on each line in, one verdict with that `id` on each line out."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO, TypeVar

import click
import msgspec

MAX_LINE = 16 * 1024 * 1024
"""Bytes of a line without its line feed."""

Request = Mapping[str, Any]
Judge = Callable[[Request], Mapping[str, object]]
_T = TypeVar("_T")


class Malformed(Exception):
    """A line, or a field of it, that cannot be judged."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def jsonl_option(function: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--jsonl", "batch", is_flag=True, help="Judge one JSON object per line of standard input."
    )(function)


def run_batch(judge: Judge, source: BinaryIO | None = None) -> None:
    """Judge every line, in order, each the moment it was read. Nothing on a line can end the batch."""
    for line in _lines(source or sys.stdin.buffer):
        # Escapes, so that any id and any value can be written whatever the terminal's encoding is.
        sys.stdout.write(json.dumps(msgspec.to_builtins(_verdict(judge, line))) + "\n")
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


def _verdict(judge: Judge, line: bytes | None) -> Mapping[str, object]:
    try:
        request = _request(line)
    except Malformed as error:
        return {"id": None, "ok": False, "code": error.code, "message": error.message}
    try:
        return {"id": request["id"], **judge(request)}
    except Malformed as error:
        return {"id": request["id"], "ok": False, "code": error.code, "message": error.message}


def _request(line: bytes | None) -> Request:
    if line is None:
        raise Malformed("line_too_long", f"a line has more than {MAX_LINE:,} bytes")
    try:
        # Not the strict reader: a text under judgement may hold half a character, and must get its verdict.
        request = json.loads(
            line.decode("utf-8-sig"), object_pairs_hook=_unique, parse_constant=_refuse_constant
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
    return request


def _refuse_constant(word: str) -> object:
    raise ValueError(word)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise Malformed("duplicate_key", "an object on the line has a key twice")
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
