import pytest

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.homes import demo_home
from dragoman.reading.message import Reader


@pytest.fixture(scope="session")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    return Reader(Catalog(demo_home(tmp_path_factory.mktemp("demo"))).load())
