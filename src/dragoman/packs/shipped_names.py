"""The verbs and names of a shipped pack's demo, from what is in the package: no database is needed."""

import sqlite3
from contextlib import closing

from dragoman.contracts.verb import VerbSignature
from dragoman.packs.demo import demo_script
from dragoman.packs.pack_files import load_shipped
from dragoman.packs.signatures import pack_signature

DEMO = "trade"


def shipped_signatures(pack: str = DEMO) -> dict[str, VerbSignature]:
    return {name: pack_signature(name, verb) for name, verb in load_shipped(pack).verbs.items()}


def shipped_names(pack: str = DEMO) -> dict[str, dict[str, str]]:
    """For each entity type of the demo, the display name of every key."""
    shipped = load_shipped(pack)
    names: dict[str, dict[str, str]] = {}
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(demo_script(shipped))
        for kind, entity in shipped.entities.items():
            # The names are the pack's, which ships with this module.
            sql = f'SELECT "{entity.key}", "{entity.display}" FROM "{entity.table}" ORDER BY 1'  # noqa: S608
            names[kind] = {str(key): str(name) for key, name in connection.execute(sql)}
    return names
