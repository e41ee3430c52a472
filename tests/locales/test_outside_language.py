"""A language from outside the package: registered, it is spoken over the demo like any other."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from msgspec.structs import replace

import tests.locales.esperanto
from dragoman.catalog.homes import demo_home
from dragoman.contracts.errors import LanguageInvalid
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


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("phrases", "hello: [unclosed", "phrases.yaml cannot be read"),
        ("phrases", "- a\n- list\n", "phrases.yaml is a list, and has to be a table"),
        ("phrases", "", "phrases.yaml is nothing, and has to be a table"),
        ("phrases", 'truncated: "nur {count} linioj"\n', "truncated has the field count; the fields are n"),
        ("phrases", 'truncated: "nur {n linioj"\n', "truncated is no sentence with fields"),
        ("phrases", "plurals: linioj\n", "plurals is a text, and has to be a table"),
        ("lexicon", "dates: 7\n", "dates is a text, and has to be a table"),
        ("function_words", "words: {la: 1}\n", "words is a table, and has to be a list"),
        ("cues", "\tkaj: 1\n", "cues.yaml cannot be read"),
    ],
)
def test_a_malformed_one_is_refused_before_anybody_talks_to_it(
    tmp_path: Path, name: str, text: str, told: str
) -> None:
    folder = shutil.copytree(Path(str(ESPERANTO.folder)), tmp_path / "eo")
    (folder / f"{name}.yaml").write_text(text, "utf-8")
    broken = replace(ESPERANTO, folder=folder)
    with pytest.raises(LanguageInvalid) as refused, registered(broken):
        pass
    assert (refused.value.code, refused.value.details["language"]) == ("language_invalid", "eo")
    assert told in refused.value.message
    assert refused.value.hint
    assert "eo" not in languages()


@pytest.mark.parametrize(
    ("module", "told"),
    [
        ("ESPERANTO = 7\n", "is no language"),
        ("", "cannot be loaded"),
        (
            "from pathlib import Path\nfrom dragoman.locales import Language\n"
            "HERE = Path(__file__).parent\n"
            "ESPERANTO = Language(code='eo', name='Esperanto', script='latin', folder=HERE)\n",
            "cannot be used: phrases.yaml cannot be read",
        ),
    ],
)
def test_a_package_with_a_malformed_one_is_told_at_opening(tmp_path: Path, module: str, told: str) -> None:
    """The first question says it, with the package that brought it, before a turn is opened."""
    data = tmp_path / "esperanto_for_dragoman-1.dist-info"
    data.mkdir()
    (data / "METADATA").write_text("Metadata-Version: 2.1\nName: esperanto-for-dragoman\nVersion: 1\n")
    (data / "entry_points.txt").write_text("[dragoman.languages]\neo = esperanto:ESPERANTO\n")
    (tmp_path / "esperanto.py").write_text(module, "utf-8")
    (tmp_path / "phrases.yaml").write_text("hello: [unclosed", "utf-8")
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from dragoman import DragomanError, Workspace\n"
        f"with Workspace.open({str(tmp_path / 'work')!r}) as workspace:\n"
        "    session = workspace.new_session()\n"
        "    try:\n"
        "        workspace.ask(session, 'stock of Alfa Trade')\n"
        "    except DragomanError as error:\n"
        "        print(error.code, error.message)\n"
        "    head = workspace.session(session)\n"
        "    print(head.version, head.slot)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    first, second = ran.stdout.splitlines()
    assert first.startswith("language_invalid ")
    assert told in first
    assert "esperanto:ESPERANTO" in first
    assert second == "0 None"
