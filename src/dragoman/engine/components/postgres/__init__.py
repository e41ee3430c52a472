"""PostgreSQL: read and written through DuckDB's scanner, planned and published with psycopg."""

from dragoman.engine.components.postgres.extractor import PostgresExtractor
from dragoman.engine.components.postgres.writer import PostgresWriter

EXTRACTOR = PostgresExtractor()
WRITER = PostgresWriter()
