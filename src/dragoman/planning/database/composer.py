"""Frames from a sketch whose names are chosen: what is asked of which table, and what must hold."""

import datetime as dt
from collections.abc import Iterator

from dragoman.contracts.record import Record
from dragoman.planning.database.draft.columns import show_columns
from dragoman.planning.database.draft.comparisons import average_in_period, compare_numbers
from dragoman.planning.database.draft.current_rows import hold_current
from dragoman.planning.database.draft.dates import hold_periods
from dragoman.planning.database.draft.done_verbs import hold_done
from dragoman.planning.database.draft.durations import measure_durations
from dragoman.planning.database.draft.either import any_is_enough
from dragoman.planning.database.draft.either_way import hold_either_way
from dragoman.planning.database.draft.figure_frames import figure_frame, gather_by_having, share_frame
from dragoman.planning.database.draft.groups import gather_groups, gather_own_rows
from dragoman.planning.database.draft.likeness import hold_likeness
from dragoman.planning.database.draft.list_frames import list_frame
from dragoman.planning.database.draft.measures import measure_figures
from dragoman.planning.database.draft.near_values import doubt_far_values
from dragoman.planning.database.draft.orders import sort_rows
from dragoman.planning.database.draft.others import hold_others, others_frame
from dragoman.planning.database.draft.people import is_people
from dragoman.planning.database.draft.presence import leave_out_absent, link_rows
from dragoman.planning.database.draft.ranks import rank_rows
from dragoman.planning.database.draft.ratios import divide_figures
from dragoman.planning.database.draft.rows_below import hold_below, without_below
from dragoman.planning.database.draft.self_links import find_self_link
from dragoman.planning.database.draft.subject import subject_of
from dragoman.planning.database.draft.values import hold_texts, keep_values, read_number
from dragoman.planning.database.draft.ways import lead_through
from dragoman.planning.database.draft.work import Asked, Work
from dragoman.planning.database.frame import Aggregate, Frame, Ref
from dragoman.planning.database.joins import Joins
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.resolver import Chosen, said_together
from dragoman.planning.database.segments import is_weak
from dragoman.planning.database.sketch import Sketch
from dragoman.planning.database.vocabulary import Words
from dragoman.planning.tables.cues import linking_words

_LOST_RANK = 0.5
_LOOSE_ORDER = 0.3
_ANYBODY = 0.4
_FAR_PART = 0.3


class Draft(Record, frozen=True, gc=True):
    """A frame, what its choices cost, and what was guessed."""

    frame: Frame
    cost: float = 0.0
    guesses: tuple[str, ...] = ()
    explicit: bool = False
    """Only columns are asked for, by name."""


class Composer:
    """Builds the frame of one sketch with one choice of names."""

    def __init__(
        self, sketch: Sketch, chosen: Chosen, knowledge: Knowledge, joins: Joins, words: Words, today: dt.date
    ) -> None:
        self._asked = without_below(Asked(sketch, chosen, knowledge, joins, words, today))

    def drafts(self) -> Iterator[Draft]:
        """Of money that may be of two kinds, one of each; of amounts that may be those of now or of all times
        together, too."""
        subject = subject_of(self._asked)
        if subject is None:
            return
        sketch = self._asked.sketch
        left, dropped = list(sketch.uncovered), list(sketch.dropped)
        work = Work(self._asked, subject)
        yield from self._drafted(work)
        if work.either_money:
            sketch.uncovered[:], sketch.dropped[:] = left, dropped
            yield from self._drafted(Work(self._asked, subject, other_money=True))
        if work.either_time:
            sketch.uncovered[:], sketch.dropped[:] = left, dropped
            yield from self._drafted(Work(self._asked, subject, only_current=True))

    def _drafted(self, work: Work) -> Iterator[Draft]:
        """The steps in their order: each builds on what those before it found."""
        _doubt_weak_names(work)
        _doubt_far_parts(work)
        read_number(work)
        find_self_link(work)
        keep_values(work)
        hold_texts(work)
        compare_numbers(work)
        leave_out_absent(work)
        hold_done(work)
        link_rows(work)
        hold_likeness(work)
        hold_others(work)
        measure_figures(work)
        _doubt_people(work)
        gather_groups(work)
        measure_durations(work)
        doubt_far_values(work)
        divide_figures(work)
        rank_rows(work)
        sort_rows(work)
        hold_below(work)
        lead_through(work)
        hold_periods(work)
        average_in_period(work)
        lead_through(work)
        show_columns(work)
        hold_current(work)
        average_in_period(work)
        hold_either_way(work)
        frame = _frame(work)
        _doubt_order(work)
        if frame is not None:
            frame = any_is_enough(work, frame)
            if _is_rank_lost(work, frame):
                work.cost += _LOST_RANK
                work.sketch.uncovered.extend(each.words for each in work.sketch.ranked[:1])
            yield Draft(frame, work.cost, tuple(work.guesses), self._asked.explicit)


def _doubt_weak_names(work: Work) -> None:
    """A name by another word for it is a guess, unless it is said in two pieces."""
    slots = work.sketch.slots()
    together = said_together(slots, work.asked.chosen.things)
    for slot in slots:
        thing = work.asked.thing(slot)
        if thing is not None and thing.number in together:
            continue
        # A verb that only links what is named need not name anything: who lives where.
        if thing is None or slot.segment.text.casefold() in (*linking_words(), "times"):
            continue
        if is_weak(slot.segment, thing):
            work.guess("word")


def _doubt_people(work: Work) -> None:
    """ "Who is still here", where nothing is named and there are people of several kinds: any of them."""
    asked = work.asked
    told = asked.sketch.verbs or asked.sketch.dated or asked.chosen.tables or asked.sketch.slots()
    if not asked.sketch.who or told:
        return
    tables = asked.joins.graph.tables.values()
    if len([table for table in tables if is_people(asked, table)]) > 1:
        work.guess("table", _ANYBODY)


def _doubt_order(work: Work) -> None:
    """Texts that write dates with one digit are in order of years, and not of days."""
    for order in work.order:
        form = work.knowledge.form(order.key.thing) if isinstance(order.key, Ref) else None
        if form is not None and not form.in_order:
            work.guess("date", _LOOSE_ORDER)


def _doubt_far_parts(work: Work) -> None:
    """ "Who manages the Harbour branch": a part that branches have themselves is meant first."""
    asked = work.asked
    tables = {values[0].thing.table.key for values in asked.chosen.values.values()}
    for slot in asked.sketch.context if asked.sketch.who and len(tables) == 1 else ():
        thing = asked.thing(slot)
        if thing is None or thing.table.key in tables or not asked.knowledge.is_role(thing):
            continue
        others = (name.thing for name in slot.segment.names if name.thing.table.key in tables)
        if any(other.column is not None and asked.knowledge.is_role(other) for other in others):
            work.cost += _FAR_PART


def _frame(work: Work) -> Frame | None:
    """A share, a figure or a list."""
    sketch = work.sketch
    subject = work.base or work.subject
    gather_own_rows(work)
    if sketch.share:
        return share_frame(work, subject)
    if work.having and not work.groups and not sketch.counts:
        gather_by_having(work)
    if work.measures or work.groups:
        return figure_frame(work, subject)
    return others_frame(work, list_frame(work, subject))


def _is_rank_lost(work: Work, frame: Frame) -> bool:
    """Whether a superlative is said, and nothing is sorted or measured by it."""
    ends = any(measure.aggregate in (Aggregate.MIN, Aggregate.MAX) for measure in frame.measures)
    said = any(ranked.limit != 0 for ranked in work.sketch.ranked)
    return said and not (frame.order or ends or frame.having)
