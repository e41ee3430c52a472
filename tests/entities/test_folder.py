"""The index on disk: whole or not there, whatever happens to the one who writes it."""

import multiprocessing
import os
import queue
import signal
import subprocess
import sys
import time
from contextlib import suppress
from multiprocessing.synchronize import Event
from pathlib import Path

import msgspec
import pytest

from dragoman.contracts.errors import (
    EntityIndexDamaged,
    EntityIndexMissing,
    EntityIndexNewer,
    EntityIndexUnwritable,
)
from dragoman.entities import build_index, is_current, open_index, update_index
from dragoman.entities.generations import current
from tests.entities.companies import CONFIG, made_up, row, rows_of

SIZES = pytest.mark.parametrize("count", [10, 2_500], ids=["small", "large"])


def test_nothing_there(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(EntityIndexMissing):
            open_index(folder)
        with pytest.raises(EntityIndexMissing):
            update_index(folder, [], [], "1")
        assert not is_current(folder, "1")


@SIZES
def test_built_again(tmp_path: Path, count: int) -> None:
    build_index(tmp_path, CONFIG, rows_of(made_up(count)), "1")
    before = open_index(tmp_path)
    build_index(tmp_path, CONFIG, [row("a", "Alpha"), *rows_of(made_up(count - 1, seed=2))], "2")
    after = open_index(tmp_path)
    assert (is_current(tmp_path, "1"), is_current(tmp_path, "2")) == (False, True)
    assert is_current(tmp_path, "2", CONFIG)
    assert not is_current(tmp_path, "2", msgspec.structs.replace(CONFIG, discriminators=()))
    assert before.name_of("a") is None
    assert [len(before.search(name).matches) > 0 for name in made_up(3)] == [True] * 3
    assert after.name_of("a") == "Alpha"
    assert len(list(tmp_path.glob("generation-*"))) == 1


@SIZES
def test_the_later_of_two_rows_with_one_key_counts(tmp_path: Path, count: int) -> None:
    build_index(tmp_path, CONFIG, [row("a", "Alpha"), *rows_of(made_up(count)), row("a", "Omega")], "1")
    index = open_index(tmp_path)
    assert len(index) == count + 1
    assert index.name_of("a") == "Omega"
    assert "a" not in {match.key for match in index.search("Alpha").matches}


def test_growing_and_shrinking_over_the_border(tmp_path: Path) -> None:
    build_index(tmp_path, CONFIG, rows_of(made_up(1_500)), "1")
    update_index(tmp_path, [row(f"new-{number}", f"New {number}") for number in range(1_000)], [], "2")
    assert len(open_index(tmp_path)) == 2_500
    update_index(tmp_path, [], [f"new-{number}" for number in range(1_000)], "3")
    index = open_index(tmp_path)
    assert len(index) == 1_500
    assert index.name_of("new-5") is None
    assert index.name_of("k5") is not None


def test_an_update_leaves_the_unchanged_files(tmp_path: Path) -> None:
    build_index(tmp_path, CONFIG, rows_of(made_up(3_000)), "1")
    before = {path.name: path.stat().st_ino for path in (current(tmp_path) / "grams").iterdir()}
    update_index(tmp_path, [row("a", "Alpha")], [], "2")
    after = {path.name: path.stat().st_ino for path in (current(tmp_path) / "grams").iterdir()}
    assert before["rows-0.bin"] == after["rows-0.bin"]


def test_the_values_of_discriminators(tmp_path: Path) -> None:
    rows = [
        row(f"k{number}", name, country=("LU", "IE")[number % 2], kind=str(number))
        for number, name in enumerate(made_up(100))
    ]
    build_index(tmp_path, CONFIG, rows, "1")
    assert open_index(tmp_path).options == {"country": ("IE", "LU")}
    update_index(tmp_path, [row("x", "Alpha", country="DE")], [], "2")
    assert open_index(tmp_path).options["country"] == ("DE", "IE", "LU")


READS, BUILDS = 20, 5
"""What every reader does while the index is built again, and how often that is at least."""

BUILDER = """
import sys, time
from pathlib import Path
from dragoman.entities import build_index, update_index
from tests.entities.companies import CONFIG, made_up, row, rows_of

def slowly(rows):
    for number, each in enumerate(rows):
        if number % 500 == 0:
            print(number, flush=True)
            time.sleep(0.02)
        yield each

folder, count = Path(sys.argv[1]), int(sys.argv[2])
rows = [row(f"n{number}", name) for number, name in enumerate(made_up(count, seed=9))]
build_index(folder, CONFIG, slowly(rows), "new")
print("done", flush=True)
"""


@pytest.mark.parametrize("lines", [1, 2, 4, 9])
@pytest.mark.parametrize("built_before", [False, True])
def test_a_killed_writer_leaves_the_old_index_or_none(tmp_path: Path, lines: int, built_before: bool) -> None:
    if built_before:
        build_index(tmp_path, CONFIG, [row("a", "Alpha")], "old")
    command = [sys.executable, "-c", BUILDER, str(tmp_path), "4000"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as writer:
        assert writer.stdout is not None
        said = [writer.stdout.readline().strip() for _ in range(lines)]
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    if said[-1] == "done":
        assert is_current(tmp_path, "new")
    elif built_before:
        assert is_current(tmp_path, "old")
        assert open_index(tmp_path).name_of("a") == "Alpha"
    else:
        with pytest.raises(EntityIndexMissing):
            open_index(tmp_path)
    build_index(tmp_path, CONFIG, [row("b", "Beta")], "again")
    assert open_index(tmp_path).name_of("b") == "Beta"
    assert len(list(tmp_path.glob("generation-*"))) == 1


def _keep_reading(folder: Path, over: Event, answers: "multiprocessing.Queue[str]") -> None:
    """Open and search until it is over; every answer must be of one whole index."""
    reads = 0
    while not over.is_set():
        index = open_index(folder)
        versions = {match.display.split()[1] for match in index.search("Version", limit=100).matches}
        if len(versions) != 1:
            answers.put(f"mixed: {sorted(versions)}")
            return
        reads += 1
        if reads == READS:
            answers.put("ok")


@SIZES
def test_readers_while_it_is_built_again(tmp_path: Path, count: int) -> None:
    def version(number: int) -> None:
        names = [f"Version {number:03} {suffix}" for suffix in made_up(count)]
        build_index(tmp_path, CONFIG, rows_of(names), str(number))

    version(0)
    context = multiprocessing.get_context("spawn")
    answers, over = context.Queue(), context.Event()
    readers = [context.Process(target=_keep_reading, args=(tmp_path, over, answers)) for _ in range(3)]
    for reader in readers:
        reader.start()
    said, number = list[str](), 0
    # It is built again and again for as long as anybody still reads, and a few times in any case.
    while len(said) < len(readers) or number < BUILDS:
        number += 1
        version(number)
        with suppress(queue.Empty):
            said.append(answers.get_nowait())
    over.set()
    for reader in readers:
        reader.join()
    while not answers.empty():
        said.append(answers.get())
    assert said == ["ok"] * len(readers)


def _files(folder: Path) -> list[Path]:
    return [path for path in current(folder).rglob("*") if path.is_file() and path.suffix != ".lock"]


@SIZES
@pytest.mark.parametrize("harm", ["cut", "gone", "emptied"])
def test_a_damaged_file_is_said_so_and_mended_by_building(tmp_path: Path, count: int, harm: str) -> None:
    build_index(tmp_path, CONFIG, rows_of(made_up(count)), "1")
    for number in range(len(_files(tmp_path))):
        build_index(tmp_path, CONFIG, rows_of(made_up(count)), "1")
        path = sorted(_files(tmp_path))[number % len(_files(tmp_path))]
        match harm:
            case "cut":
                os.truncate(path, path.stat().st_size // 2)
            case "emptied":
                os.truncate(path, 0)
            case _:
                path.unlink()
        assert not is_current(tmp_path, "1"), path
        with pytest.raises(EntityIndexDamaged) as damage:
            open_index(tmp_path)
        assert damage.value.code == "entity_index_damaged"
        assert damage.value.hint
        with pytest.raises(EntityIndexDamaged):
            update_index(tmp_path, [row("a", "Alpha")], [], "2")
    build_index(tmp_path, CONFIG, [row("a", "Alpha")], "3")
    assert open_index(tmp_path).name_of("a") == "Alpha"


@SIZES
def test_changed_bytes_never_crash(tmp_path: Path, count: int) -> None:
    """Bytes that were changed in place are not noticed at once: a search then finds, or says the damage."""
    build_index(tmp_path, CONFIG, rows_of(made_up(count)), "1")
    for path in _files(tmp_path):
        written = path.read_bytes()
        path.write_bytes(bytes(byte ^ 0x55 for byte in written))
        try:
            index = open_index(tmp_path)
            for name in made_up(3):
                index.search(name)
        except EntityIndexDamaged:
            pass
        path.write_bytes(written)
    assert open_index(tmp_path).search(next(made_up(1))).matches


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"../../etc", b"generation-" + b"0" * 32])
def test_a_damaged_pointer(tmp_path: Path, content: bytes) -> None:
    build_index(tmp_path, CONFIG, [row("a", "Alpha")], "1")
    (tmp_path / "current").write_bytes(content)
    with pytest.raises(EntityIndexDamaged):
        open_index(tmp_path)
    build_index(tmp_path, CONFIG, [row("a", "Alpha")], "1")
    assert open_index(tmp_path).name_of("a") == "Alpha"


def test_a_newer_format(tmp_path: Path) -> None:
    build_index(tmp_path, CONFIG, [row("a", "Alpha")], "1")
    manifest = current(tmp_path) / "manifest.json"
    manifest.write_bytes(manifest.read_bytes().replace(b'"format":2', b'"format":99,"later":true'))
    with pytest.raises(EntityIndexNewer):
        open_index(tmp_path)
    assert not is_current(tmp_path, "1")


def test_an_older_format_is_not_current(tmp_path: Path) -> None:
    """Names are read otherwise by now: it is built again."""
    build_index(tmp_path, CONFIG, [row("a", "Alpha")], "1")
    manifest = current(tmp_path) / "manifest.json"
    manifest.write_bytes(manifest.read_bytes().replace(b'"format":2', b'"format":1'))
    assert not is_current(tmp_path, "1")
    assert open_index(tmp_path).name_of("a") == "Alpha"


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EntityIndexUnwritable):
        build_index(tmp_path / "file", CONFIG, [row("a", "Alpha")], "1")


def test_opening_few_entries_is_cheap(tmp_path: Path) -> None:
    build_index(tmp_path, CONFIG, rows_of(made_up(200)), "1")
    open_index(tmp_path)
    taken = []
    for _ in range(5):
        before = time.process_time()
        open_index(tmp_path)
        taken.append(time.process_time() - before)
    assert min(taken) < 0.005
