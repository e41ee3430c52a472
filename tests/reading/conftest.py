from pathlib import Path

import pytest
from dragoman.catalog.trade.catalog import open_catalog
from dragoman.catalog.trade.database import ensure_database

from dragoman.reading.message import Reader


@pytest.fixture(scope="session")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    database: Path = tmp_path_factory.mktemp("demo") / "trade.sqlite"
    return Reader(open_catalog(ensure_database(database)))
