"""What a run did, and why it failed, told from its record."""

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.knowledge.signatures import LAST
from dragoman.contracts.answer import Cell, EvidenceItem
from dragoman.contracts.errors import RunFailed, RunNotFound
from dragoman.contracts.record import Record
from dragoman.contracts.run import RunFault, RunRecord
from dragoman.contracts.vocabulary import EvidenceSource


class Account(Record, frozen=True):
    """The run itself, or one of its steps."""

    row: tuple[Cell, ...]
    item: EvidenceItem


def accounts(catalog: Catalog, asked: str) -> list[Account]:
    """The run and its steps, in their order. Raises `RunFailed`, `RunNotFound` and `RunOfAnother`."""
    record = _record(catalog, asked)
    place = f"runs/{record.id}"
    whole = _account(
        record.name or record.id, "", record.status.value, None, _fault(record), place, record.started_at
    )
    steps = [
        _account(step.id, step.component, step.state.value, step.rows, step.fault, f"{place}#{step.id}")
        for step in record.steps
    ]
    return [whole, *steps]


def _record(catalog: Catalog, asked: str) -> RunRecord:
    if catalog.run_log is None:
        raise RunFailed("the records of runs are not at hand here", hint="ask in the workspace they ran in")
    if asked and asked != LAST:
        return catalog.run_log.find(asked)
    newest = catalog.run_log.runs(limit=1)
    if not newest:
        raise RunNotFound("nothing was run here yet", hint="dragoman run FILE runs a pipeline", run=asked)
    return newest[0]


def _fault(record: RunRecord) -> RunFault | None:
    """Why a run failed: as it says, or the first of its steps that did."""
    return record.fault or next((step.fault for step in record.steps if step.fault is not None), None)


def _account(
    part: str,
    component: str,
    state: str,
    rows: int | None,
    fault: RunFault | None,
    place: str,
    began: str = "",
) -> Account:
    problem, hint = (fault.message, fault.hint) if fault is not None else ("", "")
    said = f"{part}: {state}" + (f", begun {began}" if began else "") + (f": {problem}" if problem else "")
    row = (part, component, state, rows, problem, hint, place)
    return Account(row, EvidenceItem(EvidenceSource.DB, place, said, 1.0))
