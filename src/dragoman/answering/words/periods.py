"""Days in words: `in March 2024`, `on 5 March 2024`, `since 1 December 2025`."""

import datetime as dt

from dragoman.answering.words.vocabulary import Words


def period_in_words(first: dt.date, last: dt.date, words: Words) -> str:
    """Two days, both included, by the shortest name of the time between them."""
    if first == last:
        return words.put("on_day", day=words.phrases.day(first))
    if last == dt.date.max:
        return words.put("since", day=words.phrases.day(first))
    if first == dt.date.min:
        return words.put("until", day=words.phrases.day(last))
    whole = _whole(first, last)
    match whole:
        case 12:
            return words.put("in_year", year=first.year)
        case 3:
            return words.put("in_quarter", quarter=first.month // 3 + 1, year=first.year)
        case 1:
            month = words.listed("month_names")[first.month - 1]
            in_month = words.listed("in_months")[first.month - 1]
            return words.put("in_month", month=month, in_month=in_month, year=first.year)
    start, end = words.phrases.day(first), words.phrases.day(last)
    return words.put("from_to", start=start, end=end)


def _whole(first: dt.date, last: dt.date) -> int:
    """How many months these days are, where they are one calendar year, quarter or month; otherwise 0."""
    if first.day != 1 or first.year != last.year or _is_inside_month(last):
        return 0
    months = last.month - first.month + 1
    return months if months in (1, 3, 12) and (first.month - 1) % months == 0 else 0


def _is_inside_month(day: dt.date) -> bool:
    return day != dt.date.max and (day + dt.timedelta(1)).day != 1
