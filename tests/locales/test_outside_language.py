"""A language from outside the package: registered, it is spoken over the demo like any other."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

import tests.locales.esperanto
from dragoman.catalog.homes import demo_home
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass
from dragoman.locales import languages, registered
from dragoman.workspace import Workspace
from tests.locales.esperanto import ESPERANTO

WORDS: Final = {
    "inventory.stock": ("Stoko", ["stoko", "stokon", "en la stoko"]),
    "item.supplier": ("Liverantoj de la varo", ["liveris", "kiu liveris", "liveranto"]),
    "sales.total": ("Vendoj", ["vendoj", "vendis"]),
    "item.card": ("Varo", ["karto"]),
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The demo, with words in Esperanto in its pack."""
    folder = demo_home(tmp_path)
    place = folder / "packs" / "trade.yaml"
    pack: dict[str, Any] = yaml.safe_load(place.read_text("utf-8"))
    for verb, (title, words) in WORDS.items():
        pack["verbs"][verb]["title"]["eo"] = title
        pack["verbs"][verb]["words"]["eo"] = words
    place.write_text(yaml.safe_dump(pack, allow_unicode=True, sort_keys=False), "utf-8")
    return folder


@pytest.fixture
def esperanto(home: Path) -> Iterator[Workspace]:
    with registered(ESPERANTO), Workspace.open(home) as workspace:
        yield workspace


def test_a_conversation_is_held_in_it(esperanto: Workspace) -> None:
    session = esperanto.new_session()
    stock = esperanto.ask(session, "kiom da stoko havas Alfa Trade je la 31a de marto 2020?")
    assert (stock.transition, stock.route) == (TransitionClass.T1, "inventory.stock")
    assert stock.message == "Stoko de Alfa Trade je la 31-a de marto 2020: 7 linioj."
    april = esperanto.ask(session, "kaj en aprilo?")
    assert (april.transition, april.answer_mode) == (TransitionClass.T2, AnswerMode.CONFIRMED)
    assert "30-a de aprilo" in april.message
    second = esperanto.ask(session, "montru la duan linion")
    assert (second.transition, second.route) == (TransitionClass.T3, "item.card")
    supplier = esperanto.ask(session, "kiu liveris gxin?")
    assert (supplier.transition, supplier.route) == (TransitionClass.T5, "item.supplier")
    assert supplier.rows == (("LightHouse",),)
    assert esperanto.ask(session, "malfaru").transition is TransitionClass.X_UNDO
    assert esperanto.ask(session, "dankon").message == "Demandu pri la datumoj."


def test_a_message_without_small_words_is_in_the_language_that_knows_its_words(esperanto: Workspace) -> None:
    said = esperanto.ask(esperanto.new_session(), "Vendoj Alfa Trade marto 2020")
    assert (said.route, said.answer_mode) == ("sales.total", AnswerMode.CONFIRMED)
    assert said.message.startswith("Vendoj de Alfa Trade")


def test_beside_it_english_is_read_as_before(esperanto: Workspace, tmp_path: Path) -> None:
    asked = "How much stock does Alfa Trade have on 31 March 2020?", "and for April?", "and now the weather"
    other = demo_home(tmp_path / "other")
    session = esperanto.new_session()
    beside = [esperanto.ask(session, text).message for text in asked]
    with Workspace.open(other) as workspace:
        session = workspace.new_session()
        alone = [workspace.ask(session, text).message for text in asked]
    assert beside == alone


def test_it_is_gone_when_nobody_registers_it() -> None:
    assert "eo" not in languages()


def test_a_package_brings_one_with_an_entry_point(tmp_path: Path) -> None:
    """As pip would install it: a module, and the name of the record among its metadata."""
    data = tmp_path / "esperanto_for_dragoman-1.dist-info"
    data.mkdir()
    (data / "METADATA").write_text("Metadata-Version: 2.1\nName: esperanto-for-dragoman\nVersion: 1\n")
    (data / "entry_points.txt").write_text("[dragoman.languages]\neo = esperanto:ESPERANTO\n")
    (tmp_path / "esperanto.py").write_text(Path(tests.locales.esperanto.__file__).read_text("utf-8"), "utf-8")
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from dragoman.locales import language, languages\n"
        "assert 'eo' in languages() and language('eo').name == 'Esperanto', languages()\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
