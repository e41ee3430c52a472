"""The forms in which people write values in a CSV, told apart by looking at all values of a column.

What fits no form whole stays text; what could be two things is not guessed. Either is said.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, Final

from dragoman.contracts.record import Record
from dragoman.databases.families.files.csv_text import CsvOptions

NO_VALUES: Final = ("NA", "N/A", "n/a", "#N/A", "NULL", "null", "-")
"""What people write where there is no number or date."""
_NEARLY: Final = 0.9
_SAMPLE: Final = 1_000


class Form(StrEnum):
    """Of several that fit, the first in this order is taken."""

    BOOLEAN = "boolean"
    INTEGER = "integer"
    DECIMAL = "decimal"
    FLOAT = "float"
    COMMA = "comma"
    GROUPED = "grouped"
    DATE = "date"
    DATETIME = "datetime"
    INSTANT = "instant"
    TIME = "time"
    DOTTED = "dotted"
    DAY_FIRST = "day_first"
    MONTH_FIRST = "month_first"


_CLOCK = r"( \d{2}:\d{2}(:\d{2})?)?"
_MOMENT = r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?"
_DOTTED = r"\d{1,2}\.\d{1,2}\.\d{4}" + _CLOCK
_SLASHED = r"\d{1,2}/\d{1,2}/\d{4}" + _CLOCK
_FITS: Final = {
    Form.BOOLEAN: "lower({x}) IN ('true', 'false')",
    Form.INTEGER: r"regexp_full_match({x}, '-?(0|[1-9]\d{0,17})')",
    Form.DECIMAL: r"regexp_full_match({x}, '-?(0|[1-9]\d{0,19})(\.\d{1,18})?')",
    Form.FLOAT: r"regexp_full_match({x}, '[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|-?inf|nan') "
    r"AND NOT regexp_matches({x}, '^[+-]?0\d') AND TRY_CAST({x} AS DOUBLE) IS NOT NULL",
    Form.COMMA: r"regexp_full_match({x}, '-?(\d{1,18}|\d{1,3}(\.\d{3})+)(,\d{1,18})?') "
    r"AND NOT regexp_matches({x}, '^-?0\d')",
    Form.GROUPED: r"regexp_full_match({x}, '-?(\d{1,18}|\d{1,3}(,\d{3})+)(\.\d{1,18})?') "
    r"AND NOT regexp_matches({x}, '^-?0\d')",
    Form.DATE: r"regexp_full_match({x}, '\d{4}-\d{2}-\d{2}') AND TRY_CAST({x} AS DATE) IS NOT NULL",
    Form.DATETIME: f"regexp_full_match({{x}}, '{_MOMENT}') AND TRY_CAST({{x}} AS TIMESTAMP) IS NOT NULL",
    Form.INSTANT: f"regexp_full_match({{x}}, '{_MOMENT}(Z|[+-]\\d{{2}}(:?\\d{{2}})?)') "
    "AND TRY_CAST({x} AS TIMESTAMPTZ) IS NOT NULL",
    Form.TIME: r"regexp_full_match({x}, '\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?') "
    "AND TRY_CAST({x} AS TIME) IS NOT NULL",
    Form.DOTTED: f"regexp_full_match({{x}}, '{_DOTTED}') AND {{parsed}} IS NOT NULL",
    Form.DAY_FIRST: f"regexp_full_match({{x}}, '{_SLASHED}') AND {{parsed}} IS NOT NULL",
    Form.MONTH_FIRST: f"regexp_full_match({{x}}, '{_SLASHED}') AND {{parsed}} IS NOT NULL",
}
_PARSED: Final = {
    Form.DOTTED: "%d.%m.%Y",
    Form.DAY_FIRST: "%d/%m/%Y",
    Form.MONTH_FIRST: "%m/%d/%Y",
}
_NUMBERS: Final = frozenset({Form.INTEGER, Form.DECIMAL, Form.FLOAT, Form.COMMA, Form.GROUPED})


class Found(Record, frozen=True):
    """What a column holds: its form, the SQL type, the expression that gives its values, and what there is to
    say of it."""

    form: Form | None
    type: str
    value: str
    note: str = ""


Ask = Callable[[str], Sequence[Any]]
"""Gives the one row of a query."""


def recognised(ask: Ask, relation: str, place: str, options: CsvOptions) -> Found:
    """What a column of a relation holds. Most forms are out after a few rows, and are not looked for in the
    rest."""
    some = f"(SELECT {place} FROM {relation} WHERE {place} IS NOT NULL LIMIT {_SAMPLE})"
    said, *rest = ask(f"SELECT {', '.join(_facts(place, tuple(Form)))} FROM {some}")
    counts = rest[-len(Form) :]
    likely = tuple(form for form, fits in zip(Form, counts, strict=True) if fits >= _NEARLY * said)
    if not likely:
        return Found(None, "VARCHAR", place)
    return _found_in(place, list(ask(f"SELECT {', '.join(_facts(place, likely))} FROM {relation}")), options)


def _facts(place: str, forms: tuple[Form, ...]) -> list[str]:
    """Expressions over all rows, whose values `_found_in` reads."""
    x = f"trim({place})"
    words = ", ".join(f"'{word}'" for word in NO_VALUES)
    there = f"{place} IS NOT NULL AND {x} <> ''"
    said = f"({there} AND {x} NOT IN ({words}))"
    fitting = {form: _counted(f"{said} AND coalesce({_fit(form, x)}, false)") for form in forms}
    fits = [fitting.get(form, "0") for form in Form]
    fraction = f"length({x}) - coalesce(nullif(greatest(strpos({x}, '.'), strpos({x}, ',')), 0), length({x}))"
    comma = rf"regexp_matches({x}, ',')"
    return [
        f"count(*) FILTER (WHERE {said})",
        f"count(*) FILTER (WHERE {there} AND {x} IN ({words}))",
        f"string_agg(DISTINCT CASE WHEN {there} AND {x} IN ({words}) THEN {x} END, ', ')",
        f"max(CASE WHEN {said} THEN {fraction} END)",
        f"max(CASE WHEN {said} THEN length({x}) - coalesce(nullif(strpos({x}, '.'), 0), length({x})) END)",
        f"max(CASE WHEN {said} THEN length(regexp_replace(split_part({x}, '.', 1), '[^0-9]', '', 'g')) END)",
        f"count(*) FILTER (WHERE {said} AND {comma})",
        _counted(rf"{said} AND {comma} AND NOT regexp_full_match({x}, '-?[1-9]\d{{0,2}},\d{{3}}')"),
        f"bool_or({said} AND strpos({x}, ':') > 0)",
        *fits,
    ]


def _counted(condition: str) -> str:
    return f"count(*) FILTER (WHERE {condition})"


def _found_in(place: str, values: list[Any], options: CsvOptions) -> Found:
    """What a column is, by the values of its facts."""
    said, gaps, words, fraction, point, whole, commas, telling, clocks, *counts = values
    plain = Found(None, "VARCHAR", place)
    if not said:
        return plain
    fits = dict(zip(Form, counts, strict=True))
    whole_fits = [form for form in Form if fits[form] == said and _is_meant(form, fits, options, commas)]
    if Form.COMMA in whole_fits[:1] and not telling and options.decimal != "comma":
        return _noted(plain, "1,234 may be a decimal or a thousand: say decimal: comma or decimal: point")
    if {Form.DAY_FIRST, Form.MONTH_FIRST} <= set(whole_fits):
        return _noted(
            plain, "its dates have two readings: say dates: day-first or dates: month-first; text until then"
        )
    if not whole_fits:
        return _nearly(plain, fits, said)
    form = whole_fits[0]
    note = f"{words} read as no value ({gaps:,} rows)" if gaps else ""
    sizes = int(fraction or 0), int(point or 0), int(whole or 0)
    return _typed(form, place, sizes, note, clocks=bool(clocks))


def _is_meant(form: Form, fits: dict[Form, int], options: CsvOptions, commas: int) -> bool:
    match form:
        case Form.COMMA:
            return bool(commas) and options.decimal != "point"
        case Form.GROUPED:
            # What fits both has two readings.
            return bool(commas) and (options.decimal == "point" or fits[Form.COMMA] < fits[Form.GROUPED])
        case Form.DECIMAL | Form.FLOAT:
            return options.decimal != "comma"
        case Form.DAY_FIRST:
            return options.dates != "month-first"
        case Form.MONTH_FIRST:
            return options.dates != "day-first"
        case _:
            return True


def _typed(form: Form, place: str, sizes: tuple[int, int, int], note: str, *, clocks: bool) -> Found:
    fraction, point, whole = sizes
    words = ", ".join(f"'{word}'" for word in NO_VALUES)
    x = f"(CASE WHEN trim({place}) IN ({words}, '') THEN NULL ELSE trim({place}) END)"
    moment = "TIMESTAMP" if clocks else "DATE"
    digits = f"DECIMAL({min(38, max(1, whole + fraction))},{fraction})"
    match form:
        case Form.COMMA:
            number = f"replace(replace({x}, '.', ''), ',', '.')"
            return Found(form, f"DECIMAL(38,{fraction})", f"CAST({number} AS DECIMAL(38,{fraction}))", note)
        case Form.GROUPED:
            number = f"replace({x}, ',', '')"
            return Found(form, f"DECIMAL(38,{point})", f"CAST({number} AS DECIMAL(38,{point}))", note)
        case Form.DOTTED | Form.DAY_FIRST | Form.MONTH_FIRST:
            return Found(form, moment, f"CAST({_parsed(form, x)} AS {moment})", note)
        case Form.DECIMAL:
            return Found(form, digits, f"CAST({x} AS {digits})", note)
        case _:
            kind = _TYPES[form]
            return Found(form, kind, f"CAST({x} AS {kind})", note)


_TYPES: Final = {
    Form.BOOLEAN: "BOOLEAN",
    Form.INTEGER: "BIGINT",
    Form.FLOAT: "DOUBLE",
    Form.DATE: "DATE",
    Form.DATETIME: "TIMESTAMP",
    Form.INSTANT: "TIMESTAMP WITH TIME ZONE",
    Form.TIME: "TIME",
}


def _nearly(plain: Found, fits: dict[Form, int], said: int) -> Found:
    """A column of text that is nearly something else is said to be: a slip may have made it text."""
    form = max(Form, key=lambda each: fits[each])
    odd = said - fits[form]
    if fits[form] < _NEARLY * said or not odd:
        return plain
    what = "number" if form in _NUMBERS else "date or time"
    return _noted(plain, f"text, since {odd:,} of {said:,} values are no {what}")


def _noted(found: Found, note: str) -> Found:
    return Found(found.form, found.type, found.value, note)


def _fit(form: Form, x: str) -> str:
    fit = _FITS[form].replace("{x}", x)
    return fit.replace("{parsed}", _parsed(form, x)) if form in _PARSED else fit


def _parsed(form: Form, x: str) -> str:
    day = _PARSED[form]
    return f"try_strptime({x}, ['{day}', '{day} %H:%M', '{day} %H:%M:%S'])"
