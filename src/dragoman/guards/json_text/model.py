"""What both profiles share: the codes of all that can be wrong, the limits, the refusal and the warning."""

from enum import StrEnum

from dragoman.contracts.errors import InternalSignal
from dragoman.contracts.record import Record

MAX_CHARACTERS = 32 * 1024 * 1024
MAX_DEPTH = 256
MAX_INTEGER_DIGITS = 1000
MAX_REPAIRS_TOLD = 100


class JsonCode(StrEnum):
    """Why there is no value. A code means the same in both profiles."""

    NO_OBJECT = "no_json_object_found"
    ROOT_NOT_OBJECT = "root_not_object"
    TRUNCATED = "truncated_json"
    SYNTAX = "invalid_json"
    DUPLICATE_KEY = "duplicate_key"
    NOT_FINITE = "non_finite_number"
    OVERFLOW = "number_overflow"
    INTEGER_TOO_LONG = "integer_too_long"
    LONE_SURROGATE = "lone_surrogate"
    CONTROL_CHARACTER = "control_character"
    TOO_DEEP = "too_deep"
    TOO_LARGE = "input_too_large"
    TANGLED = "too_tangled"
    KEYS_MISSING = "required_keys_missing"
    CONTRACT = "contract_not_satisfied"


class RepairCode(StrEnum):
    """What the lenient profile mends: each has a single reading."""

    TRAILING_COMMA = "trailing_comma"
    COMMENT = "comment"
    SINGLE_QUOTES = "single_quotes"
    SMART_QUOTES = "smart_quotes"
    PYTHON_LITERAL = "python_literal"
    UNQUOTED_KEY = "unquoted_key"
    RAW_NEWLINE = "raw_newline"
    RAW_TAB = "raw_tab"
    NUMBER_FORM = "number_form"
    ODD_SPACE = "odd_space"
    DUPLICATE_KEY = "duplicate_key"
    MORE = "more_repairs"


class Repair(Record, frozen=True):
    """Something mended, and where."""

    code: RepairCode
    offset: int


class Repairs(Record, frozen=True):
    """What was mended: the first ones, and how many there were in all."""

    first: tuple[Repair, ...] = ()
    total: int = 0


class JsonRefusal(Record, frozen=True):
    """A text that is not taken: why, and where in it (an offset in code points)."""

    code: JsonCode
    message: str
    offset: int = 0


class JsonRefused(InternalSignal):
    """Carries a refusal out of the middle of a reading; never leaves this package."""

    def __init__(self, code: JsonCode, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.refusal = JsonRefusal(code, message, offset)
