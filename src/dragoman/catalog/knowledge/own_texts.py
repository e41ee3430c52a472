"""The texts that packs bring, beside the documents of a folder."""

from pathlib import Path

from dragoman.contracts.knowledge import OwnText
from dragoman.contracts.pack import DocumentKind
from dragoman.contracts.places import STATE_FOLDER
from dragoman.contracts.vocabulary import EvidenceSource
from dragoman.documents.library import Library
from dragoman.packs.installed import InstalledPacks

_SOURCES = {DocumentKind.DOC: EvidenceSource.DOC, DocumentKind.POLICY: EvidenceSource.POLICY}


def library_of(folder: Path, packs: InstalledPacks, *, shipped: bool) -> Library:
    """The library of a workspace. What is known without any folder has the texts of its pack alone."""
    own = tuple(
        OwnText(_SOURCES[text.kind], f"{pack.pack}/{name}", text.title, text.text, text.language)
        for pack in packs.packs
        for name, text in pack.documents.items()
    )
    return Library(None if shipped else folder, folder / STATE_FOLDER, own)
