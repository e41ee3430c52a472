"""Files as sources and targets: CSV, Parquet, JSON lines."""

from dragoman.engine.components.files.writer import FileWriter

WRITER = FileWriter()
