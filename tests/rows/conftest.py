"""The databases of rows, each written and discovered once, and opened anew for every test."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from dragoman import Workspace
from tests.rows.databases import SCRIPTS, opened


@pytest.fixture(scope="session")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("rows")
    for name in SCRIPTS:
        opened(name, folder / name).close()
    return {name: folder / name / "workspace" for name in SCRIPTS}


@pytest.fixture
def place(places: dict[str, Path]) -> Iterator[Callable[[str], Workspace]]:
    """A workspace over one of the databases, by its name."""
    with ExitStack() as stack:
        yield lambda name: stack.enter_context(Workspace.open(places[name]))
