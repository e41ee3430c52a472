"""Few entries, held in memory: each is looked at, and no index is needed."""

from collections.abc import Iterable, Iterator, Mapping
from threading import Lock

from dragoman.entities.entity_name import Wanted
from dragoman.entities.entries import Entry, entries_of, passes
from dragoman.entities.records import EntityRow


class Scan:
    """Entries by their keys. They are made when they are first looked at, so that opening costs nothing."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._given: Iterable[Entry] = entries
        self._made: dict[str, Entry] | None = None
        self._making = Lock()

    @classmethod
    def of(cls, rows: Iterable[EntityRow]) -> "Scan":
        return cls(entry for given in (rows,) for entry in entries_of(tuple(given)))

    @property
    def _entries(self) -> dict[str, Entry]:
        # What is given can be gone through only once: two threads at it would each get a part.
        with self._making:
            if self._made is None:
                self._made = {entry.key: entry for entry in self._given}
                self._given = ()
            return self._made

    def __len__(self) -> int:
        return len(self._entries)

    def entry(self, key: str) -> Entry | None:
        return self._entries.get(key)

    def candidates(self, wanted: tuple[Wanted, ...], filters: Mapping[str, str]) -> Iterator[Entry]:
        return (entry for entry in self._entries.values() if passes(entry, filters))
