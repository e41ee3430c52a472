"""Entities by name: an index for each type, searched as people spell, bound only when there is no doubt.

Whoever only asks what was found, or names no entity, needs neither the indexes nor what compares spellings.
"""

from typing import TYPE_CHECKING

from dragoman._lazy import lazy

if TYPE_CHECKING:
    from dragoman.entities.clear_match import bind
    from dragoman.entities.index import EntityIndex
    from dragoman.entities.index_files import build_index, is_current, open_index, update_index
    from dragoman.entities.records import (
        EntityIndexConfig,
        EntityRow,
        Found,
        How,
        Match,
        SearchKey,
    )
    from dragoman.entities.reference_matches import entity_matches, resolution_config

__all__ = [
    "EntityIndex",
    "EntityIndexConfig",
    "EntityRow",
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

__getattr__ = lazy(
    __name__,
    {
        "EntityIndex": "dragoman.entities.index",
        "EntityIndexConfig": "dragoman.entities.records",
        "EntityRow": "dragoman.entities.records",
        "Found": "dragoman.entities.records",
        "How": "dragoman.entities.records",
        "Match": "dragoman.entities.records",
        "SearchKey": "dragoman.entities.records",
        "bind": "dragoman.entities.clear_match",
        "build_index": "dragoman.entities.index_files",
        "entity_matches": "dragoman.entities.reference_matches",
        "is_current": "dragoman.entities.index_files",
        "open_index": "dragoman.entities.index_files",
        "resolution_config": "dragoman.entities.reference_matches",
        "update_index": "dragoman.entities.index_files",
    },
)
