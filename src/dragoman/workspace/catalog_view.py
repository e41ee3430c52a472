"""What a workspace has, as its viewer may see it: connections, tables, verbs, types of entities."""

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.program import EntityResolutionConfig
from dragoman.contracts.record import Record
from dragoman.contracts.schema import TableInfo


class ConnectionView(Record, frozen=True):
    name: str
    family: str
    default: bool
    tables: tuple[TableInfo, ...]


class EntityView(Record, frozen=True):
    """A type of entity, and how one of it is searched for."""

    type: str
    config: EntityResolutionConfig


class CatalogView(Record, frozen=True):
    connections: tuple[ConnectionView, ...]
    verbs: tuple[str, ...]
    entities: tuple[EntityView, ...]


def catalog_view(catalog: Catalog) -> CatalogView:
    connections = []
    for spec in catalog.in_order():
        schema = catalog.visible_schema(spec)
        tables = schema.tables if schema is not None else ()
        connections.append(ConnectionView(spec.name, spec.family or "", spec == catalog.default, tables))
    kinds = sorted(catalog.packs.entities)
    return CatalogView(
        tuple(connections),
        tuple(sorted(set(catalog.verb_names()))),
        tuple(EntityView(kind, catalog.entity_config(kind)) for kind in kinds),
    )
