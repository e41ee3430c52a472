"""Verbs that every table and view of a discovered database has, without anybody having written them."""

from dragoman.catalog.tables.catalog import CompiledRead, TableCatalog, UsedPath, table_catalog
from dragoman.catalog.tables.verbs import TableVerb

__all__ = ["CompiledRead", "TableCatalog", "TableVerb", "UsedPath", "table_catalog"]
