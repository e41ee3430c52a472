"""MariaDB and MySQL: rows out of them and tables in them."""

from dragoman.engine.components.mysql.extractor import MysqlExtractor
from dragoman.engine.components.mysql.writer import MysqlWriter

EXTRACTOR = MysqlExtractor()
WRITER = MysqlWriter()

__all__ = ["EXTRACTOR", "WRITER", "MysqlExtractor", "MysqlWriter"]
