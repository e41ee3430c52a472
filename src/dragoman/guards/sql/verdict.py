"""What is said of a query: whether it may run, why not, and the text that runs in its place."""

from enum import StrEnum

from dragoman.contracts.record import Record


class SqlDecision(StrEnum):
    ALLOW = "allow"
    DENY = "deny"


class SqlCode(StrEnum):
    """Why a query is denied; the checks are made in about this order, and the first that fails speaks."""

    NOT_TEXT = "not_text"
    EMPTY = "empty_query"
    TOO_LONG = "query_too_long"
    CHARACTER = "unsafe_character"
    EXECUTABLE_COMMENT = "executable_comment"
    TEMPLATE = "template"
    UNREADABLE = "unreadable"
    TOO_DEEP = "too_deep"
    TOO_COMPLEX = "too_complex"
    TOO_MANY_JOINS = "too_many_joins"
    TOO_MANY_CTES = "too_many_ctes"
    TOO_MANY_SET_OPERATIONS = "too_many_set_operations"
    SEVERAL_STATEMENTS = "several_statements"
    NOT_A_QUERY = "not_a_query"
    CHANGES_DATA = "changes_data"
    INTO = "into"
    LOCK = "lock"
    VARIABLE = "variable"
    HINT = "hint"
    OPERATOR = "operator"
    TYPE = "type_not_allowed"
    FIELD = "field_not_allowed"
    CONSTRUCT = "construct_not_allowed"
    FUNCTION = "function_not_allowed"
    TABLE_FUNCTION = "table_function_not_allowed"
    FILE = "file_as_table"
    SYSTEM_CATALOG = "system_catalog"
    TABLE = "table_not_allowed"
    TWO_READINGS = "two_readings"


class Refusal(Record, frozen=True):
    """The first thing found wrong. The reason names the offending part in words."""

    code: SqlCode
    reason: str


class SqlVerdict(Record, frozen=True):
    """`sql` is what must run: written anew from what was understood. What was given must never run."""

    verdict: SqlDecision
    code: SqlCode | None
    reason: str
    sql: str | None = None

    @property
    def is_allowed(self) -> bool:
        return self.verdict is SqlDecision.ALLOW


def denied(refusal: Refusal) -> SqlVerdict:
    return SqlVerdict(SqlDecision.DENY, refusal.code, refusal.reason)


def allowed(sql: str) -> SqlVerdict:
    return SqlVerdict(SqlDecision.ALLOW, None, "the query only reads what it may", sql)


def shown(name: str, longest: int = 60) -> str:
    """A name of the query in a reason: short, and nothing in it that a terminal would act on."""
    plain = "".join(character if character.isprintable() else "�" for character in name)
    return plain if len(plain) <= longest else plain[: longest - 1] + "…"
