"""What the plain arguments of a verb are called, and the closed values they take."""

from typing import Final

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.column_values import few_values
from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.pack import ArgumentKind, PackArgument
from dragoman.contracts.schema import ColumnInfo, TableInfo
from dragoman.contracts.state import CandidateScope
from dragoman.locales.registry import FALLBACK
from dragoman.packs.argument_columns import argument_columns
from dragoman.reading.tokens import tokens_of

MOST_VALUES: Final = 12
"""So many values make a closed question; a longer list is not read."""

YES: Final = "yes"
NO: Final = "no"


def plain_arguments(verb: CatalogVerb) -> dict[str, PackArgument]:
    """The arguments that are no entity, no date of the verb's own, and no key that the runtime makes."""
    return {
        name: argument
        for name, argument in verb.spec.arguments.items()
        if not argument.entity and argument.kind is not ArgumentKind.NEW_KEY and name != verb.date_argument
    }


def known_values(verb: CatalogVerb, name: str, catalog: Catalog) -> tuple[str, ...]:
    """The closed values of an argument: its options, or the few that its column has."""
    argument = verb.spec.arguments[name]
    if argument.options:
        return argument.options
    if argument.kind is ArgumentKind.BOOLEAN or argument.kind is not ArgumentKind.TEXT:
        return ()
    place = argument_columns(verb.spec, verb.pack.dialect).get(name)
    spec = catalog.connection_of(verb.pack)
    schema = catalog.visible_schema(spec) if spec is not None and place is not None else None
    for table in schema.tables if schema is not None and place is not None else ():
        for column in table.columns if place is not None and table.name == place.table else ():
            if spec is not None and place is not None and column.name == place.column:
                return _closed_values(column, table, verb, catalog, spec)
    return ()


def _closed_values(
    column: ColumnInfo, table: TableInfo, verb: CatalogVerb, catalog: Catalog, spec: ConnectionSpec
) -> tuple[str, ...]:
    """The values of a column that are a list to choose from: few, shared by many rows, and no names."""
    names = {(e.table, n) for e in verb.pack.entities.values() for n in (e.display, *e.names, *e.codes)}
    if (table.name, column.name) in names:
        return ()
    found = few_values(catalog, spec, table, column, MOST_VALUES)
    shared = found is not None and 2 * len(found.values) <= found.rows
    return tuple(sorted(found.values)) if found is not None and shared else ()


def offered(verb: CatalogVerb, name: str, catalog: Catalog) -> tuple[CandidateScope, ...]:
    """The closed answers to the question for an argument, where they are few."""
    argument = verb.spec.arguments.get(name)
    if argument is None:
        return ()
    if argument.entity:
        found = [entity.ref for entity in catalog.entities if entity.ref.kind == argument.entity]
        if len(found) > MOST_VALUES:
            return ()
        return tuple(CandidateScope(name, ref.id, ref.name) for ref in found)
    if argument.kind is ArgumentKind.BOOLEAN:
        return (CandidateScope(name, YES, YES), CandidateScope(name, NO, NO))
    return tuple(CandidateScope(name, value, value) for value in known_values(verb, name, catalog))


def titles(name: str, argument: PackArgument, language: str) -> list[tuple[str, ...]]:
    """What an argument is called: by its title and words, in the language and in English, longest first."""
    texts = [name.replace("-", " ")]
    for code in dict.fromkeys((language, FALLBACK)):
        texts += [argument.title.get(code, ""), *argument.words.get(code, ())]
    phrases = {tuple(token.form for token in tokens_of(text)) for text in texts if text}
    return sorted(phrases, key=lambda phrase: (-len(phrase), phrase))


def last_words(verb: CatalogVerb, name: str, language: str) -> list[tuple[str, ...]]:
    """The last word of a longer title, where it means no other argument: type for client type."""
    own = titles(name, verb.spec.arguments[name], language)
    others = {
        title[-1:]
        for other, argument in verb.spec.arguments.items()
        for title in titles(other, argument, language)
        if other != name
    }
    return [title[-1:] for title in own if len(title) > 1 and title[-1:] not in others]
