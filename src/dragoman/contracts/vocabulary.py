"""The closed vocabularies of a session. Each docstring says what every word means."""

from enum import StrEnum


class Lifecycle(StrEnum):
    """Whether a session takes turns: `open` does; `cancelled` (the user gave it up) and `closed` (it ended
    normally) are readable and never written again."""

    OPEN = "open"
    CANCELLED = "cancelled"
    CLOSED = "closed"


class TransitionClass(StrEnum):
    """The named ways in which a turn may change the session. Their properties stand in the registry."""

    T0 = "T0"
    T1 = "T1"
    T2 = "T2"
    T3 = "T3"
    T4 = "T4"
    T5 = "T5"
    T6 = "T6"
    T7 = "T7"
    T8 = "T8"
    T9 = "T9"
    T10 = "T10"
    X_CLEAR = "X_CLEAR"
    X_CANCEL = "X_CANCEL"
    X_UNDO = "X_UNDO"
    X_EDIT = "X_EDIT"
    X_HELP = "X_HELP"
    X_SKIP = "X_SKIP"
    X_CREATE = "X_CREATE"
    X_SEARCH = "X_SEARCH"
    X_NONE = "X_NONE"
    X_EXTEND = "X_EXTEND"
    X_RUN = "X_RUN"
    X_TEACH = "X_TEACH"


class LivingMode(StrEnum):
    """The contour of the conversation, derived from the last turn: `address_data` speaks of business data,
    `assistant_data_scope` of what data there is, `chat` of nothing in the data, `meta_followup` of an answer
    already given, `clarification` waits for the user's word."""

    ADDRESS_DATA = "address_data"
    ASSISTANT_DATA_SCOPE = "assistant_data_scope"
    CHAT = "chat"
    META_FOLLOWUP = "meta_followup"
    CLARIFICATION = "clarification"


class Phase(StrEnum):
    """Where the program in hand stands between a wish and a result. The edges stand in the phase table."""

    NEW = "NEW"
    INTENT = "INTENT"
    INTENT_CLARIFY = "INTENT_CLARIFY"
    DISCOVERY = "DISCOVERY"
    SYNTHESIS = "SYNTHESIS"
    SYNTAX = "SYNTAX"
    SEMANTICS = "SEMANTICS"
    UNRESOLVED_REFS = "UNRESOLVED_REFS"
    REGENERATE = "REGENERATE"
    DEPENDENCIES = "DEPENDENCIES"
    READY = "READY"
    RUNNING = "RUNNING"
    DONE = "DONE"
    SYNTAX_ERROR = "SYNTAX_ERROR"
    SEMANTIC_ERROR = "SEMANTIC_ERROR"
    DEPENDENCY_ERROR = "DEPENDENCY_ERROR"


class Stage(StrEnum):
    """A stage of the compiler, as the guard events name it."""

    SYNTAX = "syntax"
    SEMANTICS = "semantics"
    DEPENDENCIES = "dependencies"


class Notation(StrEnum):
    """The two notations of one program: verb calls, or OML (YAML)."""

    VERBS = "verbs"
    OML = "oml"


class CoverageStatus(StrEnum):
    """How much of what was asked the loaded data cover: all, some, or nothing that may be spoken of."""

    FULL = "full"
    PARTIAL = "partial"
    BLOCKED = "blocked"


class TruthMode(StrEnum):
    """How an answer may sound: `confirmed` as a fact, `limited` as a fact with its limit said,
    `clarification_required` as a question, `unsupported` as a refusal with its reason."""

    CONFIRMED = "confirmed"
    LIMITED = "limited"
    CLARIFICATION_REQUIRED = "clarification_required"
    UNSUPPORTED = "unsupported"


class AnswerMode(StrEnum):
    """The truth mode a turn ended in, or `none` for a turn that states no fact."""

    CONFIRMED = "confirmed"
    LIMITED = "limited"
    CLARIFICATION_REQUIRED = "clarification_required"
    UNSUPPORTED = "unsupported"
    NONE = "none"


class MetaTruthMode(StrEnum):
    """The truth mode of an answer about an answer: never stronger than its source's; `unsupported` also
    stands for a recap of something that was never answered."""

    CONFIRMED = "confirmed"
    LIMITED = "limited"
    CLARIFICATION_REQUIRED = "clarification_required"
    UNSUPPORTED = "unsupported"


class CarryoverDepth(StrEnum):
    """What a turn takes over from before: everything, the root slice (organization, date), the selected
    object, earlier answers, or nothing. `full` is deepest; the three in the middle do not compare."""

    FULL = "full"
    ROOT_ONLY = "root_only"
    OBJECT_ONLY = "object_only"
    META_ONLY = "meta_only"
    NONE = "none"


class EvidenceGrade(StrEnum):
    """How well an answer is proven: `checked` was read from a database and recomputed a second way,
    `single` was read once, `declared` rests on documents or policies, `none` rests on nothing."""

    CHECKED = "checked"
    SINGLE = "single"
    DECLARED = "declared"
    NONE = "none"


class GroundingStatus(StrEnum):
    """Whether what is said follows from evidence: all of it, a part of it, or none of it."""

    GROUNDED = "grounded"
    PARTIALLY_GROUNDED = "partially_grounded"
    UNGROUNDED = "ungrounded"


class FrameStatus(StrEnum):
    """`active`: follow-ups carry from it; `suspended`: a question about it waits for the user; `restored`:
    brought back by undo, its answer is the one given then."""

    ACTIVE = "active"
    SUSPENDED = "suspended"
    RESTORED = "restored"


class MetaQuestionKind(StrEnum):
    """What is asked about an answer: how big or good it is, how it compares, what was said before, how sure
    it is and why not more, or what it means."""

    EVALUATION = "evaluation"
    COMPARISON = "comparison"
    MEMORY_RECAP = "memory_recap"
    BOUNDARY_EXPLANATION = "boundary_explanation"
    ANSWER_INTERPRETATION = "answer_interpretation"


class ClarificationKind(StrEnum):
    """What a pending question waits for: an anchor that was not given (`missing_anchor`), a choice between
    readings or entities (`ambiguous`), a yes to the one reading there is (`confirm_reading`), a yes to a
    program that writes (`confirm_run`), or a yes to what a word is to mean (`confirm_teach`)."""

    MISSING_ANCHOR = "missing_anchor"
    AMBIGUOUS = "ambiguous"
    CONFIRM_READING = "confirm_reading"
    CONFIRM_RUN = "confirm_run"
    CONFIRM_TEACH = "confirm_teach"


class DropReason(StrEnum):
    """Why a pending question is not waited for any more: `self_contained`, a message asked something that
    needs no other; `follow_up`, a message went on from the last answered slice; `abandoned`, something else
    was asked for or written, and that takes its place."""

    SELF_CONTAINED = "self_contained"
    FOLLOW_UP = "follow_up"
    ABANDONED = "abandoned"


class ResumeFrame(StrEnum):
    """Which frame a suspended request opens when it is resumed."""

    ROOT = "root"
    OBJECT = "object"
    PROGRAM = "program"


class EvidenceSource(StrEnum):
    """Where a piece of evidence was found. The graph's wire name is `neo4j`, whatever store answers."""

    DB = "db"
    GRAPH = "neo4j"
    DOC = "doc"
    POLICY = "policy"


class Origin(StrEnum):
    """Where the value of an argument came from; the carryover depth says which origins a turn may use."""

    MESSAGE = "message"
    ROOT_FRAME = "root_frame"
    OBJECT_FRAME = "object_frame"
    CLARIFICATION = "clarification"
    ANSWER = "answer"
    SESSION_SCOPE = "session_scope"
    PROGRAM = "program"


class Move(StrEnum):
    """What a turn does. Several classes may make the same move."""

    ANSWER = "answer"
    RUN = "run"
    TALK = "talk"
    ABOUT_ANSWER = "about_answer"
    RECAP = "recap"
    LACK = "lack"
    CLEAR = "clear"
    CANCEL = "cancel"
    UNDO = "undo"
    EDIT = "edit"
    HELP = "help"
    NONE = "none"
    SKIP = "skip"
    CREATE = "create"
    SEARCH = "search"
    EXTEND = "extend"
    CONFIRM = "confirm"
    ASK_TO_WRITE = "ask_to_write"
    RESOLVE = "resolve"
    TEACH = "teach"


class Signal(StrEnum):
    """What was noticed about a message, alone or against the session; entry conditions are made of these."""

    CHAT = "chat"
    DATA_SCOPE = "data_scope"
    SCOPE_CHOICE = "scope_choice"
    REQUEST = "request"
    SELF_CONTAINED = "self_contained"
    OPENS_ROOT = "opens_root"
    SHIFT = "shift"
    SAME_DOMAIN = "same_domain"
    OTHER_DOMAIN = "other_domain"
    OBJECT_NAMED = "object_named"
    OBJECT_PICKED = "object_picked"
    ACTION = "action"
    ANAPHOR = "anaphor"
    FITS_CLARIFICATION = "fits_clarification"
    ABOUT_ANSWER = "about_answer"
    RECAP = "recap"
    WRITE_REQUEST = "write_request"
    UNCOVERED = "uncovered"
    EXTEND = "extend"
    RUN = "run"
    TEACH = "teach"
    ESCAPE_CLEAR = "escape_clear"
    ESCAPE_CANCEL = "escape_cancel"
    ESCAPE_UNDO = "escape_undo"
    ESCAPE_EDIT = "escape_edit"
    ESCAPE_HELP = "escape_help"
    ESCAPE_SKIP = "escape_skip"
    ESCAPE_CREATE = "escape_create"
    ESCAPE_SEARCH = "escape_search"
    ESCAPE_NONE = "escape_none"


class Prior(StrEnum):
    """A fact about the session before the turn, which a transition may require. A program is `ready` to be
    run where it compiled, and again where its last run failed."""

    ROOT = "root"
    RESULT_SET = "result_set"
    OBJECT = "object"
    OBJECT_OR_RESULT_SET = "object_or_result_set"
    CLARIFICATION = "clarification"
    UNRESOLVED_REFS = "unresolved_refs"
    ANSWER = "answer"
    GROUNDED_ANSWER = "grounded_answer"
    PROGRAM = "program"
    READY = "ready"
    HISTORY = "history"


class Part(StrEnum):
    """A part of the session state that a transition may or may not change. The turn's own record
    (`turn`), its report (`reports`) and what its roles said (`stages`) belong to every turn."""

    LIFECYCLE = "lifecycle"
    TURN = "turn"
    PROGRAM = "program"
    ROOT_FRAME = "root_frame"
    OBJECT_FRAME = "object_frame"
    META_FRAME = "meta_frame"
    CLARIFICATION = "clarification"
    ATTEMPT = "attempt"
    DEFAULT_SCOPE = "default_scope"
    REFERENCE_DATE = "reference_date"
    ANSWERS = "answers"
    GATE = "gate"
    REPORTS = "reports"
    STAGES = "stages"


class Forbidden(StrEnum):
    """What a transition must not do. Each has a check of its own, run on every turn of that class."""

    RUN_ROUTE = "run_route"
    STALE_FOCUS = "stale_focus"
    STALE_SCOPE = "stale_scope"
    UNKNOWN_DOWNGRADE = "unknown_downgrade"
    UNANSWERED_ANTECEDENT = "unanswered_antecedent"
    FOREIGN_PROVENANCE = "foreign_provenance"
    CHAT_FALLBACK = "chat_fallback"
    PRONOUN_SEARCH = "pronoun_search"
    OBJECT_ROUTE_REPLAY = "object_route_replay"
    FORGET_TARGET = "forget_target"
    RAISE_TRUTH = "raise_truth"
    INVENT_MEMORY = "invent_memory"
    SOUND_CONFIRMED = "sound_confirmed"
    ZERO_FOR_MISSING = "zero_for_missing"
    FORGET_ANSWERS = "forget_answers"
    FORGET_HISTORY = "forget_history"
    UNASKED_WRITE = "unasked_write"
    UNASKED_WORD = "unasked_word"
    OTHER_PROGRAM = "other_program"


class TurnStatus(StrEnum):
    """`none` before the first turn; `open` while a turn is folded; `closed` when it ended; `abandoned` when
    its process died before any effect; `settled` when it died with an effect, which was then looked up."""

    NONE = "none"
    OPEN = "open"
    CLOSED = "closed"
    ABANDONED = "abandoned"
    SETTLED = "settled"


class EffectOutcome(StrEnum):
    """What became of an effect outside the store: it happened, it did not, or nobody could tell."""

    DONE = "done"
    UNDONE = "undone"
    UNKNOWN = "unknown"


class ModelOutcome(StrEnum):
    """What became of asking a model."""

    PROGRAM = "program"
    """It wrote a program that compiles."""
    CHOICE = "choice"
    """It chose among the readings of the embedded planners."""
    QUESTION = "question"
    """It asks which of several programs is meant."""
    ROLE = "role"
    """It handed over what its role had to."""
    NOTHING = "nothing"
    """It says that no program answers the message."""
    REFUSED = "refused"
    """What it wrote did not pass the guards, nor what it wrote instead."""
    EMPTY = "empty"
    FAILED = "failed"
    """No provider answered."""
