"""Names under which parts of the catalog were known; each stands in a module of its own now."""

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.cells import ScaledColumn
from dragoman.catalog.coverage import CoverageRule
from dragoman.catalog.named_entity import MOST_NAMES, NamedEntity
from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.catalog.verbs import ORGANIZATION

WAREHOUSE = "warehouse"
PackCatalog = Catalog


def open_catalog(workspace: Catalog) -> Catalog:
    """Read the names and the coverage of every pack whose database is there."""
    return workspace.load()


__all__ = [
    "MOST_NAMES",
    "ORGANIZATION",
    "WAREHOUSE",
    "CatalogVerb",
    "CoverageRule",
    "NamedEntity",
    "PackCatalog",
    "ScaledColumn",
    "open_catalog",
]
