from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.planning.database.orchard import Orchard


@pytest.fixture(scope="module")
def orchard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Orchard]:
    opened = Orchard(Path(tmp_path_factory.mktemp("orchard")) / "orchard.sqlite")
    yield opened
    opened.reader.close()
