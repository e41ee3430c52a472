"""Which scopes a message may speak of: those that account for most of its words."""

from dragoman.planning.tables.name_linker import Links
from dragoman.planning.tables.schema_names import Things
from dragoman.planning.tables.scope import Scope
from dragoman.planning.tables.words import Token

MOST_SCOPES = 10
_PAIR = 0.35
"""What a second table must account for to be worth it."""


def likely_scopes(things: Things, pairs: list[Scope], tokens: tuple[Token, ...], links: Links) -> list[Scope]:
    best: dict[tuple[str, str], list[float]] = {}
    for start, names in links.named.items():
        for name in names:
            row = best.setdefault(name.thing.table.key, [0.0] * len(tokens))
            # A table's own name says more than a column that sounds like it.
            worth = name.score * (1.15 if name.thing.column is None else 1.0)
            for place in range(start, name.end):
                row[place] = max(row[place], worth)
    for start, values in links.valued.items():
        for value in values:
            row = best.setdefault(value.thing.table.key, [0.0] * len(tokens))
            for place in range(start, value.end):
                row[place] = max(row[place], value.score)
    ranked: list[tuple[float, int, Scope]] = []
    for table in things.graph.tables.values():
        if table.key in best:
            ranked.append((sum(best[table.key]), len(ranked), Scope(table)))
    for pair in pairs:
        if pair.other is None:
            continue
        root, other = best.get(pair.root.key), best.get(pair.other.key)
        if root is None or other is None:
            continue
        ranked.append((sum(map(max, root, other)) - _PAIR, len(ranked), pair))
    ranked.sort(key=lambda item: (-item[0], item[1]))
    return [scope for _, _, scope in ranked[:MOST_SCOPES]]
