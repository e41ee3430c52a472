"""The database that a pack speaks of: its connection in the workspace, or the demo of a shipped pack."""

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.catalog.settings import read_settings
from dragoman.catalog.sources import index_root, schema_folder
from dragoman.contracts.access import DatabaseReader, Target
from dragoman.contracts.connection import Transport
from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.pack import Pack
from dragoman.contracts.places import STATE_FOLDER
from dragoman.contracts.schema import DatabaseSchema
from dragoman.contracts.viewer import Viewer
from dragoman.databases.addresses import refuse_address
from dragoman.databases.connections import (
    ResolvedConnection,
    load_connections,
    open_connection,
    parse_database_url,
    resolve,
    target_of,
)
from dragoman.databases.discovery import SchemaCache, discover
from dragoman.entities import EntityIndex
from dragoman.packs.demo import build_demo
from dragoman.packs.installed import InstalledPacks, OwnedEntity, installed_packs
from dragoman.packs.pack_entities import entity_index, entity_view
from dragoman.packs.pack_files import load_shipped, shipped_packs

if TYPE_CHECKING:
    from dragoman.packs.policy_visibility import PolicyVisibility


class PackDatabases:
    """The packs of a workspace and of the package, each with its database; the workspace's own come first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.own = installed_packs(folder)
        there = {pack.pack for pack in self.own.packs}
        shipped = (load_shipped(name) for name in shipped_packs() if name not in there)
        self.all = InstalledPacks((*self.own.packs, *shipped), self.own.left_out)

    def entity(self, kind: str, pack: str | None = None) -> OwnedEntity:
        """An entity type by its name, of a certain pack if one is named. Raises `WorkspaceError`."""
        owned = self.all.entities.get(kind) if pack is None else None
        if owned is not None:
            return owned
        found = [each for each in self.all.entities.values() if pack in (None, each.pack.pack)]
        named = next((each for each in found if each.kind == kind), None)
        if named is not None:
            return named
        known = sorted({each.kind for each in found})
        raise WorkspaceError(
            f"no pack knows the type {kind!r}", hint=f"there are {', '.join(known) or 'none'}"
        )

    def reader(self, pack: Pack) -> DatabaseReader:
        return open_connection(self._connection(pack))

    def target(self, pack: Pack) -> Target:
        """The address of the database, judged as one that is read would be."""
        connection = self._connection(pack)
        # A reader judges its address when it connects. A write session takes the target as it is, so it is
        # judged here.
        if connection.transport is not Transport.FILE:
            refuse_address(connection.host)
        return target_of(connection)

    def index(self, owned: OwnedEntity, *, fresh: bool = False) -> EntityIndex:
        """The index of an entity type for the workspace's viewer, as its database is now."""
        view = entity_view(owned.pack, owned.kind, self.viewer, self.visibility(owned.pack))
        with self.reader(owned.pack) as reader:
            return entity_index(view, reader, index_root(self.folder), fresh=fresh)

    def schema(self, pack: Pack) -> DatabaseSchema:
        """The tables of a pack's database: as discovery kept them, or looked at now."""
        if pack in self.own.packs:
            known = load_connections(self.folder)
            name = known.told_apart(known.find(_name(pack)))
            kept = SchemaCache(schema_folder(self.folder)).kept(name)
            if kept is not None:
                return kept
        connection = self._connection(pack)
        with open_connection(connection) as reader:
            return discover(reader, connection.family)

    def visibility(self, pack: Pack) -> "PolicyVisibility | None":
        """What the viewer may see of a pack's database, by the policies of every pack for it."""
        packs = [pack]
        if pack in self.own.packs:
            self.own.refuse_lost_policies()
            known = load_connections(self.folder)
            spec = known.find(_name(pack))
            packs = [each for each in self.own.packs if each.policies and known.find(_name(each)) == spec]
        if not any(each.policies for each in packs):
            return None
        from dragoman.packs.policy_visibility import PolicyVisibility

        visibility = PolicyVisibility(packs, self.viewer)
        visibility.schema(self.schema(pack))
        return visibility

    @cached_property
    def viewer(self) -> Viewer | None:
        return read_settings(self.folder).viewer

    def _connection(self, pack: Pack) -> ResolvedConnection:
        """A pack of the workspace has a connection of its own; one that only ships has its demo."""
        if pack in self.own.packs:
            return resolve(load_connections(self.folder).find(_name(pack)), self.folder)
        demo = build_demo(pack, self.folder / STATE_FOLDER / "demo" / f"{pack.pack}.sqlite")
        return resolve(parse_database_url(str(demo.absolute()), self.folder), self.folder)


def _name(pack: Pack) -> str:
    return pack.connection or "@default"
