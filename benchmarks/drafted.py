"""A database with the pack that is drafted for it, as it is drafted."""

from benchmarks.questions_data import Opened
from dragoman.contracts.pack import Pack
from dragoman.language.source import Source
from dragoman.packs.declared_scales import with_scales
from dragoman.packs.pack_files import read_pack
from dragoman.planning.database.joint import JointPlanner
from dragoman.planning.database.pack_notes import pack_notes
from dragoman.planning.database.said_joint import Said, said_joint
from dragoman.planning.first_pack.draft import first_pack
from dragoman.tables.catalog import table_catalog


def drafted_planner(database: Opened) -> JointPlanner:
    """The planners over one database, as a workspace makes them where the pack is installed."""
    pack = read_pack(Source(first_pack(database.schema, "draft")))
    if not isinstance(pack, Pack):
        raise SystemExit(f"the draft cannot be read: {pack[0].message}")
    schema = with_scales(database.schema, (pack,))
    said = Said(noted=pack_notes((pack,), schema))
    return said_joint(
        table_catalog(schema), schema, database.values, said, lambda statement, _: database.count(statement)
    )
