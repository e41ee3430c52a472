"""Entities by name: an index for each type, searched as people spell, bound only when there is no doubt."""

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
