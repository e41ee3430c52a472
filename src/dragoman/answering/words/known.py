"""What a catalog knows of the names in programs, looked up once for all of them."""

from collections.abc import Iterable

from dragoman.answering.words.speaker import Known
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.verbs import SpokenVerb
from dragoman.contracts.program import Program, Statement, Value
from dragoman.tables.graph import Graph

CONNECTION = "connection"


class CatalogNames:
    """The tables and the titles of a catalog, for programs that are said in one language."""

    def __init__(self, catalog: Catalog, language: str) -> None:
        self._catalog = catalog
        self._language = language
        self._found: dict[tuple[str, Value | None], SpokenVerb] = {}
        self.known = Known(self._graph_of, self._title_of)

    def learn(self, programs: Iterable[Program]) -> None:
        """Look up at once what these programs are said with."""
        wanted = {_key(each): each for program in programs for each in program}
        missing = {key: each for key, each in wanted.items() if key not in self._found}
        if missing:
            spoken = self._catalog.spoken(missing.values(), self._language)
            self._found.update(zip(missing, spoken, strict=True))

    def _graph_of(self, statement: Statement) -> Graph | None:
        return self._of(statement).graph

    def _title_of(self, statement: Statement) -> str:
        return self._of(statement).title

    def _of(self, statement: Statement) -> SpokenVerb:
        # A call inside a value is met only while its statement is said.
        if _key(statement) not in self._found:
            self.learn([(statement,)])
        return self._found[_key(statement)]


def _key(statement: Statement) -> tuple[str, Value | None]:
    named = (argument.value for argument in statement.arguments if argument.name == CONNECTION)
    return statement.verb, next(named, None)
