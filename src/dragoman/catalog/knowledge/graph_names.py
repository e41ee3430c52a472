"""What the words of a message name in the graph: tables by their names, rows by what they are called."""

from collections.abc import Iterator
from typing import Final

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.knowledge.graph_store import graph_store, has_graph
from dragoman.contracts.errors import DragomanError
from dragoman.documents.terms import Word, is_small, spoken_of, words_of
from dragoman.locales.registry import FALLBACK
from dragoman.locales.thesaurus import translations

_MEANS: Final = 0.75
"""A translation that is as sure as this names the same table."""


def things_named(catalog: Catalog, terms: tuple[str, ...], code: str) -> tuple[str, ...] | None:
    """What each term names; None where one names nothing, or more than one thing."""
    tables = table_names(catalog)
    found = [_table(term, tables, code) or _row(catalog, term, tables, code) for term in terms]
    return tuple(found) if all(found) else None


def table_names(catalog: Catalog) -> dict[str, tuple[frozenset[str], ...]]:
    """Every visible table by the name that programs have for it, with its words."""
    if catalog.shipped or catalog.settings.graph is not None:
        return {}
    found: dict[str, tuple[frozenset[str], ...]] = {}
    for spec in catalog.in_order():
        own, schema = catalog.tables_of(spec), catalog.visible_schema(spec)
        visible = {(each.schema, each.name) for each in schema.tables} if schema is not None else set()
        for key, table in own.graph.tables.items() if own is not None else ():
            if key in visible:
                found.setdefault(table.name, _words(table.info.name, FALLBACK))
    return found


def _table(term: str, tables: dict[str, tuple[frozenset[str], ...]], code: str) -> str:
    wanted = _words(term, code)
    same = [
        name
        for name, words in tables.items()
        if len(words) == len(wanted) and all(a & b for a, b in zip(words, wanted, strict=True))
    ]
    joined = term.casefold().replace(" ", "").replace("_", "")
    same = same or [name for name in tables if name.replace("-", "").replace("_", "") == joined]
    return same[0] if len(same) == 1 else ""


def _row(catalog: Catalog, term: str, tables: dict[str, tuple[frozenset[str], ...]], code: str) -> str:
    """A row by what it is called, with or without the name of its table before it."""
    if not has_graph(catalog):
        return ""
    words = term.split()
    parted = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    try:
        named = graph_store(catalog).named([term, *(rest for _, rest in parted)])
    except DragomanError:
        return ""
    whole = [node.id for node in named.get(term, ())]
    if len(whole) == 1:
        return whole[0]
    for before, rest in parted:
        table = _table(before, tables, code)
        found = [node.id for node in named.get(rest, ()) if not table or node.kind == table]
        if table and len(found) == 1:
            return found[0]
        # A key is one word. Whether a row has it, the graph says.
        if table and not found and " " not in rest and any(map(str.isdigit, rest)):
            return f"{table}:{rest}"
    return ""


def _words(text: str, code: str) -> tuple[frozenset[str], ...]:
    """The words of a name, each by its forms and by what they mean in English, which schemas are in."""
    spread = "".join(
        f" {each}" if each.isupper() else each for each in text.replace("_", " ").replace("-", " ")
    )
    plain = text if text.isupper() or " " in text.strip() else spread
    words = (each for each in words_of(plain.replace("_", " ").replace("-", " "), code))
    return tuple(frozenset(_called(word, code)) for word in words if not is_small(word, code))


def _called(word: Word, code: str) -> Iterator[str]:
    yield from word.keys
    spoken = spoken_of(word.form, code)
    if spoken is not None and spoken.code != FALLBACK:
        for key in word.keys:
            found = translations(spoken.code, key).items()
            yield from (other for other, sure in found if sure >= _MEANS)


def tables_in(catalog: Catalog, text: str, code: str) -> tuple[str, ...]:
    """The tables that a text has the names of, word by word, in its order."""
    tables = table_names(catalog)
    said = _words(f"{text} ", code)
    found: list[str] = []
    for at in range(len(said)):
        found += (
            name
            for name, words in tables.items()
            if words
            and len(words) <= len(said) - at
            and all(a & b for a, b in zip(words, said[at : at + len(words)], strict=True))
        )
    return tuple(dict.fromkeys(found))
