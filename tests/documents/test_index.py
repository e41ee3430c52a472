"""The index: only what changed is read again, and nothing that happens to it loses a document."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from dragoman.contracts.knowledge import OwnText
from dragoman.contracts.vocabulary import EvidenceSource
from dragoman.documents import index as index_module
from dragoman.documents.files import SourceFile, blocks_of
from dragoman.documents.library import Library
from tests.documents.places import STATE, library, written

ONE = "# Hens\n\nFeed the hens at dawn and count them at dusk.\n"
TWO = "# Cows\n\nMilk the cows before breakfast, and once more in the evening.\n"
ASK = "when are the cows milked?"


def _refs(folder: Path, question: str = ASK) -> list[str]:
    return [each.passage.ref for each in library(folder).find(question, least=0.5)]


def test_only_what_changed_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    real = blocks_of

    def noted(file: SourceFile) -> object:
        read.append(file.path)
        return real(file)

    monkeypatch.setattr(index_module, "blocks_of", noted)
    written(tmp_path, one_md=ONE, two_md=TWO)
    assert _refs(tmp_path) == ["docs/two.md:3"]
    assert sorted(read) == ["docs/one.md", "docs/two.md"]
    read.clear()
    assert _refs(tmp_path) == ["docs/two.md:3"]
    assert read == []
    written(tmp_path, two_md="# Farm\n\nNew.\n\n" + TWO)
    assert _refs(tmp_path) == ["docs/two.md:7"]
    assert read == ["docs/two.md"]
    (tmp_path / "docs" / "two.md").unlink()
    assert _refs(tmp_path) == []


def test_what_stays_broken_is_not_read_at_every_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, one_md=ONE, bad_pdf="%PDF nothing")
    assert [each.code for each in library(tmp_path).findings()] == ["broken_pdf"]
    monkeypatch.setattr(index_module, "blocks_of", lambda file: pytest.fail("it was read again"))
    assert [each.code for each in library(tmp_path).findings()] == ["broken_pdf"]


@pytest.mark.parametrize("content", [b"", b"no database at all" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_index_is_made_again(tmp_path: Path, content: bytes) -> None:
    written(tmp_path, two_md=TWO)
    assert _refs(tmp_path) == ["docs/two.md:3"]
    (tmp_path / STATE / index_module.FILE).write_bytes(content)
    for log in (tmp_path / STATE).glob("*-wal"):
        log.unlink()
    assert _refs(tmp_path) == ["docs/two.md:3"]


def test_an_index_of_another_format_is_made_again(tmp_path: Path) -> None:
    written(tmp_path, two_md=TWO)
    assert _refs(tmp_path) == ["docs/two.md:3"]
    with sqlite3.connect(tmp_path / STATE / index_module.FILE) as database:
        database.execute("UPDATE passages SET text = 'old'")
        database.execute("PRAGMA user_version = 9999")
    assert library(tmp_path).find(ASK)[0].passage.text.startswith("Milk")


def test_without_a_place_for_the_index_it_is_kept_in_memory(tmp_path: Path) -> None:
    written(tmp_path, two_md=TWO)
    (tmp_path / STATE).write_text("a file stands where the folder would")
    assert _refs(tmp_path) == ["docs/two.md:3"]


def test_texts_of_packs_stand_beside_files(tmp_path: Path) -> None:
    own = OwnText(EvidenceSource.POLICY, "farm/milking", "Milking", "Cows are milked twice.", "en")
    shelf = Library(written(tmp_path, two_md=TWO), tmp_path / STATE, (own,))
    assert {each.passage.ref for each in shelf.find(ASK, least=0.5)} == {"docs/two.md:3", "farm/milking:1"}
    rules = shelf.find(ASK, source=EvidenceSource.POLICY)
    assert [each.passage.ref for each in rules] == ["farm/milking:1"]
    alone = Library(None, tmp_path / "nowhere", (own,))
    assert [each.passage.ref for each in alone.find(ASK)] == ["farm/milking:1"]
    assert not (tmp_path / "nowhere").exists()


_ENDLESS = """
import os
import sys
from pathlib import Path
from dragoman.documents.library import Library
folder = Path(sys.argv[1])
number = 0
while True:
    number += 1
    for name in range(20):
        new = folder / f"{os.getpid()}.new"
        new.write_text(f"# Note {number}\\n\\nThe barn has {number} doors.\\n")
        new.replace(folder / "docs" / f"more{name}.md")
    Library(folder, folder / ".dragoman").find("how many doors has the barn?")
    print(number, flush=True)
"""


def _working(folder: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, "-c", _ENDLESS, str(folder)], stdout=subprocess.PIPE, text=True)


def test_a_process_that_is_killed_and_two_at_once_lose_nothing(tmp_path: Path) -> None:
    written(tmp_path, two_md=TWO)
    for _ in range(3):
        workers = [_working(tmp_path), _working(tmp_path)]
        for worker in workers:
            assert worker.stdout is not None
            assert worker.stdout.readline()
        for worker in workers:
            os.kill(worker.pid, signal.SIGKILL)
            worker.wait()
            assert worker.stdout is not None
            worker.stdout.close()
        assert _refs(tmp_path) == ["docs/two.md:3"]
        barn = library(tmp_path).find("how many doors has the barn?", least=0.5)
        assert len({each.passage.file for each in barn}) == 20
        with sqlite3.connect(tmp_path / STATE / index_module.FILE) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert database.execute("SELECT COUNT(*) FROM passages").fetchone() == (21,)
