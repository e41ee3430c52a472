"""Frames of lists: the rows of the subject, and the columns that answer the question."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.draft.adjectives import graded_column
from dragoman.planning.database.draft.calendar_columns import own_year
from dragoman.planning.database.draft.dates import date_column
from dragoman.planning.database.draft.people import doers, who_column
from dragoman.planning.database.draft.row_names import (
    is_list_of,
    is_told_of_each,
    linked_names,
    names_of,
    record_columns,
    whole_name,
)
from dragoman.planning.database.draft.work import Asked, Work
from dragoman.planning.database.frame import Difference, Frame, Ref
from dragoman.planning.database.segments import Piece
from dragoman.planning.database.sketch import Sketch, Slot
from dragoman.planning.database.verb_forms import closeness
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Table

_MOST_PLACES = 3
_YEAR = "year"
_SPOKEN = 0.7
_SEVERAL = 2
"""So many columns together tell rows apart, and are not gathered."""
_SAME_IN_EVERY_ROW = ("equal", "same", "missing", "contains")


@dataclass
class _List:
    """A list in progress."""

    subject: Table
    columns: list[Thing]
    """Columns that are asked for by name."""
    of_rows: bool
    """The rows themselves are asked for, not only columns of theirs."""
    shown: list[Ref]
    everything: bool
    distinct: bool


def list_frame(work: Work, subject: Table) -> Frame:
    sketch = work.sketch
    tables = [table for table in _shown_tables(work.asked) if table is not work.pairs]
    columns = [column for column in _asked_columns(work.asked) if column.table is not work.pairs]
    of_rows = any(table.key == subject.key for table in tables)
    of_rows = of_rows or (work.role is None and (not columns or sketch.who))
    of_rows = (of_rows and not is_told_of_each(work, columns)) or _ranked_before(work.asked, subject)
    of_rows = of_rows or _kind_before(work.asked) or is_list_of(work.asked)
    when = sketch.when and sketch.pieces[0].piece is Piece.WHEN and sketch.ranked
    if sketch.place and _names_its_rows(work):
        # "Where is the Harbour branch": the place, as the branch is known.
        of_rows = False
    if when and all(table.key != subject.key for table in tables):
        # "When was the last visit": the date, and not all of the visit.
        of_rows = False
    shown = [*dict.fromkeys(work.shown), *_playing(work), *_answers(work, subject)]
    others = [table for table in tables if table.key != subject.key]
    meeting = _meeting(work, subject, others)
    if meeting is not None:
        return _meeting_frame(work, meeting, (subject, *others), shown)
    shown += [Ref(label) for table in others for label in work.knowledge.labels(table)]
    shown += doers(work.asked, subject) if sketch.who_too else []
    rows = _List(subject, columns, of_rows, shown, sketch.everything, sketch.distinct)
    told = work.asked.told_behind
    if told:
        rows.of_rows = sketch.names_told
    elif (whom := who_column(work.asked)) is not None and whom.table.key == subject.key:
        rows.of_rows, told = False, True
        rows.shown = _first(whole_name(work.knowledge, whom), rows.shown)
    _identify(work, rows)
    if not told or rows.everything:
        _explain(work, rows)
    _show_once(work, rows)
    _show_of_each(work, rows)
    ranked = work.ranked_limit if work.order else None
    return Frame(
        subject,
        shown=tuple(dict.fromkeys(rows.shown)),
        everything=rows.everything,
        conditions=tuple(dict.fromkeys(work.conditions)),
        linked=tuple(dict.fromkeys(work.linked)),
        order=tuple(dict.fromkeys(work.order)),
        limit=work.wanted_limit if ranked is None else ranked,
        distinct=rows.distinct and _sortable(work, rows),
    )


def _ranked_before(asked: Asked, subject: Table) -> bool:
    """ "The 2 best paid rowers and what they get": the rows are asked for, and then more of them."""
    first = min((slot.segment.start for slot in asked.sketch.shown), default=0)
    names = [each.name for each in asked.sketch.ranked if each.name and each.name.segment.start < first]
    return any(table.key == subject.key for table in asked.tables(names))


def _kind_before(asked: Asked) -> bool:
    """ "List the ladders with their prices": a kind of rows is asked for, and columns behind it that only say
    more of them."""
    said = [each for each in asked.sketch.pieces if each.kinds != {"fill"}]
    said = said[1:] if said and said[0].kinds & {"show"} else said
    kept = [each.segment for each in asked.sketch.kept if not each.negative]
    if not said or said[0] not in kept:
        return False
    # "List the garden gizmos": what nobody knows a word for is of a known kind.
    kind = said[1] if len(said) > 1 and said[1].piece is Piece.UNKNOWN else said[0]
    first = min((slot.segment.start for slot in asked.sketch.shown), default=0)
    joined = any(each.kinds & {"with", "and"} for each in said if kind.end <= each.start < first)
    return joined and kind.text.casefold().endswith("s")


def _meeting(work: Work, subject: Table, others: list[Table]) -> Table | None:
    """The table that is named beside several shown ones and leads to one row of each: the loan that a member
    and a book meet in."""
    joins = work.joins
    if not others:
        return None
    single = all((way := joins.way(subject, each)) is not None and way.single for each in others)
    numbered = {thing.table.key for thing in work.asked.things(_numbered(work.sketch))}
    shown = {subject.key, *(table.key for table in others)}
    found: list[tuple[float, int, Table]] = []
    for place, table in enumerate(work.asked.chosen.tables):
        ways = [joins.way(table, each) for each in (subject, *others)]
        if single and table.key not in numbered:
            continue
        if table.key not in shown and all(way is not None and way.single for way in ways):
            found.append((sum(way.cost for way in ways if way is not None), place, table))
    return min(found, key=lambda each: each[:2])[2] if found else None


def _numbered(sketch: Sketch) -> list[Slot | None]:
    """The names that are said with a number: booking 500 is one booking."""
    return [each.name for each in sketch.compared if each.operation == "equal" and not each.counted]


def _meeting_frame(work: Work, meeting: Table, tables: tuple[Table, ...], shown: list[Ref]) -> Frame:
    named = [Ref(label) for table in tables for label in work.knowledge.labels(table)]
    conditions = [replace(c, ref=Ref(c.ref.thing, through=c.ref.through)) for c in work.conditions]
    return Frame(
        meeting,
        shown=tuple(dict.fromkeys((*named, *shown))),
        conditions=tuple(dict.fromkeys(conditions)),
        linked=tuple(each for each in dict.fromkeys(work.linked) if each.table.key != meeting.key),
        order=tuple(dict.fromkeys(work.order)),
        limit=work.ranked_limit if work.order and work.ranked_limit is not None else work.wanted_limit,
    )


def _playing(work: Work) -> list[Ref]:
    """The names of those who play the part that is asked for."""
    target = None if work.role is None else work.asked.target(work.role)
    return [] if target is None else [Ref(named, through=work.role) for named in work.asked.named_by(target)]


def _shown_tables(asked: Asked) -> Iterator[Table]:
    """The tables that are shown. One that only stands before the name of a column qualifies it."""
    compared = [each.name for each in asked.sketch.compared]
    shown = asked.sketch.shown
    for slot, follower in zip(shown, [*shown[1:], None], strict=False):
        thing = asked.thing(slot)
        if thing is None or asked.says_whose(slot):
            continue
        if thing.column is not None and not asked.is_kind(slot):
            continue
        after = asked.thing(follower)
        if follower is None or after is None or follower in compared:
            yield thing.table
            continue
        own = after.column is not None and after.table.key == thing.table.key
        # "Customers joined in 2023": a verb behind the table says what they did.
        verb = follower.segment.text.casefold().endswith("ed")
        if verb or not own or follower.segment.start != slot.segment.end:
            yield thing.table


def _asked_columns(asked: Asked) -> list[Thing]:
    shown = asked.sketch.shown
    compared = [each.name for each in asked.sketch.compared]
    kept = asked.sketch.kept
    # "Ladders that cost more than 20": a value is what is asked for, the column only compares.
    alone = len(shown) == 1 and not (kept and kept[0].segment.start < shown[0].segment.start)
    slots = [slot for slot in shown if (alone or slot not in compared) and not asked.is_kind(slot)]
    return [thing for thing in asked.things(slots) if thing.column is not None]


def _answers(work: Work, subject: Table) -> list[Ref]:
    """The columns that answer when, how long, where."""
    sketch, found = work.sketch, list[Thing]()
    year = own_year(work.asked, subject)
    if year is not None and _YEAR in sketch.parts_said:
        # "With the year": rows that are kept year by year have one.
        found.append(year)
        sketch.dropped[:] = [word for word in sketch.dropped if word != _YEAR]
    date = (_year_said(work, subject) or year or date_column(work, subject)) if sketch.when else None
    if date is not None:
        found.append(date)
    elif sketch.when:
        _leave_over(work, "when")
    for adjective in sketch.how:
        column = graded_column(work.asked, adjective, subject)
        if column is not None:
            found.append(column[0])
        else:
            _leave_over(work, "how")
    if sketch.place:
        own = work.knowledge.things.of_table[subject.key]
        places = [thing for thing in own if work.asked.words.places & set(thing.words)]
        found.extend(places[:_MOST_PLACES])
        if not places:
            _leave_over(work, "where")
    if sketch.spent and not sketch.compared and not sketch.who_too:
        _leave_over(work, "money")
    return [Ref(thing) for thing in found]


def _year_said(work: Work, subject: Table) -> Thing | None:
    """ "When did it become independent", where only the year is known."""
    words, said = work.asked.words, [*work.sketch.verbs, *work.sketch.said_stems()]

    def close(each: Thing) -> float:
        return max((closeness(words, verb, each) for verb in said), default=0.0)

    if any(close(date) >= _SPOKEN for date in work.knowledge.dated(subject)):
        return None
    years = [year for year in work.knowledge.of_role(subject, Role.YEAR) if close(year) >= _SPOKEN]
    return max(years, key=close, default=None)


def _leave_over(work: Work, word: str) -> None:
    """A question that no column answers: a list of rows does not answer it either."""
    work.cost += 0.5
    work.sketch.uncovered.append(word)


def _identify(work: Work, rows: _List) -> None:
    """Rows are shown by what identifies them; where nothing does, whole."""
    if not rows.of_rows or rows.everything:
        return
    labels = work.knowledge.labels(rows.subject)
    if not rows.columns and _kinds_asked(work, rows):
        rows.shown = _first([Ref(label) for label in labels], rows.shown)
        rows.distinct = True
    elif (same := work.knowledge.same_as(rows.subject)) is not None and _only_names_asked(work, rows):
        target = work.asked.target(same)
        names = work.knowledge.labels(target) if target is not None else ()
        rows.shown = _first([Ref(name, through=same) for name in names], rows.shown)
    elif not rows.columns and (owners := _owners_of_kind(work, rows.subject)):
        rows.shown = _first(owners, rows.shown)
    elif (linked := linked_names(work, rows.subject)) and (work.sketch.only_names or not rows.columns):
        if not work.sketch.only_names:
            linked = record_columns(work, rows.subject, linked)
        rows.shown = _first(linked, rows.shown)
    elif not (rows.columns or work.sketch.only_names) and not _tells_more(work, rows):
        rows.everything = True
    else:
        rows.shown = _first(names_of(work, rows.subject), rows.shown)


def _owners_of_kind(work: Work, subject: Table) -> list[Ref]:
    """ "Senior engineers": a kind that somebody is, said by its name alone, asks for those who are."""
    labels = work.knowledge.labels(subject)
    held = [c.ref.thing for c in work.conditions if c.operation == "equal" and not c.negative]
    if len(labels) != 1 or labels[0] not in held or work.knowledge.names_rows(subject):
        return []
    if work.sketch.slots() or work.sketch.who:
        return []
    keys = [key for key in work.knowledge.columns(subject) if work.asked.target(key.thing) is not None]
    if len(keys) != 1:
        return []
    target = work.asked.target(keys[0].thing)
    names = work.knowledge.labels(target) if target is not None else ()
    return [Ref(name, through=keys[0].thing) for name in names]


def _tells_more(work: Work, rows: _List) -> bool:
    """Whether the names of rows say which they are; those of somebody who was named say nothing new."""
    held = [c.ref for c in work.conditions if c.operation == "equal" and not c.negative]
    labels = work.knowledge.labels(rows.subject)
    known = len(labels) > 1 and all(Ref(label) in held for label in labels) and not work.sketch.who
    return work.knowledge.identifies(rows.subject) and not known


def _only_names_asked(work: Work, rows: _List) -> bool:
    """Rows that measure what they are the same as are asked for by that: the fees of a school."""
    named = bool(rows.columns or rows.shown) or work.sketch.who or work.sketch.only_names
    return named or not work.knowledge.measures(rows.subject)


def _kinds_asked(work: Work, rows: _List) -> bool:
    """ "What different ribbons are there": rows that share a name are of one kind."""
    knowledge = work.knowledge
    if not knowledge.has_name(rows.subject) or knowledge.names_rows(rows.subject) or work.order or rows.shown:
        return False
    exists = work.asked.words.exists.intersection(work.sketch.said)
    return bool(rows.distinct or (exists and not work.conditions and not work.linked))


def _explain(work: Work, rows: _List) -> None:
    """What rows are sorted and chosen by is shown beside them, unless only columns are asked for."""
    sketch = work.sketch
    if sketch.only_names and not rows.everything:
        return
    if not rows.everything and rows.of_rows:
        # "Which county is the largest? Give me its name": the sentence says what it wants to see.
        told = sketch.whole and bool(rows.columns) and not sketch.figure_too
        ordered = [Ref(order.key.thing) for order in work.order if isinstance(order.key, Ref)]
        own = [c for c in work.conditions if _of_one_row(work, rows.subject, c.ref)]
        chosen = [] if told else [c.ref for c in own if c.operation not in _SAME_IN_EVERY_ROW]
        ordered = [] if told else ordered
        rows.shown = [*rows.shown, *(ref for ref in (*ordered, *chosen) if ref not in rows.shown)]
    elif rows.everything and _more_than_all(work, rows):
        # Everything of the subject and something more: the columns must be written out.
        own_columns = [Ref(thing) for thing in work.knowledge.things.of_table[rows.subject.key]]
        rows.shown = _first(own_columns, rows.shown)
        rows.everything = False


def _more_than_all(work: Work, rows: _List) -> bool:
    computes = any(isinstance(order.key, Difference) for order in work.order)
    return computes or any(ref.table.key != rows.subject.key for ref in rows.shown)


def _of_one_row(work: Work, subject: Table, ref: Ref) -> bool:
    """Whether a column belongs to the row itself, or to the one row that it leads to."""
    way = work.joins.way(subject, ref.table)
    return way is not None and way.single and ref.links is None and ref.through is None


def _first(refs: list[Ref], shown: list[Ref]) -> list[Ref]:
    return [*refs, *(ref for ref in shown if ref not in refs)]


def _show_once(work: Work, rows: _List) -> None:
    """Which towns members live in: each once. The names of things are as many as there are."""
    if rows.of_rows or rows.distinct or work.order or _names_its_rows(work):
        return
    labels = work.knowledge.labels(rows.subject) if work.knowledge.names_rows(rows.subject) else ()
    every = _says_all(work) or _says_each(work)
    columns = list(dict.fromkeys(rows.columns))
    rows.distinct = not every and len(columns) < _SEVERAL and not _tell_rows(work, columns, labels)


def _tell_rows(work: Work, columns: list[Thing], labels: Sequence[Thing]) -> bool:
    """Whether columns are names or figures of rows: those are as many as there are rows."""
    return any(thing in labels or work.asked.is_measure(thing) for thing in columns)


def _says_all(work: Work) -> bool:
    """ "The towns of all members" are as many as members; "all towns" are all there are, each once."""
    said = {word for text in work.sketch.said for word in text.split()}
    names = work.asked.things((*work.sketch.shown, *work.sketch.context))
    whose = any(thing.column is None and thing.table.key == work.subject.key for thing in names)
    return whose and not work.asked.words.all.isdisjoint(said)


def _says_each(work: Work) -> bool:
    said = {word for text in work.sketch.said for word in text.split()}
    # "Each only once" asks for what is different.
    return "once" not in said and not work.asked.words.each.isdisjoint(said)


def _names_its_rows(work: Work) -> bool:
    """Whether the things shown are named: their columns are not gathered."""
    own = (c.ref for c in work.conditions if c.operation == "equal" and c.ref.table.key == work.subject.key)
    keys = work.subject.info.primary_key
    named = work.knowledge.labels(work.subject) if work.knowledge.names_rows(work.subject) else ()
    return any(
        ref.thing in named or (ref.thing.column and (ref.thing.column.info.name,) == keys) for ref in own
    )


def _show_of_each(work: Work, rows: _List) -> None:
    """Whose they are: a column of several rows says little without what identifies them. A whole sentence
    that names columns says itself what it wants to see."""
    told = work.asked.exact or (work.sketch.whole and len(rows.columns) > 1)
    if rows.of_rows or rows.distinct or rows.everything or told:
        return
    keys = rows.subject.info.primary_key
    if not keys or not _says_each(work):
        return
    knowledge = work.knowledge
    if knowledge.has_name(rows.subject):
        named_by = list(knowledge.labels(rows.subject))
    else:
        named_by = [knowledge.things.of_column[(*rows.subject.key, name)] for name in keys]
    rows.shown = [*(ref for ref in map(Ref, named_by) if ref not in rows.shown), *rows.shown]


def _sortable(work: Work, rows: _List) -> bool:
    """Rows that are shown once can be sorted only by what is shown."""
    return all(order.key in rows.shown for order in work.order if isinstance(order.key, Ref))
