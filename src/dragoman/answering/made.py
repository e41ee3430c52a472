"""What a write has made: for whoever waits for it, and for the record."""

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.program import Program, Text
from dragoman.contracts.state import EntityRef
from dragoman.packs.statements import inserted_argument


def made_by(program: Program, key: str, catalog: Catalog) -> EntityRef | None:
    """The entity that a program of a create verb has made, by the key that its run gives. None where the
    program makes nothing that a pack knows as an entity."""
    statement = program[-1]
    for kind, owned in catalog.packs.entities.items():
        if not key or owned.entity.create != statement.verb:
            continue
        verb = owned.pack.verbs[statement.verb]
        named = inserted_argument(verb, owned.entity.display, owned.pack.dialect)
        argument = statement.argument(named) if named else None
        name = argument.value.value if argument is not None and isinstance(argument.value, Text) else key
        return EntityRef(kind, key, name)
    return None
