"""A program as a pipeline: its head, and for each table a reader and a writer, with what stands between.

A follow-up changes statements of it; whatever a person wrote into the others stays as it is.
"""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.program import Argument, Program, Statement, Symbol, Text, Value
from dragoman.contracts.program import Sequence as Listed
from dragoman.contracts.record import Record
from dragoman.language.catalog import text_of
from dragoman.language.parameters import PIPELINE, head_of
from dragoman.language.program_names import is_kebab, kebab_of

FILE_WRITER: Final = "duckdb.writer"
NEEDS: Final = "needs"


class Pair(Record, frozen=True):
    """The steps of one table: what reads it, what changes its rows on the way, what writes them."""

    reader: Statement
    writer: Statement
    between: tuple[Statement, ...] = ()

    @property
    def steps(self) -> Program:
        return (self.reader, *self.between, self.writer)


class Pipeline(Record, frozen=True):
    """Pairs under one name."""

    name: str
    pairs: tuple[Pair, ...]
    head: Statement | None = None

    @property
    def program(self) -> Program:
        head = self.head or Statement(PIPELINE)
        named = with_argument(head, "name", Text(self.name))
        return (named, *(step for pair in self.pairs for step in pair.steps))


def pipeline_of(program: Program, catalog: Catalog) -> Pipeline | None:
    """The pipeline that a program is: writers that each take the rows of one reader; None of any other."""
    head = head_of(program)
    steps = program if head is None else program[1:]
    by_symbol = {step.binds: step for step in steps if step.binds}
    pairs: list[Pair] = []
    for step in steps:
        if not catalog.writes((step.verb,)):
            continue
        chain = _chain(step, by_symbol)
        if chain is None:
            return None
        pairs.append(Pair(chain[0], step, chain[1:]))
    held = [step for pair in pairs for step in pair.steps]
    if not pairs or len({id(step) for step in held}) != len(held) or len(held) != len(steps):
        return None
    name = said_in(head, "name") if head is not None else ""
    return Pipeline(name or kebab_of(pairs[-1].writer.binds or pairs[-1].writer.verb), tuple(pairs), head)


def _chain(writer: Statement, by_symbol: dict[str, Statement]) -> tuple[Statement, ...] | None:
    """What a writer needs, from the reader on."""
    found: list[Statement] = []
    step = writer
    while True:
        needs = needed(step)
        if not needs:
            return tuple(reversed(found)) or None
        if len(needs) != 1 or needs[0] not in by_symbol:
            return None
        step = by_symbol[needs[0]]
        found.append(step)


def needed(step: Statement) -> tuple[str, ...]:
    argument = step.argument(NEEDS)
    value = argument.value if argument is not None else None
    if isinstance(value, Listed):
        return tuple(item.name for item in value.items if isinstance(item, Symbol))
    return (value.name,) if isinstance(value, Symbol) else ()


def said_in(step: Statement, name: str) -> str:
    """The text of an argument; empty where there is none."""
    return text_of(step, name) or ""


def needing(symbol: str) -> Argument:
    return Argument(NEEDS, Listed((Symbol(symbol),)))


def texts(items: Sequence[str]) -> Listed:
    return Listed(tuple(Text(item) for item in items))


def with_argument(step: Statement, name: str, value: Value | None) -> Statement:
    """A statement with another value for an argument, in its place; without it where there is no value."""
    held = step.argument(name)
    if value is None:
        return replace(step, arguments=tuple(each for each in step.arguments if each.name != name))
    if held is None:
        return replace(step, arguments=(*step.arguments, Argument(name, value)))
    changed = tuple(Argument(name, value) if each.name == name else each for each in step.arguments)
    return replace(step, arguments=changed)


def told_apart(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """Pairs that each write a target of their own, whatever names their tables have in common."""
    taken: set[tuple[str, str]] = set()
    found = []
    for pair in pairs:
        name = "path" if pair.writer.verb == FILE_WRITER else "table"
        said, place = said_in(pair.writer, name), said_in(pair.writer, "connection")
        free, number = said, 2
        while (place, free.casefold()) in taken:
            free, number = _numbered(said, number), number + 1
        taken.add((place, free.casefold()))
        writer = pair.writer if free == said else with_argument(pair.writer, name, Text(free))
        found.append(replace(pair, writer=writer))
    return tuple(found)


def _numbered(said: str, number: int) -> str:
    """A name with a number behind it, before the ending of a file."""
    folder, slash, file = said.rpartition("/")
    stem, dot, ending = file.partition(".")
    return f"{folder}{slash}{stem}_{number}{dot}{ending}"


class Symbols:
    """Names for steps: of several that would be the same, each gets its own."""

    def __init__(self, taken: Sequence[str] = ()) -> None:
        self._taken = set(taken)

    def fresh(self, wanted: str) -> str:
        name = wanted if is_kebab(wanted) else kebab_of(wanted)
        found, number = name, 2
        while found in self._taken:
            found, number = f"{name}-{number}", number + 1
        self._taken.add(found)
        return found
