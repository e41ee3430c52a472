"""What a half-typed word may become: names, verbs, taught words and values of the database that is asked."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.record import Record
from dragoman.databases.values import ValueIndex
from dragoman.planning.contract import Planner
from dragoman.planning.database_planner import DatabasePlanner

MOST_VALUES: Final = 50_000
_LONGEST_VALUE: Final = 60
_MOST_WORDS: Final = 5
"""A value of so many words is completed from any of them on."""
_MOST_OFFERED: Final = 60
_FEWEST_LETTERS: Final = 2
"""From so many letters on values are offered: with fewer any of thousands could be meant."""


class WordKind(StrEnum):
    """What a word is, as it is shown beside it."""

    TABLE = "table"
    COLUMN = "column"
    TAUGHT = "taught"
    VERB = "verb"
    VALUE = "value"


class Completed(Record, frozen=True):
    """What may stand in the place of the last `typed` characters of a line."""

    text: str
    kind: WordKind
    typed: int
    of: str = ""
    """Of a column or a value, whose it is."""


class _Entry(Record, frozen=True):
    text: str
    kind: WordKind
    of: str = ""


class Completion:
    """The words of one database, to be found by how they begin."""

    def __init__(self, entries: Iterable[_Entry]) -> None:
        unique = {(each.text.casefold(), each.kind): each for each in reversed(list(entries))}
        order = list(WordKind)
        self._entries = sorted(
            unique.values(), key=lambda each: (each.text.casefold(), order.index(each.kind), each.of)
        )
        self._keys = [each.text.casefold() for each in self._entries]

    def of_line(self, line: str) -> tuple[Completed, ...]:
        """What the end of a line may become. The longest end that anything begins with counts."""
        in_program = line.lstrip().startswith("(")
        for tail in _ends(line):
            found = [
                Completed(each.text, each.kind, len(tail), each.of)
                for each in self._beginning(tail)
                if _is_offered(each, tail, in_program=in_program)
            ]
            if found:
                found.sort(key=lambda each: list(WordKind).index(each.kind))
                return tuple(found[:_MOST_OFFERED])
        return ()

    def _beginning(self, start: str) -> Iterator[_Entry]:
        folded = start.casefold()
        for place in range(bisect_left(self._keys, folded), len(self._keys)):
            if not self._keys[place].startswith(folded):
                return
            yield self._entries[place]


def completion_of(catalog: Catalog, planners: Iterable[Planner]) -> Completion:
    """Everything that can be completed. Values are those that the planner over tables knows: what is hidden
    from this viewer is not among them."""
    tables = next((each for each in planners if isinstance(each, DatabasePlanner)), None)
    try:
        values = _values(tables.planner.values) if tables is not None else iter(())
    except DragomanError:
        # Out of reach now: the next question says so. The names are known all the same.
        values = iter(())
    return Completion((*_names(catalog), *values))


def _names(catalog: Catalog) -> Iterator[_Entry]:
    spec = catalog.default
    schema = catalog.visible_schema(spec) if spec is not None else None
    for word in catalog.taught:
        yield _Entry(word.word, WordKind.TAUGHT, word.of)
    for table in schema.tables if schema is not None else ():
        yield _Entry(table.name, WordKind.TABLE)
        for column in table.columns:
            yield _Entry(column.name, WordKind.COLUMN, table.name)
    for verb in catalog.verb_names():
        yield _Entry(verb, WordKind.VERB)
    for entity in catalog.entities:
        yield from (_Entry(name, WordKind.VALUE, entity.ref.kind) for name in entity.names)


def _values(values: ValueIndex) -> Iterator[_Entry]:
    given = 0
    for place in values.places():
        if given == MOST_VALUES:
            return
        text = place.value
        if len(text) <= _LONGEST_VALUE and text.isprintable() and text.strip() == text and text:
            given += 1
            yield _Entry(text, WordKind.VALUE, f"{place.table}.{place.column}")


def _ends(line: str) -> Iterator[str]:
    """The last words of a line, the most of them first."""
    starts = [at for at in range(len(line)) if not line[at].isspace() and (at == 0 or _parts(line[at - 1]))]
    for at in starts[-_MOST_WORDS:]:
        yield line[at:]


def _parts(letter: str) -> bool:
    return letter.isspace() or letter in "(\"'«“„‘[{"


def _is_offered(entry: _Entry, tail: str, *, in_program: bool) -> bool:
    if entry.text == tail:
        return False
    match entry.kind:
        case WordKind.VERB:
            # In a sentence nobody writes them, until somebody begins to.
            return in_program or "." in tail
        case WordKind.VALUE:
            return len(tail) >= _FEWEST_LETTERS
        case WordKind.TABLE | WordKind.COLUMN | WordKind.TAUGHT:
            return True
