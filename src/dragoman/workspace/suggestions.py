"""Questions that work on a workspace's database: found by trying, kept until the data change."""

import datetime as dt
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from dragoman.answering.suggestions import kept
from dragoman.answering.suggestions.trial import Trial
from dragoman.catalog.catalog import Catalog
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.places import STATE_FOLDER
from dragoman.engine.files import write_whole
from dragoman.planning.contract import Objector, Planner
from dragoman.reading.message import Reader

MOST: Final = 5


class Suggestions:
    """Finds them once. Nothing is kept where policies decide what a viewer sees, or where the data can change
    without anybody seeing it: on a server."""

    def __init__(
        self,
        home: Path,
        reader: Reader,
        planners: Sequence[Planner],
        catalog: Catalog,
        objector: Objector | None,
    ) -> None:
        self._home = home
        self._reader = reader
        self._planners = planners
        self._catalog = catalog
        self._objector = objector
        self._found: tuple[str, ...] | None = None

    def questions(self) -> tuple[str, ...]:
        """At most five, always in the same order; none while the database cannot be asked."""
        if self._found is None:
            try:
                self._found = self._questions()
            except DragomanError:
                # Whoever asks a question is told why; help must help without the database too.
                return ()
        return self._found

    def _questions(self) -> tuple[str, ...]:
        spec = self._catalog.default
        schema = self._catalog.visible_schema(spec) if spec is not None else None
        if spec is None or schema is None:
            return ()
        folder, stamp = self._home / STATE_FOLDER, self._stamp()
        known = kept.load(folder, schema.fingerprint, stamp) if stamp else None
        if known is not None:
            return known
        today = dt.datetime.now(dt.UTC).date()
        trial = Trial(self._reader, self._planners, self._catalog, self._objector, today)
        found = tuple(each.text for each in trial.suggestions(MOST))
        if stamp and folder.is_dir():
            # What cannot be kept is found again: it saves time, and decides nothing.
            with suppress(OSError):
                write_whole(folder / kept.FILE, kept.encoded(schema.fingerprint, stamp, found))
        return found

    def _stamp(self) -> str:
        """How the data look from outside; empty where that says nothing."""
        from dragoman.databases.connections import resolve
        from dragoman.databases.values import origin_of

        spec = self._catalog.default
        if spec is None or self._catalog.has_policies(spec):
            return ""
        return origin_of(resolve(spec, self._home)).stamp
