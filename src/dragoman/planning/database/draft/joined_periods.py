"""Periods that are said one behind the other: any of them is meant."""

import datetime as dt

from msgspec.structs import replace

from dragoman.planning.database.frame import Condition
from dragoman.planning.database.sketch import Dated
from dragoman.tables.verbs import DatePart

_DAY = dt.timedelta(days=1)


def joined_groups(dated: list[Dated]) -> list[list[Dated]]:
    """Each period with those that are joined to it."""
    found: list[list[Dated]] = []
    for each in dated:
        if each.joined and found:
            found[-1].append(each)
        else:
            found.append([each])
    return found


def either(first: list[Condition], second: list[Condition]) -> list[Condition] | None:
    """One condition for two of the same column; None where there is none."""
    if len(first) != 1 or len(second) != 1:
        return None
    one, other = first[0], second[0]
    if one.ref != other.ref or one.negative != other.negative:
        return None
    if (one.operation, one.part) == (other.operation, other.part) and one.operation in ("part", "equal"):
        return [replace(one, values=tuple(dict.fromkeys((*one.values, *other.values))))]
    ends = [each for condition in (one, other) for each in condition.values if isinstance(each, dt.date)]
    if (one.operation, other.operation) == ("days", "days") and len(ends) == 4:
        earlier, later = sorted((ends[:2], ends[2:]))
        if earlier[1] + _DAY >= later[0]:
            return [replace(one, values=(earlier[0], max(earlier[1], later[1])))]
    years = [*_years(one), *_years(other)]
    whole = bool(_years(one)) and bool(_years(other)) and one.ref.thing.is_date
    return [replace(one, operation="part", values=tuple(years), part=DatePart("year"))] if whole else None


def _years(condition: Condition) -> list[float]:
    """The years that a condition stands for."""
    if condition.operation == "part" and condition.part is DatePart.YEAR:
        return [each for each in condition.values if isinstance(each, float)]
    ends = [each for each in condition.values if isinstance(each, dt.date)]
    if condition.operation != "days" or len(ends) != 2:
        return []
    first, last = ends
    whole = (first.month, first.day, last.month, last.day) == (1, 1, 12, 31)
    return [float(year) for year in range(first.year, last.year + 1)] if whole else []
