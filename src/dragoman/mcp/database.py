"""The tool about what a database holds."""

from msgspec.structs import replace

from dragoman.contracts.schema import TableInfo
from dragoman.mcp.arguments import DiscoverArguments
from dragoman.mcp.call import Call
from dragoman.mcp.results import Discovered
from dragoman.workspace.gated import GatedWorkspace

SHOWN_TABLES = 200


def discover(workspace: GatedWorkspace, given: DiscoverArguments, call: Call) -> Discovered:
    databases = workspace.databases
    spec = databases.find(given.connection)

    def progress(done: int, total: int, what: str) -> None:
        call.tell(f"{done} of {total}  {what}"[:200])

    schema = databases.visible(spec, refresh=given.refresh, progress=progress)
    wanted = set(given.tables)
    found = [table for table in schema.tables if not wanted or table.name in wanted]
    return Discovered(
        spec.name,
        tuple(each.name for each in databases.connections().specs),
        schema.family,
        str(schema.dialect),
        schema.fingerprint,
        tuple(map(_without_bounds, found[:SHOWN_TABLES])),
        max(0, len(found) - SHOWN_TABLES),
    )


def _without_bounds(table: TableInfo) -> TableInfo:
    """A table without what was seen of its rows: the least and the greatest values are data."""
    columns = (replace(column, least=None, most=None, has_gaps=False) for column in table.columns)
    return replace(table, columns=tuple(columns))
