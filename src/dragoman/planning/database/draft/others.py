"""Rows that are held against other rows of their own table: by what they have in common."""

from msgspec.structs import replace

from dragoman.contracts.schema import ValueType
from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.draft.dates import date_column
from dragoman.planning.database.draft.likeness import named_rows
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Condition, Frame, Linked, Ref
from dragoman.planning.database.segments import WEAK_NAME, Segment, things_of
from dragoman.planning.database.sketch import Others
from dragoman.planning.database.verb_forms import closeness
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Link, others_by
from dragoman.tables.verbs import DatePart

_SPOKEN = 0.7


def hold_others(work: Work) -> None:
    """Adds what holds between rows, or leaves the words over where the table cannot say it."""
    others = work.sketch.others
    if others is None:
        return
    found = _shared(work, others)
    if others.rows is not None and not _is_subject(work, others.rows.segment):
        # "The same town as a supplier" holds rows of two tables against each other.
        found = None
    if found is None or not _held(work, others, *found):
        work.cost += 1.0
        work.sketch.uncovered.append(others.words)


def _held(work: Work, others: Others, shared: Thing, link: Link) -> bool:
    if others.loose:
        work.guess("word")
    if others.named:
        named = named_rows(work)
        if not named:
            return False
        work.named_by = tuple(each.ref for each in named)
        beside = [replace(each, ref=Ref(each.ref.thing, (link,))) for each in named]
        work.conditions = [each for each in work.conditions if each not in named] + beside
        work.sketch.uncovered[:] = [
            w for w in work.sketch.uncovered if w.casefold() not in ("other", "others")
        ]
        return True
    if not others.pairs and others.apart is None:
        work.linked.append(Linked(work.subject, (link,), absent=others.absent))
        work.shown += _told(work, shared)
        return True
    first = _first_of_two(work, others, shared)
    if first is None or others.absent or work.sketch.measured or work.sketch.groups:
        return False
    beside = [found for each in work.conditions if (found := _beside(work, each, link)) is not None]
    if work.linked or len(beside) < len(work.conditions):
        return False
    # What is said of the rows is said of both.
    work.conditions += beside
    work.conditions.append(Condition(Ref(first), "below", other=Ref(first, (link,))))
    labels = [Ref(each) for each in work.asked.named_by(work.subject)]
    apart = work.asked.thing(others.apart)
    labels += [Ref(apart)] if apart is not None else []
    work.pair = tuple(
        dict.fromkeys([*labels, *(Ref(each.thing, (link,)) for each in labels), *_told(work, shared)])
    )
    return True


def _is_subject(work: Work, segment: Segment) -> bool:
    named = (thing for thing, _ in things_of(segment))
    return any(thing.column is None and thing.table.key == work.subject.key for thing in named)


def _beside(work: Work, condition: Condition, link: Link) -> Condition | None:
    """The same of the other row of a pair."""
    ref = condition.ref
    way = work.joins.way(work.subject, ref.table)
    if ref.links is not None or ref.through is not None or way is None or not way.single:
        return None
    return replace(condition, ref=Ref(ref.thing, (link, *way.links)))


def others_frame(work: Work, frame: Frame) -> Frame:
    """Both of a pair are shown, and what they have in common. Who else is told as the one was named."""
    if work.sketch.who and frame.everything and work.named_by:
        keys = [
            work.knowledge.things.of_column[(*frame.subject.key, name)]
            for name in frame.subject.info.primary_key
        ]
        return replace(frame, shown=(*map(Ref, keys), *work.named_by), everything=False)
    if not work.pair:
        return frame
    more = tuple(ref for ref in frame.shown if ref.table.key != work.subject.key)
    return replace(frame, shown=tuple(dict.fromkeys((*work.pair, *more))), everything=False, distinct=False)


def _told(work: Work, shared: Thing) -> list[Ref]:
    """What rows have in common, as people know it: the name of a section, and not its number."""
    target = work.asked.target(shared)
    named = target is not None and work.knowledge.has_name(target)
    labels = work.knowledge.labels(target) if target is not None and named else ()
    return [Ref(label, through=shared) for label in labels] or [Ref(shared)]


def _first_of_two(work: Work, others: Others, shared: Thing) -> Thing | None:
    """What is less in the first of a pair: in what they differ, or else their key."""
    if others.apart is not None:
        apart = work.asked.thing(others.apart)
        own = apart is not None and apart.column is not None and apart.table.key == work.subject.key
        return apart if own else None
    key = [
        name for name in work.subject.info.primary_key if shared.column and name != shared.column.info.name
    ]
    return work.knowledge.things.of_column.get((*work.subject.key, key[0])) if len(key) == 1 else None


def _shared(work: Work, others: Others) -> tuple[Thing, Link] | None:
    """The column that is equal, and the step to the others."""
    part: DatePart | None = None
    thing = work.asked.thing(others.shared)
    if others.part:
        thing, part = _dated(work, others, thing)
    elif thing is not None and (thing.column is None or thing.table.key != work.subject.key):
        thing = None if _has_own(work, others) else _key_to(work, thing)
    if thing is None or thing.column is None or thing.table.key != work.subject.key:
        return None
    link = work.joins.graph.link(work.subject, others_by(thing.column.name, part))
    return None if link is None else (thing, link)


def _dated(work: Work, others: Others, near: Thing | None) -> tuple[Thing | None, DatePart | None]:
    """The date that a verb speaks of, or the number of its year."""
    verbs = (others.verb,) if others.verb else ()
    if others.part == DatePart.YEAR:
        years = work.knowledge.of_role(work.subject, Role.YEAR)
        said = {near.number} if near is not None else set[int]()
        spoken = [
            each
            for each in years
            if each.number in said or any(closeness(work.asked.words, v, each) >= _SPOKEN for v in verbs)
        ]
        if len(spoken) == 1:
            return spoken[0], None
    if near is not None and others.shared is not None and not _is_best(others.shared.segment, near):
        # Who was born on a day was not hired on it.
        return None, None
    date = near if near is not None and near.is_date else date_column(work, work.subject, None, verbs)
    if date is None or date.column is None or date.table.key != work.subject.key:
        return None, None
    whole = others.part == DatePart.DAY and date.column.type is ValueType.DATE
    return date, None if whole else DatePart(others.part)


def _has_own(work: Work, others: Others) -> bool:
    """Whether the subject itself has a column that is called so: the same name is not the same section."""
    named = [] if others.shared is None else things_of(others.shared.segment)
    own = (thing for thing, score in named if thing.table.key == work.subject.key and score >= WEAK_NAME)
    return any(thing.column is not None and work.asked.target(thing) is None for thing in own)


def _is_best(segment: Segment, date: Thing) -> bool:
    """Whether no other date of the table is called more like what was said."""
    worth = {thing.number: score for thing, score in things_of(segment) if thing.table.key == date.table.key}
    return worth.get(date.number, 0.0) == max(worth.values(), default=0.0)


def _key_to(work: Work, thing: Thing) -> Thing | None:
    """The one key of the subject that leads to a table; or to what its rows are known by, where no two have
    the same name."""
    labels = work.knowledge.labels(thing.table)
    if thing.column is not None and not (thing in labels and work.knowledge.names_rows(thing.table)):
        return None
    links = [
        link
        for link in work.joins.links(work.subject).values()
        if link.target == thing.table.key and link.single and "-by-" not in link.name
    ]
    if len(links) != 1 or len(links[0].pairs) != 1:
        return None
    return work.knowledge.things.of_column.get((*work.subject.key, links[0].pairs[0][0]))
