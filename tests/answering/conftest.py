"""The catalog of the trade demo, opened once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.homes import demo_home
from tests.answering.told import Talk, towns


@pytest.fixture(scope="session")
def trade_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo_home(tmp_path_factory.mktemp("trade"))


@pytest.fixture(scope="session")
def trade(trade_home: Path) -> Catalog:
    return Catalog(trade_home).load()


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Talk]:
    with towns(tmp_path) as workspace:
        yield Talk(workspace)
