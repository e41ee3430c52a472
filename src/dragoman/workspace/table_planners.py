"""The planners over the tables of a workspace: one for each database that was discovered."""

from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.homes import Notice
from dragoman.catalog.sources import DEFAULT
from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.errors import InternalError
from dragoman.contracts.program import Statement
from dragoman.contracts.record import Record
from dragoman.contracts.schema import DatabaseSchema
from dragoman.contracts.taught import TaughtWord
from dragoman.planning.contract import Asked, Objector, Planner
from dragoman.planning.teaching.teach_planner import TeachPlanner

if TYPE_CHECKING:
    from dragoman.databases.values import Freshness, ValueIndex
    from dragoman.planning.database.joint import JointPlanner
    from dragoman.planning.database.pack_notes import PackNotes
    from dragoman.planning.database_planner import DatabasePlanner
    from dragoman.planning.several.said_names import SchemaNames
    from dragoman.planning.several.several_planner import SeveralDatabases
    from dragoman.tables.catalog import TableCatalog
    from dragoman.tables.graph import Graph
    from dragoman.workspace.database_values import DatabaseValues


class TablePlanners(Record, frozen=True, gc=True):
    """Who reads words, rows and tables, and who objects to what they read."""

    words: Planner
    over: tuple[Planner, ...] = ()
    """Over rows and over tables, in the order in which they are asked."""
    objector: Objector | None = None
    several: "SeveralDatabases | None" = None
    """All databases, where there are several."""
    alone: "DatabasePlanner | None" = None
    """The planner over the tables, where there is one database."""

    def asked_in(self, asked: Asked) -> "tuple[tuple[str, DatabasePlanner], ...]":
        """The planners over the databases that a message may be about, with what programs call each."""
        if self.several is None:
            return () if self.alone is None else (("", self.alone),)
        named = self.several.named_in(asked)
        places = self.several.places if named is None else (named,)
        return tuple((place.name, place.tables) for place in places)

    def beside(self, planners: tuple[Planner, ...]) -> tuple[Planner, ...]:
        """Planners over packs, held to the database that a message names."""
        if self.several is None:
            return planners
        from dragoman.planning.several.several_talk import Where

        return tuple(Where(each, self.several) for each in planners)


class TablePlannerMaker:
    """Makes the planners of one workspace. With `answer_always` the best reading is answered even when it is
    not sure; without `review` no second reader objects."""

    def __init__(
        self, catalog: Catalog, home: Path, notice: Notice, *, answer_always: bool, review: bool
    ) -> None:
        self._catalog = catalog
        self._home = home
        self._notice = notice
        self._answer_always = answer_always
        self._review = review

    def none(self) -> TablePlanners:
        return TablePlanners(TeachPlanner(None, lambda statement: None))

    def of_discovered(self) -> TablePlanners:
        """Over every database that was discovered."""
        catalog = self._catalog
        specs = [spec for spec in catalog.in_order() if catalog.visible_schema(spec) is not None]
        if not specs:
            return self.none()
        # A single database is asked as it is: nothing has to be told apart.
        if len(catalog.databases.specs) == 1:
            from dragoman.planning.rows.rows_planner import RowsPlanner

            tables = self._tables(catalog, specs[0])
            return TablePlanners(
                self._teacher(tables, catalog),
                (RowsPlanner(tables), tables),
                self._objector(tables.objections),
                alone=tables,
            )
        return self._of_several(specs)

    def _of_several(self, specs: list[ConnectionSpec]) -> TablePlanners:
        from dragoman.planning.rows.rows_planner import RowsPlanner
        from dragoman.planning.several.place import Place
        from dragoman.planning.several.several_planner import SeveralDatabases
        from dragoman.planning.several.several_talk import SeveralRows, SeveralTeachers

        places: list[Place] = []
        for spec in specs:
            view = self._catalog.only(spec)
            tables = self._tables(view, spec)
            places.append(Place(self._catalog, spec, tables, RowsPlanner(tables)))
        several = SeveralDatabases(places, [self._names(spec) for spec in specs])
        teachers = [(place, self._teacher(place.tables, place.view)) for place in places]
        return TablePlanners(
            SeveralTeachers(several, teachers),
            (SeveralRows(several), several),
            self._objector(several.objections),
            several,
        )

    def _objector(self, objector: Objector) -> Objector | None:
        return objector if self._review else None

    def _names(self, spec: ConnectionSpec) -> "SchemaNames":
        from dragoman.planning.database.said_joint import declared, together
        from dragoman.planning.several.said_names import SchemaNames
        from dragoman.planning.teaching.taught_columns import TaughtColumns
        from dragoman.tables.graph import Graph

        schema, tables = self._catalog.visible_schema(spec), self._catalog.tables_of(spec)
        if schema is None or tables is None:
            raise InternalError("a database has a planner, and was never discovered")
        words, noted = self._taught(spec), self._noted(spec, schema)
        metrics = (word for said in noted.metrics for word in said)
        taught = TaughtColumns(words, tables, schema, declared(schema, words, metrics))
        called = together(_called(self._catalog.only(spec)), noted.called, taught.called)
        return SchemaNames(Graph(schema), called)

    def _teacher(self, tables: "DatabasePlanner", catalog: Catalog) -> TeachPlanner:
        def rows(statement: Statement) -> int | None:
            from dragoman.planning.data_end import telling_rows

            return telling_rows(statement, tables.planner.graph, catalog)

        return TeachPlanner(lambda: tables.planner, rows)

    def _tables(self, catalog: Catalog, spec: ConnectionSpec) -> "DatabasePlanner":
        """The planner over one database. `catalog` knows no other, where there are several."""
        # Imported where there are tables to ask: a demo that is asked through its pack starts without.
        from dragoman.databases.values import Freshness
        from dragoman.planning.database_planner import DatabasePlanner

        values: list[DatabaseValues] = []
        freshness = Freshness()

        # Opened with the first question that needs it: it reads the values of every column.
        def planner() -> "JointPlanner":
            from dragoman.databases.values import index_of

            schema, tables = catalog.visible_schema(spec), catalog.tables_of(spec)
            if schema is None or tables is None:
                raise InternalError("a database has a planner, and was never discovered")
            if catalog.guards(spec):
                # Values are not for everybody then: a question has to bring its own. What a visible column
                # may hold is declared, and no secret.
                return self._joint(catalog, spec, schema, tables, index_of((), schema))
            if not values:
                values.append(self._values(catalog, spec, schema, freshness))
            return self._joint(catalog, spec, schema, tables, values[0].index())

        return DatabasePlanner(catalog, planner, freshness.is_outdated, answer_always=self._answer_always)

    def _values(
        self, catalog: Catalog, spec: ConnectionSpec, schema: DatabaseSchema, freshness: "Freshness"
    ) -> "DatabaseValues":
        from dragoman.databases.connections import resolve
        from dragoman.databases.values import origin_of
        from dragoman.workspace.database_values import DatabaseValues, kept_values

        connection = resolve(spec, self._home)
        # Values that are not for everybody are not kept.
        shared = not catalog.has_policies(spec)
        file = kept_values(self._home, schema, origin_of(connection)) if shared else None
        return DatabaseValues(self._home, spec, schema, connection, self._notice, freshness, file=file)

    def _joint(
        self,
        catalog: Catalog,
        spec: ConnectionSpec,
        schema: DatabaseSchema,
        tables: "TableCatalog",
        values: "ValueIndex",
    ) -> "JointPlanner":
        from dragoman.planning.data_end import telling_rows
        from dragoman.planning.database.said_joint import Said, said_joint

        said = Said(_called(catalog), self._noted(spec, schema), self._taught(spec))

        def rows(statement: Statement, graph: "Graph") -> int | None:
            return telling_rows(statement, graph, catalog)

        return said_joint(tables, schema, values, said, rows, reviews=self._review)

    def _noted(self, spec: ConnectionSpec, schema: DatabaseSchema) -> "PackNotes":
        """What the packs for a database say of its tables."""
        from dragoman.planning.database.pack_notes import pack_notes

        catalog = self._catalog
        return pack_notes((p for p in catalog.packs.packs if catalog.connection_of(p) == spec), schema)

    def _taught(self, spec: ConnectionSpec) -> tuple[TaughtWord, ...]:
        """The words that were taught for a database. One that names none is for the default one; where none
        is that, for whichever it fits."""
        catalog = self._catalog
        return tuple(
            word
            for word in catalog.taught
            if catalog.connection_named(word.connection or DEFAULT)
            in ((spec,) if word.connection else (spec, None))
        )


def _called(catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """What packs call the tables of their entities: those words help questions over the tables too."""
    found: dict[str, tuple[str, ...]] = {}
    for owned in catalog.packs.entities.values():
        words = (word for words in owned.entity.words.values() for word in words)
        found[owned.entity.table] = (*found.get(owned.entity.table, ()), *words, *owned.entity.title.values())
    return found
