"""What the columns of JSON lines hold: a number has as many digits as it is written with."""

import pyarrow as pa

from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.carriers import MAX_DIGITS
from dragoman.engine.component import StepContext

_PLAIN = r"regexp_full_match(x, '-?\d+(\.\d+)?') AND NOT regexp_full_match(x, '-0+(\.0+)?')"
_NORMAL = r"regexp_replace(regexp_replace(lower({v}), 'e\+?(-?)0*', 'e\1'), '\.0($|e)', '\1')"
_CHECKS = {
    "text": "x[1] = '\"'",
    "boolean": "x IN ('true', 'false')",
    "integer": "CAST(TRY_CAST(x AS BIGINT) AS VARCHAR) = x",
    "unsigned": "CAST(TRY_CAST(x AS UBIGINT) AS VARCHAR) = x",
    "plain": _PLAIN,
    "float": _NORMAL.replace("{v}", "x")
    + " = "
    + _NORMAL.replace("{v}", "CAST(TRY_CAST(x AS DOUBLE) AS VARCHAR)"),
}
_FRACTION = "length(x) - coalesce(nullif(strpos(x, '.'), 0), length(x))"
_DIGITS = "length(ltrim(x, '-')) - (strpos(x, '.') > 0)::INTEGER"


_LEADING = ("text", "boolean", "integer", "unsigned")
"""What most columns are. As long as a column is one of these, only that is asked."""

_EXACT_DIGITS = 15
"""Whole numbers of so many digits are floats as well."""


def _all(check: str) -> str:
    return f"bool_and(coalesce({_CHECKS[check]}, false))"


class SeenJson:
    """What is known of a column: which checks all its values have passed so far."""

    def __init__(self) -> None:
        self.filled = False
        self.passed = dict.fromkeys(_CHECKS, True)
        self.fraction = self.whole = 0

    def look(self, values: pa.Array, context: StepContext) -> None:
        if values.null_count == len(values):
            return
        name = context.lane.registered(pa.table({"x": values}))
        self.filled = True
        leading = next((check for check in _LEADING if self.passed[check]), None)
        if leading is None or not self._goes_on(leading, name, context):
            self._check_all(name, context)
        context.lane.connection.unregister(name)

    def _goes_on(self, leading: str, table: str, context: StepContext) -> bool:
        """Whether all are again what they were. Then what else they can be need not be asked."""
        facts = "max(length(x)), bool_or(starts_with(x, '-'))"
        asked = f"SELECT {_all(leading)}, {facts} FROM {table} WHERE x IS NOT NULL"
        passed, longest, negative = context.lane.execute(asked).fetchone() or (False, 0, False)
        if not passed:
            return False
        whole = leading in ("integer", "unsigned")
        also = {leading, *(("unsigned", "plain") if whole else ())} - ({"unsigned"} if negative else set())
        if whole and longest <= _EXACT_DIGITS:
            also.add("float")
        self.passed = {check: was and check in also for check, was in self.passed.items()}
        self.whole = max(self.whole, longest)
        return True

    def _check_all(self, table: str, context: StepContext) -> None:
        kept = [check for check, passed in self.passed.items() if passed]
        facts = [f"max({_FRACTION})", f"max({_DIGITS} - ({_FRACTION}))"]
        asked = ", ".join([*facts, *map(_all, kept)])
        found = context.lane.execute(f"SELECT {asked} FROM {table} WHERE x IS NOT NULL").fetchone() or ()
        self.fraction, self.whole = max(self.fraction, found[0]), max(self.whole, found[1])
        self.passed |= dict(zip(kept, map(bool, found[2:]), strict=True))

    def column(self, name: str) -> FlowColumn:
        passed = self.passed
        if not self.filled or passed["text"]:
            return FlowColumn(name, ValueType.TEXT, native="string")
        if passed["boolean"]:
            return FlowColumn(name, ValueType.BOOLEAN, native="boolean")
        if passed["integer"]:
            return FlowColumn(name, ValueType.INTEGER, native="number")
        if passed["unsigned"]:
            return FlowColumn(name, ValueType.INTEGER, signed=False, native="number")
        if passed["plain"]:
            digits = self.whole + self.fraction
            precision, scale = (digits, self.fraction) if digits <= MAX_DIGITS else (None, None)
            return FlowColumn(name, ValueType.DECIMAL, precision=precision, scale=scale, native="number")
        if passed["float"]:
            return FlowColumn(name, ValueType.FLOAT, native="number")
        return FlowColumn(name, ValueType.JSON, native="json")
