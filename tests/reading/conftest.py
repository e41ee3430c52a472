import pytest

from dragoman.catalog.homes import demo_home
from dragoman.catalog.pack_catalog import open_catalog
from dragoman.catalog.workspace_catalog import WorkspaceCatalog
from dragoman.reading.message import Reader


@pytest.fixture(scope="session")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    return Reader(open_catalog(WorkspaceCatalog(demo_home(tmp_path_factory.mktemp("demo")))))
