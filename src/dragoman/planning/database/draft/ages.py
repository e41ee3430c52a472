"""Ages where only the day of birth is known."""

import datetime as dt

from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Aggregate, Condition, Measure, Ref
from dragoman.planning.database.sketch import Compared
from dragoman.planning.tables.schema_names import Thing

_YEAR = 365.25
_ENDS = (Aggregate.MIN, Aggregate.MAX)


def is_birth(work: Work, thing: Thing) -> bool:
    return thing.is_date and bool(work.asked.words.birth & set(thing.words))


def age_figure(work: Work, thing: Thing, aggregate: Aggregate) -> Measure | None:
    """The average age, the highest age: the days from birth to today, in years."""
    if not is_birth(work, thing):
        return None
    if aggregate is Aggregate.AVERAGE or (aggregate in _ENDS and "age" in work.sketch.said_stems()):
        return Measure(aggregate, days=(work.asked.today, Ref(thing)), divisor=_YEAR)
    return None


def compare_age(work: Work, compared: Compared, ref: Ref) -> Condition | None:
    """ "Older than 60": born before this day 60 years ago. Whoever is at most 60 is not 61 yet."""
    if not is_birth(work, ref.thing) or not compared.numbers:
        return None
    least, most = compared.numbers[0], compared.numbers[-1]
    today, one = work.asked.today, dt.timedelta(days=1)
    days: tuple[dt.date | None, dt.date | None]
    match compared.operation:
        case "above":
            days = (None, _before(today, least) - one)
        case "at-least":
            days = (None, _before(today, least))
        case "below":
            days = (_before(today, least) + one, None)
        case "at-most":
            days = (_before(today, least + 1) + one, None)
        case "between" | "equal":
            days = (_before(today, most + 1) + one, _before(today, least))
        case _:
            return None
    return Condition(ref, "days", days, compared.negative)


def _before(today: dt.date, years: float) -> dt.date:
    year = today.year - int(years)
    # Who is born on the 29th of February is a year older on the day before the 1st of March.
    return today.replace(year=year, day=min(today.day, 28)) if today.month == 2 else today.replace(year=year)
