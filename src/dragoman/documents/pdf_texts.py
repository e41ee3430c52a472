"""The text of a PDF, page by page, read in a process of its own.

A PDF is a program of a kind: it may loop, nest without end or unfold into gigabytes. So it is read where time
and memory are bounded, and whatever becomes of that process, the question goes on.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from dragoman.contracts.errors import InternalSignal
from dragoman.documents.blocks import Block
from dragoman.documents.plain_texts import plain_blocks

SECONDS: Final = 30
MEMORY_BYTES: Final = 1 << 30
MOST_PAGES: Final = 500
MOST_LETTERS: Final = 4_000_000


class PdfUnreadable(InternalSignal):
    """Why a PDF was left out."""


def pdf_blocks(path: Path) -> list[Block]:
    """The paragraphs of a PDF by their pages. Raises `PdfUnreadable`."""
    command = [sys.executable, "-m", "dragoman.documents.pdf_texts", str(path)]
    environment = {
        name: value for name, value in os.environ.items() if name in ("PATH", "PYTHONPATH", "LANG")
    }
    try:
        done = subprocess.run(  # noqa: S603 - our own module; the path is one argument.
            command,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
            env=environment,
        )
        pages: list[str] = json.loads(done.stdout) if done.returncode == 0 else []
    except subprocess.TimeoutExpired as error:
        raise PdfUnreadable(f"reading it took longer than {SECONDS} seconds") from error
    except (OSError, ValueError) as error:
        raise PdfUnreadable("it cannot be read as a PDF") from error
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise PdfUnreadable(said[-1][:200] if said else "it cannot be read as a PDF")
    return [
        block for number, page in enumerate(pages, 1) for block in plain_blocks(page.splitlines(), number)
    ]


def _read(path: str) -> list[str]:
    import logging
    import resource

    from pypdf import PdfReader

    logging.disable(logging.CRITICAL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    reader = PdfReader(path, strict=False)
    if reader.is_encrypted and not reader.decrypt(""):
        raise ValueError("it is encrypted")
    pages: list[str] = []
    for page in reader.pages[:MOST_PAGES]:
        pages.append(page.extract_text() or "")
        if sum(map(len, pages)) > MOST_LETTERS:
            break
    return pages


def main(arguments: list[str]) -> int:
    """Write the pages of a PDF as JSON, or the reason why not."""
    try:
        pages = _read(arguments[0])
    except BaseException as error:  # noqa: BLE001 - whatever a hostile file does is the reason.
        sys.stderr.write(f"it cannot be read as a PDF ({type(error).__name__})\n")
        return 1
    sys.stdout.write(json.dumps(pages))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
