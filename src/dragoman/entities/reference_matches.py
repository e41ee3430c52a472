"""An index in the words of the compiler: what an unresolved reference says of its search and its matches."""

from typing import TYPE_CHECKING

from dragoman.contracts.program import (
    DiscriminatorField,
    EntityMatch,
    EntityResolutionConfig,
    SearchKeyField,
)
from dragoman.entities.records import Found, Match

if TYPE_CHECKING:
    from dragoman.entities.index import EntityIndex


def resolution_config(index: "EntityIndex") -> EntityResolutionConfig:
    """How the entity type is searched for. The first search key is the one that has to be given."""
    config = index.config
    return EntityResolutionConfig(
        search_keys=tuple(
            SearchKeyField(key.column, required=position == 0)
            for position, key in enumerate(config.search_keys)
        ),
        discriminators=tuple(
            DiscriminatorField(name, options=index.options.get(name, ())) for name in config.discriminators
        ),
        resolution_mode=config.resolution_mode,
        return_key_type=config.return_key_type,
    )


def entity_matches(found: Found) -> tuple[EntityMatch, ...]:
    """The matches as a reference carries them: with a score from 0 to 1, and what tells them apart."""
    return tuple(
        EntityMatch(match.key, match.display, round(match.score / 100, 4), _detail(match))
        for match in found.matches
    )


def _detail(match: Match) -> str:
    return ", ".join(
        (match.how, *(f"{name}: {value}" for name, value in sorted(match.discriminators.items())))
    )
