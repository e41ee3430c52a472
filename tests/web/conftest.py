"""One server for the tests of this folder that leave it as it was for the others."""

from collections.abc import Iterator

import pytest

from tests.web.ground import Server, Talk, funds, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(funds(tmp_path_factory.mktemp("funds"))) as running:
        yield running


@pytest.fixture
def talk(server: Server) -> Talk:
    """A new session of somebody."""
    return Talk(server.client())
