"""The index in the words of the compiler."""

from dragoman.contracts.pack import KeyType, ResolutionMode
from dragoman.contracts.program import DiscriminatorField, EntityMatch, SearchKeyField
from dragoman.entities import (
    EntityIndex,
    EntityIndexConfig,
    SearchKey,
    entity_matches,
    resolution_config,
)
from tests.entities.companies import row

CONFIG = EntityIndexConfig(
    "cbu",
    (SearchKey("name"), SearchKey("code", 0.8)),
    ("jurisdiction",),
    ResolutionMode.AUTOCOMPLETE,
    KeyType.UUID,
)


def test_config() -> None:
    config = resolution_config(EntityIndex.in_memory(CONFIG, []))
    assert config.search_keys == (SearchKeyField("name", required=True), SearchKeyField("code"))
    assert config.discriminators == (DiscriminatorField("jurisdiction"),)
    assert (config.resolution_mode, config.return_key_type) == ("Autocomplete", "uuid")


def test_matches() -> None:
    index = EntityIndex.in_memory(CONFIG, [row("1", "ALLIANZ FUNDS", jurisdiction="LU")])
    assert entity_matches(index.search("allianz funds")) == (
        EntityMatch("1", "ALLIANZ FUNDS", 1.0, "exact, jurisdiction: LU"),
    )
