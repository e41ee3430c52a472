"""Folders that the users of the test servers can reach."""

import os
import tempfile
from pathlib import Path


def open_the_way_to(folder: Path) -> None:
    """Let everybody pass through our own folders, from the folder for temporary files down to this one."""
    top = Path(tempfile.gettempdir()).resolve()
    for each in (folder, *folder.parents):
        if each.resolve() == top or each.stat().st_uid != os.geteuid():
            return
        each.chmod(0o755)
