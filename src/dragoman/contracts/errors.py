"""Every error a user of Dragoman can see, each with a stable code.

DragomanError
├── InputRefused            the message itself is not acceptable
│   ├── InputNotText        not UTF-8, or unpaired surrogates
│   ├── InputControlCharacters
│   ├── InputTooLong
│   ├── LabelRefused        a key, an owner or a title
│   ├── ArgumentsRefused    the arguments of a tool do not fit its schema
│   └── InputEmpty
├── SessionError
│   ├── SessionNotFound
│   ├── SessionOfAnother    held by another viewer, where policies hold
│   ├── SessionExists
│   ├── SessionIdRefused
│   ├── SessionReadOnly     closed or cancelled: readable, not writable
│   │   ├── SessionClosed
│   │   └── SessionCancelled
│   ├── SessionConflict     another process has the turn; try again
│   ├── TurnCancelled       stopped by a signal or another thread before it changed anything
│   ├── IdempotencyKeyReused
│   ├── TurnNotFound
│   ├── ResultNotFound      no answer of the session has that result
│   ├── ActionRefused       the session does not accept the action where it stands
│   └── ReportNotFound
├── StoreError
│   ├── StoreReadOnly
│   ├── StoreFull
│   ├── StoreBusy
│   ├── StoreUnavailable
│   ├── StoreNotOurs        the file or schema is not a Dragoman store
│   ├── StoreDamaged        the database reports that the store's file is malformed
│   ├── StoreUrlRefused
│   └── SchemaNewer         written by a newer Dragoman
├── RecordError             stored or imported data are not what was written
│   ├── EventCorrupt
│   ├── EventUnknown
│   ├── EventUnknownField
│   ├── ReplayMismatch
│   └── ImportRefused
├── WorkspaceError          the folder, its configuration or its database
│   ├── WorkspaceClosed     the workspace was closed before this was asked of it
│   ├── OperatorForbidden   nobody may act past the policies here
│   ├── LanguageInvalid     a language from outside the package is malformed; the message says where
│   ├── PolicyRulesInvalid  mistakes in a file of rules in policies/; nothing is answered without them
│   ├── ConnectionsInvalid  mistakes in connections.yaml, each with its line
│   ├── ConnectionUnknown
│   ├── ConnectionAmbiguous
│   ├── ConnectionNotChosen @default, but no connection is the default
│   ├── VariableMissing     a connection needs an environment variable that is not set
│   ├── DatabaseUrlRefused  not the URL or path of a database that may be opened
│   ├── AddressRefused      connections may not reach this host
│   └── HostNotFound
├── RunFailed               a database rejected a query, or the query failed
│   ├── ArgumentsNotFit     the arguments do not fit the verb
│   ├── PolicyViolation     a policy forbids this for the viewer
│   └── WriteFailed         a change was rejected or failed; nothing was changed
│       ├── WriteUnsupported
│       ├── ConstraintBroken
│       ├── TableMissing
│       └── WriteUnsettled  the connection was lost during commit
├── AccessError             a data source cannot be reached or read
│   ├── ConnectionRefused   the server does not answer, or closed the connection
│   ├── AuthenticationFailed
│   ├── DatabaseNotFound
│   ├── DatabaseBusy        another process has it locked; try again
│   ├── DriverFailed        the driver or its process failed, not the query
│   ├── FileUnreadable      a file does not contain what its name says
│   ├── ParameterRefused    this database does not accept the value
│   ├── ReadOnlyViolation   the query does more than read
│   ├── QueryFailed
│   ├── RestCannot          the query needs SQL; REST cannot express it
│   ├── QueryTimeout
│   ├── QueryCancelled
│   ├── ResultAltered       the server gave other values or fewer rows than asked for, and only warned
│   ├── CellTooLarge
│   └── ResultTooLarge
├── EngineError             a pipeline cannot run, or did not finish
│   ├── ManifestRefused     not a manifest, or it cannot run here
│   ├── StepRefused         a step cannot be done as written
│   │   ├── TargetReserved  the file belongs to a connection, a store, a pack or the settings
│   │   └── TargetExists    no run made the file that is there, and nobody agreed to replace it
│   ├── ColumnRefused       a column cannot be kept exactly; the detail `column` names it
│   ├── SchemaDrift         the existing table does not fit the incoming rows
│   ├── SourceFailed        reading failed, and retrying will not help
│   ├── TargetFailed        writing failed, and retrying will not help
│   ├── TransientFault      a lost connection, a deadlock, a lock timeout: worth a retry
│   │   └── StagingLost     staged rows are gone or incomplete; they are staged again
│   ├── DiskFull
│   ├── RunLimitExceeded    the run exceeded its limit of rows or time
│   ├── RunCancelled
│   ├── RunNotFound
│   ├── RunOfAnother        of another viewer, or of an operator, where policies hold
│   ├── RunBusy             another process is working on this run
│   └── ScannerMissing      DuckDB lacks the extension for another database family
├── ModelError              a language model did not answer, or not with a whole reply
│   ├── ModelUnusable       the provider's settings do not work: a variable, an address
│   ├── ModelUnreachable    no connection, or it broke before the reply began
│   ├── ModelTimeout
│   ├── ModelRefused        the provider refuses the request: a key, a name, a limit
│   ├── ModelOverloaded     the provider is busy or broken; try again
│   ├── ModelReplyTruncated cut off by the token limit or by a lost connection
│   ├── ModelReplyEmpty
│   ├── ModelReplyMalformed not what the protocol says
│   ├── ModelReplyTooLarge
│   ├── ModelReplyWithheld  the provider's filter stopped it, or the model declined
│   ├── ModelBudgetSpent    the turn may use no more tokens or money
│   ├── ModelCancelled
│   ├── ModelNotRecorded    a replay was asked what was never recorded
│   └── RecordingUnusable   a file of recorded exchanges cannot be read or written
├── GraphError              a graph could not be asked
│   ├── GraphUnavailable    the packages of the extra `graph` are not installed, or no data were discovered
│   ├── GraphUnreachable    no connection to the Bolt server, or it refuses the user
│   ├── GraphQueryRefused   the Cypher does more than read, or has no end
│   ├── GraphQueryFailed
│   └── GraphTimeout
├── MemoryLimitExceeded     the process may hold no more memory
├── BuildFailed             a manifest cannot be saved
├── EntityIndexError        an index of names cannot be used
│   ├── EntityIndexMissing
│   ├── EntityIndexDamaged
│   ├── EntityIndexNewer    written by a newer Dragoman
│   └── EntityIndexUnwritable
├── EntityRowRefused        a row without a usable key
├── EntityFilterUnknown
├── ResolutionRefused       an operation does not fit the resolution of a name; nothing changed
│   ├── ReferenceUnknown
│   ├── ReferenceSettled
│   ├── MatchUnknown
│   ├── CreationImpossible
│   ├── CreationOpen
│   └── CreationMissing
├── OutputValidationError   a status report is rejected; the code is that of its verdict
├── InputUnreadable         a command's file or stdin cannot be read
├── OutputUnwritable        the file that an answer is written to cannot be written
├── ProgramUnreadable
├── ProgramUnwritable
├── ProgramRefused          the program has errors; they were shown
├── ConfirmationNeeded      a run that writes needs a yes
│   ├── WritesForbidden     the server only reads
│   └── DigestNeeded        a program says yes without the digest of what it says yes to
├── ServerRefused           a server cannot be started
│   ├── ExtraMissing        an optional part of the package is not installed
│   ├── PortTaken
│   └── TokenRefused        a token is too short, or cannot be read
├── ExportFailed
├── UnknownSchema
├── DialogueMalformed       a file of dialogues is malformed
├── DatabaseNotNamed        a dialogue names no database
├── TestOutputFailed
├── DoorError               a server refuses a request before anything is asked of the workspace
│   ├── Unauthorized        no token, or one that is not known or not valid any more
│   ├── OriginRefused       the request comes from another site, or names another host
│   ├── RouteNotFound
│   ├── MethodNotAllowed
│   ├── BodyUnreadable      not UTF-8, not JSON, or a header that says two things
│   ├── BodyTypeRefused     not the content type that the route takes
│   ├── BodyTooLarge
│   ├── RequestInvalid      a field is missing, unknown or of another type; every one is named
│   ├── ResumeImpossible    a stream cannot be gone on with from there
│   ├── TooManyRequests
│   ├── ServerBusy
│   └── TokenNotFound
└── InternalError           a bug in Dragoman, with its trace
    ├── TransitionViolation
    ├── IllegalPhaseMove
    └── InternalSignal      used inside one room; never seen outside it
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from dragoman.contracts.finding import Finding
    from dragoman.contracts.report import ReportFinding, ReportVerdict

Detail = str | int | float | bool | None | list[str] | list[dict[str, object]]


class DragomanError(Exception):
    """What went wrong (`message`), what to do about it (`hint`), and the relevant values (`details`)."""

    code: str = "error"
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str = "", **details: Detail) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details: Mapping[str, Detail] = details

    def __reduce__(self) -> tuple[object, ...]:
        """Pickling keeps hint and details, so that an error can cross a process boundary."""
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


class ArgumentsRefused(InputRefused):
    code = "arguments_refused"


class InputEmpty(InputRefused):
    code = "input_empty"


class SessionError(DragomanError):
    code = "session_error"


class SessionNotFound(SessionError):
    code = "session_not_found"


class SessionOfAnother(SessionError):
    code = "session_of_another"


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
    """The turn was not taken and nothing was written. Retrying is safe."""

    code = "session_conflict"
    exit_code = 3


class TurnCancelled(SessionError):
    code = "turn_cancelled"
    exit_code = 130


class IdempotencyKeyReused(SessionError):
    code = "idempotency_key_reused"


class TurnNotFound(SessionError):
    code = "turn_not_found"


class ResultNotFound(SessionError):
    code = "result_not_found"


class ActionRefused(SessionError):
    """The session is as it was."""

    code = "action_refused"


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


class WorkspaceClosed(WorkspaceError):
    code = "workspace_closed"


class OperatorForbidden(WorkspaceError):
    """Somebody wanted to act as an operator, past the policies, where the workspace does not allow it."""

    code = "operator_forbidden"


class LanguageInvalid(WorkspaceError):
    code = "language_invalid"


class PolicyRulesInvalid(WorkspaceError):
    """Rules that cannot be read must not be lost: nothing is answered until they are mended."""

    code = "policy_rules_invalid"


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
    """The detail `problem` says which rule the URL breaks."""

    code = "database_url_refused"


class AddressRefused(WorkspaceError):
    code = "address_refused"


class HostNotFound(WorkspaceError):
    code = "host_not_found"


class RunFailed(DragomanError):
    code = "run_failed"


class ArgumentsNotFit(RunFailed):
    """The arguments do not fit the verb. The detail `argument` names one."""

    code = "arguments_not_fit"


class PolicyViolation(RunFailed):
    """A policy forbids this for the viewer. The detail `rule` says which kind of rule."""

    code = "policy_violation"


class WriteFailed(RunFailed):
    """A change was rejected or failed. Nothing was changed."""

    code = "write_failed"


class WriteUnsupported(WriteFailed):
    """The database, or the table in it, cannot be changed in one transaction."""

    code = "write_unsupported"


class ConstraintBroken(WriteFailed):
    """A key, reference, check or type constraint of the database forbids the change."""

    code = "constraint_broken"


class TableMissing(WriteFailed):
    code = "table_missing"


class WriteUnsettled(WriteFailed):
    """The connection was lost during commit: the change is there completely, or not at all."""

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
    """Nothing was read. Retrying is safe."""

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
    """The detail `part` names what REST cannot express."""

    code = "rest_cannot"


class QueryTimeout(AccessError):
    code = "query_timeout"


class QueryCancelled(AccessError):
    code = "query_cancelled"


class ResultAltered(AccessError):
    code = "result_altered"


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


class TargetReserved(StepRefused):
    """The detail `path` names the file. No yes changes this."""

    code = "target_reserved"


class TargetExists(StepRefused):
    """The detail `path` names the file."""

    code = "target_exists"


class ColumnRefused(EngineError):
    """A column cannot be kept exactly. The detail `column` names it."""

    code = "column_refused"


class SchemaDrift(EngineError):
    code = "schema_drift"


class SourceFailed(EngineError):
    code = "source_failed"


class TargetFailed(EngineError):
    code = "target_failed"


class TransientFault(EngineError):
    """Nothing is wrong with the request itself. Retrying may succeed."""

    code = "transient_fault"


class StagingLost(TransientFault):
    code = "staging_lost"


class DiskFull(EngineError):
    code = "disk_full"


class RunLimitExceeded(EngineError):
    code = "run_limit_exceeded"


class RunCancelled(EngineError):
    code = "run_cancelled"
    exit_code = 130


class RunNotFound(EngineError):
    code = "run_not_found"


class RunOfAnother(EngineError):
    code = "run_of_another"


class RunBusy(EngineError):
    code = "run_busy"
    exit_code = 3


class ScannerMissing(EngineError):
    code = "scanner_missing"


class ModelError(DragomanError):
    """The detail `provider` names who was asked; `attempts` of a chain lists every request."""

    code = "model_error"


class ModelUnusable(ModelError):
    code = "model_unusable"


class ModelUnreachable(ModelError):
    code = "model_unreachable"


class ModelTimeout(ModelError):
    code = "model_timeout"


class ModelRefused(ModelError):
    """The same request will be refused again. The detail `status` is that of HTTP."""

    code = "model_refused"


class ModelOverloaded(ModelError):
    """Retrying may succeed. The detail `retry_after` has the seconds to wait, if the provider names them."""

    code = "model_overloaded"


class ModelReplyTruncated(ModelError):
    """The detail `cause` is `length` or `connection`."""

    code = "model_reply_truncated"


class ModelReplyEmpty(ModelError):
    code = "model_reply_empty"


class ModelReplyMalformed(ModelError):
    code = "model_reply_malformed"


class ModelReplyTooLarge(ModelError):
    code = "model_reply_too_large"


class ModelReplyWithheld(ModelError):
    code = "model_reply_withheld"


class ModelBudgetSpent(ModelError):
    """The detail `setting` names the budget."""

    code = "model_budget_spent"


class ModelCancelled(ModelError):
    code = "model_cancelled"
    exit_code = 130


class ModelNotRecorded(ModelError):
    code = "model_not_recorded"


class RecordingUnusable(ModelError):
    code = "recording_unusable"


class GraphError(DragomanError):
    """A graph could not be asked."""

    code = "graph_error"


class GraphUnavailable(GraphError):
    code = "graph_unavailable"


class GraphUnreachable(GraphError):
    code = "graph_unreachable"


class GraphQueryRefused(GraphError):
    code = "graph_query_refused"


class GraphQueryFailed(GraphError):
    code = "graph_query_failed"


class GraphTimeout(GraphError):
    code = "graph_timeout"


class MemoryLimitExceeded(DragomanError):
    code = "memory_limit_exceeded"

    def __init__(self) -> None:
        super().__init__(
            "more memory is needed than this workspace allows (memory_mb under limits in dragoman.yaml)",
            hint="ask for less, or raise the limit",
            setting="memory_mb",
        )

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), ()


class BuildFailed(DragomanError):
    code = "build_failed"


class EntityIndexError(DragomanError):
    """An entity index cannot be used."""

    code = "entity_index_error"
    exit_code = 4


class EntityIndexMissing(EntityIndexError):
    """The folder has no index. Build it first."""

    code = "entity_index_missing"


class EntityIndexDamaged(EntityIndexError):
    """Files of the index are missing, truncated or changed. Rebuilding fixes it."""

    code = "entity_index_damaged"


class EntityIndexNewer(EntityIndexError):
    """The index was written by a newer Dragoman."""

    code = "entity_index_newer"


class EntityIndexUnwritable(EntityIndexError):
    """The index folder cannot be written: no space, no permission, or not a folder."""

    code = "entity_index_unwritable"


class EntityRowRefused(DragomanError):
    """A row without a usable key cannot be indexed."""

    code = "entity_row_refused"


class EntityFilterUnknown(DragomanError):
    """The entity type does not declare this filter. The detail `known` lists those it does."""

    code = "entity_filter_unknown"


class ResolutionRefused(DragomanError):
    """The operation does not fit the current resolution. Nothing was changed."""

    code = "resolution_refused"


class ReferenceUnknown(ResolutionRefused):
    code = "reference_unknown"


class ReferenceSettled(ResolutionRefused):
    """The reference already has its key."""

    code = "reference_settled"


class MatchUnknown(ResolutionRefused):
    """No entity of the type has this key, or no match has this number."""

    code = "match_unknown"


class CreationImpossible(ResolutionRefused):
    """No verb creates an entity of this type, or arguments are missing."""

    code = "creation_impossible"


class CreationOpen(ResolutionRefused):
    """An entity is being created; the resolution waits for it."""

    code = "creation_open"


class CreationMissing(ResolutionRefused):
    """No entity is being created."""

    code = "creation_missing"


class OutputValidationError(DragomanError):
    """A status report is rejected. `code` is that of its verdict (`invalid_json`,
    `semantic_validation_failed`, …); `errors` and `warnings` have everything that was found."""

    code = "output_validation_failed"

    def __init__(self, verdict: "ReportVerdict") -> None:
        found = [f"{each.code}{f' at {each.path}' if each.path else ''}" for each in verdict.errors]
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        super().__init__(
            f"the report is rejected ({verdict.code}): {verdict.errors[0].message}{more}",
            hint="correct what `errors` lists, and hand the report in again",
            errors=found,
        )
        self.code = verdict.code or type(self).code
        self.verdict = verdict

    @property
    def errors(self) -> "tuple[ReportFinding, ...]":
        return self.verdict.errors

    @property
    def warnings(self) -> "tuple[Finding, ...]":
        return self.verdict.warnings

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.verdict,)


class InputUnreadable(DragomanError):
    code = "input_unreadable"


class OutputUnwritable(DragomanError):
    """The detail `path` names the file. What was asked for was answered."""

    code = "output_unwritable"


class ProgramUnreadable(DragomanError):
    code = "program_unreadable"


class ProgramUnwritable(DragomanError):
    code = "program_unwritable"


class ProgramRefused(DragomanError):
    """The program has errors; they were shown."""

    code = "program_refused"


class ConfirmationNeeded(DragomanError):
    code = "confirmation_needed"


class WritesForbidden(ConfirmationNeeded):
    """Whoever started the server did not allow it to write."""

    code = "writes_forbidden"


class DigestNeeded(ConfirmationNeeded):
    """A yes was given without the digest of what it is for, or with another one. Nothing was written."""

    code = "digest_needed"


class ServerRefused(DragomanError):
    code = "server_refused"


class ExtraMissing(ServerRefused):
    """The command needs packages that only an extra of this one brings."""

    code = "extra_missing"


class PortTaken(ServerRefused):
    code = "port_taken"


class TokenRefused(ServerRefused):
    code = "token_refused"


class ExportFailed(DragomanError):
    code = "export_failed"


class UnknownSchema(DragomanError):
    """No state object or event has this name."""

    code = "unknown_schema"


class DialogueMalformed(DragomanError):
    """A file of dialogues is malformed. The details `file` and `line` say where."""

    code = "dialogue_malformed"


class DatabaseNotNamed(DragomanError):
    """A dialogue names no database, or no folder was given to look for it."""

    code = "database_not_named"


class TestOutputFailed(DragomanError):
    """The output of a test run, or a recorded test, cannot be written."""

    __test__ = False
    code = "test_output_failed"


class DoorError(DragomanError):
    code = "request_refused"


class Unauthorized(DoorError):
    code = "unauthorized"


class OriginRefused(DoorError):
    code = "origin_refused"


class RouteNotFound(DoorError):
    code = "route_not_found"


class MethodNotAllowed(DoorError):
    code = "method_not_allowed"


class BodyUnreadable(DoorError):
    code = "body_unreadable"


class BodyTypeRefused(DoorError):
    code = "body_type_refused"


class BodyTooLarge(DoorError):
    code = "body_too_large"


class RequestInvalid(DoorError):
    code = "request_invalid"


class ResumeImpossible(DoorError):
    code = "resume_impossible"


class TooManyRequests(DoorError):
    code = "too_many_requests"


class ServerBusy(DoorError):
    """Nothing was done. Retrying is safe."""

    code = "server_busy"
    exit_code = 3


class TokenNotFound(DoorError):
    code = "token_not_found"


class InternalError(DragomanError):
    code = "internal_error"
    exit_code = 70


class TransitionViolation(InternalError):
    """A turn broke a property that its transition class declares. Nothing of the turn was stored."""

    code = "transition_violation"


class IllegalPhaseMove(InternalError):
    code = "illegal_phase_move"


class InternalSignal(InternalError):
    """Carries a finding from deep inside a room to the place in it that turns it into an answer or an error.

    Signals are the only errors defined outside this module: they hold types of their room, and nobody outside
    catches one. A signal that leaves its room is a bug, and is shown as one.
    """

    code = "internal_signal"
