"""What a message itself says of a statement in hand, before the two are put together."""

from dragoman.contracts import program
from dragoman.contracts.record import Record
from dragoman.planning.tables.statement_parts import Holds
from dragoman.tables.graph import Table
from dragoman.tables.paths import ColumnPath, Links
from dragoman.tables.request import Measured, Ordering
from dragoman.tables.verbs import TableVerb


class Fragment(Record, frozen=True):
    """What a message itself says, seen from the table of the statement in hand. Nothing is made up: what is
    not said is empty. `extreme` asks for the first in an order; `wanted` are linked rows to join."""

    shown: tuple[ColumnPath, ...] = ()
    everything: bool = False
    measures: tuple[Measured, ...] = ()
    by: tuple[ColumnPath, ...] = ()
    holds: tuple[Holds, ...] = ()
    having: program.Value | None = None
    order: tuple[Ordering, ...] = ()
    extreme: Ordering | None = None
    most: bool | None = None
    """An extreme or a direction, without saying of what."""
    top: int | None = None
    distinct: bool = False
    verbs: tuple[TableVerb, ...] = ()
    """Measures, without saying of what."""
    compared: program.Value | None = None
    """A comparison, without saying of what."""
    subjects: tuple[Table, ...] = ()
    wanted: Links = ()

    @property
    def about(self) -> str:
        """What it speaks of before all else."""
        named = (
            ("measure", self.measures or self.verbs),
            ("groups", self.by),
            ("shown", self.shown or self.everything),
            ("holds", self.holds or self.having is not None or self.compared is not None),
            ("order", self.order),
            ("extreme", self.extreme is not None or self.most is not None),
            ("top", self.top is not None),
            ("table", self.subjects),
        )
        return next((name for name, there in named if there), "nothing")

    @property
    def bare(self) -> bool:
        """Whether it names nothing of rows or columns but tables."""
        said = (self.shown, self.measures, self.by, self.holds, self.order, self.verbs)
        more = (self.having, self.extreme, self.compared)
        return not any(said) and not self.everything and all(each is None for each in more)
