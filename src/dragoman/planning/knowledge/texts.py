"""Whether there are texts to ask at all. It is asked of every message, so nothing is opened for it."""

import os

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.places import TEXT_FOLDERS


def has_texts(catalog: Catalog) -> bool:
    """Whether a pack brings documents, or the folder has a place for them."""
    if any(pack.documents for pack in catalog.packs.packs):
        return True
    return not catalog.shipped and any(os.path.isdir(catalog.folder / name) for name in TEXT_FOLDERS)
