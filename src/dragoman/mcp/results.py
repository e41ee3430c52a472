"""What the tools give back. Their schemas are told to the client, which checks what it gets."""

from collections.abc import Mapping
from typing import Any

import msgspec

from dragoman.contracts.program import EntityMatch, UnresolvedRef
from dragoman.contracts.record import Record
from dragoman.contracts.run import RunRecord
from dragoman.contracts.schema import TableInfo
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import Lifecycle
from dragoman.workspace.gated import WaitingWrite


class Asked(Record, frozen=True):
    """A turn, and what waits for a yes behind it."""

    turn: TurnResult
    waiting_write: WaitingWrite | None = None


class Finding(Record, frozen=True, omit_defaults=False):
    code: str
    severity: str
    message: str
    hint: str
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None


class Checked(Record, frozen=True, omit_defaults=False):
    ok: bool
    stage: str
    diagnostics: tuple[Finding, ...]


class StepAhead(Record, frozen=True, omit_defaults=False):
    id: str
    verb: str
    mode: str
    needs: tuple[str, ...]


class Compiled(Record, frozen=True):
    """A program with errors has findings and no fingerprint."""

    ok: bool
    stage: str
    diagnostics: tuple[Finding, ...]
    fingerprint: str = ""
    steps: tuple[StepAhead, ...] = ()
    unresolved: tuple[UnresolvedRef, ...] = ()


class OpenReference(Record, frozen=True, omit_defaults=False):
    ref_id: str
    verb: str
    argument: str
    type: str
    text: str
    open: bool
    bound_by: str | None
    matches: tuple[EntityMatch, ...]


class Resolved(Record, frozen=True, omit_defaults=False):
    """`program` has the keys in place; statements that were skipped are left out of it."""

    ok: bool
    program: str
    partial: bool
    left_out: int
    references: tuple[OpenReference, ...]
    diagnostics: tuple[Finding, ...]


class StepRows(Record, frozen=True, omit_defaults=False):
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | bool | None, ...], ...]
    more: bool


class Ran(Record, frozen=True):
    """What came of a program. One that writes is not run without its digest: `ran` is false then."""

    program: str
    digest: str
    ran: bool
    writes: tuple[str, ...]
    replaces: tuple[str, ...] = ()
    ok: bool | None = None
    run: RunRecord | None = None
    rows: Mapping[str, StepRows] = {}


class Discovered(Record, frozen=True, omit_defaults=False):
    """`more` says how many tables are not shown: ask for them by name."""

    connection: str
    connections: tuple[str, ...]
    family: str
    dialect: str
    fingerprint: str
    tables: tuple[TableInfo, ...]
    more: int


class Explained(Record, frozen=True, omit_defaults=False):
    """A turn and every event of it, as they were recorded."""

    turn: TurnResult
    events: tuple[dict[str, Any], ...]


class SessionListed(Record, frozen=True, omit_defaults=False):
    session_id: str
    title: str
    owner: str
    lifecycle: Lifecycle
    turns: int
    created_at: float
    updated_at: float


class SessionsListed(Record, frozen=True, omit_defaults=False):
    sessions: tuple[SessionListed, ...]


def schema_of(kind: type[Record]) -> dict[str, Any]:
    """The JSON Schema of a result. Clients want an object at its root, and not a reference to one."""
    schema = msgspec.json.schema(kind)
    definitions = schema.get("$defs", {})
    own = definitions.get(kind.__name__, schema)
    return {**own, "$defs": definitions}
