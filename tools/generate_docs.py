"""Write docs/reference from the code, or with --check say which of its pages are stale."""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from dragoman.cli.reference.phase_picture import phases_svg
from dragoman.cli.reference.schemas import schema_document
from dragoman.cli.reference.transition_picture import transitions_svg
from dragoman.session.phases import AT_REST, ERRORS, PHASE_EDGES
from dragoman.session.registry import REGISTRY
from tools.checkout import ROOT, say
from tools.reference_pages.errors import errors_page
from tools.reference_pages.events import events_page
from tools.reference_pages.phases import phases_page
from tools.reference_pages.state import state_page
from tools.reference_pages.transitions import transitions_page
from tools.reference_pages.vocabulary import vocabulary_page

FOLDER: Final = ROOT / "docs" / "reference"

PAGES: Final[Mapping[str, Callable[[], str]]] = {
    "transitions.md": transitions_page,
    "phases.md": phases_page,
    "vocabulary.md": vocabulary_page,
    "state.md": state_page,
    "events.md": events_page,
    "errors.md": errors_page,
    "schema.json": lambda: json.dumps(schema_document(), ensure_ascii=False, indent=2) + "\n",
    "transitions.svg": lambda: transitions_svg(REGISTRY),
    "phases.svg": lambda: phases_svg(PHASE_EDGES, AT_REST, ERRORS),
}


def stale_pages(folder: Path = FOLDER) -> list[str]:
    """The pages that are not what the code says: written by hand, missing, or no longer generated."""
    stale = [name for name, written in PAGES.items() if _text(folder / name) != written()]
    strays = [path.name for path in folder.iterdir() if path.name not in PAGES] if folder.is_dir() else []
    return sorted((*stale, *strays))


def write_pages(folder: Path = FOLDER) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, written in PAGES.items():
        (folder / name).write_text(written(), encoding="utf-8")


def _text(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        say("docs takes --check or nothing")
        return 2
    if not arguments:
        write_pages()
        say(f"wrote {len(PAGES)} pages to docs/reference")
        return 0
    stale = stale_pages()
    if stale:
        say(f"stale in docs/reference: {', '.join(stale)}; write them again with ./do docs")
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
