"""Proposals about rows: which programs may be meant, which row each is kept to, and what it is called."""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.program import Argument, Binding, Entry, Map, Program, Statement
from dragoman.contracts.vocabulary import Origin, Signal
from dragoman.language.edits import difference
from dragoman.planning.contract import (
    CERTAIN,
    LIKELY,
    Asked,
    Candidate,
    Options,
    PlannerName,
    Proposal,
    Refusal,
)
from dragoman.planning.rows.object_question import Asking
from dragoman.planning.rows.row_object import RowObject
from dragoman.planning.tables.lexicon import others_spoken
from dragoman.tables.graph import Graph

MOST_ROWS: Final = 8
"""So many rows are offered at most where it is asked which is meant."""
_STEP: Final = 0.005
SURELY: Final = CERTAIN - _STEP
"""Surer than any reading that does not know of the row in hand."""
PERHAPS: Final = LIKELY - _STEP
"""Of a row that nobody has opened: a reading of the list that is sure comes first."""
_HOW_SHOWN: Final = frozenset({"columns", "order", "top", "of", "by", "also", "distinct", "having", "where"})


def likely(text: str) -> float:
    """Other languages are read without their pronouns: there the reading that has one is the better one."""
    return SURELY if others_spoken(text) else PERHAPS


def proposed(
    asked: Asked,
    found: list[Asking],
    signals: tuple[Signal, ...],
    certainty: float,
    source: AnswerObject | None = None,
    labels: Iterable[str] = (),
    *,
    opens: bool = False,
) -> Proposal:
    """What a message asks of a row: one program is taken, of several it is asked which. `source` is the
    answer in which the row was found, `opens` says that the message itself picks the row."""
    once = list({each.statement: each for each in found}.values())[:MOST_ROWS]
    called = list(labels) if len(once) == len(found) else [each.row.name for each in once]
    several = len(once) > 1
    # Names tell programs apart only where no two rows share one.
    told = several and bool(called) and len(set(called)) == len(once)
    candidates = tuple(
        _candidate(asked, each, source, called[place] if told else "", opens=opens)
        for place, each in enumerate(once)
    )
    first = once[0].row
    # What nobody is sure of alone is not surer for being kept to a row.
    asks = Options(person=several) if several or once[0].unsure else None
    rule = f"{'take' if asks is None else 'ask'}: {first.table.name} {first.name}"
    return Proposal(PlannerName.ROWS, signals, certainty, candidates, asks=asks, rule=rule)


def changed(asked: Asked, statement: Statement, certainty: float) -> Proposal:
    """The slice in hand, asked for in another way."""
    program: Program = (statement,)
    edits = difference(asked.continuity.base, program)
    candidate = Candidate(program, edits, 1.0, follows=True, notes=("the rows that were counted",))
    signals = (Signal.REQUEST, Signal.SAME_DOMAIN)
    return Proposal(
        PlannerName.ROWS, signals, certainty, (candidate,), rule="take: the rows that were counted"
    )


def refused(refusal: Refusal, signals: tuple[Signal, ...], certainty: float) -> Proposal:
    return Proposal(PlannerName.ROWS, signals, certainty, refuses=refusal, rule=f"refuse: {refusal.code}")


def _candidate(
    asked: Asked, asking: Asking, source: AnswerObject | None, label: str, *, opens: bool
) -> Candidate:
    program: Program = (_symbolled(asking.statement),)
    continuity = asked.continuity
    held = continuity.selected_object is not None
    origin = Origin.MESSAGE if opens else Origin.OBJECT_FRAME
    bindings = tuple(Binding(each.name, each.value, origin, each.display) for each in asking.row.conditions())
    plain = asking.plain
    return Candidate(
        program,
        difference(continuity.base, program),
        1.0 if plain is None else plain.probability,
        notes=(f"row: {asking.row.table.name} {asking.row.name}", *(plain.notes if plain else ())),
        # A row that nobody has opened is bound by no frame.
        bindings=bindings if opens or held else (),
        reference_date=plain.reference_date if plain is not None else None,
        follows=True,
        focus=asking.row.ref,
        source=source.result_set_id if source is not None else "",
        label=label,
        read_as=asking.read_as,
        carried=(asking.carried,) if asking.carried is not None else (),
    )


def _symbolled(statement: Statement) -> Statement:
    return statement if statement.binds else replace(statement, binds=statement.verb.replace(".", "-"))


def with_displays(before: Statement, after: Statement) -> Statement:
    """A changed statement with the names beside those keys that it has kept."""
    known = {(each.name, each.value): each for each in before.arguments}
    kept = tuple(known.get((each.name, each.value), each) for each in after.arguments)
    return replace(after, arguments=kept)


def keeps(before: Statement, after: Statement, row: RowObject, graph: Graph) -> bool:
    """Whether a change leaves what keeps a statement to a row, and asks nothing of the row's own table: who
    is from Berlin is asked of the list of rows, not of what belongs to one."""
    table = graph.by_name.get(after.verb.rpartition(".")[0])
    if table is None or before.verb.rpartition(".")[0] != table.name:
        return False
    old, new = before.argument("where"), after.argument("where")
    added = set(_entries(new)) - set(_entries(old))
    up = {name for name, link in graph.links(table).items() if link.target == row.table.key}
    if not set(_entries(old)) <= set(_entries(new)) or any(entry.key in up for entry in added):
        return False
    held = [each for each in before.arguments if each.name not in _HOW_SHOWN]
    return all((now := after.argument(each.name)) is not None and now.value == each.value for each in held)


def _entries(where: Argument | None) -> tuple[Entry, ...]:
    return where.value.entries if where is not None and isinstance(where.value, Map) else ()
