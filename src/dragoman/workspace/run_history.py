"""What was run in a workspace: records, events, reports and pages of its runs."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from dragoman.answering.run_report import report_of_run
from dragoman.contracts.errors import RunOfAnother
from dragoman.contracts.report import StatusReport
from dragoman.contracts.run import RunEvent, RunRecord
from dragoman.engine.order import Order, read_order
from dragoman.engine.runs.lock import holder
from dragoman.engine.runs.page import run_page
from dragoman.engine.runs.store import RunStore
from dragoman.workspace.audience import Audience

_PAGE: Final = "report.html"


class RunHistory:
    """The runs that are kept in a folder."""

    def __init__(self, folder: Path, audience: Callable[[], Audience]) -> None:
        self.store = RunStore(folder)
        self._audience = audience

    def runs(self, *, limit: int = 50) -> list[RunRecord]:
        """The runs of the workspace that its viewer may see, the newest first."""
        found: list[RunRecord] = []
        asked = limit
        while True:
            # Those of others are left out: more are read until there are enough.
            records = self.store.list(limit=asked)
            found = [record for record in records if self._may_see(record)][:limit]
            if len(found) == limit or len(records) < asked:
                return found
            asked *= 4

    def find(self, beginning: str) -> RunRecord:
        """A run by its id, or by the beginning of it. Raises `RunNotFound`, `RunOfAnother`."""
        record = self.store.load(self.store.find(beginning))
        if not self._may_see(record):
            raise RunOfAnother(
                f"run {record.id} is {'an operator' if record.operator else 'another viewer'}'s",
                hint="--as-operator shows it, where the workspace allows that",
                run=record.id,
            )
        return record

    def _may_see(self, record: RunRecord) -> bool:
        return self._audience().may_see(record.viewer, by_operator=record.operator)

    def events(self, run_id: str) -> list[RunEvent]:
        return self.store.events(run_id)

    def order(self, run_id: str) -> Order:
        """What a run was told to do."""
        return read_order(self.store.manifest(run_id))

    def is_alive(self, run_id: str) -> bool:
        """Whether a process has the run in hand."""
        return holder(self.store.folder_of(run_id)) is not None

    def report(self, record: RunRecord) -> StatusReport:
        return report_of_run(record)

    def page(self, record: RunRecord) -> str:
        """The run as an HTML page that needs nothing else."""
        return run_page(record, self.store.events(record.id))

    def page_file(self, run_id: str) -> Path:
        """Where the page of a run is kept, if it could be written."""
        return self.store.folder_of(run_id) / _PAGE
