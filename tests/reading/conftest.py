"""The reader of the trade demo, built once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.catalog.packs.catalog import open_catalog
from dragoman.catalog.packs.homes import demo_home
from dragoman.catalog.workspace_catalog import WorkspaceCatalog
from dragoman.reading.message import Reader


@pytest.fixture(scope="session")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    folder: Path = tmp_path_factory.mktemp("trade")
    yield Reader(open_catalog(WorkspaceCatalog(demo_home(folder))))
