"""`packs/learned.yaml`: the words that people taught a workspace, each with its meaning.

The file is written whole or not at all, and a person may edit it. What cannot be read teaches nothing, and is
said; it is never written over.
"""

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml

from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.places import LEARNED_FILE, PACKS_FOLDER
from dragoman.contracts.record import Record
from dragoman.contracts.taught import TaughtKind, TaughtWord
from dragoman.language.records import read_record
from dragoman.language.source import Source, show

_MOST_BYTES = 1_000_000
_HEAD = (
    "# Words that were taught in conversations. Edit or remove them as you like:\n"
    "# what a word means is a piece of a program.\n"
)


class LearnedWords(Record, frozen=True):
    version: int = 1
    words: tuple[TaughtWord, ...] = ()


def learned_file(folder: Path) -> Path:
    return folder / PACKS_FOLDER / LEARNED_FILE


def read_learned(folder: Path) -> tuple[TaughtWord, ...]:
    """The words that a workspace was taught; none where there is no file. Raises `WorkspaceError`."""
    path = learned_file(folder)
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        text = data.decode("utf-8")
    except FileNotFoundError:
        return ()
    except (OSError, ValueError) as error:
        raise WorkspaceError(f"{path.name} cannot be read: {error}", hint="save it as UTF-8") from error
    if len(data) > _MOST_BYTES:
        raise WorkspaceError(f"{path.name} is longer than {_MOST_BYTES:,} bytes", hint="remove words from it")
    if not text.strip():
        return ()
    source = Source(text, f"{PACKS_FOLDER}/{LEARNED_FILE}")
    read = read_record(source, LearnedWords)
    if isinstance(read, LearnedWords):
        return read.words
    raise WorkspaceError(show(source, read[0]), hint=read[0].hint)


def write_learned(folder: Path, words: Iterable[TaughtWord]) -> None:
    """Replace the file whole. Raises `OSError`."""
    path = learned_file(folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [{name: str(value) for name, value in _told(word)} for word in words]
    text = _HEAD + yaml.safe_dump(
        {"version": 1, "words": rows}, allow_unicode=True, sort_keys=False, width=100
    )
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def keep_words(folder: Path, words: Iterable[TaughtWord]) -> None:
    """Add words to those of a workspace, each in the place of one that is called the same: all of them, or
    none. Keeping one twice is keeping it once. Raises `WorkspaceError`."""
    with _changing(folder):
        known = read_learned(folder)
        for word in words:
            known = with_word(known, word)
        write_learned(folder, known)


def forget_word(folder: Path, word: TaughtWord) -> None:
    """Take a word of a workspace back. Raises `WorkspaceError`."""
    with _changing(folder):
        write_learned(folder, without_word(read_learned(folder), word))


@contextmanager
def _changing(folder: Path) -> Iterator[None]:
    """One process at a time: two that change the file at once would lose a word."""
    lock = learned_file(folder).with_name(f".{LEARNED_FILE}.lock")
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        with lock.open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield
    except OSError as error:
        raise WorkspaceError(
            f"{PACKS_FOLDER}/{LEARNED_FILE} cannot be written: {error.strerror}",
            hint="make the folder writable",
        ) from error


def with_word(words: Iterable[TaughtWord], word: TaughtWord) -> tuple[TaughtWord, ...]:
    """The words with one more, which takes the place of one that is called the same."""
    return (*without_word(words, word), word)


def without_word(words: Iterable[TaughtWord], word: TaughtWord) -> tuple[TaughtWord, ...]:
    return tuple(each for each in words if not is_same(each, word))


def is_same(one: TaughtWord, other: TaughtWord) -> bool:
    """Whether two are one word: a big order and a big customer are two, and so are names for columns that
    two tables call the same."""
    alike = one.word.casefold() == other.word.casefold() and one.connection == other.connection
    columns = one.kind is other.kind is TaughtKind.COLUMN and one.means == other.means
    return alike and (one.of == other.of or not (columns or (one.is_condition and other.is_condition)))


def _told(word: TaughtWord) -> list[tuple[str, str]]:
    told = [(name, getattr(word, name)) for name in word.__struct_fields__]
    return [(name, value) for name, value in told if value or name in ("word", "kind", "of")]
