"""What a catalog knows of the names in a program."""

from dragoman.answering.words.speaker import Known
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.verbs import connection_in
from dragoman.contracts.program import Statement
from dragoman.tables.graph import Graph


def known_in(catalog: Catalog, language: str) -> Known:
    """The tables and the titles of a catalog, for programs that are said in this language."""

    def graph_of(statement: Statement) -> Graph | None:
        tables = catalog.tables_for(statement.verb, connection_in(statement))
        return None if tables is None else tables.graph

    def title_of(statement: Statement) -> str:
        owned = catalog.pack_verb(statement.verb, connection_in(statement))
        verb = catalog.verb(statement.verb) if owned is not None else None
        return "" if verb is None else verb.title(language)

    return Known(graph_of, title_of)
