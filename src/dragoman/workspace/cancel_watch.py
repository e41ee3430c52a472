"""Whether another process wants a run to stop: it leaves a file in the folder of the run."""

import threading
from pathlib import Path
from typing import Final

from dragoman.contracts.cancellation import Cancellation

CANCEL_FILE: Final = "cancel"
POLL_SECONDS: Final = 0.2


class CancelWatch:
    """Looks, as long as it is entered, whether another process wants the run to stop."""

    def __init__(self, file: Path, cancel: Cancellation) -> None:
        self._file = file
        self._cancel = cancel
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, name="cancel", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        self._file.unlink(missing_ok=True)

    def _look(self) -> None:
        while not self._ended.wait(POLL_SECONDS):
            if self._file.exists():
                self._cancel.cancel()
                return
