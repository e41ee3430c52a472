"""Entities by name: an index for each type, searched as people spell, bound only when there is no doubt."""

from dragoman.catalog.entities.binding import bind
from dragoman.catalog.entities.building import build_index, is_current, open_index, update_index
from dragoman.catalog.entities.errors import (
    EntityFilterUnknown,
    EntityIndexDamaged,
    EntityIndexError,
    EntityIndexMissing,
    EntityIndexNewer,
    EntityIndexUnwritable,
    EntityRowRefused,
)
from dragoman.catalog.entities.index import EntityIndex
from dragoman.catalog.entities.records import (
    EntityIndexConfig,
    EntityRow,
    Found,
    How,
    Match,
    SearchKey,
)
from dragoman.catalog.entities.resolution import entity_matches, resolution_config

__all__ = [
    "EntityFilterUnknown",
    "EntityIndex",
    "EntityIndexConfig",
    "EntityIndexDamaged",
    "EntityIndexError",
    "EntityIndexMissing",
    "EntityIndexNewer",
    "EntityIndexUnwritable",
    "EntityRow",
    "EntityRowRefused",
    "Found",
    "How",
    "Match",
    "SearchKey",
    "bind",
    "build_index",
    "entity_matches",
    "is_current",
    "open_index",
    "resolution_config",
    "update_index",
]
