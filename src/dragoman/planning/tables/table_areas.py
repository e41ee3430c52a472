"""The part of a company's work that the names of tables begin with: `Sales_Orders`, `hr_employees`."""

from collections import Counter
from collections.abc import Iterable

from dragoman.planning.tables.name_words import name_words
from dragoman.tables.graph import Graph

_FEWEST_TABLES, _NEARLY_ALL = 4, 0.75


def table_areas(graph: Graph) -> dict[tuple[str, str], frozenset[str]]:
    """For each table the words of its area: they say where its rows are at home, not what they are. Only
    where nearly all tables begin with one, and several share it."""
    parted = {key: _parted(table.info.name) for key, table in graph.tables.items()}
    rows = _row_words(graph, [rest for _, rest in parted.values()])
    areas = {key: area for key, (area, _) in parted.items() if area and not set(name_words(area)) & rows}
    shared = Counter(areas.values())
    told = sum(times for times in shared.values() if times > 1)
    if told < max(_FEWEST_TABLES, _NEARLY_ALL * len(parted)):
        return {}
    # Where all begin with one, an area of a single table is one too.
    return {
        key: frozenset(name_words(area))
        for key, area in areas.items()
        if shared[area] > 1 or len(areas) == len(parted)
    }


def _parted(name: str) -> tuple[str, str]:
    area, mark, rest = name.partition("_")
    return (area, rest) if mark and area and rest.strip("_") else ("", name)


def _row_words(graph: Graph, rests: Iterable[str]) -> frozenset[str]:
    """Words for rows: a table is called so, or a key."""
    named = [name_words(rest) for rest in rests]
    keys = [name_words(column) for table in graph.tables.values() for column in table.info.primary_key]
    found = {words[0] for words in named if len(words) == 1}
    return frozenset(found | {words[0] for words in keys if len(words) == 2})
