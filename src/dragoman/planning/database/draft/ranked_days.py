"""The hottest day, the busiest month: times ranked by what was measured then, or by how much was done."""

from dragoman.contracts.schema import ValueType
from dragoman.planning.database.draft.adjectives import graded_column, is_graded
from dragoman.planning.database.draft.groups import gather_by_figure
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Aggregate, Group, Measure, Order, Ref
from dragoman.planning.database.sketch import Ranked
from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.verbs import DatePart


def rank_days(work: Work, ranked: Ranked) -> bool:
    """Whether the parts of a date that rows are gathered by are what is ranked."""
    adjective, groups = ranked.adjective, work.groups
    if adjective is None or len(groups) != 1 or work.measures or not _is_timely(groups[0]):
        return False
    date = groups[0].ref.thing if groups[0].ref is not None else None
    if date is None:
        return False
    if is_graded(work.asked, adjective, date.table):
        found = graded_column(work.asked, adjective, date.table)
        if found is None or groups[0].part not in (None, DatePart.DAY) or not _is_once(work, date):
            return False
        work.groups, work.base = [], date.table
        work.shown += [Ref(date), Ref(found[0])]
        work.order.append(Order(Ref(found[0]), ranked.descending != found[1]))
        return True
    if ranked.words not in english().busiest or _is_once(work, date):
        return False
    gather_by_figure(work, Measure(Aggregate.COUNT, counts=work.subject), ranked.descending)
    return True


def day_of(date: Thing) -> DatePart | None:
    """The day of a date, where it has a time too."""
    dated = date.column is not None and date.column.type is ValueType.DATE
    return None if dated else DatePart.DAY


def _is_timely(group: Group) -> bool:
    return group.ref is not None and group.ref.thing.is_date


def _is_once(work: Work, date: Thing) -> bool:
    """Whether every day has one row: of weather, of rates."""
    column, info = date.column, date.table.info
    if column is None or column.type is not ValueType.DATE:
        return False
    alone = column.info.unique or info.primary_key == (column.info.name,)
    return alone or (info.rows is not None and column.info.distinct == info.rows)
