"""Tables, links and columns by the words that people use for them."""

from dragoman.answering.words.names import in_words
from dragoman.answering.words.plain_names import column_words, step_words, table_words
from dragoman.answering.words.speaker import Speaker
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ValueType
from dragoman.tables.graph import Column, Graph, Link, Table
from dragoman.tables.verbs import DATES, NUMBERS, PARTS


class Place(Record, frozen=True, gc=True):
    """Where names are looked up: a table, by what programs call it, and how it was reached."""

    name: str
    graph: Graph | None = None
    table: Table | None = None
    reached: str = ""
    """The words for the row of this table, seen from the row that is asked about: `customer`."""


class Named(Record, frozen=True):
    """A column in words. `own`: it is a column of the table itself. `part`: what of its date is meant."""

    words: str
    type: ValueType | None = None
    own: bool = True
    part: str = ""

    @property
    def is_date(self) -> bool:
        return self.type in DATES and not self.part

    @property
    def is_number(self) -> bool:
        return self.type in NUMBERS


def own_column(table: Table, name: str) -> Column | None:
    """A column of a table, by what programs call it or by its real name."""
    return table.columns.get(name) or table.by_real_name.get(name)


def place_of(graph: Graph | None, name: str) -> Place:
    return Place(name, graph, graph.by_name.get(name) if graph is not None else None)


def rows_of(speaker: Speaker, place: Place) -> str:
    """Several rows of a table: `orders`."""
    return _table(speaker, place, many=True)


def row_of(speaker: Speaker, place: Place) -> str:
    """One row of a table: `order`."""
    return _table(speaker, place, many=False)


def _table(speaker: Speaker, place: Place, *, many: bool) -> str:
    if speaker.exact:
        return speaker.quoted(place.name)
    real = place.table.info.name if place.table is not None else place.name
    words = table_words(real)
    return speaker.words.plural(words) if many else speaker.words.singular(words)


def column_named(speaker: Speaker, place: Place, text: str, *, parts: bool = True) -> Named:
    """The column at the end of a path, `customer/country` or `order-date/month`."""
    *before, last = text.split("/")
    at, steps = place, list[str]()
    for step in before:
        words, at = _step(speaker, at, step)
        steps.append(words)
    column = own_column(at.table, last) if at.table is not None else None
    if column is None and parts and before and last in PARTS:
        whole = column_named(speaker, place, "/".join(before), parts=False)
        return dated(speaker, place, whole, last)
    kind = column.type if column is not None else None
    if speaker.exact:
        return Named(speaker.quoted(text), kind, own=not before)
    own = column_words(at.table, column.info.name if column is not None else last)
    words = own
    for each in reversed(steps):
        words = _beside(each, words)
    return Named(_beside(place.reached, words), kind, own=not before and not place.reached)


def dated(speaker: Speaker, place: Place, column: Named, part: str) -> Named:
    """A part of a date. Where the table has one date alone, nobody needs to hear which."""
    only = column.own and place.table is not None and len(place.table.dates) == 1 and not speaker.exact
    key = f"part_{part}"
    name = speaker.put(key) if speaker.words.knows(key) else in_words(part)
    words = name if only else speaker.put("part_of", part=name, column=column.words)
    return Named(words, column.type, column.own, part)


def link_of(place: Place, step: str) -> Link | None:
    """The link that a step of a path names."""
    if place.graph is None or place.table is None:
        return None
    direct = place.graph.link(place.table, step)
    if direct is not None:
        return direct
    links = place.graph.links(place.table)
    target = place.graph.by_name.get(step)
    ways = [link for link in links.values() if target is not None and link.target == target.key]
    return ways[0] if len(ways) == 1 else None


def leads_on(place: Place, step: str) -> bool:
    if place.graph is None or place.table is None:
        return "-by-" in step
    return place.graph.link(place.table, step) is not None or step in place.graph.by_name


def reached_by(speaker: Speaker, place: Place, step: str) -> Place:
    """The place at the end of a step, with the words of the way there."""
    words, at = _step(speaker, place, step)
    return Place(at.name, at.graph, at.table, _beside(place.reached, words))


def _step(speaker: Speaker, place: Place, step: str) -> tuple[str, Place]:
    """One row at the end of a step in words, and its place."""
    link, graph = link_of(place, step), place.graph
    if graph is None:
        return in_words(step.partition("-by-")[0]), Place(step)
    table = graph.tables[link.target] if link is not None else graph.by_name.get(step)
    at = Place(table.name if table is not None else step, graph, table)
    if speaker.exact:
        return speaker.quoted(step), at
    if link is None or place.table is None:
        return in_words(step), at
    if not _goes_back(link):
        return step_words(graph, place.table, link), at
    if link.apart:
        return speaker.put("other_row", row=row_of(speaker, at)), at
    return _told_apart(speaker, place, link, row_of(speaker, at)), at


def link_rows(speaker: Speaker, place: Place, step: str) -> str:
    """The rows at the end of a link, in the plural where there may be many: `orders`."""
    words, at = _step(speaker, place, step)
    link = link_of(place, step)
    if speaker.exact or link is None or not _goes_back(link):
        return words
    if link.apart:
        return speaker.put("other_rows", rows=rows_of(speaker, at), column=_shared(speaker, at, link))
    return _told_apart(speaker, place, link, rows_of(speaker, at))


def _shared(speaker: Speaker, place: Place, link: Link) -> str:
    """What rows have in common: of a key what it leads to, `section`, and not `section ID`."""
    ((name, _),) = link.pairs
    table, graph = place.table, place.graph
    leading = () if table is None or graph is None else graph.links(table).values()
    key = next(
        (each.name for each in leading if [here for here, _ in each.pairs] == [name] and each.single), ""
    )
    if key and "-by-" not in key:
        return _step(speaker, place, key)[0]
    column = column_named(speaker, place, name, parts=False)
    if link.part is None:
        return column.words
    return speaker.put("part_of", part=speaker.put(f"part_{link.part}"), column=column.words)


def _told_apart(speaker: Speaker, place: Place, link: Link, words: str) -> str:
    """`orders-by-customer` are the orders, as long as no other link leads from here to orders."""
    if place.graph is None or place.table is None:
        return words
    alike = [each for each in place.graph.links(place.table).values() if each.target == link.target]
    if len(alike) == 1:
        return words
    return speaker.put("rows_through", rows=words, link=in_words(link.name.partition("-by-")[2]))


def _goes_back(link: Link) -> bool:
    return "-by-" in link.name


def _beside(before: str, words: str) -> str:
    """Two names, one behind the other, without saying the same word twice: `album` and `album title`."""
    if not before or words == before or words.startswith(f"{before} "):
        return words
    return f"{before} {words}"
