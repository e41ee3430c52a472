"""What a program commits to, read back from its statements, whoever wrote it."""

import datetime as dt
from decimal import Decimal

from msgspec.structs import replace

from dragoman.contracts.record import Record
from dragoman.tables.graph import Column, Link, TableKey
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import Measured, ReadRequest
from dragoman.tables.verbs import TableVerb

Links = tuple[Link, ...]


class Atom(Record, frozen=True):
    """One thing that must hold of a column or a figure. `sign` is how it compares, or `missing`, `contains`…

    `either`: another may hold instead. `column` is None for the figure of a group, or where nobody knows.
    """

    sign: str
    value: object = None
    negated: bool = False
    either: bool = False
    column: Column | None = None
    table: TableKey | None = None
    links: Links = ()
    having: bool = False

    @property
    def part(self) -> str:
        return "/".join([*(link.name for link in self.links), self.tail])

    @property
    def tail(self) -> str:
        """The same without the way that leads to it."""
        what = self.column.name if self.column is not None else "the figure"
        said = "" if self.value is None else f" {_written(self.value)}"
        sign = "" if self.sign == "equal" else f" {self.sign}"
        return f"{what}{' not' if self.negated else ''}{sign}{said}"


class Linking(Record, frozen=True):
    """Rows must have linked rows, or with `absent` must not."""

    links: Links
    absent: bool
    bare: bool


class Committed(Record, frozen=True):
    """A whole program, gathered from all of its statements."""

    requests: tuple[ReadRequest, ...]
    atoms: tuple[Atom, ...]
    linkings: tuple[Linking, ...]
    cut: frozenset[Decimal]
    """Numbers outside of conditions: how many rows there are at most, and what is reckoned with."""
    tables: frozenset[TableKey]
    names: frozenset[str]
    """Every word of every name that is used anywhere."""
    columns: tuple[ColumnPath, ...]
    read: bool

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(atom.value for atom in self.atoms if isinstance(atom.value, str))

    @property
    def numbers(self) -> frozenset[Decimal]:
        found = {number for atom in self.atoms if (number := number_of(atom.value)) is not None}
        return self.cut | found

    @property
    def negates(self) -> bool:
        return any(each.absent for each in self.linkings) or any(denies(atom) for atom in self.atoms)

    @property
    def measures(self) -> tuple[Measured, ...]:
        return tuple(each for request in self.requests for each in measures_of(request))


def tails_of(committed: Committed) -> set[str]:
    """Each atom without the way that leads to it. Days between two dates are a period, and the other way
    round."""
    found = {atom.tail for atom in committed.atoms}
    dated = [atom for atom in committed.atoms if atom.column is not None and not atom.negated]
    for atom in dated:
        if atom.sign == "within" and isinstance(atom.value, tuple) and len(atom.value) == 2:
            first, last = atom.value
            found |= {replace(atom, sign="at-least", value=first).tail}
            found |= {replace(atom, sign="at-most", value=last).tail}
            found |= {replace(atom, value=ends).tail for ends in ((first, None), (None, last))}
        for other in dated:
            same = other.column == atom.column and other.links == atom.links
            if same and atom.sign == "at-least" and other.sign == "at-most":
                found.add(replace(atom, sign="within", value=(atom.value, other.value)).tail)
    return found


def measures_of(request: ReadRequest) -> tuple[Measured, ...]:
    """Every figure of a request; the sum that `top` makes of groups is one too."""
    if request.verb is TableVerb.LIST or (request.verb is TableVerb.TOP and not request.by):
        return ()
    return request.measures


def denies(atom: Atom) -> bool:
    """Whether an atom leaves out what it names; asking for missing values does."""
    if atom.sign == "missing":
        return not atom.negated
    return atom.negated


def number_of(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    return Decimal(str(value))


def _written(value: object) -> str:
    match value:
        case (first, last):
            return f"[{first or '…'} {last or '…'}]"
        case str():
            return f'"{value}"'
        case dt.date():
            return value.isoformat()
        case _:
            return str(value)
