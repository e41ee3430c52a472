"""The pieces of a message in a row, each with the one thing that it is taken for."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from dragoman.contracts.connection import ConnectionSpec
from dragoman.databases.families.registry import family_named
from dragoman.planning.pipelines.pieces import Pieces
from dragoman.planning.pipelines.table_names import NamesSaid, Place, Span
from dragoman.planning.pipelines.words import VERBS, Cue, Mark, marks_of
from dragoman.reading.languages import Spoken
from dragoman.reading.tokens import tokens_of


class Kind(StrEnum):
    WORD = "word"
    """Nothing here knows it."""
    CUE = "cue"
    TABLE = "table"
    CONNECTION = "connection"
    PATH = "path"
    FOLDER = "folder"
    QUOTED = "quoted"
    URL = "url"
    CRON = "cron"
    CLOCK = "clock"


class Item(NamedTuple):
    kind: Kind
    start: int
    end: int
    cue: Cue | None = None
    means: str = ""
    places: tuple[Place, ...] = ()
    specs: tuple[ConnectionSpec, ...] = ()
    text: str = ""
    whole: bool = True

    def is_a(self, *cues: Cue) -> bool:
        return self.cue in cues


_ATOMS = {
    "path": Kind.PATH,
    "folder": Kind.FOLDER,
    "quoted": Kind.QUOTED,
    "url": Kind.URL,
    "cron": Kind.CRON,
    "clock": Kind.CLOCK,
}
_NEAR_PLACE = frozenset({Cue.FROM, Cue.TO, Cue.INSTEAD, Cue.RATHER_THAN, Cue.INTO_TABLE})


def items_of(
    pieces: Pieces, spoken: Spoken, specs: Iterable[ConnectionSpec], places: Sequence[Place]
) -> list[Item]:
    """The message from left to right. A name that is written as it is comes first, then whole names of
    tables, the words of pipelines, and parts of names."""
    known = tuple(specs)
    marks = marks_of(pieces.tokens, spoken)
    tables: dict[int, list[Span]] = {}
    for span in NamesSaid(pieces.tokens, spoken).tables(places):
        tables.setdefault(span.start, []).append(span)
    found: list[Item] = []
    orders = any(mark.cue in (*VERBS, Cue.PROMPT) for each in marks for mark in each)
    at = 0
    while at < len(pieces.tokens):
        item = _atom(pieces, at, known) or _item(
            pieces, at, marks[at], tables.get(at, []), known, found, places, orders=orders
        )
        found.append(item)
        at = item.end
    return [_settled(item, at, found) for at, item in enumerate(found)]


def _settled(item: Item, at: int, found: Sequence[Item]) -> Item:
    """New customers are some of them; a new file, and whatever goes into the existing table, is only said."""
    if not item.is_a(Cue.STATE):
        return item
    behind = found[at + 1] if at + 1 < len(found) else None
    before = next((each for each in reversed(found[:at]) if not each.is_a(Cue.FILLER, Cue.STATE)), None)
    of_rows = behind is not None and behind.kind is Kind.TABLE
    into = before is not None and before.is_a(Cue.TO, Cue.INTO_TABLE)
    return item if of_rows and not into else item._replace(cue=Cue.FILLER)


def _atom(pieces: Pieces, at: int, specs: tuple[ConnectionSpec, ...]) -> Item | None:
    atom = pieces.atom(at)
    if atom is None:
        return None
    if atom.kind == "arrow":
        return Item(Kind.CUE, at, at + 1, Cue.TO, text=atom.text)
    if atom.kind != "at":
        return Item(_ATOMS[atom.kind], at, at + 1, text=atom.text)
    named = tuple(spec for spec in specs if atom.text.casefold() in _names(spec))
    return Item(Kind.CONNECTION, at, at + 1, specs=named, text=f"@{atom.text}")


def _names(spec: ConnectionSpec) -> tuple[str, str]:
    return spec.alias.casefold(), spec.name.removeprefix("@").casefold()


def _item(
    pieces: Pieces,
    at: int,
    marks: Sequence[Mark],
    tables: Sequence[Span],
    specs: tuple[ConnectionSpec, ...],
    before: Sequence[Item],
    places: Sequence[Place],
    *,
    orders: bool,
) -> Item:
    mark = next((each for each in marks if _fits(each, pieces) and not _is_part(each, pieces)), None)
    table = tables[0] if tables else None
    connection = _connection(pieces, at, specs)
    if connection is not None and _is_place(connection, table, mark, before, pieces, orders=orders):
        return connection
    longer = mark is not None and table is not None and mark.end > table.end
    verb = mark is not None and mark.cue in VERBS and not any(each.cue in VERBS for each in before)
    written = _written_name(pieces, at, places, specs)
    if written is not None:
        return written
    if table is not None and table.whole and not longer and not (verb and _opens(before)):
        return Item(Kind.TABLE, table.start, table.end, places=table.places, text=pieces.raw(at))
    if mark is not None and not (table is not None and mark.cue is Cue.FILLER):
        return _marked(pieces, mark, specs)
    if table is not None:
        return Item(Kind.TABLE, table.start, table.end, places=table.places, text=pieces.raw(at), whole=False)
    if mark is not None:
        return _marked(pieces, mark, specs)
    # A name that is written with marks between its words is one name.
    raw = pieces.raw(at)
    end = pieces.end_of_raw(at) if "_" in raw or "-" in raw else at + 1
    return Item(Kind.WORD, at, end, text=raw)


def _written_name(
    pieces: Pieces, at: int, places: Sequence[Place], specs: Sequence[ConnectionSpec]
) -> Item | None:
    """A name with underscores is one name: that of a table, or whatever it is; never the words in it."""
    raw = pieces.raw(at)
    if "_" not in raw.strip("_") or any(raw.casefold() in _names(spec) for spec in specs):
        return None
    end = pieces.end_of_raw(at)
    tables = tuple(place for place in places if place.table.name.casefold() == raw.casefold())
    if tables:
        return Item(Kind.TABLE, at, end, places=tables, text=raw)
    return Item(Kind.WORD, at, end, text=raw)


def _fits(mark: Mark, pieces: Pieces) -> bool:
    """A comparison has a number behind it; without one “under” is a place."""
    if mark.cue is not Cue.COMPARISON:
        return True
    beside = pieces.tokens[max(mark.start - 2, 0) : mark.start] + pieces.tokens[mark.end : mark.end + 3]
    return any(token.form[:1].isdigit() for token in beside)


def _is_part(mark: Mark, pieces: Pieces) -> bool:
    """Whether a word for a database or a format is only a part of another name: duckdb.writer."""
    if mark.cue not in (Cue.FAMILY, Cue.FORMAT):
        return False
    tokens, text = pieces.tokens, pieces.text
    before = text[tokens[mark.start - 1].end : tokens[mark.start].start] if mark.start else ""
    behind = text[tokens[mark.end - 1].end : tokens[mark.end].start] if mark.end < len(tokens) else ""
    return "." in (before, behind)


def _opens(before: Sequence[Item]) -> bool:
    return all(each.is_a(Cue.FILLER) for each in before)


def _marked(pieces: Pieces, mark: Mark, specs: tuple[ConnectionSpec, ...]) -> Item:
    text = " ".join(pieces.tokens[each].form for each in range(mark.start, mark.end))
    if mark.cue is Cue.FAMILY:
        named = family_named(mark.means)
        found = tuple(spec for spec in specs if named is not None and spec.family == named.name)
        return Item(Kind.CONNECTION, mark.start, mark.end, mark.cue, mark.means, specs=found, text=text)
    return Item(Kind.CUE, mark.start, mark.end, mark.cue, mark.means, text=text)


def _connection(pieces: Pieces, at: int, specs: tuple[ConnectionSpec, ...]) -> Item | None:
    """The longest alias that is said here, whatever stands between its words."""
    best: Item | None = None
    for spec in specs:
        words = _alias_words(spec.alias)
        end = at + len(words)
        if not words or [token.form for token in pieces.tokens[at:end]] != words:
            continue
        # A name that only begins so is another name: crm_copy.
        whole = pieces.end_of_raw(end - 1) == end and pieces.end_of_raw(at) <= end
        if whole and (best is None or end >= best.end):
            others = best.specs if best is not None and best.end == end else ()
            best = Item(Kind.CONNECTION, at, end, specs=(*others, spec), text=pieces.raw(at))
    return best


def _alias_words(alias: str) -> list[str]:
    return [token.form for token in tokens_of(alias)]


def _is_place(
    connection: Item,
    table: Span | None,
    mark: Mark | None,
    before: Sequence[Item],
    pieces: Pieces,
    *,
    orders: bool,
) -> bool:
    """Whether the name of a connection is meant, where it may be a table or a word as well: a word of
    direction stands before it, or one for databases behind."""
    if mark is not None and mark.end > connection.end:
        return False
    if orders and table is None and (mark is None or mark.cue in (Cue.FILLER, Cue.FAMILY, Cue.DATABASE)):
        return True
    ordered = any(each.cue in (*VERBS, Cue.PROMPT) for each in before)
    if ordered and table is None and mark is not None and mark.cue in VERBS:
        return True
    leading = next((each for each in reversed(before) if not each.is_a(Cue.FILLER)), None)
    if leading is not None and leading.cue in _NEAR_PLACE:
        return True
    behind = pieces.tokens[connection.end].form if connection.end < len(pieces.tokens) else ""
    return behind in ("에서", "로", "으로", "database", "db")
