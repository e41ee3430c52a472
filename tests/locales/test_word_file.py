"""The read form of a language's files: never older than the file, never half, never needed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dragoman.locales import word_file
from dragoman.locales.word_file import read_words


@pytest.fixture
def kept_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "kept"))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path / "kept"


def kept_files(folder: Path) -> list[Path]:
    return sorted(each for each in folder.rglob("*") if each.is_file())


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "words.yaml"
    file.write_text(text, "utf-8")
    return file


def test_scalars_are_data_or_text_and_both_are_kept(tmp_path: Path, kept_apart: Path) -> None:
    file = written(tmp_path, "words: [no, 3, ö]\n4: {a: null}\n")
    for _ in range(2):
        assert read_words(file, as_text=False) == {"words": [False, 3, "ö"], 4: {"a": None}}
        assert read_words(file, as_text=True) == {"words": ["no", "3", "ö"], "4": {"a": "null"}}
    assert len(kept_files(kept_apart)) == 2


def test_what_is_kept_is_used(tmp_path: Path, kept_apart: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = written(tmp_path, "a: 1\n")
    read_words(file, as_text=False)

    def refuse(text: str, *, as_text: bool) -> dict[str, object]:
        raise AssertionError("it was read already")

    monkeypatch.setattr(word_file, "_parsed", refuse)
    assert read_words(file, as_text=False) == {"a": 1}


def test_a_changed_file_is_read_again(tmp_path: Path, kept_apart: Path) -> None:
    file = written(tmp_path, "a: 1\n")
    read_words(file, as_text=False)
    written(tmp_path, "a: 2\n")
    os.utime(file, ns=(1, 1))
    assert read_words(file, as_text=False) == {"a": 2}


@pytest.mark.parametrize("damage", [b"", b"\x00", b"no marshal", b"i\x01\x00\x00\x00"])
def test_a_damaged_keep_is_replaced(tmp_path: Path, kept_apart: Path, damage: bytes) -> None:
    file = written(tmp_path, "a: 1\n")
    read_words(file, as_text=False)
    (kept,) = kept_files(kept_apart)
    whole = kept.read_bytes()
    kept.write_bytes(damage)
    assert read_words(file, as_text=False) == {"a": 1}
    assert kept.read_bytes() == whole


def test_what_cannot_be_kept_is_read_each_time(tmp_path: Path, kept_apart: Path) -> None:
    file = written(tmp_path, "day: 2020-03-01\n")
    assert str(read_words(file, as_text=False)["day"]) == "2020-03-01"
    assert kept_files(kept_apart) == []


def test_nothing_is_written_where_python_may_write_nothing(
    tmp_path: Path, kept_apart: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert read_words(written(tmp_path, "a: 1\n"), as_text=False) == {"a": 1}
    assert not kept_apart.exists()


def test_a_folder_that_cannot_be_made_is_no_failure(tmp_path: Path, kept_apart: Path) -> None:
    kept_apart.write_text("a file where a folder would be")
    assert read_words(written(tmp_path, "a: 1\n"), as_text=False) == {"a": 1}


def test_many_processes_may_keep_at_once(tmp_path: Path) -> None:
    file = written(tmp_path, "words: [" + ", ".join(f"w{n}" for n in range(5_000)) + "]\n")
    script = (
        "import sys, pathlib; from dragoman.locales.word_file import read_words\n"
        "print(len(read_words(pathlib.Path(sys.argv[1]), as_text=True)['words']))"
    )
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path / "kept")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", script, str(file)]
    started = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) for _ in range(4)]
    assert [each.communicate()[0] for each in started] == [b"5000\n"] * 4
    words = [each for each in kept_files(tmp_path / "kept") if each.name.startswith("words.yaml")]
    assert len(words) == 1, "no draft is left behind"
