"""Events and states as bytes: encoding, decoding with lifting of older versions, and the digest chain."""

import hashlib
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from dragoman.contracts.decoding import converted, decoded, learned
from dragoman.contracts.errors import (
    EventCorrupt,
    EventUnknown,
    EventUnknownField,
    InternalError,
    SchemaNewer,
)
from dragoman.contracts.events import Event, SessionEvent
from dragoman.contracts.state import SessionState

Raw = dict[str, Any]
Lift = Callable[[Raw], Raw]
"""Makes a raw event of version n into one of version n + 1 (except for `v`, which is counted for it)."""

LIFTS: Mapping[tuple[str, int], Lift] = {}
"""For (kind, version): how to lift it by one. Nothing was ever stored in an older version than today's."""

GENESIS = bytes(16)


def chain(previous: bytes, events: bytes) -> bytes:
    """The digest of a record: of its bytes and of every record before it."""
    digest = hashlib.sha256(previous)
    digest.update(events)
    return digest.digest()[:16]


def encode_state(state: SessionState) -> bytes:
    return msgspec.json.encode(state)


def decode_state(data: bytes) -> SessionState:
    try:
        return _STATE.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise EventCorrupt(f"a stored snapshot cannot be read: {error}", hint=_DAMAGE) from error


_STATE = msgspec.json.Decoder(learned(SessionState))
_DAMAGE = "restore the store from a backup, or export the sessions that still replay"


class EventCodec:
    """Reads and writes lists of events of one vocabulary (a union of `Event` classes)."""

    def __init__(self, union: Any, lifts: Mapping[tuple[str, int], Lift]) -> None:
        self._decoder: msgspec.json.Decoder[list[Any]] = msgspec.json.Decoder(learned(list[union]))
        self._encoder = msgspec.json.Encoder()
        self._classes: dict[str, type[Event]] = {
            str(kind.__struct_config__.tag): kind for kind in typing.get_args(union)
        }
        self._lifts = lifts
        for name, kind in self._classes.items():
            missing = [n for n in range(1, kind.__struct_defaults__[-1]) if (name, n) not in lifts]
            if missing:
                raise InternalError(f"{name} events of version {missing} could not be lifted")

    def encode(self, events: Sequence[Event]) -> bytes:
        return self._encoder.encode(events)

    def decode(self, data: bytes) -> list[Any]:
        """Read events. What is current is read in one go; anything else is lifted, or refused by code."""
        try:
            events = self._decoder.decode(data)
            # An event without a version would be taken for today's. Only real keys look like this in JSON:
            # inside a text the quotes are escaped.
            if data.count(b'"v":') == len(events):
                return events
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            pass  # What is wrong, if anything, is found out event by event.
        return [self._read(raw) for raw in self._raw(data)]

    def _raw(self, data: bytes) -> list[Raw]:
        try:
            raw: list[Raw] = decoded(data, list[dict[str, Any]])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise EventCorrupt(f"a stored record is not a list of events: {error}", hint=_DAMAGE) from error
        return raw

    def _read(self, raw: Raw) -> Event:
        kind = raw.get("kind")
        struct = self._classes.get(kind) if isinstance(kind, str) else None
        if struct is None:
            raise EventUnknown(
                f"a stored event has the unknown kind {kind!r}",
                hint="it was written by another version of Dragoman, or damaged",
                kind=str(kind),
            )
        lifted = self._lifted(raw, str(kind), struct.__struct_defaults__[-1])
        try:
            return converted(lifted, struct)
        except msgspec.ValidationError as error:
            stray = _stray_field(lifted, msgspec.inspect.type_info(struct), str(kind))
            if stray is not None:
                raise EventUnknownField(
                    f"a stored event has a field that its kind does not know: {stray}",
                    hint="it was written by another version of Dragoman, or damaged",
                    path=stray,
                ) from error
            raise EventCorrupt(f"a stored {kind} event cannot be read: {error}", hint=_DAMAGE) from error

    def _lifted(self, raw: Raw, kind: str, current: int) -> Raw:
        version = raw.get("v")
        if not isinstance(version, int) or isinstance(version, bool) or version < 1:
            raise EventCorrupt(f"a stored {kind} event has no version", hint=_DAMAGE)
        if version > current:
            raise SchemaNewer(
                f"a stored {kind} event has version {version}; this Dragoman knows up to {current}",
                hint="install the newer Dragoman that wrote it",
            )
        for step in range(version, current):
            try:
                raw = {**self._lifts[kind, step](raw), "v": step + 1}
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                message = f"a stored {kind} event of version {step} lacks what version {step + 1} needs"
                raise EventCorrupt(message, hint=_DAMAGE) from error
        return raw


def _stray_field(raw: Any, info: msgspec.inspect.Type, path: str) -> str | None:
    """The path of the first field that the type does not declare, if that is what is wrong."""
    match info, raw:
        case msgspec.inspect.StructType(fields=fields, tag_field=tag_field), dict():
            declared = {field.encode_name: field.type for field in fields}
            for name, value in raw.items():
                if name == tag_field:
                    continue
                if name not in declared:
                    return f"{path}.{name}"
                stray = _stray_field(value, declared[name], f"{path}.{name}")
                if stray is not None:
                    return stray
        case msgspec.inspect.VarTupleType(item_type=item), list():
            found = (_stray_field(value, item, f"{path}[{i}]") for i, value in enumerate(raw))
            return next((stray for stray in found if stray is not None), None)
        case msgspec.inspect.UnionType(types=types), dict():
            for option in types:
                if isinstance(option, msgspec.inspect.StructType) and _is_tagged_for(option, raw):
                    return _stray_field(raw, option, path)
    return None


def _is_tagged_for(option: msgspec.inspect.StructType, raw: Raw) -> bool:
    return option.tag_field is None or raw.get(option.tag_field) == option.tag


EVENTS = EventCodec(SessionEvent, LIFTS)
"""The codec of everything stored today."""


def encode_events(events: Sequence[SessionEvent]) -> bytes:
    return EVENTS.encode(events)


def decode_events(data: bytes) -> list[SessionEvent]:
    return EVENTS.decode(data)
