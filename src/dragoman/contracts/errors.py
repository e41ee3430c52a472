"""Every error a user of Dragoman can meet, each with a stable code.

DragomanError
├── InputRefused            the message itself cannot be taken
│   ├── InputNotText        not UTF-8, or unpaired surrogates
│   ├── InputControlCharacters
│   ├── InputTooLong
│   ├── LabelRefused        a key, an owner or a title
│   └── InputEmpty
├── SessionError
│   ├── SessionNotFound
│   ├── SessionExists
│   ├── SessionIdRefused
│   ├── SessionReadOnly     closed or cancelled: readable, not writable
│   │   ├── SessionClosed
│   │   └── SessionCancelled
│   ├── SessionConflict     somebody else has the turn; try again
│   ├── IdempotencyKeyReused
│   ├── TurnNotFound
│   └── ReportNotFound
├── StoreError
│   ├── StoreReadOnly
│   ├── StoreFull
│   ├── StoreBusy
│   ├── StoreUnavailable
│   ├── StoreNotOurs        the file or schema is not a Dragoman store
│   ├── StoreDamaged        the database under the store says it is malformed
│   ├── StoreUrlRefused
│   └── SchemaNewer         written by a newer Dragoman
├── RecordError             something stored or imported cannot be what was written
│   ├── EventCorrupt
│   ├── EventUnknown
│   ├── EventUnknownField
│   ├── ReplayMismatch
│   └── ImportRefused
├── WorkspaceError          the folder, its configuration or its database
│   ├── ConnectionsInvalid  connections.yaml: every mistake with its place
│   ├── ConnectionUnknown
│   ├── ConnectionAmbiguous
│   ├── ConnectionNotChosen @default where no connection is the default
│   ├── VariableMissing     an environment variable that a connection needs
│   ├── DatabaseUrlRefused  not a URL or path of a database that may be opened
│   ├── AddressRefused      a host that no connection may reach
│   └── HostNotFound
├── RunFailed               a database refused or failed a query
│   ├── ArgumentsNotFit     what is given does not fit the verb
│   ├── PolicyViolation     what was asked is not for whoever asks
│   └── WriteFailed         a change was refused or failed; nothing of it is there
│       ├── WriteUnsupported
│       ├── ConstraintBroken
│       ├── TableMissing
│       └── WriteUnsettled  the connection was lost while the change was made final
├── AccessError             a source of data cannot be reached, or a read of it ended badly
│   ├── ConnectionRefused   nothing answers there, or what answers ends the talk
│   ├── AuthenticationFailed
│   ├── DatabaseNotFound
│   ├── DatabaseBusy        somebody else holds it; try again
│   ├── DriverFailed        the driver or its process failed, not the query
│   ├── FileUnreadable      a file of the source is not what its name says
│   ├── ParameterRefused    a value that this database cannot be given
│   ├── ReadOnlyViolation   what was asked does more than read
│   ├── QueryFailed
│   ├── RestCannot          what a project can only be asked in SQL, not over REST
│   ├── QueryTimeout
│   ├── QueryCancelled
│   ├── CellTooLarge
│   └── ResultTooLarge
├── EngineError             a pipeline cannot run, or did not run to its end
│   ├── ManifestRefused     not a manifest, or not one that can run here
│   ├── StepRefused         what a step asks for cannot be done as it is written
│   ├── ColumnRefused       a column that cannot be kept exactly; the detail `column` names it
│   ├── SchemaDrift         the table that is there does not fit what flows
│   ├── SourceFailed        reading ended badly, and would again
│   ├── TargetFailed        writing ended badly, and would again
│   ├── TransientFault      a connection lost, a deadlock, a lock not got: worth another try
│   │   └── StagingLost     what was staged is gone or incomplete: it is staged again
│   ├── DiskFull
│   ├── RunLimitExceeded    more rows or more time than the run may take
│   ├── RunCancelled
│   ├── RunNotFound
│   ├── RunBusy             another process has this run in hand
│   └── ScannerMissing      DuckDB lacks what reads another family
├── BuildFailed             a manifest cannot be kept
├── EntityIndexError        an index of names cannot be used as it is
│   ├── EntityIndexMissing
│   ├── EntityIndexDamaged
│   ├── EntityIndexNewer    written by a newer Dragoman
│   └── EntityIndexUnwritable
├── EntityRowRefused        a row without a key that can be written down
├── EntityFilterUnknown
├── ResolutionRefused       a step that does not fit the resolution of a name; nothing changed
│   ├── ReferenceUnknown
│   ├── ReferenceSettled
│   ├── MatchUnknown
│   ├── CreationImpossible
│   ├── CreationOpen
│   └── CreationMissing
├── InputUnreadable         a file or standard input of a command
├── ProgramUnreadable
├── ProgramUnwritable
├── ProgramRefused          the program has errors; they were shown
├── ConfirmationNeeded      a run that changes data waits for a yes
├── ExportFailed
├── UnknownSchema
├── DialogueMalformed       a file of dialogues is not what can be run
├── DatabaseNotNamed        a dialogue that names no database
├── TestOutputFailed
└── InternalError           a defect of ours, with its trace
    ├── TransitionViolation
    ├── IllegalPhaseMove
    └── InternalSignal      what one room says to itself; never seen outside it
"""

from collections.abc import Mapping
from typing import ClassVar

Detail = str | int | float | bool | None | list[str]


class DragomanError(Exception):
    """What went wrong (`message`), what to do about it (`hint`), and the values that matter (`details`)."""

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str = "", **details: Detail) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details: Mapping[str, Detail] = details

    def __reduce__(self) -> tuple[object, ...]:
        """Errors cross process borders whole: pickling keeps hint and details."""
        return _rebuild, (type(self), self.message, self.hint, dict(self.details))


def _rebuild(kind: type[DragomanError], message: str, hint: str, details: dict[str, Detail]) -> DragomanError:
    return kind(message, hint=hint, **details)


class InputRefused(DragomanError):
    code = "input_refused"


class InputNotText(InputRefused):
    code = "input_not_utf8"


class InputControlCharacters(InputRefused):
    code = "input_control_characters"


class InputTooLong(InputRefused):
    code = "input_too_long"


class LabelRefused(InputRefused):
    code = "label_refused"


class InputEmpty(InputRefused):
    code = "input_empty"


class SessionError(DragomanError):
    code = "session_error"


class SessionNotFound(SessionError):
    code = "session_not_found"


class SessionExists(SessionError):
    code = "session_exists"


class SessionIdRefused(SessionError):
    code = "session_id_refused"


class SessionReadOnly(SessionError):
    code = "session_read_only"


class SessionClosed(SessionReadOnly):
    code = "session_closed"


class SessionCancelled(SessionReadOnly):
    code = "session_cancelled"


class SessionConflict(SessionError):
    """The turn was not taken: nothing was written for it, trying again is safe."""

    code = "session_conflict"
    exit_code = 3


class IdempotencyKeyReused(SessionError):
    code = "idempotency_key_reused"


class TurnNotFound(SessionError):
    code = "turn_not_found"


class ReportNotFound(SessionError):
    code = "report_not_found"


class StoreError(DragomanError):
    code = "store_error"
    exit_code = 4


class StoreReadOnly(StoreError):
    code = "store_read_only"


class StoreFull(StoreError):
    code = "store_full"


class StoreBusy(StoreError):
    code = "store_busy"


class StoreUnavailable(StoreError):
    code = "store_unavailable"


class StoreNotOurs(StoreError):
    code = "store_not_ours"


class StoreDamaged(StoreError):
    code = "store_damaged"


class StoreUrlRefused(StoreError):
    code = "store_url_refused"


class SchemaNewer(StoreError):
    code = "schema_newer"


class RecordError(DragomanError):
    code = "record_error"
    exit_code = 5


class EventCorrupt(RecordError):
    code = "event_corrupt"


class EventUnknown(RecordError):
    code = "event_unknown_kind"


class EventUnknownField(RecordError):
    code = "event_unknown_field"


class ReplayMismatch(RecordError):
    code = "replay_mismatch"


class ImportRefused(RecordError):
    code = "import_refused"


class WorkspaceError(DragomanError):
    code = "workspace_error"


class ConnectionsInvalid(WorkspaceError):
    code = "connections_invalid"


class ConnectionUnknown(WorkspaceError):
    code = "connection_unknown"


class ConnectionAmbiguous(WorkspaceError):
    code = "connection_ambiguous"


class ConnectionNotChosen(WorkspaceError):
    code = "connection_not_chosen"


class VariableMissing(WorkspaceError):
    code = "variable_missing"


class DatabaseUrlRefused(WorkspaceError):
    """The detail `problem` says which rule it breaks."""

    code = "database_url_refused"


class AddressRefused(WorkspaceError):
    code = "address_refused"


class HostNotFound(WorkspaceError):
    code = "host_not_found"


class RunFailed(DragomanError):
    code = "run_failed"


class ArgumentsNotFit(RunFailed):
    """What is given does not fit the verb. `argument` says where."""

    code = "arguments_not_fit"


class PolicyViolation(RunFailed):
    """What was asked is not for whoever asks. `rule` says which kind of rule it breaks."""

    code = "policy_violation"


class WriteFailed(RunFailed):
    """A change was refused or failed. Nothing of it is there."""

    code = "write_failed"


class WriteUnsupported(WriteFailed):
    """The database, or the table in it, cannot be changed in one transaction."""

    code = "write_unsupported"


class ConstraintBroken(WriteFailed):
    """A key, a reference, a check or a type of the database stands against the change."""

    code = "constraint_broken"


class TableMissing(WriteFailed):
    code = "table_missing"


class WriteUnsettled(WriteFailed):
    """The connection was lost while the change was made final: it is there as a whole, or not at all."""

    code = "write_unsettled"
    exit_code = 3


class AccessError(DragomanError):
    code = "access_error"


class ConnectionRefused(AccessError):
    code = "connection_refused"


class AuthenticationFailed(AccessError):
    code = "authentication_failed"


class DatabaseNotFound(AccessError):
    code = "database_not_found"


class DatabaseBusy(AccessError):
    """Nothing was read: trying again is safe."""

    code = "database_busy"


class DriverFailed(AccessError):
    code = "driver_error"


class FileUnreadable(AccessError):
    code = "file_unreadable"


class ParameterRefused(AccessError):
    code = "parameter_refused"


class ReadOnlyViolation(AccessError):
    code = "read_only_violation"


class QueryFailed(AccessError):
    code = "query_failed"


class RestCannot(AccessError):
    """The detail `part` names what cannot be asked."""

    code = "rest_cannot"


class QueryTimeout(AccessError):
    code = "query_timeout"


class QueryCancelled(AccessError):
    code = "query_cancelled"


class CellTooLarge(AccessError):
    code = "cell_too_large"


class ResultTooLarge(AccessError):
    code = "result_too_large"


class EngineError(DragomanError):
    code = "engine_error"


class ManifestRefused(EngineError):
    code = "manifest_refused"


class StepRefused(EngineError):
    code = "step_refused"


class ColumnRefused(EngineError):
    """The detail `column` names it."""

    code = "column_refused"


class SchemaDrift(EngineError):
    code = "schema_drift"


class SourceFailed(EngineError):
    code = "source_failed"


class TargetFailed(EngineError):
    code = "target_failed"


class TransientFault(EngineError):
    """Nothing is wrong with what was asked: trying again is worth it."""

    code = "transient_fault"


class StagingLost(TransientFault):
    code = "staging_lost"


class DiskFull(EngineError):
    code = "disk_full"


class RunLimitExceeded(EngineError):
    code = "run_limit_exceeded"


class RunCancelled(EngineError):
    code = "run_cancelled"


class RunNotFound(EngineError):
    code = "run_not_found"


class RunBusy(EngineError):
    code = "run_busy"
    exit_code = 3


class ScannerMissing(EngineError):
    code = "scanner_missing"


class BuildFailed(DragomanError):
    code = "build_failed"


class EntityIndexError(DragomanError):
    """An entity index cannot be used as it is."""

    code = "entity_index_error"
    exit_code = 4


class EntityIndexMissing(EntityIndexError):
    """There is no index in the folder; it has to be built first."""

    code = "entity_index_missing"


class EntityIndexDamaged(EntityIndexError):
    """Files of the index are gone, cut short or not what was written. Building it again mends it."""

    code = "entity_index_damaged"


class EntityIndexNewer(EntityIndexError):
    """The index was written by a newer Dragoman."""

    code = "entity_index_newer"


class EntityIndexUnwritable(EntityIndexError):
    """The folder of the index cannot be written: no space, no permission, not a folder."""

    code = "entity_index_unwritable"


class EntityRowRefused(DragomanError):
    """A row without a key that can be written down cannot be indexed."""

    code = "entity_row_refused"


class EntityFilterUnknown(DragomanError):
    """A filter that the entity type does not declare. `known` says which ones it does."""

    code = "entity_filter_unknown"


class ResolutionRefused(DragomanError):
    """An operation that does not fit the resolution as it is. Nothing was changed."""

    code = "resolution_refused"


class ReferenceUnknown(ResolutionRefused):
    code = "reference_unknown"


class ReferenceSettled(ResolutionRefused):
    """The reference has its key already."""

    code = "reference_settled"


class MatchUnknown(ResolutionRefused):
    """No entity of the type has this key, or no match this number."""

    code = "match_unknown"


class CreationImpossible(ResolutionRefused):
    """Nothing declares how an entity of the type is made, or what is given is not enough."""

    code = "creation_impossible"


class CreationOpen(ResolutionRefused):
    """Something new is being made; the resolution waits for that."""

    code = "creation_open"


class CreationMissing(ResolutionRefused):
    """Nothing is being made."""

    code = "creation_missing"


class InputUnreadable(DragomanError):
    code = "input_unreadable"


class ProgramUnreadable(DragomanError):
    code = "program_unreadable"


class ProgramUnwritable(DragomanError):
    code = "program_unwritable"


class ProgramRefused(DragomanError):
    """The program has errors; they were shown."""

    code = "program_refused"


class ConfirmationNeeded(DragomanError):
    code = "confirmation_needed"


class ExportFailed(DragomanError):
    code = "export_failed"


class UnknownSchema(DragomanError):
    """Neither a state object nor an event has this name."""

    code = "unknown_schema"


class DialogueMalformed(DragomanError):
    """A file of dialogues is not what can be run. The details `file` and `line` say where."""

    code = "dialogue_malformed"


class DatabaseNotNamed(DragomanError):
    """A dialogue is about no database, or there is no folder to look for it in."""

    code = "database_not_named"


class TestOutputFailed(DragomanError):
    """The lines of a run, or a recorded test, cannot be written where they were wanted."""

    __test__ = False
    code = "test_output_failed"


class InternalError(DragomanError):
    code = "internal_error"
    exit_code = 70


class TransitionViolation(InternalError):
    """A turn broke a property that its transition class declares. It was refused whole."""

    code = "transition_violation"


class IllegalPhaseMove(InternalError):
    code = "illegal_phase_move"


class InternalSignal(InternalError):
    """Carries a finding from deep inside a room to the place in it that turns it into an answer or an error.

    Signals are the only errors defined outside this module: they hold types of their room, and nobody outside
    catches one. One that leaves its room is a defect, and is shown as such.
    """

    code = "internal_signal"
