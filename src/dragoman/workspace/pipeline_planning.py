"""The planner of pipelines of a workspace, with the planners of questions that it asks for rows."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.state import SessionState
from dragoman.planning.contract import Asked
from dragoman.planning.packs.planner import PackPlanner
from dragoman.planning.pipeline_planner import PipelinePlanner
from dragoman.reading.message import Reader
from dragoman.session.continuity import resolve
from dragoman.workspace.table_planners import TablePlanners

if TYPE_CHECKING:
    from dragoman.contracts.schema import TableInfo
    from dragoman.databases.values import ValueIndex
    from dragoman.planning.pipelines.questions import Questions
    from dragoman.planning.pipelines.table_names import Place


def pipeline_planner(
    catalog: Catalog, tables: TablePlanners, reader: Reader, folder: Path, home: Path
) -> PipelinePlanner:
    """Over what was discovered of a workspace; files go into its folder."""

    def read(asked: Asked, text: str, state: SessionState, connection: str) -> Asked:
        continuity = resolve(state)
        message = reader.read_message(text, state, continuity, connection)
        return replace(
            asked,
            text=message.text,
            said=text,
            reading=message.reading,
            continuity=continuity,
            state=state,
            own=message.signals,
            written=None,
        )

    def values(place: "Place") -> "ValueIndex | None":
        if catalog.guards(place.spec):
            # Values are not for everybody then.
            return None
        try:
            if tables.several is not None:
                found = [each.tables for each in tables.several.places if each.spec == place.spec]
                return found[0].planner.values if found else None
            return tables.alone.planner.values if tables.alone is not None else None
        except DragomanError:
            # Without the database nothing is known of them.
            return None

    def there(spec: ConnectionSpec) -> "tuple[TableInfo, ...] | None":
        from dragoman.databases.connections import open_connection
        from dragoman.databases.connections import resolve as resolve_connection
        from dragoman.databases.discovery.discovery import read_shape

        try:
            connection = resolve_connection(spec, home)
            with open_connection(connection) as reader:
                return read_shape(reader, connection.family).tables
        except DragomanError:
            # Whoever runs the pipeline hears why the target cannot be reached.
            return None

    def questions() -> "Questions":
        from dragoman.planning.examination import propose
        from dragoman.planning.pipelines.questions import Questions

        planners = (*tables.beside((PackPlanner(),)), *tables.over)
        return Questions(read, partial(propose, planners, objector=tables.objector), values, there)

    def unwritten(run_id: str) -> tuple[str, ...] | None:
        from dragoman.workspace.pipeline_runs import unwritten_of

        return unwritten_of(folder, home, run_id)

    return PipelinePlanner(questions, catalog.visible_schema, folder, unwritten)
