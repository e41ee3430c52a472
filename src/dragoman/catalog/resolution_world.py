"""What a resolution asks, answered by a catalog: the compiler, names, and the verbs that make new ones."""

from collections.abc import Mapping

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.vocabulary import Notation
from dragoman.entities.name_resolution import CreateForm
from dragoman.entities.records import Found
from dragoman.language.compiler import Compilation
from dragoman.language.document import Document
from dragoman.language.front import compile_source, printed, read_program
from dragoman.language.source import Source
from dragoman.packs.statements import inserted_argument


class CatalogWorld:
    """A catalog, as the resolution of the names in its programs asks for it."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def read(self, source: str, notation: Notation) -> Document:
        return read_program(Source(source), notation)

    def printed(self, document: Document) -> str:
        return printed(document, self._catalog.effects())

    def compile(self, source: str, notation: Notation) -> Compilation:
        return compile_source(source, notation, self._catalog)

    def search(self, entity: str, text: str, filters: Mapping[str, str]) -> Found:
        return self._catalog.search(entity, text, filters)

    def name_of(self, entity: str, key: str) -> str | None:
        return self._catalog.entity_name(entity, key)

    def form(self, entity: str) -> CreateForm | None:
        return create_form(self._catalog, entity)


def create_form(catalog: Catalog, entity: str) -> CreateForm | None:
    """The verb that makes an entity of a type, where its pack declares one. The argument that becomes the
    display column takes the name that was said."""
    owned = catalog.packs.entities.get(entity)
    verb = owned.pack.verbs.get(owned.entity.create) if owned else None
    if owned is None or verb is None:
        return None
    named = inserted_argument(verb, owned.entity.display, owned.pack.dialect)
    return CreateForm(owned.entity.create, named or "")
