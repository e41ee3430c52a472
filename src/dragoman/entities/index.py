"""The entities of one type, ready to be searched."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol
from uuid import UUID

from dragoman.contracts.errors import EntityFilterUnknown
from dragoman.contracts.pack import KeyType
from dragoman.entities.clear_match import bind
from dragoman.entities.entity_name import Wanted, readings
from dragoman.entities.entries import Entry, filter_value, passes
from dragoman.entities.folded_names import clean
from dragoman.entities.likeness import Verdict, judge, weighed
from dragoman.entities.records import EntityIndexConfig, EntityRow, Found, How, Match
from dragoman.entities.scan import Scan

LIMIT = 5
MOST = 100
_LONGEST_KEY = 1_000
_REFINED = 2 * MOST
_ALIKE = 0.5
"""So much of the best score a name has that is only alike and found all the same."""


class Entries(Protocol):
    """Where entries come from: from memory or from disk, looked at in the same way."""

    def __len__(self) -> int: ...

    def entry(self, key: str) -> Entry | None: ...

    def candidates(self, wanted: tuple[Wanted, ...], filters: Mapping[str, str]) -> Iterable[Entry]:
        """At least the entries that fit best; none that a filter keeps out."""


class EntityIndex:
    """Searches entities by name or key. Two searches for the same text find the same, in the same order."""

    def __init__(
        self,
        config: EntityIndexConfig,
        entries: Entries,
        options: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self.config = config
        self.options = options or {}
        """The values of each discriminator, where they are few."""
        self._entries = entries

    @classmethod
    def in_memory(cls, config: EntityIndexConfig, rows: Iterable[EntityRow]) -> "EntityIndex":
        """An index of a few rows that is never written down."""
        return cls(config, Scan.of(rows))

    def __len__(self) -> int:
        return len(self._entries)

    def name_of(self, key: str) -> str | None:
        """The display name of the entity with this key."""
        entry = self._entries.entry(key) if _is_key(key) else None
        return None if entry is None else entry.display

    def search(self, text: str, *, limit: int = LIMIT, filters: Mapping[str, str] | None = None) -> Found:
        """The entities that the text may mean, the best first; only those with every value in `filters`."""
        values = self._checked(filters or {})
        matches = {match.key: match for match in self._named(text, values)}
        by_key = self._keyed(text, values)
        if by_key is not None:
            matches[by_key.key] = by_key
        ranked = _named_so(sorted(matches.values(), key=_rank))
        # What binds is decided before the list is cut: a name that was not shown may still be as good.
        return Found(tuple(ranked[: max(0, min(limit, MOST))]), bind(ranked), self.config.create_verb)

    def _checked(self, filters: Mapping[str, str]) -> dict[str, str]:
        unknown = [name for name in filters if name not in self.config.discriminators]
        if unknown:
            raise EntityFilterUnknown(
                f"{self.config.entity_type} cannot be filtered by {clean(unknown[0])!r}.",
                hint=f"Filter by one of: {', '.join(self.config.discriminators) or 'nothing'}.",
                known=list(self.config.discriminators),
            )
        return {name: filter_value(value) for name, value in filters.items()}

    def _named(self, text: str, filters: Mapping[str, str]) -> Iterator[Match]:
        wanted = readings(text)
        if not wanted:
            return
        judged = [
            found
            for entry in self._entries.candidates(wanted, filters)
            if (found := self._judged(entry, wanted)) is not None
        ]
        judged.sort(key=lambda found: (-found[0], found[3].display, found[3].key))
        for _, verdict, position, entry in judged[:_REFINED]:
            weight = self.config.weight(position)
            name = entry.names[position]
            final = weighed(verdict, wanted, name).score * weight
            yield Match(entry.key, entry.display, round(final, 2), verdict.how, name, entry.discriminators)

    def _judged(self, entry: Entry, wanted: tuple[Wanted, ...]) -> tuple[float, Verdict, int, Entry] | None:
        """The entry by the best of its names: score, verdict and which name it was."""
        best: tuple[float, Verdict, int, Entry] | None = None
        for position, (name, bones) in enumerate(zip(entry.names, entry.skeletons, strict=True)):
            verdict = judge(wanted, name, bones) if bones else None
            if verdict is not None:
                score = verdict.score * self.config.weight(position)
                if best is None or score > best[0]:
                    best = score, verdict, position, entry
        return best

    def _keyed(self, text: str, filters: Mapping[str, str]) -> Match | None:
        key = self._spelled(text.strip())
        entry = self._entries.entry(key) if _is_key(key) else None
        if entry is None or not passes(entry, filters):
            return None
        return Match(entry.key, entry.display, 100.0, How.KEY, "", entry.discriminators)

    def _spelled(self, key: str) -> str:
        """The key as it is kept: a UUID may be written in capitals or in brackets."""
        if self.config.return_key_type is not KeyType.UUID or self._entries.entry(clean(key)) is not None:
            return key
        try:
            return str(UUID(key))
        except ValueError:
            return key


def _is_key(text: str) -> bool:
    return 0 < len(text) <= _LONGEST_KEY and clean(text) == text


def _named_so(ranked: list[Match]) -> list[Match]:
    """Without what is only alike, where something has the name: it would be offered beside that."""
    best = ranked[0].score if ranked else 0.0
    return [match for match in ranked if match.how is not How.SIMILAR or match.score >= best * _ALIKE]


_ORDER = {how: position for position, how in enumerate(How)}


def _rank(match: Match) -> tuple[float, int, str, str]:
    return -match.score, _ORDER[match.how], match.display, match.key
