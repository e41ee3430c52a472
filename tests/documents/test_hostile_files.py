"""Whatever lies in the folder: it is left out with a finding, and the rest is read."""

import os
from pathlib import Path

import pytest

from dragoman.documents import files as files_module
from dragoman.documents.library import Library
from tests.documents.places import library, pdf, written

GOOD = "# Hens\n\nFeed the hens at dawn and count them at dusk.\n"
QUESTION = "when do I feed the hens?"


def _left_out(folder: Path) -> dict[str, str]:
    return {each.file: each.code for each in library(folder).findings()}


def _still_found(folder: Path) -> bool:
    return [each.passage.ref for each in library(folder).find(QUESTION, top=1)] == ["docs/good.md:3"]


def test_what_is_no_text_is_left_out(tmp_path: Path) -> None:
    docs = written(tmp_path, good_md=GOOD) / "docs"
    (docs / "binary.md").write_bytes(b"\x7fELF\0\0\0")
    (docs / "latin.txt").write_bytes("für".encode("latin-1"))
    (docs / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing else")
    (docs / "torn.pdf").write_bytes(pdf("x")[:120])
    (docs / "empty.md").write_bytes(b"")
    (docs / "picture.png").write_bytes(b"\x89PNG")
    assert _left_out(tmp_path) == {
        "docs/binary.md": "binary",
        "docs/latin.txt": "encoding",
        "docs/broken.pdf": "broken_pdf",
        "docs/torn.pdf": "broken_pdf",
    }
    assert _still_found(tmp_path)


def test_a_pdf_that_never_ends_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dragoman.documents import pdf_texts

    monkeypatch.setattr(pdf_texts, "SECONDS", 0.001)
    docs = written(tmp_path, good_md=GOOD) / "docs"
    (docs / "slow.pdf").write_bytes(pdf("x"))
    assert _left_out(tmp_path) == {"docs/slow.pdf": "broken_pdf"}


def test_a_file_that_is_too_large_is_left_out(tmp_path: Path) -> None:
    docs = written(tmp_path, good_md=GOOD) / "docs"
    with (docs / "huge.md").open("wb") as opened:
        opened.truncate(files_module.MOST_BYTES + 1)
    assert _left_out(tmp_path) == {"docs/huge.md": "too_large"}
    assert _still_found(tmp_path)


def test_links_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key.md").write_text("feed the hens the password")
    docs = written(tmp_path / "w", good_md=GOOD) / "docs"
    (docs / "key.md").symlink_to(secret / "key.md")
    (docs / "more").symlink_to(secret)
    (docs / "inside.md").symlink_to(docs / "good.md")
    found = library(tmp_path / "w").find("feed the hens the password")
    assert {each.passage.file for each in found} <= {"docs/good.md", "docs/inside.md"}
    assert _left_out(tmp_path / "w") == {"docs/key.md": "outside"}


def test_a_folder_that_leads_out_is_refused(tmp_path: Path) -> None:
    written(tmp_path / "elsewhere", good_md=GOOD)
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "docs").symlink_to(tmp_path / "elsewhere" / "docs")
    assert library(tmp_path / "w").find(QUESTION) == ()
    assert _left_out(tmp_path / "w") == {"docs": "outside"}


def test_a_pipe_is_no_document(tmp_path: Path) -> None:
    docs = written(tmp_path, good_md=GOOD) / "docs"
    os.mkfifo(docs / "pipe.md")
    assert _left_out(tmp_path) == {"docs/pipe.md": "outside"}
    assert _still_found(tmp_path)


def test_no_more_than_so_many_files_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files_module, "MOST_FILES", 1)
    written(tmp_path, good_md=GOOD, other_md=GOOD)
    assert _left_out(tmp_path) == {"docs/other.md": "too_many_files"}


@pytest.mark.parametrize(
    "question", ["", "   ", "?", "the of and", '" OR 1=1 --', "a" * 100_000, "\ud800 hens"]
)
def test_no_question_is_too_strange(tmp_path: Path, question: str) -> None:
    library(written(tmp_path, good_md=GOOD)).find(question)


def test_no_secret_and_no_sign_that_steers_a_terminal_is_quoted(tmp_path: Path) -> None:
    text = "# Hens\n\nFeed the \x1b[31mhens\x07 at dawn; the gate opens with password=Tr0ub4dor&3x9! only.\n"
    (found,) = library(written(tmp_path, good_md=text)).find(QUESTION)
    assert "Tr0ub4dor" not in found.passage.text
    assert "\x1b" not in found.passage.text
    assert "\x07" not in found.passage.text
    assert (found.passage.ref, found.passage.text[:8]) == ("docs/good.md:3", "Feed the")


def test_utf_16_is_read(tmp_path: Path) -> None:
    docs = written(tmp_path, other_md="# Cows\n\nMilk them.") / "docs"
    (docs / "good.md").write_bytes(GOOD.encode("utf-16"))
    assert _left_out(tmp_path) == {}
    assert _still_found(tmp_path)


def test_a_page_may_say_its_own_encoding(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    page = '<html><head><meta charset="{}"></head><body><p>{}</p></body></html>'
    for name, encoding in (("west", "iso-8859-1"), ("broken", "no-such-thing")):
        text = page.format(encoding, "Der Ofen wird um sechs Uhr geöffnet.")
        (tmp_path / "docs" / f"{name}.html").write_bytes(text.encode("latin-1"))
    library = Library(tmp_path, tmp_path / ".dragoman")
    (found,) = library.find("Wann wird der Ofen geöffnet?", top=1)
    assert "geöffnet" in found.passage.text
    assert [(each.file, each.code) for each in library.findings()] == [("docs/broken.html", "encoding")]
