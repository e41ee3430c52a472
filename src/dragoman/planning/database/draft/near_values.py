"""Values that the measured rows have themselves, and rows far from them too: their own are meant."""

from dragoman.planning.database.draft.work import Work

_FAR = 0.4
_SAME = 0.01


def doubt_far_values(work: Work) -> None:
    """ "How much did the gold plan bring in": the plan of what is measured, not that of what many rows
    lead to."""
    tables = {measure.table.key: measure.table for measure in work.measures if measure.table is not None}
    if len(tables) != 1:
        return
    (measured,) = tables.values()
    for kept in work.sketch.kept:
        values = work.asked.chosen.values.get(id(kept), ())
        if not values or values[0].thing.table.key == measured.key:
            continue
        way = work.joins.way(measured, values[0].thing.table)
        least = values[0].score - _SAME
        own = any(
            each.thing.table.key == measured.key and each.score >= least for each in kept.segment.values
        )
        if own and (way is None or not way.single):
            work.cost += _FAR
