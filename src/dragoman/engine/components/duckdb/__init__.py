"""DuckDB: files of it as sources, and SQL over the results of other steps, each in a process of its own."""

from dragoman.engine.components.duckdb.extractor import DuckdbExtractor
from dragoman.engine.components.duckdb.transform import DuckdbTransform

EXTRACTOR = DuckdbExtractor()
TRANSFORM = DuckdbTransform()
