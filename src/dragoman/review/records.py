"""What the second reader takes from a message and from a program, and what it says of both."""

from enum import StrEnum

from dragoman.contracts.program import Program
from dragoman.contracts.record import Record


class Code(StrEnum):
    """Every objection there is. `_missing`: the message demands it; `_unasked`: only the program says it."""

    NEGATION_MISSING = "negation_missing"
    NUMBER_MISSING = "number_missing"
    LIMIT_MISSING = "limit_missing"
    PERIOD_MISSING = "period_missing"
    SUPERLATIVE_MISSING = "superlative_missing"
    DIRECTION_MISSING = "direction_missing"
    ORDER_MISSING = "order_missing"
    MEASURE_MISSING = "measure_missing"
    GROUP_MISSING = "group_missing"
    DISTINCT_MISSING = "distinct_missing"
    VALUE_MISSING = "value_missing"
    NAME_MISSING = "name_missing"
    BOTH_MISSING = "both_missing"
    UNIT_MISSING = "unit_missing"
    SHOWN_MISSING = "shown_missing"
    COUNTED_MISSING = "counted_missing"
    ROLE_MISSING = "role_missing"
    FILTER_UNASKED = "filter_unasked"
    NEGATION_UNASKED = "negation_unasked"
    LIMIT_UNASKED = "limit_unasked"
    ORDER_UNASKED = "order_unasked"
    MEASURE_UNASKED = "measure_unasked"
    GROUP_UNASKED = "group_unasked"
    HAVING_UNASKED = "having_unasked"
    PERIOD_UNASKED = "period_unasked"
    DATE_CONTRADICTED = "date_contradicted"
    PERIOD_AS_NAME = "period_as_name"
    LABEL_MISSING = "label_missing"
    COMPARISON_MISSING = "comparison_missing"
    RANK_MISSING = "rank_missing"
    SHOWN_KNOWN = "shown_known"
    COLUMN_CONTRADICTED = "column_contradicted"
    REPEATED_ROWS = "repeated_rows"


class Demand(Record, frozen=True):
    """Something that the message obliges an answer to. `kind` is the cue, or what was named."""

    kind: str
    words: str
    start: int
    end: int


class Commitment(Record, frozen=True):
    """Something that the program does beside reading a table, as it would be written."""

    kind: str
    part: str


class Said(Record, frozen=True):
    """Something that holds beside the message: `by` is the turn, the scope or the rule it comes from.

    What its program commits to counts as asked for. Without a program, the words of `text` do.
    """

    by: str
    text: str = ""
    program: Program = ()


class Carried(Record, frozen=True):
    """Everything that a turn carries with it."""

    said: tuple[Said, ...] = ()


NOTHING = Carried()


class Granted(Record, frozen=True):
    """A commitment that something carried asked for."""

    commitment: Commitment
    by: str


class Objection(Record, frozen=True):
    """`words` of the message or `part` of the program, whichever it is about; `text` says it to a person."""

    code: Code
    words: str = ""
    part: str = ""
    text: str = ""


class Review(Record, frozen=True):
    """The verdict: without an objection a program may be trusted, as far as it was `read`.

    `read` is false where a statement calls no verb of a table: then only the others were looked at.
    """

    demands: tuple[Demand, ...] = ()
    commitments: tuple[Commitment, ...] = ()
    objections: tuple[Objection, ...] = ()
    granted: tuple[Granted, ...] = ()
    read: bool = True
