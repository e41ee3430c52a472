"""How each type of PostgreSQL is read: what the server is asked for, and what the run's database makes of it.

The scanner reads most types exactly. It takes NaN for nought, has no decimal beyond 38 digits, lets late
moments wrap around, and takes the blanks off padded texts: those are asked for in another way, or watched.
"""

import dataclasses
from collections.abc import Collection

import msgspec

from dragoman.contracts.flow import ColumnWarning, FlowColumn
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.databases.access.native_types import value_type
from dragoman.engine.carriers import MAX_DIGITS
from dragoman.engine.components.postgres.description import Described, ServerType
from dragoman.engine.components.postgres.faults import mark
from dragoman.engine.components.postgres.table_name import identifier, string
from dragoman.engine.run_database import literal

NAN_TO_NULL = "nan_to_null"
INFINITY_TO_NULL = "infinity_to_null"

_INTEGERS = {"int2": 16, "int4": 32, "int8": 64}
_FLOATS = {"float4": 32, "float8": 64}
_HEADER = 4
"""What PostgreSQL adds to a declared length to make the modifier of the type."""

_CLOCK = """CASE WHEN extract(year FROM {0}) = 0 AND extract(month FROM {0}) = 0 AND extract(day FROM {0}) = 0
 THEN CASE WHEN {0} < '0' THEN '-' ELSE '' END
 || to_char(abs(extract(hour FROM {0})), 'FM99999999900') || ':'
 || to_char(abs(extract(minute FROM {0})), 'FM00') || ':'
 || rtrim(to_char(abs(extract(second FROM {0})), 'FM00.999999'), '.')
 ELSE {0}::text END"""


@dataclasses.dataclass(frozen=True)
class ColumnReading:
    """`asked` is an expression on the server, `taken` one in DuckDB, of the column `c<number>`."""

    column: FlowColumn
    asked: str
    taken: str
    warnings: tuple[ColumnWarning, ...] = ()


def reading_of(told: Described, number: int, convert: Collection[str], *, nullable: bool) -> ColumnReading:
    """How the column is read that comes in this place."""
    plan = _Plan(told, number, frozenset(convert), nullable)
    server = told.type
    if server.builtin and server.kind == "b" and server.category != "A":
        return plan.builtin()
    return plan.as_text()


class _Plan:
    def __init__(self, told: Described, number: int, convert: frozenset[str], nullable: bool) -> None:
        self.told = told
        self.number = number
        self.convert = convert
        self.nullable = nullable
        self.name = identifier(told.name)
        self.in_duckdb = f"c{number}"

    def builtin(self) -> ColumnReading:
        server = self.told.type
        match server.name:
            case "bool" | "bytea" | "text" | "name":
                return self._plain(_PLAIN[server.name])
            case "int2" | "int4" | "int8":
                return self._plain(ValueType.INTEGER, bits=_INTEGERS[server.name])
            case "oid":
                column = self._column(ValueType.INTEGER, bits=32, signed=False)
                return self._reading(column, f"{self.name}::int8", f"{self.in_duckdb}::UINTEGER")
            case "float4" | "float8":
                return self._float(_FLOATS[server.name])
            case "numeric":
                return self._numeric(server.typmod)
            case "money":
                return self._reading(self._column(ValueType.DECIMAL), f"{self.name}::numeric::text")
            case "date" | "timestamp" | "timestamptz":
                return self._moment(*_MOMENTS[server.name])
            case "time":
                taken = self._watched(f"{self.in_duckdb} = TIME '24:00:00'", "midnight")
                return self._reading(self._column(ValueType.TIME), self.name, taken)
            case "interval":
                return self._interval()
            case "uuid":
                return self._reading(self._column(ValueType.UUID), self.name, f"{self.in_duckdb}::VARCHAR")
            case "json" | "jsonb":
                return self._reading(self._column(ValueType.JSON), f"{self.name}::text")
            case "varchar":
                return self._plain(ValueType.TEXT, length=_length(server))
            case "bpchar":
                # A cast would take the blanks off.
                column = self._column(ValueType.TEXT, length=_length(server))
                return self._reading(column, f"textin(bpcharout({self.name}))")
            case _:
                return self.as_text()

    def as_text(self) -> ColumnReading:
        """As the server writes it: arrays, ranges, enumerations, what extensions add."""
        server = self.told.type
        held = ValueType.OTHER
        plain_text = server.builtin and value_type(Dialect.POSTGRES, server.plain) is ValueType.TEXT
        if server.kind == "e" or server.name == "citext" or plain_text:
            held = ValueType.TEXT
        return self._reading(self._column(held), f"{self.name}::text")

    def _numeric(self, typmod: int) -> ColumnReading:
        """Only those without a size can be infinite; any can be NaN."""
        size = decimal_size(typmod)
        if size is None or size[0] > MAX_DIGITS:
            column = self._column(
                ValueType.DECIMAL, precision=size[0] if size else None, scale=size[1] if size else None
            )
            asked, warnings = self._without(
                self.name, {NAN_TO_NULL: ("NaN",), INFINITY_TO_NULL: ("Infinity", "-Infinity")}
            )
            return self._reading(column, f"({asked})::text", warnings=warnings)
        precision, scale = size
        column = self._column(ValueType.DECIMAL, precision=precision, scale=scale)
        sized = f"numeric({precision},{scale})"
        if NAN_TO_NULL in self.convert:
            asked, warnings = self._without(self.name, {NAN_TO_NULL: ("NaN",)})
            return self._reading(column, f"({asked})::{sized}", warnings=warnings)
        # Not a constant, or the server would work it out before it has met a NaN.
        said = f"({string(mark(self.number, 'nan'))} || {self.name}::text)::{sized}"
        return self._reading(
            column, f"CASE WHEN {self.name} = 'NaN' THEN {said} ELSE {self.name}::{sized} END"
        )

    def _float(self, bits: int) -> ColumnReading:
        asked, warnings = self._without(
            self.name, {NAN_TO_NULL: ("NaN",), INFINITY_TO_NULL: ("Infinity", "-Infinity")}
        )
        return self._reading(self._column(ValueType.FLOAT, bits=bits), asked, warnings=warnings)

    def _moment(self, held: ValueType, first: str, last: str) -> ColumnReading:
        beyond = "beyond" if held is not ValueType.DATE else "infinity"
        value = self.in_duckdb
        outside = self._watched(f"{value} NOT BETWEEN {first} AND {last}", beyond)
        if INFINITY_TO_NULL in self.convert:
            taken = f"CASE WHEN isinf({value}) THEN NULL ELSE {outside} END"
            return self._reading(self._column(held), self.name, taken, (self._warning(INFINITY_TO_NULL),))
        if held is not ValueType.DATE:
            infinite = f"error({literal(mark(self.number, 'infinity'))})"
            outside = (
                f"CASE WHEN {value} NOT BETWEEN {first} AND {last} THEN "
                f"CASE WHEN isinf({value}) THEN {infinite} ELSE "
                f"error({literal(mark(self.number, beyond))}) END ELSE {value} END"
            )
        return self._reading(self._column(held), self.name, outside)

    def _interval(self) -> ColumnReading:
        text = _CLOCK.format(self.name)
        column = self._column(ValueType.INTERVAL)
        if INFINITY_TO_NULL in self.convert:
            asked = f"CASE WHEN isfinite({self.name}) THEN {text} END"
            return self._reading(column, asked, warnings=(self._warning(INFINITY_TO_NULL),))
        said = f"({string(mark(self.number, 'infinity'))} || {self.name}::text)::int4::text"
        asked = f"CASE WHEN NOT isfinite({self.name}) THEN {said} ELSE {text} END"
        return self._reading(column, asked)

    def _without(
        self, value: str, rules: dict[str, tuple[str, ...]]
    ) -> tuple[str, tuple[ColumnWarning, ...]]:
        """The value, and NULL instead of what the rules that were asked for say."""
        asked = [rule for rule in rules if rule in self.convert]
        words = ", ".join(string(word) for rule in asked for word in rules[rule])
        if not asked:
            return value, ()
        kept = f"CASE WHEN {value} IN ({words}) THEN NULL ELSE {value} END"
        return kept, tuple(self._warning(rule) for rule in asked)

    def _watched(self, unfit: str, what: str) -> str:
        said = f"error({literal(mark(self.number, what))})"
        return f"CASE WHEN {unfit} THEN {said} ELSE {self.in_duckdb} END"

    def _warning(self, rule: str) -> ColumnWarning:
        what = "NaN" if rule == NAN_TO_NULL else "infinity"
        return ColumnWarning(self.told.name, rule, f"{what} in {self.told.name} becomes NULL")

    def _plain(self, held: ValueType, *, bits: int = 64, length: int | None = None) -> ColumnReading:
        return self._reading(self._column(held, bits=bits, length=length), self.name)

    def _reading(
        self, column: FlowColumn, asked: str, taken: str = "", warnings: tuple[ColumnWarning, ...] = ()
    ) -> ColumnReading:
        if warnings and not column.nullable:
            column = msgspec.structs.replace(column, nullable=True)
        return ColumnReading(column, asked, taken or self.in_duckdb, warnings)

    def _column(
        self,
        held: ValueType,
        *,
        bits: int = 64,
        signed: bool = True,
        precision: int | None = None,
        scale: int | None = None,
        length: int | None = None,
    ) -> FlowColumn:
        return FlowColumn(
            name=self.told.name,
            type=held,
            precision=precision,
            scale=scale,
            bits=bits,
            signed=signed,
            nullable=self.nullable,
            native=self.told.type.written,
            length=length,
        )


_FIRST = "TIMESTAMP '4714-11-24 (BC) 00:00:00'"
_LAST = "TIMESTAMP '294246-12-31 23:59:59.999999'"
_MOMENTS = {
    "date": (ValueType.DATE, "DATE '4714-11-24 (BC)'", "DATE '5874897-12-31'"),
    "timestamp": (ValueType.DATETIME, _FIRST, _LAST),
    "timestamptz": (ValueType.INSTANT, f"{_FIRST}::TIMESTAMPTZ", f"{_LAST}::TIMESTAMPTZ"),
}
"""The first and the last moment of each type that PostgreSQL can hold."""
_PLAIN = {
    "bool": ValueType.BOOLEAN,
    "bytea": ValueType.BYTES,
    "text": ValueType.TEXT,
    "name": ValueType.TEXT,
}


def decimal_size(typmod: int) -> tuple[int, int] | None:
    """Precision and scale, as any database counts them: a negative scale is more digits before the point, one
    that is larger than the precision is noughts after it."""
    if typmod < _HEADER:
        return None
    precision = ((typmod - _HEADER) >> 16) & 0xFFFF
    scale = (((typmod - _HEADER) & 0x7FF) ^ 1024) - 1024
    if scale < 0:
        return precision - scale, 0
    return max(precision, scale), scale


def _length(server: ServerType) -> int | None:
    return server.typmod - _HEADER if server.typmod > _HEADER else None
