"""A row as an index keeps it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice

import msgspec

from dragoman.contracts.decoding import learned
from dragoman.contracts.errors import EntityRowRefused
from dragoman.entities.entity_name import bones_of_all
from dragoman.entities.folded_names import clean, plain
from dragoman.entities.records import EntityRow


class Entry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`skeletons` stand beside `names`. No display name is kept where it is the first of the names."""

    key: str
    names: tuple[str, ...]
    skeletons: list[str]
    discriminators: Mapping[str, str] = {}
    shown: str | None = None

    @property
    def display(self) -> str:
        return self.names[0] if self.shown is None else self.shown


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(learned(Entry)).decode


def entries_of(rows: Sequence[EntityRow]) -> list[Entry]:
    """The entries of rows, which are best given by the thousand."""
    names = [row.names for row in rows]
    bones = bones_of_all([name for each in names for name in each])
    if len(bones) == len(rows) and all(names):
        # One name each, as most have: nothing has to be divided.
        return [_entry(row, [skeleton]) for row, skeleton in zip(rows, bones, strict=True)]
    skeletons = iter(bones)
    return [_entry(row, list(islice(skeletons, len(each)))) for row, each in zip(rows, names, strict=True)]


def _entry(row: EntityRow, skeletons: list[str]) -> Entry:
    key, display, names = row.key, row.display, row.names
    if not key or (not key.isascii() and clean(key) != key):
        raise EntityRowRefused(
            "A row has no key that can be written down.",
            hint="Give every row a key of its own: not empty, and whole characters only.",
            key=clean(key),
            display=clean(display)[:200],
        )
    shown = None if names and names[0] == display else display
    return Entry(key, names, skeletons, row.discriminators, shown)


def encoded(entry: Entry) -> bytes:
    try:
        return _encode(entry)
    except UnicodeEncodeError:
        return _encode(_cleaned(entry))


def decoded(written: bytes) -> Entry:
    return _decode(written)


def _cleaned(entry: Entry) -> Entry:
    """The entry without half characters, which cannot be written down."""
    return Entry(
        entry.key,
        tuple(clean(name) for name in entry.names),
        entry.skeletons,
        {clean(name): clean(value) for name, value in entry.discriminators.items()},
        None if entry.shown is None else clean(entry.shown),
    )


@lru_cache(maxsize=4_096)
def filter_value(text: str) -> str:
    """A value of a discriminator as it is compared: case and width are not looked at."""
    return plain(text)


def passes(entry: Entry, filters: Mapping[str, str]) -> bool:
    """Whether the entry has every value asked for. `filters` are as they are compared."""
    return all(
        name in entry.discriminators and filter_value(entry.discriminators[name]) == value
        for name, value in filters.items()
    )


def row_of(entry: Entry) -> EntityRow:
    return EntityRow(entry.key, entry.display, entry.names, entry.discriminators)
