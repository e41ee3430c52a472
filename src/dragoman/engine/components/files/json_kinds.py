"""What the columns of JSON lines hold: a number has as many digits as it is written with."""

import pyarrow as pa

from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.carriers import MAX_DIGITS
from dragoman.engine.component import StepContext

_PLAIN = r"regexp_full_match({x}, '-?\d+(\.\d+)?') AND NOT regexp_full_match({x}, '-0+(\.0+)?')"
_NORMAL = r"regexp_replace(regexp_replace(lower({v}), 'e\+?(-?)0*', 'e\1'), '\.0($|e)', '\1')"
_CHECKS = {
    "text": "{x}[1] = '\"'",
    "boolean": "{x} IN ('true', 'false')",
    "integer": "CAST(TRY_CAST({x} AS BIGINT) AS VARCHAR) = {x}",
    "unsigned": "CAST(TRY_CAST({x} AS UBIGINT) AS VARCHAR) = {x}",
    "plain": _PLAIN,
    "float": _NORMAL.replace("{v}", "{x}")
    + " = "
    + _NORMAL.replace("{v}", "CAST(TRY_CAST({x} AS DOUBLE) AS VARCHAR)"),
}
_FRACTION = "length({x}) - coalesce(nullif(strpos({x}, '.'), 0), length({x}))"
_DIGITS = "length(ltrim({x}, '-')) - (strpos({x}, '.') > 0)::INTEGER"


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
        kept = [check for check, passed in self.passed.items() if passed]
        checks = [f"bool_and(coalesce({_CHECKS[check].replace('{x}', 'x')}, false))" for check in kept]
        facts = [
            f"max({_FRACTION.replace('{x}', 'x')})",
            f"max({_DIGITS.replace('{x}', 'x')} - ({_FRACTION.replace('{x}', 'x')}))",
        ]
        asked = ", ".join([*facts, *checks])
        found = context.lane.execute(f"SELECT {asked} FROM {name} WHERE x IS NOT NULL").fetchone() or ()
        context.lane.connection.unregister(name)
        self.filled = True
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
