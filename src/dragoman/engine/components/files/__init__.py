"""Files as sources and targets: CSV, Parquet, JSON lines."""

from dragoman.engine.components.files.extractor import FileExtractor
from dragoman.engine.components.files.writer import FileWriter

EXTRACTOR = FileExtractor()
WRITER = FileWriter()
