"""Verbs that every table and view of a discovered database has, without anybody having written them."""

from dragoman.tables.catalog import CompiledRead, TableCatalog, UsedPath, table_catalog
from dragoman.tables.verbs import TableVerb

__all__ = ["CompiledRead", "TableCatalog", "TableVerb", "UsedPath", "table_catalog"]
