"""Write the generated documentation from the code, or with --check say what of it is stale."""

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
from tools.walk_examples import walk_block

FOLDER: Final = ROOT / "docs" / "reference"
ARCHITECTURE: Final = ROOT / "docs" / "architecture.md"
WALK: Final = ("<!-- walk: ./do docs writes what follows -->\n", "<!-- end of walk -->\n")

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


def with_walk(text: str, walk: str) -> str:
    """A page with the walk between its two marks."""
    start, end = WALK
    before, _, rest = text.partition(start)
    _, _, after = rest.partition(end)
    if not rest or end not in rest:
        raise ValueError(f"the page has no place for the walk: {start.strip()} … {end.strip()}")
    return f"{before}{start}\n{walk}\n{end}{after}"


def walk_is_stale(page: Path = ARCHITECTURE) -> bool:
    """Whether a page shows another walk than the code takes."""
    text = page.read_text(encoding="utf-8")
    return with_walk(text, walk_block()) != text


def write_walk(page: Path = ARCHITECTURE) -> None:
    page.write_text(with_walk(page.read_text(encoding="utf-8"), walk_block()), encoding="utf-8")


def _text(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        say("docs takes --check or nothing")
        return 2
    if not arguments:
        write_pages()
        write_walk()
        say(f"wrote {len(PAGES)} pages to docs/reference and the walk in docs/architecture.md")
        return 0
    stale = [f"docs/reference/{name}" for name in stale_pages()]
    if walk_is_stale():
        stale.append("the walk in docs/architecture.md")
    if stale:
        say(f"stale: {', '.join(stale)}; write them again with ./do docs")
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
