"""Money that changed hands: what was sold or ordered, what was paid for it, and what was bought."""

from enum import StrEnum

from dragoman.planning.database.column_words import column_words
from dragoman.planning.database.draft.work import Asked, Work
from dragoman.planning.database.frame import Aggregate, Measure, Ref
from dragoman.planning.database.segments import Piece
from dragoman.planning.database.sketch import Sketch, Slot
from dragoman.planning.database.vocabulary import english
from dragoman.tables.graph import Table

_NO_WAY = 20
_TO_MANY = 6
_OTHER = 3.0
"""What money of the other kind costs than the one that is spoken of."""


class Side(StrEnum):
    """Of a database that has several: the money of what was sold, the money that came in for it, and that of
    what the company itself bought."""

    SOLD = "sold"
    PAID = "paid"
    BOUGHT = "bought"


def money_figure(work: Work, aggregate: Aggregate | None = None) -> Measure | None:
    """Money that changed hands: the nearest total that what is asked for can be gathered by, or lines."""
    wanted = _gathered_by(work)
    options = _money(work, aggregate or Aggregate.SUM)
    sides = {_side_of(work.asked, table) for table, _ in options}
    side = _side_said(work.asked) if len(sides) > 1 else None
    found: list[tuple[float, Side, Measure]] = []
    for place, (table, option) in enumerate(options):
        cost = sum((_reach(work, table, target) for target in wanted), 0.0)
        if not wanted:
            cost += work.joins.distance(table, work.subject)
        own = _side_of(work.asked, table)
        cost += _OTHER * (side is not None and own is not side)
        # Of two as near a total goes before lines that must be multiplied.
        found.append((cost + 0.01 * place + (0.3 if option.factors else 0), own, option))
    if not found:
        return None
    found.sort(key=lambda each: each[0])
    best = found[0]
    if side is None and (other := _other_side(found)) is not None:
        # "How much money": nothing says which of the two, so both are drafted.
        work.either_money = True
        work.guess("money")
        best = other if work.other_money else best
    return best[2]


def _other_side(found: list[tuple[float, Side, Measure]]) -> tuple[float, Side, Measure] | None:
    """The nearest money of the other side, where what is asked for can be gathered by it too."""
    others = [each for each in found if each[1] is not found[0][1] and each[0] < _TO_MANY]
    return others[0] if others else None


def _side_of(asked: Asked, table: Table) -> Side:
    words = _name(asked, table)
    if words & column_words().payments:
        return Side.PAID
    return Side.BOUGHT if words & column_words().buying and _sells(asked) else Side.SOLD


def _sells(asked: Asked) -> bool:
    """Whether some tables are called after sales: only beside them are purchases those of the company."""
    known = column_words()
    names = (_name(asked, table) for table in _tables(asked))
    return any(name & known.selling and not name & known.buying for name in names)


def _name(asked: Asked, table: Table) -> set[str]:
    return set(asked.knowledge.things.table_thing[table.key].required)


def _side_said(asked: Asked) -> Side | None:
    """Which money the words speak of: revenue is of what was sold, whatever has been paid for it."""
    known, sketch = english(), asked.sketch
    said = {each.text.casefold() for each in sketch.pieces if each.piece in (Piece.MONEY, Piece.SOLD)}
    said |= {word for text in sketch.said for word in text.split() if word in known.sold}
    said |= {verb for verb in known.received if verb in words_said(sketch)}
    told = {
        Side.SOLD: said.intersection((*known.money_sold, *known.sold)),
        Side.PAID: said.intersection((*known.money_paid, *known.received)),
        Side.BOUGHT: words_said(sketch).intersection(known.money_bought),
    }
    if any(told.values()):
        sides = [side for side, words in told.items() if words]
        return sides[0] if len(sides) == 1 else None
    named = {_side_of(asked, table) for table in asked.tables(sketch.slots()) if _is_money(asked, table)}
    return named.pop() if len(named) == 1 else None


def words_said(sketch: Sketch) -> set[str]:
    return {word for text in sketch.said for word in text.split()}


def _is_money(asked: Asked, table: Table) -> bool:
    """Whether rows of a table are money that changed hands, or have lines that are."""
    if _side_of(asked, table) is Side.PAID:
        return True
    return any(each.key == table.key or _is_part(asked, each, table) for each in _tables(asked))


def _tables(asked: Asked) -> list[Table]:
    known = asked.knowledge
    return [total.table for total in known.totals] + [quantity.table for _, quantity, _ in known.lines]


def money_tables(asked: Asked) -> list[Table]:
    """The tables of money that changed hands, those that the words speak of first."""
    tables = _tables(asked)
    side = _side_said(asked) if len({_side_of(asked, each) for each in tables}) > 1 else None
    tables.sort(key=lambda each: side is not None and _side_of(asked, each) is not side)
    return tables + [price.table for price in asked.knowledge.single_prices]


def _is_part(asked: Asked, line: Table, table: Table) -> bool:
    way = asked.joins.way(line, table)
    trade = column_words().trade & _name(asked, table)
    return way is not None and way.single and len(way.links) == 1 and bool(trade)


def _gathered_by(work: Work) -> list[Table]:
    """The tables that a figure of money must reach."""
    asked = work.asked
    groups = [slot for slot in work.sketch.groups if isinstance(slot, Slot)]
    wanted = [group.target for group in work.groups] or [thing.table for thing in asked.things(groups)]
    wanted += [condition.ref.table for condition in work.conditions]
    if work.sketch.shown or work.sketch.ranked:
        wanted.append(work.subject)
    return wanted


def _money(work: Work, aggregate: Aggregate) -> list[tuple[Table, Measure]]:
    found = [(total.table, Measure(aggregate, Ref(total))) for total in work.knowledge.totals]
    gross = any(each.text.casefold() in english().undiscounted for each in work.sketch.pieces)
    for price, quantity, taken_off in work.knowledge.lines:
        discount = None if gross else taken_off
        own = price.table.key == quantity.table.key
        first = (Ref(price), Ref(quantity)) if own else (Ref(quantity), Ref(price))
        factors = (*first, *([Ref(discount)] if discount else []))
        measure = Measure(aggregate, factors=factors, discounted=discount is not None)
        found.append((quantity.table, measure))
    prices = () if found else work.knowledge.single_prices
    return found + [(price.table, Measure(aggregate, Ref(price))) for price in prices]


def _reach(work: Work, table: Table, target: Table) -> float:
    """What it costs to gather the rows of a table by another: a row with many targets would count often."""
    way = work.joins.way(table, target)
    if way is None:
        return _NO_WAY
    return way.cost if way.single else _TO_MANY + way.cost
