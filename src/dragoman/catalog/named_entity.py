"""An entity and everything it is called, from the database of its pack or as the package ships it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dragoman.contracts.pack import Texts
from dragoman.contracts.record import Record
from dragoman.contracts.state import EntityRef
from dragoman.locales.registry import FALLBACK
from dragoman.packs.shipped_names import shipped_names

if TYPE_CHECKING:
    from dragoman.databases.access import DatabaseReader
    from dragoman.packs.pack_entities import EntityView

MOST_NAMES = 20_000
"""More names of a type than this are not held in memory: they are looked up in the index on disk."""

Names = Mapping[str, "NamedEntity"]
"""The entities of one type by their keys, in the order of the keys."""


class NamedEntity(Record, frozen=True):
    """An entity and everything it is called. `within` says what it belongs to, by kind."""

    ref: EntityRef
    names: tuple[str, ...]
    belongs: tuple[tuple[str, str], ...] = ()
    localized: Texts = {}  # noqa: RUF012 - msgspec copies it for each record.
    told: tuple[str, ...] = ()
    """What tells it apart from others: the values of its discriminators."""

    @property
    def within(self) -> str:
        return self.belongs[0][1] if self.belongs else ""


def read_names(view: "EntityView", called: str, reader: "DatabaseReader") -> Names | None:
    """The names that a view shows, for the type that programs call `called`; None where they are too many."""
    # Imported when names are read: folding and scoring are more than a start should cost.
    from dragoman.packs.pack_entities import entity_names

    rows = entity_names(view, reader, MOST_NAMES)
    if rows is None:
        return None
    entity = view.entity
    found: dict[str, NamedEntity] = {}
    for key, names, within, localized, told_apart in rows:
        told = dict(zip(entity.localized, localized, strict=True))
        # The canonical name is always there, whatever languages the pack has.
        texts = {FALLBACK: names[0]} | {language: text for language, text in told.items() if text}
        belongs = tuple((k, w) for k, w in zip(entity.within, within, strict=True) if w)
        found[key] = NamedEntity(
            EntityRef(called, key, names[0]), tuple(n for n in names if n), belongs, texts, told_apart
        )
    return found


def demo_names(pack: str) -> dict[str, Names]:
    """The names in the demo of a shipped pack, by type; no database is needed."""
    return {
        kind: {key: NamedEntity(EntityRef(kind, key, name), (name,)) for key, name in names.items()}
        for kind, names in shipped_names(pack).items()
    }
