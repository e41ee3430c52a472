"""Resolving the names of programs to keys, in a workspace: the operations of a resolution, ready to call."""

from collections.abc import Mapping

from dragoman.catalog.resolution_world import CatalogWorld
from dragoman.contracts.errors import EntityIndexMissing, InternalError, WorkspaceError
from dragoman.contracts.program import Argument, Statement
from dragoman.contracts.record import Record
from dragoman.contracts.resolution import Reference
from dragoman.contracts.verb import EntityType, VerbSignature
from dragoman.contracts.vocabulary import Notation
from dragoman.entities import name_resolution
from dragoman.entities.name_resolution import Creation, Resolution
from dragoman.entities.records import Found
from dragoman.language.compiler import Compilation
from dragoman.language.document import Document
from dragoman.language.source import Source
from dragoman.workspace.arguments import values_for
from dragoman.workspace.entities import Entities, Warn, Written, ignore
from dragoman.workspace.programs import Programs

__all__ = ["NewEntity", "Reference", "Resolution", "Resolver", "Written"]


class NewEntity(Record, frozen=True):
    """The program that makes an entity, its names resolved as far as they go, and what came of running it."""

    verb: str
    form: Resolution
    written: Written | None = None

    @property
    def program(self) -> str:
        return self.form.source

    @property
    def ready(self) -> bool:
        return self.form.ready


class Resolver:
    """Resolves the names in programs. A resolution is never changed: every operation gives a new one."""

    def __init__(
        self,
        programs: Programs,
        entities: Entities,
        *,
        profile: str | None = None,
        given: Mapping[str, str] | None = None,
        warn: Warn = ignore,
    ) -> None:
        self._world = ProgramWorld(programs, profile=profile, given=given)
        self._entities = entities
        self._warn = warn

    def begin(self, source: str, notation: Notation) -> Resolution:
        """The resolution of a program, the names of its types read anew. What binds by itself is bound."""
        self._freshen({ref.entity_type for ref in self._world.compile(source, notation).unresolved})
        return name_resolution.begin(self._world, source, notation)

    def none_of_these(self, resolution: Resolution, ref_id: str) -> Resolution:
        return name_resolution.none_of_these(resolution, ref_id)

    def search(
        self, resolution: Resolution, ref_id: str, text: str, filters: Mapping[str, str] | None = None
    ) -> Resolution:
        return name_resolution.search(self._world, resolution, ref_id, text, filters)

    def pick(self, resolution: Resolution, ref_id: str, key: str) -> Resolution:
        return name_resolution.pick(self._world, resolution, ref_id, key)

    def pick_numbered(self, resolution: Resolution, ref_id: str, number: int) -> Resolution:
        return name_resolution.pick_numbered(self._world, resolution, ref_id, number)

    def skip(self, resolution: Resolution, ref_id: str) -> Resolution:
        return name_resolution.skip(self._world, resolution, ref_id)

    def program(self, resolution: Resolution) -> str:
        """The program as it is now, without what is left out."""
        return name_resolution.program(self._world, resolution)

    def create(
        self,
        resolution: Resolution,
        ref_id: str,
        given: Mapping[str, str],
        *,
        yes: bool,
        run_id: str | None = None,
    ) -> tuple[Resolution, NewEntity]:
        """Make what a reference means. Without a yes, or while its program is not ready, nothing is made."""
        waiting = name_resolution.create(self._world, resolution, ref_id)
        kind = _creation(waiting).entity_type
        maker = self._maker(kind)
        waiting = name_resolution.fill(self._world, waiting, values_for(maker, given))
        creation = _creation(waiting)
        statement = name_resolution.form_statement(self._world, creation)
        made = self._made(kind, statement, creation.form, yes=yes, run_id=run_id)
        if made.written is None:
            return waiting, made
        self._world.forget_names()
        return name_resolution.created(self._world, waiting, made.written.key), made

    def create_entity(
        self, kind: str, given: Mapping[str, str], *, yes: bool, run_id: str | None = None
    ) -> NewEntity:
        """Make an entity of a type with the verb that its pack declares, after a yes."""
        maker = self._maker(kind)
        values = values_for(maker, given)
        statement = Statement(maker.name, tuple(Argument(name, value) for name, value in values.items()))
        text = self._world.printed(Document(Notation.VERBS, (statement,)))
        form = name_resolution.begin(self._world, text, Notation.VERBS)
        statement = self._world.read(form.source, form.notation).statements[0]
        return self._made(kind, statement, form, yes=yes, run_id=run_id)

    def _maker(self, kind: str) -> VerbSignature:
        """The verb that makes an entity, with the names that its arguments may mean read anew."""
        maker = self._entities.maker(kind)
        self._freshen({each.type.entity for each in maker.arguments if isinstance(each.type, EntityType)})
        return maker

    def _made(
        self, kind: str, statement: Statement, form: Resolution, *, yes: bool, run_id: str | None
    ) -> NewEntity:
        if not form.ready or not yes:
            return NewEntity(statement.verb, form)
        return NewEntity(statement.verb, form, self._entities.make(kind, statement, run_id))

    def _freshen(self, kinds: set[str]) -> None:
        self._entities.freshen(kinds, self._warn)
        self._world.forget_names()


def _creation(resolution: Resolution) -> Creation:
    if resolution.creation is None:
        raise InternalError("a resolution that makes something new does not say what")
    return resolution.creation


class ProgramWorld(CatalogWorld):
    """The programs of a workspace, as the resolution of their names asks for them."""

    def __init__(
        self, programs: Programs, *, profile: str | None = None, given: Mapping[str, str] | None = None
    ) -> None:
        if programs.workspace is None:
            raise WorkspaceError(
                "names are resolved in a workspace, and this folder is none",
                hint="dragoman init makes one; init --pack funds makes one with a demo",
            )
        super().__init__(programs.workspace)
        self._programs = programs
        self._profile = profile
        self._given = given

    def compile(self, source: str, notation: Notation) -> Compilation:
        return self._programs.compile(Source(source), notation, profile=self._profile, given=self._given)

    def search(self, entity: str, text: str, filters: Mapping[str, str]) -> Found:
        index = self._catalog.index(entity)
        if index is None:
            raise EntityIndexMissing(
                f"no names of the type {entity} are known yet",
                hint=f"dragoman entities index {entity} reads them",
            )
        return index.search(text, filters=filters)

    def forget_names(self) -> None:
        """The names have changed: look at them again."""
        self._catalog.forget_names()
