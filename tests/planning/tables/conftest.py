from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.planning.tables.library import Library


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    opened = Library(Path(tmp_path_factory.mktemp("library")) / "library.sqlite")
    yield opened
    opened.reader.close()
