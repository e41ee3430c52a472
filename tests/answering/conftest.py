"""The catalog of the trade demo, opened once."""

from pathlib import Path

import pytest

from dragoman.catalog.homes import demo_home
from dragoman.catalog.pack_catalog import PackCatalog, open_catalog
from dragoman.catalog.workspace_catalog import WorkspaceCatalog


@pytest.fixture(scope="session")
def trade_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo_home(tmp_path_factory.mktemp("trade"))


@pytest.fixture(scope="session")
def trade(trade_home: Path) -> PackCatalog:
    return open_catalog(WorkspaceCatalog(trade_home))
