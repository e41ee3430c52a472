"""The documents of a folder: which files are read, and why others are left out.

Whatever lies in the folders was put there by somebody: links that lead out, devices, gigabytes and broken
files are left out one by one, each with a finding, and the rest is read.
"""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.errors import InternalSignal
from dragoman.contracts.knowledge import DocumentFinding
from dragoman.contracts.places import TEXT_FOLDERS
from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import EvidenceSource
from dragoman.documents.blocks import Block
from dragoman.documents.html_texts import html_blocks
from dragoman.documents.markdown import markdown_blocks
from dragoman.documents.pdf_texts import PdfUnreadable, pdf_blocks
from dragoman.documents.plain_texts import plain_blocks
from dragoman.guards.paths import judge_path
from dragoman.guards.secrets import may_hold_secret, scrubbed

FOLDERS: Final = dict(zip(TEXT_FOLDERS, (EvidenceSource.DOC, EvidenceSource.POLICY), strict=True))
MOST_FILES: Final = 2_000
MOST_BYTES: Final = 5_000_000
"""Of a text."""
MOST_PDF_BYTES: Final = 20_000_000
_MARKDOWN: Final = (".md", ".markdown", ".mdown")
_HTML: Final = (".html", ".htm", ".xhtml")
_PLAIN: Final = (".txt", ".text", ".rst", ".adoc")
_PDF: Final = ".pdf"
_ENDINGS: Final = frozenset((*_MARKDOWN, *_HTML, *_PLAIN, _PDF))
_DECLARED: Final = re.compile(rb"(?:charset|encoding)\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]{2,40})")
_HEAD: Final = 2_048
"""So many bytes of a page are looked at for what it says of its encoding."""
_STEERING: Final = {code: None for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}
_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


class Refused(InternalSignal):
    """Why a file is left out."""

    def __init__(self, code: str, problem: str) -> None:
        super().__init__(problem)
        self.code = code


class SourceFile(Record, frozen=True):
    """A file that is to be read. `stamp` changes whenever its content may have."""

    path: str
    """As it is cited: relative to the workspace, with slashes."""
    place: str
    source: EvidenceSource
    stamp: str


def has_documents(folder: Path) -> bool:
    """Whether there is a folder with documents at all."""
    return any(os.path.isdir(folder / name) for name in FOLDERS)


def sources_in(folder: Path) -> set[EvidenceSource]:
    """The kinds of documents of which there is one at least."""
    return {
        source
        for name, source in FOLDERS.items()
        if judge_path(str(folder), name).resolved is not None and any(_names(folder, name))
    }


def documents_in(folder: Path) -> tuple[list[SourceFile], list[DocumentFinding]]:
    """The files to read, in a stable order, and those that are left out."""
    folder = Path(os.path.abspath(folder))
    files: list[SourceFile] = []
    findings: list[DocumentFinding] = []
    for name, source in FOLDERS.items():
        verdict = judge_path(str(folder), name)
        if verdict.resolved is None:
            if os.path.lexists(folder / name):
                findings.append(DocumentFinding(name, "outside", "the folder leads out of the workspace"))
            continue
        for path in _names(folder, name):
            if len(files) >= MOST_FILES:
                problem = f"only the first {MOST_FILES:,} documents are read"
                findings.append(DocumentFinding(path, "too_many_files", problem))
                return files, findings
            try:
                files.append(_file(folder, name, path, source))
            except Refused as refused:
                findings.append(DocumentFinding(path, refused.code, str(refused)))
    return files, findings


def _names(folder: Path, name: str) -> Iterator[str]:
    """The paths of documents below a folder; hidden ones and other kinds of files are none."""
    for parent, inner, names in os.walk(folder / name, followlinks=False):
        inner[:] = sorted(each for each in inner if not each.startswith("."))
        for each in sorted(names):
            if not each.startswith(".") and Path(each).suffix.lower() in _ENDINGS:
                yield (Path(parent) / each).relative_to(folder).as_posix()


def _file(folder: Path, name: str, path: str, source: EvidenceSource) -> SourceFile:
    verdict = judge_path(str(folder / name), str(folder / path))
    if verdict.resolved is None:
        raise Refused("outside", "it leads out of its folder, or is no plain file")
    try:
        found = os.stat(verdict.resolved)
    except OSError as error:
        raise Refused("unreadable", f"it cannot be read: {error.strerror}") from error
    if not stat.S_ISREG(found.st_mode):
        raise Refused("outside", "it is no plain file")
    most = MOST_PDF_BYTES if path.lower().endswith(_PDF) else MOST_BYTES
    if found.st_size > most:
        raise Refused("too_large", f"it has more than {most // 1_000_000} MB")
    stamp = f"{found.st_dev}:{found.st_ino}:{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}"
    return SourceFile(path, verdict.resolved, source, stamp)


def blocks_of(file: SourceFile) -> list[Block]:
    """What a file says, block by block, without secrets and without signs that steer a terminal. Raises
    `Refused`."""
    return [replace(block, text=_shown(block.text)) for block in _blocks_of(file)]


def _shown(text: str) -> str:
    plain = text.translate(_STEERING)
    # A passage goes into an answer, and answers go into sessions and logs.
    return scrubbed(plain) if may_hold_secret(plain) else plain


def _blocks_of(file: SourceFile) -> list[Block]:
    ending = Path(file.path).suffix.lower()
    if ending == _PDF:
        try:
            return pdf_blocks(Path(file.place))
        except PdfUnreadable as unreadable:
            raise Refused("broken_pdf", str(unreadable)) from unreadable
    text = _text(file)
    if ending in _HTML:
        return html_blocks(text)
    # The lines that an editor counts: other signs that end a line for Python do not end one there.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return list(markdown_blocks(lines) if ending in _MARKDOWN else plain_blocks(lines))


def _text(file: SourceFile) -> str:
    try:
        handle = os.open(file.place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(handle, "rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise Refused("unreadable", f"it cannot be read: {error.strerror}") from error
    if len(data) > MOST_BYTES:
        raise Refused("too_large", f"it has more than {MOST_BYTES // 1_000_000} MB")
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    if encoding == "utf-8" and b"\0" in data:
        raise Refused("binary", "it is no text")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        declared = _DECLARED.search(data[:_HEAD]) if encoding == "utf-8" else None
        try:
            # What a page says of itself is asked only where it is no UTF-8: many say it wrongly.
            if declared is not None and Path(file.path).suffix.lower() in _HTML:
                return data.decode(declared[1].decode("ascii"))
        except (LookupError, UnicodeDecodeError):
            pass
        problem = "it is neither UTF-8 nor UTF-16, nor a page that says what else it is"
        raise Refused("encoding", problem) from error
