"""Entry points of other packages are found wherever Python itself would find them."""

import sys
import zipfile
from collections.abc import Iterator
from importlib.machinery import PathFinder
from pathlib import Path

import pytest

from dragoman._offers import offers

GROUP = "dragoman.languages"
OFFER = f"[{GROUP}]\neo = esperanto:ESPERANTO\n"


def names() -> list[str]:
    return [point.name for point in offers(GROUP)]


def offer_in(folder: Path, info: str = "esperanto-1.0.dist-info", text: str = OFFER) -> None:
    (folder / info).mkdir()
    (folder / info / "METADATA").write_text("Metadata-Version: 2.1\nName: esperanto\nVersion: 1.0\n", "utf-8")
    (folder / info / "entry_points.txt").write_text(text, "utf-8")


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One folder of the path, and nothing that the packages of the tests bring."""
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.setattr(sys, "meta_path", [PathFinder])


def test_an_empty_folder_offers_nothing_and_asks_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "old-1.0.egg-info").write_text("Name: old\n", "utf-8")
    offer_in(tmp_path, text="[console_scripts]\ndragoman = dragoman.cli:main\n")
    monkeypatch.setitem(sys.modules, "importlib.metadata", None)
    assert names() == []


@pytest.mark.parametrize("info", ["esperanto-1.0.dist-info", "esperanto.egg-info"])
def test_a_package_that_offers_is_found(tmp_path: Path, info: str) -> None:
    assert names() == []
    offer_in(tmp_path, info)
    assert names() == ["eo"]


def test_the_folder_of_work_is_looked_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offer_in(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [""])
    assert names() == ["eo"]


def test_a_package_in_a_zip_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "packed.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("esperanto-1.0.dist-info/METADATA", "Name: esperanto\nVersion: 1.0\n")
        packed.writestr("esperanto-1.0.dist-info/entry_points.txt", OFFER)
    monkeypatch.setattr(sys, "path", [str(archive)])
    assert names() == ["eo"]


def test_a_finder_of_somebody_else_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    offer_in(elsewhere)

    class Finder(PathFinder):
        @classmethod
        def find_distributions(cls, *_: object) -> Iterator[object]:  # type: ignore[override]
            from importlib.metadata import PathDistribution

            yield PathDistribution(elsewhere / "esperanto-1.0.dist-info")

    monkeypatch.setattr(sys, "meta_path", [PathFinder, Finder])
    assert names() == ["eo"]
