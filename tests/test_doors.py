"""Doors import the façade and the contracts, and the façade gives each part once, whoever asks."""

import tomllib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.contracts.vocabulary import Notation
from dragoman.workspace.text import Source
from tools.checkout import ROOT

THREADS: Final = 16
FACADE: Final = {"contracts", "workspace"}
DOORS: Final = {"cli", "conversation_tests", "web", "mcp"}
PARTS: Final[dict[str, Callable[[Workspace], object]]] = {
    "programs": lambda workspace: workspace.programs,
    "pipelines": lambda workspace: workspace.pipelines,
    "databases": lambda workspace: workspace.databases,
    "packs": lambda workspace: workspace.packs,
    "entities": lambda workspace: workspace.entities,
    "language_models": lambda workspace: workspace.language_models,
}


def rooms() -> set[str]:
    """The top-level folders and modules of the package; one that begins with _ is nobody's room."""
    found = (path for path in (ROOT / "src" / "dragoman").iterdir() if path.is_dir() or path.suffix == ".py")
    return {path.stem for path in found if not path.name.startswith("_")}


def test_the_rule_for_doors_names_every_room_and_every_door() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (rule,) = (each for each in config["tool"]["importlinter"]["contracts"] if each["type"] == "forbidden")
    assert set(rule["source_modules"]) == {f"dragoman.{room}" for room in rooms() & DOORS}
    assert set(rule["forbidden_modules"]) == {f"dragoman.{room}" for room in rooms() - DOORS - FACADE}


@pytest.mark.parametrize("part", PARTS)
def test_threads_that_ask_first_together_get_one_part(part: str, tmp_path: Path) -> None:
    """Opening a part may build the demo, read packs and find databases: that is done once."""
    gate = Barrier(THREADS)

    def opened(workspace: Workspace) -> object:
        gate.wait()
        return PARTS[part](workspace)

    with Workspace.open(tmp_path) as workspace, ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(opened, [workspace] * THREADS))
    assert all(each is found[0] for each in found)


def test_the_parts_speak_of_what_is_asked(tmp_path: Path) -> None:
    """Turns and parts have the same home: here the demo, since the folder has no database of its own."""
    with Workspace.open(tmp_path) as workspace:
        answered = workspace.ask(workspace.new_session(), "stock of Alfa Trade on 31 March 2020")
        assert answered.program is not None
        assert workspace.programs.compile(Source(answered.program), Notation.VERBS).ok
        (spec,) = workspace.databases.connections().specs
        assert "warehouse" in {table.name for table in workspace.databases.discover(spec).tables}
        bound = workspace.entities.search("organization", "alfa trade").found.bound
        assert bound is not None
        assert (bound.key, bound.display) == ("1", "Alfa Trade")
        unresolved = '(inventory.stock :organization "Alfa Trade" :as-of 2020-03-31)\n'
        resolution = workspace.resolver().begin(unresolved, Notation.VERBS)
        assert resolution.ready
        assert ':organization "1"' in resolution.source
        assert workspace.pipelines.runs() == []
