"""Rows of other tables that exist or do not, columns that are empty, and flags."""

from dragoman.contracts.schema import ValueType
from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.draft.self_links import link_down, names_above
from dragoman.planning.database.draft.ways import chosen_way
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Condition, Linked, Ref
from dragoman.planning.database.lasting_rows import is_end_of
from dragoman.planning.database.segments import Piece
from dragoman.planning.database.sketch import Slot
from dragoman.planning.database.verb_forms import closeness, is_done
from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.cues import linking_words
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Table, TableKey

_LEAST_ALIKE = 4
_STATE = 1.2
_SPOKEN = 0.7
_ARTICLES = ("a", "an", "the", "any", "some", "at", "least", "one")
_SOME = ("a", "an", "any")
_INSIDE = ("in", "on")
_SMALL = frozenset({"fill", "of"})
_ASKING = ("what", "which", "in", "from")
_HAVING = ("have", "has", "had", "having")
_GETTING = (*_HAVING, "with", "get", "gets", "got", "receive", "receives", "received")


def leave_out_absent(work: Work) -> None:
    """What there is none of: customers without orders, albums without a title, what was never sold."""
    sketch = work.sketch
    for slot in sketch.absent:
        thing = work.asked.thing(slot)
        if thing is None:
            continue
        if thing.column is not None:
            _absent_column(work, slot, thing)
        elif thing.table.key == work.subject.key:
            work.cost += 0.5
        else:
            _absent_rows(work, thing.table)
    for thing in work.asked.things(sketch.missing):
        if thing.column is None and thing.table.key == work.subject.key and "empty" in sketch.said:
            # "Shelves that are empty": nothing belongs to them.
            inside = only_record(work)
            work.linked += [] if inside is None else [Linked(inside, chosen_way(work, inside), absent=True)]
            work.cost += 1.0 if inside is None else 0.0
        if thing.column is not None and work.asked.is_flag(thing):
            hold_flag(work, thing, negative=True)
        elif thing.column is not None:
            work.conditions.append(Condition(Ref(thing), "missing"))
    _doubt_states(work)
    for verb in sketch.absent_verbs:
        record = record_table(work, verb)
        # What was never sold has no sales; a last day of sale may be missing for many reasons.
        date = None if record is not None and _says_never(work) else _date_of(work, verb)
        table = None if date is not None else record or only_record(work)
        if date is not None:
            # What is not sold any more has a day on which selling ended.
            ended = is_end_of(date, verb)
            work.conditions.append(Condition(Ref(date), "missing", negative=ended))
        elif table is None:
            work.cost += 1.0
            sketch.uncovered.append(verb)
        else:
            work.linked.append(Linked(table, chosen_way(work, table), absent=True))


def _doubt_states(work: Work) -> None:
    """ "Never hired out" asks what there is on record, and not what state something is in now."""
    if not _says_never(work):
        return
    for kept in work.sketch.kept:
        values = work.asked.chosen.values.get(id(kept))
        own = values is not None and values[0].thing.table.key == work.subject.key
        if own and kept.negative and record_table(work, kept.segment.stem) is not None:
            work.cost += _STATE


def _says_never(work: Work) -> bool:
    return not set(english().never).isdisjoint(work.sketch.said)


def _date_of(work: Work, verb: str) -> Thing | None:
    """The date on which a verb was done, where it may be missing: what has not been shipped has none."""
    own = [date for date in work.knowledge.dates(work.subject) if date.column and date.column.info.nullable]
    named = [date for date in own if any(_alike(verb, word) for word in date.words)]
    if not named:
        # Who never logged in has no day of a last sign-in.
        spoken = [date for date in own if closeness(work.asked.words, verb, date) >= _SPOKEN]
        named = [date for date in spoken if date.column and date.column.info.has_gaps]
    # Of a first and a last day of sale only the last is ever missing.
    return next(
        (date for date in named if date.column and date.column.info.has_gaps), next(iter(named), None)
    )


def only_record(work: Work) -> Table | None:
    """Where a verb names no record: the greatest of the tables whose rows belong to a row of the subject."""
    found = [
        table
        for table in work.joins.graph.tables.values()
        if (way := work.joins.way(work.subject, table)) is not None and len(way.links) == 1 and not way.single
    ]
    if not found:
        return None
    work.guess("way", 0.4)
    return max(found, key=lambda table: table.info.rows or 0)


def _alike(one: str, other: str) -> bool:
    """The prescriptions of what is prescribed: two words with the same beginning."""
    if one == other:
        return True
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    same = min(len(one), len(other)) if same is None else same
    return same >= _LEAST_ALIKE and same >= min(len(one), len(other)) - 2


def _absent_column(work: Work, slot: Slot, thing: Thing) -> None:
    down = None if names_above(slot.segment.text.casefold()) else link_down(work, thing)
    if down is not None:
        # "Who supervises nobody": no row has them above it.
        work.linked.append(Linked(work.subject, (down,), absent=True))
        return
    if work.asked.is_flag(thing) and _of_none(work, slot, thing):
        # "Rooms with no broken lamps": there is no lamp that is broken.
        hold_flag(work, thing)
        _absent_rows(work, thing.table)
    elif work.asked.is_flag(thing) and _says_never(work) and _many(work, thing.table):
        # "Never chaired": not one of the many rows has the flag.
        _hold_nowhere(work, thing)
    elif work.asked.is_flag(thing):
        hold_flag(work, thing, negative=True)
    elif thing.table.key != work.subject.key and _never_done(work, slot) and _many(work, thing.table):
        # "Never ordered": there is no order, and not one without a date.
        way = work.joins.way(work.subject, thing.table)
        work.cost += 0.3 * (len(way.links) - 1) if way is not None else 1.0
        _absent_rows(work, thing.table)
    elif _never_empty(thing) and thing.table.key != work.subject.key and _many(work, thing.table):
        # "Without an allergy", where every row of that table has one: there is no such row.
        _absent_rows(work, thing.table)
    elif not any(kept.qualifier is slot for kept in work.sketch.kept):
        none = Condition(Ref(thing), "equal", (0.0,)) if _numbers_things(work, slot, thing) else None
        work.conditions.append(none or Condition(Ref(thing), "missing"))


def _of_none(work: Work, slot: Slot, thing: Thing) -> bool:
    """Whether a "no" before a flag is about the rows that are named behind it, of which there are many."""
    pieces = work.sketch.pieces
    behind = next((each for each in pieces if each.start == slot.segment.end), None)
    before = [each for each in pieces if each.end <= slot.segment.start][-2:]
    none = any(each.text.casefold() in english().none_of for each in before)
    # "That do not have closed branches".
    none |= len(before) == 2 and "not" in before[0].kinds and before[1].text.casefold() in _HAVING
    rows = behind is not None and any(
        named.thing.column is None and named.thing.table.key == thing.table.key for named in behind.names
    )
    other = thing.table.key != work.subject.key
    return rows and other and none and _many(work, thing.table)


def _numbers_things(work: Work, slot: Slot, thing: Thing) -> bool:
    """Whether a column says how many there are of what it is called after, and may say none: the children of
    a party."""
    info = None if thing.column is None else thing.column.info
    counts = thing.column is not None and thing.column.type is ValueType.INTEGER
    own = counts and thing.table.key == work.subject.key and work.knowledge.role(thing) is Role.MEASURE
    said = slot.segment.text.casefold()
    return (
        own
        and said.endswith(("s", "children", "people"))
        and info is not None
        and info.least == 0
        and not work.knowledge.facts[thing.number].money
    )


def _never_empty(thing: Thing) -> bool:
    """Whether a column says which row of another table is meant, and always does."""
    return thing.column is not None and (not thing.column.info.nullable or thing.is_key)


def _never_done(work: Work, slot: Slot) -> bool:
    """Whether something was never done at all, rather than not yet."""
    return is_done(slot.segment.text) and _says_never(work)


def _many(work: Work, table: Table) -> bool:
    way = work.joins.way(work.subject, table)
    return way is not None and not way.single


def _absent_rows(work: Work, table: Table) -> None:
    """ "Without an order from Berlin": what holds of the absent rows goes with them."""
    inside = tuple(c for c in work.conditions if c.ref.table.key == table.key and not c.negative)
    work.conditions = [condition for condition in work.conditions if condition not in inside]
    work.linked.append(Linked(table, chosen_way(work, table), inside, absent=True))


def record_table(work: Work, verb: str) -> Table | None:
    """The table of what a verb does: sold things are lines of invoices."""
    hints = {verb, *(stem(word) for word in work.asked.words.record_verbs.get(verb, ()))}
    found: list[tuple[float, Table]] = []
    for table in work.joins.graph.tables.values():
        way = work.joins.way(work.subject, table)
        words = set(work.knowledge.things.table_thing[table.key].required)
        alike = words & hints or any(_alike(word, hint) for word in words for hint in hints)
        if table.key != work.subject.key and way is not None and not way.single and alike:
            found.append((way.cost, table))
    return min(found, key=lambda each: each[0])[1] if found else None


def hold_flag(work: Work, thing: Thing, *, negative: bool = False) -> None:
    facts = work.knowledge.facts[thing.number]
    value = facts.no if negative else facts.yes
    if value:
        work.conditions.append(Condition(Ref(thing), "equal", (value,)))
    else:
        # Only the other value is known: it must not be that one.
        work.conditions.append(Condition(Ref(thing), "equal", (facts.yes or facts.no,), negative=True))


def _hold_nowhere(work: Work, thing: Thing) -> None:
    yes = work.knowledge.facts[thing.number].yes
    if yes:
        work.conditions.append(Condition(Ref(thing), "equal", (yes,), negative=True))
    else:
        hold_flag(work, thing, negative=True)


def link_rows(work: Work) -> None:
    """Names behind "with" or "who": columns are shown, flags hold, rows of other tables exist."""
    sketch = work.sketch
    qualifiers = _qualifiers(work)
    for slot in sketch.linked:
        thing = work.asked.thing(slot)
        if thing is None or id(slot) in qualifiers:
            continue
        if thing.column is None:
            _link_table(work, thing.table)
        elif work.asked.is_flag(thing):
            hold_flag(work, thing)
        elif sketch.counted and _numbers_things(work, slot, thing):
            work.conditions.append(Condition(Ref(thing), "above", (0.0,)))
        elif (work.knowledge.is_role(thing) and _is_had(work, slot)) or _must_be_there(work, slot, thing):
            work.conditions.append(Condition(Ref(thing), "missing", negative=True))
        elif work.self_links and thing.table.key == work.subject.key and work.knowledge.is_role(thing):
            # The one above is named, and need not be shown again.
            continue
        elif work.knowledge.is_role(thing) and (target := work.asked.target(thing)) is not None:
            work.shown.extend(Ref(named, through=thing) for named in work.asked.named_by(target))
        elif work.knowledge.role(thing) is not Role.KEY:
            work.shown.append(Ref(thing))
    for slot in sketch.context:
        thing = work.asked.thing(slot)
        if thing is None:
            continue
        if thing.column is not None and work.asked.is_flag(thing):
            hold_flag(work, thing)
        elif thing.column is not None and _is_dated(work, slot, thing):
            work.conditions.append(Condition(Ref(thing), "missing", negative=True))
        elif thing.column is None and ((sketch.counted and _done(work, slot)) or _is_asked_of(work, slot)):
            _link_table(work, thing.table)


def _qualifiers(work: Work) -> set[int]:
    """The names that only say which column something holds of."""
    found = {id(kept.qualifier) for kept in work.sketch.kept if kept.qualifier}
    if not work.asked.exact:
        return found
    # "The names of boats that have a length above 10", "whose colour is not red": they only say which.
    found |= {id(each.name) for each in work.sketch.compared if each.name is not None}
    columns = {condition.ref.thing.number for condition in work.conditions}
    tables = {condition.ref.table.key for condition in work.conditions}
    for slot in work.sketch.linked:
        thing = work.asked.thing(slot)
        target = None if thing is None or thing.column is None else work.asked.target(thing)
        held = thing is not None and thing.number in columns
        if held or (target is not None and target.key in tables):
            found.add(id(slot))
    return found


def _is_had(work: Work, slot: Slot) -> bool:
    """ "Who has a manager" asks for those that have one; "with their manager" shows it."""
    before = [piece.text.casefold() for piece in work.sketch.pieces if piece.end <= slot.segment.start]
    said = " ".join(before[-2:]).split()
    return len(said) > 1 and said[-1] in _SOME and said[-2] in _HAVING


def _must_be_there(work: Work, slot: Slot, thing: Thing) -> bool:
    """ "With an email", "how many have an email": those that have one. A number shows no column, so what is
    named behind "with" can only be a condition."""
    column, sketch = thing.column, work.sketch
    if column is None or not column.info.nullable or not column.info.has_gaps:
        return False
    reached = work.joins.way(work.subject, thing.table)
    held = any(condition.ref.thing.number == thing.number for condition in work.conditions)
    if held or reached is None or not reached.single:
        return False
    before = " ".join(p.text.casefold() for p in sketch.pieces if p.end <= slot.segment.start).split()
    if len(before) > 1 and before[-1] in _SOME and before[-2] in _GETTING:
        return True
    figures = sketch.measured or sketch.groups or sketch.ranked or sketch.compared or sketch.share
    if not before or figures:
        return False
    # "Which of them have comments" keeps those that do; "guests with comments" may ask to see them.
    return before[-1] in _HAVING or (before[-1] == "with" and bool(sketch.counted))


def _is_dated(work: Work, slot: Slot, thing: Thing) -> bool:
    """ "Returned bookings" are those with a date of return, where no period is said."""
    may_miss = thing.is_date and thing.column is not None and thing.column.info.nullable
    own = may_miss and thing.table.key == work.subject.key and not work.sketch.dated
    before_name = any(p.start == slot.segment.end and p.piece is Piece.NAME for p in work.sketch.pieces)
    said = [p.text.casefold() for p in work.sketch.pieces if p.end <= slot.segment.start]
    # "How many bookings were returned".
    done = before_name or (
        not work.sketch.compared and bool(said) and said[-1].split()[-1] in english().auxiliary
    )
    named = any(isinstance(group, Slot) for group in work.sketch.groups) and not work.sketch.counts
    return own and done and is_done(slot.segment.text) and not named


def _done(work: Work, slot: Slot) -> bool:
    """Whether what is counted did something: "made a booking", "were booked"."""
    if slot.segment.text.casefold().endswith("ed"):
        return True
    before = [piece for piece in work.sketch.pieces if piece.end <= slot.segment.start]
    said = [piece for piece in before if piece.text.casefold() not in _ARTICLES]
    if not said or said[-1].text.casefold() in linking_words():
        return bool(said)
    # "How many members have been in a team".
    return said[-1].text.casefold() in _INSIDE and not work.sketch.groups and not work.sketch.kept


def _is_asked_of(work: Work, slot: Slot) -> bool:
    """ "Which regions do the growers live in": the regions that there are growers in."""
    sketch = work.sketch
    before = [piece for piece in sketch.pieces if piece.end <= slot.segment.start]
    said = [
        word for piece in before if piece.piece is not Piece.VALUE for word in piece.text.casefold().split()
    ]
    while said and said[-1] in english().before_owned:
        said.pop()
    asks = bool(said) and said[-1] in english().asks and said[0] in _ASKING
    shown = [each for each in sketch.shown if each.segment.end <= slot.segment.start]
    after = [piece for piece in sketch.pieces if piece.start >= slot.segment.end]
    # What is done with them, leads to other rows: "which films do our customers rent".
    plain = all(
        piece.piece is Piece.MARK or piece.kinds & _SMALL or piece.text.casefold() in linking_words()
        for piece in after
    )
    figures = sketch.groups or sketch.measured or sketch.ranked or sketch.counts
    return asks and plain and bool(shown) and not figures


def _passed(work: Work) -> set[TableKey]:
    """The tables on the ways to what must hold: where a line of a booking has a value, there is a booking."""
    found: set[TableKey] = set()
    for condition in work.conditions:
        way = work.joins.way(work.subject, condition.ref.table)
        links = condition.ref.links or (() if way is None else way.links)
        found |= set() if condition.negative else {link.target for link in links}
    return found


def _link_table(work: Work, table: Table) -> None:
    """A condition on the rows of a table says already that there are such rows."""
    held = {values[0].thing.table.key for values in work.asked.chosen.values.values()}
    held |= {condition.ref.table.key for condition in work.conditions}
    held |= {having.measure.table.key for having in work.having if having.measure.table}
    held |= {each.table.key for each in work.linked if each.absent}
    if table.key == work.subject.key or table.key in held | _passed(work):
        return
    way = work.joins.way(work.subject, table)
    if way is not None and not way.single and not _links_absent(work, table):
        work.linked.append(Linked(table))


def _links_absent(work: Work, table: Table) -> bool:
    """ "No guest takes part in": the verb is how guests would be linked, though others take part as well."""
    words = work.knowledge.things.table_thing
    verb = set(words[table.key].required)
    for each in work.linked:
        way = work.joins.way(work.subject, each.table) if each.absent and each.links is None else None
        links = each.links or (() if way is None else way.links)
        on_the_way = [words[link.target].required for link in links if link.target != each.table.key]
        if each.absent and any(verb < set(named) for named in on_the_way):
            return True
    return False
