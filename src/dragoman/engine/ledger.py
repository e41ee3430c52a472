"""The ledger and the cursors: two small tables in every database that is written to.

A row of the ledger stands there if, and only if, what it speaks of was published: both are one transaction.
"""

from typing import Final

from dragoman.contracts.errors import StepRefused

LEDGER: Final = "dragoman_ledger"
LEDGER_COLUMNS: Final = ("run_id", "step", "part", "rows", "published_at")
CURSORS: Final = "dragoman_cursors"
CURSOR_COLUMNS: Final = ("pipeline", "step", "cursor", "run_id")
"""`cursor` is a CursorValue as JSON. `step` is the writer's: a pipeline may feed several targets."""

_OURS: Final = "dragoman_"
STAGING_PREFIX: Final = "dragoman_stage_"


def staging_name(run_id: str, step: str) -> str:
    """The name of a staging table: short enough for every database, and only this run's and step's."""
    import hashlib

    return STAGING_PREFIX + hashlib.sha256(f"{run_id}\0{step}".encode()).hexdigest()[:24]


def refuse_own(table: str) -> None:
    """No step writes the tables by which runs are known: a forged row would keep a run from being done.
    Raises StepRefused."""
    if table.casefold().startswith(_OURS):
        raise StepRefused(f"the table {table} is kept by Dragoman itself", hint="choose another name")
