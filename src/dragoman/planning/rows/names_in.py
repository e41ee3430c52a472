"""Which tables and columns the words of a message about a row may name."""

from dragoman.planning.tables.name_linker import Links, Named
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import Token

LIKE = 0.65
"""How like a name words are, at least, that name something an object has or is linked to."""


def covering(links: Links, tokens: tuple[Token, ...], content: tuple[Token, ...]) -> list[Named]:
    """The names that take exactly the words that say something, the most like first."""
    if not content:
        return []
    first, last = tokens.index(content[0]), tokens.index(content[-1]) + 1
    inside = tokens[first:last]
    if any(token not in content for token in inside):
        return []
    found = [named for named in links.named.get(first, ()) if named.end == last and named.score >= LIKE]
    return sorted(found, key=lambda named: -named.score)


def names_table(links: Links, tokens: tuple[Token, ...], content: tuple[Token, ...], table: Thing) -> bool:
    """Whether words name the rows of a table."""
    return any(named.thing == table for named in covering(links, tokens, content)[:3])
