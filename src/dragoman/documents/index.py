"""The index of a folder's documents: passages and their words in one SQLite file, a mere copy.

It is brought up to date before it is searched, in one transaction: a process that dies leaves it as it was,
and two processes do the same work at worst. Whatever is wrong with it, it is thrown away and made again.
Where it cannot be written, it is kept in memory.
"""

import contextlib
import hashlib
import math
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from dragoman.contracts.knowledge import DocumentFinding, OwnText, Passage
from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import EvidenceSource
from dragoman.documents.chunks import Chunk, chunks
from dragoman.documents.files import Refused, SourceFile, blocks_of, documents_in
from dragoman.documents.plain_texts import plain_blocks
from dragoman.documents.terms import is_small, language_of, words_of

FILE: Final = "documents.sqlite"
FORMAT: Final = 4
"""Raise it when what is kept, or how words are compared, changes: an older index is then made again."""
MOST_PASSAGES: Final = 50_000
_BUSY_SECONDS: Final = 10.0
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS files (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, code TEXT, problem TEXT);
CREATE TABLE IF NOT EXISTS passages (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL, source TEXT NOT NULL, first INTEGER NOT NULL,
    last INTEGER NOT NULL, page INTEGER, heading TEXT NOT NULL, language TEXT NOT NULL, text TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS passages_by_path ON passages (path);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(body, above, tokenize = "unicode61 remove_diacritics 0");
CREATE VIRTUAL TABLE IF NOT EXISTS counts USING fts5vocab(words, 'row');
"""


class Kept(Record, frozen=True):
    """A passage as the index has it, with the language that its document is in."""

    passage: Passage
    language: str
    weight: float
    """How well its words fit those that were looked for; more is better."""


class DocumentIndex:
    """The passages of a folder's documents, and of texts that are no files."""

    def __init__(self, folder: Path | None, state: Path, own: Sequence[OwnText] = ()) -> None:
        """`state` is where the index is kept; without a `folder` it is kept in memory."""
        self._folder = folder
        self._file = state / FILE
        self._own = tuple(own)
        self._memory: sqlite3.Connection | None = None

    @contextmanager
    def opened(self) -> Iterator["OpenIndex"]:
        """The index as the documents are now."""
        files, findings = ([], []) if self._folder is None else documents_in(self._folder)
        database = self._current(files)
        try:
            left_out = database.execute("SELECT path, code, problem FROM files WHERE code IS NOT NULL")
            kept = [DocumentFinding(*row) for row in left_out.fetchall()]
            yield OpenIndex(database, (*findings, *kept))
        finally:
            if database is not self._memory:
                database.close()

    def _current(self, files: Sequence[SourceFile]) -> sqlite3.Connection:
        for _ in range(2 if self._folder is not None else 0):
            try:
                return self._updated(self._on_disk(), files)
            except sqlite3.OperationalError:
                # Nobody may write there, the disk is full, or another process holds it for too long.
                break
            except (sqlite3.DatabaseError, OSError):
                with contextlib.suppress(OSError):
                    self._file.unlink()
        if self._memory is None:
            self._memory = _connected(":memory:", shared=True)
        return self._updated(self._memory, files)

    def _on_disk(self) -> sqlite3.Connection:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise sqlite3.OperationalError(str(error)) from error
        return _connected(self._file)

    def _updated(self, database: sqlite3.Connection, files: Sequence[SourceFile]) -> sqlite3.Connection:
        try:
            self._update(database, files)
        except BaseException:
            if database is not self._memory:
                database.close()
            raise
        return database

    def _update(self, database: sqlite3.Connection, files: Sequence[SourceFile]) -> None:
        if database.execute("PRAGMA user_version").fetchone()[0] != FORMAT:
            _emptied(database)
        known = dict(database.execute("SELECT path, stamp FROM files").fetchall())
        wanted = {file.path: file.stamp for file in files} | {own.file: _digest(own) for own in self._own}
        gone = [path for path in known if path not in wanted]
        changed = [path for path, stamp in wanted.items() if known.get(path) != stamp]
        if not gone and not changed:
            return
        # Files are read before anything is locked: reading takes long, and writing does not.
        by_path = {file.path: file for file in files}
        own = {each.file: each for each in self._own}
        read = [
            _read_file(by_path[path]) if path in by_path else _read_own(own[path], wanted[path])
            for path in changed
        ]
        with _transaction(database):
            for path in (*gone, *changed):
                _remove(database, path)
            for each in read:
                _add(database, each)


class _Read(Record, frozen=True):
    path: str
    stamp: str
    source: EvidenceSource
    language: str = ""
    chunks: tuple[Chunk, ...] = ()
    code: str | None = None
    problem: str | None = None


def _read_file(file: SourceFile) -> _Read:
    try:
        found = tuple(chunks(blocks_of(file)))
    except Refused as refused:
        return _Read(file.path, file.stamp, file.source, code=refused.code, problem=str(refused))
    return _Read(file.path, file.stamp, file.source, language_of(each.text for each in found), found)


def _read_own(own: OwnText, stamp: str) -> _Read:
    found = tuple(
        Chunk(each.text, (own.title, *each.headings), each.first, each.last)
        for each in chunks(plain_blocks(own.text.split("\n")))
    )
    code = own.language or language_of(each.text for each in found)
    return _Read(own.file, stamp, own.source, code, found)


def _digest(own: OwnText) -> str:
    said = "\0".join((own.source, own.title, own.language, own.text))
    return hashlib.sha256(said.encode()).hexdigest()


def _remove(database: sqlite3.Connection, path: str) -> None:
    database.execute("DELETE FROM words WHERE rowid IN (SELECT id FROM passages WHERE path = ?)", (path,))
    database.execute("DELETE FROM passages WHERE path = ?", (path,))
    database.execute("DELETE FROM files WHERE path = ?", (path,))


def _add(database: sqlite3.Connection, read: _Read) -> None:
    held = database.execute("SELECT COUNT(*) FROM passages").fetchone()[0]
    code, problem = read.code, read.problem
    found = read.chunks
    if held + len(found) > MOST_PASSAGES:
        code, problem, found = "too_many_passages", f"only {MOST_PASSAGES:,} passages are kept", ()
    row = (read.path, read.stamp, code, problem)
    database.execute("INSERT OR REPLACE INTO files (path, stamp, code, problem) VALUES (?, ?, ?, ?)", row)
    title = _spelled_name(read.path)
    for chunk in found:
        cursor = database.execute(
            "INSERT INTO passages (path, source, first, last, page, heading, language, text)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                read.path, read.source, chunk.first, chunk.last, chunk.page, chunk.heading, read.language,
                chunk.text,
            ),
        )  # fmt: skip
        body = searched(chunk.text, read.language)
        above = searched(f"{title} {chunk.heading}", read.language)
        database.execute(
            "INSERT INTO words (rowid, body, above) VALUES (?, ?, ?)", (cursor.lastrowid, body, above)
        )


def _spelled_name(path: str) -> str:
    """The name of a file as words: how a document is called tells what it is about."""
    return Path(path).stem.replace("-", " ").replace("_", " ")


def searched(text: str, code: str) -> str:
    """What a text is found by."""
    found: list[str] = []
    for word in words_of(text, code):
        if not is_small(word, code):
            found += (*word.keys, *word.parts)
    return " ".join(found)


class OpenIndex:
    """An index that is up to date, to be searched."""

    def __init__(self, database: sqlite3.Connection, findings: tuple[DocumentFinding, ...]) -> None:
        self._database = database
        self.findings = findings

    def size(self) -> int:
        return int(self._database.execute("SELECT COUNT(*) FROM passages").fetchone()[0])

    def rarity(self, keys: Iterable[str]) -> float:
        """How much a word says: 1 for one that no passage has, near 0 for one that all have."""
        asked = tuple(dict.fromkeys(keys))
        marks = ", ".join("?" for _ in asked)
        query = f"SELECT MAX(doc) FROM counts WHERE term IN ({marks})"  # noqa: S608 - only marks.
        row = self._database.execute(query, asked).fetchone()
        size = self.size()
        return math.log((size + 1) / ((row[0] or 0) + 0.5)) / math.log((size + 1) / 0.5)

    def languages(self) -> tuple[str, ...]:
        rows = self._database.execute("SELECT DISTINCT language FROM passages ORDER BY language")
        return tuple(str(row[0]) for row in rows)

    def subjects(self) -> frozenset[str]:
        """The words that documents are named by, in all their forms."""
        rows = self._database.execute("SELECT DISTINCT path, language FROM passages")
        return frozenset(key for path, code in rows for key in searched(_spelled_name(path), code).split())

    def search(self, keys: Iterable[str], source: EvidenceSource | None, most: int) -> list[Kept]:
        """The passages that have any of these words, the best first."""
        asked = " OR ".join(f'"{key}"' for key in dict.fromkeys(keys) if key.isalnum())
        if not asked:
            return []
        rows = self._database.execute(
            "SELECT passages.source, path, first, last, text, heading, page, language,"
            " -bm25(words, 1.0, 0.6) AS weight FROM words JOIN passages ON passages.id = words.rowid"
            " WHERE words MATCH ? AND (? = '' OR passages.source = ?)"
            " ORDER BY weight DESC, path, first LIMIT ?",
            (asked, source or "", source or "", most),
        ).fetchall()
        return [_kept(row) for row in rows]

    def beside(self, passage: Passage) -> str:
        """What stands under the same heading in the same file."""
        rows = self._database.execute(
            "SELECT text FROM passages WHERE path = ? AND heading = ? AND first <> ? LIMIT 50",
            (passage.file, passage.heading, passage.first),
        ).fetchall()
        return "\n".join(str(row[0]) for row in rows)

    def section(self, passage: Passage, most: int) -> list[Kept]:
        """The other passages under the heading above its own, where that is one subject: they are few."""
        above = passage.heading.rpartition(" › ")[0]
        if not above:
            return []
        rows = self._database.execute(
            "SELECT source, path, first, last, text, heading, page, language, 0.0 FROM passages"
            " WHERE path = ? AND (heading = ? OR substr(heading, 1, ?) = ?) ORDER BY first LIMIT ?",
            (passage.file, above, len(above) + 3, f"{above} › ", most + 1),
        ).fetchall()
        if len(rows) > most:
            return []
        return [kept for kept in map(_kept, rows) if kept.passage.first != passage.first]


def _kept(row: Sequence[object]) -> Kept:
    source, path, first, last, text, heading, page, code, weight = row
    passage = Passage(
        EvidenceSource(str(source)),
        str(path),
        int(str(first)),
        int(str(last)),
        str(text),
        str(heading),
        None if page is None else int(str(page)),
    )
    return Kept(passage, str(code), float(str(weight)))


def _connected(place: Path | str, *, shared: bool = False) -> sqlite3.Connection:
    database = sqlite3.connect(
        place, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=not shared
    )
    try:
        if place != ":memory:":
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
        database.executescript(_SCHEMA)
        if database.execute("PRAGMA user_version").fetchone()[0] == 0:
            database.execute(f"PRAGMA user_version = {FORMAT}")
    except BaseException:
        database.close()
        raise
    return database


def _emptied(database: sqlite3.Connection) -> None:
    with _transaction(database):
        for table in ("files", "passages", "words"):
            database.execute(f"DELETE FROM {table}")  # noqa: S608 - the names are our own.
        database.execute(f"PRAGMA user_version = {FORMAT}")


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")
