"""What is known of the readings of a message that comes after an answer: how it leans on that answer, and in
what the readings of the two planners differ."""

from collections.abc import Mapping, Sequence

from dragoman.contracts.program import Map, Statement, Text, Value
from dragoman.contracts.program import Sequence as Sequence_
from dragoman.planning.database.planner import Reading
from dragoman.planning.tables.table_reading import TableReading

_ROLES = frozenset({"by", "of", "also", "having", "order", "top", "share", "distinct", "with", "on"})
_MOST = 4
_WIDE = 6
_FAR = 1.5


def follow_up_marks(framed: Reading | None, rival: float, learned: TableReading | None) -> dict[str, float]:
    """All that is known of the best readings of the two planners as follow-ups. `rival`: how far the best
    edit and the best new question of the planner of frames are from each other."""
    found: dict[str, float] = {}
    if framed is not None:
        follows = float(framed.follows)
        found |= {
            "leans": framed.leans,
            "leans and follows": framed.leans * follows,
            "stands and is new": (1.0 - framed.leans) * (1.0 - follows),
            "rival": min(_FAR, rival),
            "rival of an edit": min(_FAR, rival) * follows,
        }
    if framed is not None and learned is not None:
        found |= difference_marks(framed.statement, learned.statement)
        found |= {
            "both follow": float(framed.follows and learned.follow_up),
            "both new": float(not framed.follows and not learned.follow_up),
            "framed follows alone": float(framed.follows and not learned.follow_up),
            "learned follows alone": float(learned.follow_up and not framed.follows),
            "sure and the same": learned.score * found["same statement"],
        }
        for name in ("same statement", "framed shows more", "learned shows more", "both same holds"):
            found[f"{name} in an edit"] = found[name] * float(framed.follows)
    return found


def rival_of(found: Sequence[Reading]) -> float:
    """How far an edit is from the best new question, or a new question from the best edit."""
    best = found[0]
    return next((best.score - each.score for each in found if each.follows is not best.follows), _FAR)


def difference_marks(framed: Statement, learned: Statement) -> dict[str, float]:
    """In what two readings of one message differ."""
    one, other = shown_by(framed), shown_by(learned)
    return {
        "same statement": float(_plainly(framed) == _plainly(learned)),
        "both same verb": float(framed.verb == learned.verb),
        "both same table": float(framed.verb.rpartition(".")[0] == learned.verb.rpartition(".")[0]),
        "both same holds": float(_held(framed) == _held(learned)),
        "framed holds more": min(_MOST, max(0, len(_held(framed)) - len(_held(learned)))) / 2,
        "learned holds more": min(_MOST, max(0, len(_held(learned)) - len(_held(framed)))) / 2,
        "both same columns": float(one == other),
        "framed shows more": float(other < one),
        "learned shows more": float(one < other),
        "framed width": min(_WIDE, width_of(framed)) / 3,
        "learned width": min(_WIDE, width_of(learned)) / 3,
    }


def _items(value: Value) -> tuple[Value, ...]:
    return value.items if isinstance(value, Sequence_) else (value,)


def shown_by(statement: Statement) -> frozenset[str]:
    """What a statement shows, by the last part of its names; a list without columns shows everything."""
    named = [each.value for each in statement.arguments if each.name == "columns"]
    verb = statement.verb.rpartition(".")[2]
    if not named and verb == "list":
        return frozenset({"*"})
    if not named:
        named = [each.value for each in statement.arguments if each.name == "by"]
        texts = [item.value for value in named for item in _items(value) if isinstance(item, Text)]
        return frozenset({verb, *(text.rpartition("/")[2] for text in texts)})
    texts = [item.value for value in named for item in _items(value) if isinstance(item, Text)]
    return frozenset(text.rpartition("/")[2] for text in texts)


def width_of(statement: Statement) -> int:
    shown = shown_by(statement)
    return _WIDE if "*" in shown else len(shown)


def _held(statement: Statement) -> dict[str, Value]:
    """The conditions on rows, each by the column that it holds."""
    found: dict[str, Value] = {}
    for each in statement.arguments:
        if each.name == "where" and isinstance(each.value, Map):
            found |= _nested("", each.value)
        elif each.name not in _ROLES and each.name not in ("columns", "where"):
            found[each.name] = each.value
    return found


def _nested(before: str, value: Map) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for entry in value.entries:
        inner = entry.value
        if isinstance(inner, Map) and len(inner.entries) and before.count("/") < _MOST:
            found |= _nested(f"{before}{entry.key}/", inner)
        else:
            found[f"{before}{entry.key}".rpartition("/")[2]] = inner
    return found


def _roles(statement: Statement) -> dict[str, Value]:
    return {each.name: each.value for each in statement.arguments if each.name in _ROLES - {"with"}}


def _plainly(statement: Statement) -> tuple[str, Mapping[str, Value], Mapping[str, Value], frozenset[str]]:
    return statement.verb, _held(statement), _roles(statement), shown_by(statement)


def same_roles(one: Statement, other: Statement) -> bool:
    """Whether two statements ask, show, gather and order the same, whatever rows they hold."""
    # Which date a period is of belongs to what is held.
    mine, yours = (
        {name: value for name, value in _roles(each).items() if name != "on"} for each in (one, other)
    )
    return one.verb == other.verb and mine == yours and shown_by(one) == shown_by(other)


def holds_all(one: Statement, other: Statement) -> bool:
    """Whether a statement holds its rows to all that another does, and that is something."""
    mine, yours = _held(one), _held(other)
    return bool(yours) and all(mine.get(name) == value for name, value in yours.items())
