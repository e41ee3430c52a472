"""What both profiles share: the codes of all that can be wrong, the limits, the refusal and the warning."""

from enum import StrEnum

from dragoman.contracts.record import Record

MAX_CHARACTERS = 32 * 1024 * 1024
MAX_DEPTH = 256
MAX_INTEGER_DIGITS = 1000


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
    KEYS_MISSING = "required_keys_missing"
    CONTRACT = "contract_not_satisfied"


class JsonRefusal(Record, frozen=True):
    """A text that is not taken: why, and where in it (an offset in code points)."""

    code: JsonCode
    message: str
    offset: int = 0


class JsonRefused(Exception):
    """Carries a refusal out of the middle of a reading; never leaves this package."""

    def __init__(self, code: JsonCode, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.refusal = JsonRefusal(code, message, offset)
