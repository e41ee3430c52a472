from collections.abc import Iterator

import pytest

from tests.planning.database.hire_shop import HireShop


@pytest.fixture(scope="session")
def hire_shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HireShop]:
    opened = HireShop(tmp_path_factory.mktemp("hire_shop") / "hire_shop.sqlite")
    yield opened
    opened.reader.close()
