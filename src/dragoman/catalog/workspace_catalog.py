"""Names under which parts of the catalog were known; each stands in a module of its own now."""

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.sources import DEFAULT, index_root, schema_folder
from dragoman.contracts.places import STATE_FOLDER

WorkspaceCatalog = Catalog

__all__ = ["DEFAULT", "STATE_FOLDER", "WorkspaceCatalog", "index_root", "schema_folder"]
