"""SQLite files as sources and targets."""

from dragoman.engine.components.sqlite.extractor import SqliteExtractor
from dragoman.engine.components.sqlite.writer import SqliteWriter

EXTRACTOR = SqliteExtractor()
VERBS_EXTRACTOR = SqliteExtractor(of_verbs=True)
WRITER = SqliteWriter()
