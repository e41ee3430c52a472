"""Few entries, held in memory: each is looked at, and no index is needed."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from dragoman.entities.entity_name import Wanted
from dragoman.entities.entries import Entry, entries_of, passes
from dragoman.entities.records import EntityRow


class Scan:
    """Entries by their keys. They are made when they are first looked at, so that opening costs nothing."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._given: Iterable[Entry] = entries

    @classmethod
    def of(cls, rows: Iterable[EntityRow]) -> "Scan":
        return cls(entry for given in (rows,) for entry in entries_of(tuple(given)))

    @cached_property
    def _entries(self) -> dict[str, Entry]:
        entries = {entry.key: entry for entry in self._given}
        self._given = ()
        return entries

    def __len__(self) -> int:
        return len(self._entries)

    def entry(self, key: str) -> Entry | None:
        return self._entries.get(key)

    def candidates(self, wanted: tuple[Wanted, ...], filters: Mapping[str, str]) -> Iterator[Entry]:
        return (entry for entry in self._entries.values() if passes(entry, filters))
