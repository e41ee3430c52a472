"""The entities of a pack, read from its database as a viewer may see them, and indexed by name.

The index is on disk, so that programs can be checked against it without a connection. It is built again when
the data changed: its fingerprint is counted by the database, in one look over the table. Viewers who may see
different rows have different indexes.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from dragoman.contracts.errors import PolicyViolation, RunFailed
from dragoman.contracts.pack import Pack, PackEntity
from dragoman.contracts.query import Query, ReadLimits, Value
from dragoman.contracts.record import Record
from dragoman.contracts.viewer import Viewer
from dragoman.databases.access import DatabaseReader
from dragoman.entities import EntityIndexConfig, EntityRow, SearchKey

if TYPE_CHECKING:
    from sqlglot import exp

    from dragoman.entities import EntityIndex
    from dragoman.packs.policy_rules import Rule
    from dragoman.packs.policy_visibility import PolicyVisibility

_USER = "user"
"""As a condition asks for the viewer."""
MOST = 5_000_000
_LIMITS = ReadLimits(rows=MOST, seconds=600.0)


class EntityView(Record, frozen=True, gc=True):
    """An entity type as somebody may see it: without hidden columns, and under which conditions."""

    pack: str
    kind: str
    entity: PackEntity
    rule: "Rule | None" = None
    user: str = ""
    visibility: "PolicyVisibility | None" = None
    """What narrows its reads, where its table is a view over guarded ones."""

    def folder(self, root: Path) -> Path:
        """Where its index is kept. Who sees everything shares one; who sees less has another."""
        rule = self.rule
        if rule is None or not (rule.conditions or rule.definition):
            name = self.kind
        else:
            said = (each.text for each in rule.conditions)
            told = "\0".join((*said, rule.definition, self.user)).encode("utf-8", "surrogatepass")
            name = f"{self.kind}@{hashlib.sha256(told).hexdigest()[:16]}"
        return root / self.pack / name


def entity_view(
    pack: Pack,
    kind: str,
    viewer: Viewer | None,
    visibility: "PolicyVisibility | None" = None,
) -> EntityView:
    """An entity type for a viewer. Raises `PolicyViolation` where not even its names are for them.

    `visibility` is what the viewer may see of the database; by default what the pack itself says.
    """
    entity = pack.entities[kind]
    if visibility is None and pack.policies:
        # Imported where there are policies: SQL trees are most of what a start would cost.
        from dragoman.packs.policy_visibility import PolicyVisibility

        visibility = PolicyVisibility((pack,), viewer)
    rule = visibility.rule(entity.table) if visibility is not None else None
    if rule is None:
        return EntityView(pack.pack, kind, entity)
    if rule.hides(entity.key) or rule.hides(entity.display):
        raise PolicyViolation(
            f"the names of the type {kind} are not for everybody",
            hint="ask somebody who may see them",
            rule="hidden_column",
        )
    shown = replace(
        entity,
        names=_seen(entity.names, rule.hidden),
        codes=_seen(entity.codes, rule.hidden),
        discriminators=_kept(entity.discriminators, rule.hidden),
        localized=_kept(entity.localized, rule.hidden),
        within=_kept(entity.within, rule.hidden),
    )
    # What a view reads may ask for the viewer where its own rule does not.
    asks = rule.definition or any(f":{_USER}" in condition.text for condition in rule.conditions)
    user = viewer.name if viewer is not None and asks else ""
    return EntityView(pack.pack, kind, shown, rule, user, visibility if rule.definition else None)


def _seen(columns: Sequence[str], hidden: Sequence[str]) -> tuple[str, ...]:
    return tuple(column for column in columns if column.casefold() not in hidden)


def _kept(columns: Mapping[str, str], hidden: Sequence[str]) -> dict[str, str]:
    return {name: column for name, column in columns.items() if column.casefold() not in hidden}


def entity_index(
    view: EntityView, reader: DatabaseReader, root: Path, *, fresh: bool = False
) -> "EntityIndex":
    """The index of an entity type, as its table is now. `root` is where indexes are kept."""
    # To read names takes no index, nor what compares spellings.
    from dragoman.entities import build_index, is_current, open_index

    config, folder = index_config(view), view.folder(root)
    fingerprint = _Reading(view, reader).fingerprint()
    if fresh or not is_current(folder, fingerprint, config):
        build_index(folder, config, _Reading(view, reader).rows(), fingerprint)
    return open_index(folder)


NamesRow = tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""A key, its names, the keys of what it belongs to, its names in other languages, what tells it apart."""


def entity_names(view: EntityView, reader: DatabaseReader, most: int) -> list[NamesRow] | None:
    """The names of an entity type, by key; None where there are more than `most`."""
    return _Reading(view, reader).names(most)


def index_config(view: EntityView) -> EntityIndexConfig:
    entity = view.entity
    return EntityIndexConfig(
        entity_type=view.kind,
        search_keys=tuple(SearchKey(column) for column in (entity.display, *entity.names, *entity.codes)),
        discriminators=tuple(entity.discriminators),
        resolution_mode=entity.mode,
        return_key_type=entity.key_type,
        create_verb=entity.create,
    )


class _Reading:
    """The reads of one view on one database."""

    def __init__(self, view: EntityView, reader: DatabaseReader) -> None:
        self._view = view
        self._entity = view.entity
        self._reader = reader

    def rows(self) -> Iterator[EntityRow]:
        from sqlglot import exp

        entity = self._entity
        names = (entity.display, *entity.names, *entity.codes)
        wanted = (entity.key, *names, *entity.discriminators.values())
        tree = exp.select(*(exp.column(_name(each)) for each in wanted)).order_by(
            exp.column(_name(entity.key))
        )
        result = self._reader.read(self._query(tree), _LIMITS)
        if result.truncated:
            raise RunFailed(f"{entity.table} has more than {MOST:,} rows", hint="narrow the entity to a view")
        for key, *rest in result.rows:
            if key is None:
                continue
            called = tuple(_text(value) for value in rest[: len(names)])
            told = dict(zip(entity.discriminators, map(_text, rest[len(names) :]), strict=True))
            said = {name: value for name, value in told.items() if value}
            yield EntityRow(_text(key), called[0], called, said)

    def names(self, most: int) -> list[NamesRow] | None:
        from sqlglot import exp

        entity = self._entity
        called = (entity.display, *entity.names, *entity.codes)
        apart = entity.discriminators.values()
        wanted = (entity.key, *called, *entity.within.values(), *entity.localized.values(), *apart)
        tree = exp.select(*(exp.column(_name(each)) for each in wanted)).order_by(
            exp.column(_name(entity.key))
        )
        result = self._reader.read(self._query(tree), ReadLimits(rows=most, seconds=60.0))
        if result.truncated:
            return None
        one = 1 + len(called)
        two = one + len(entity.within)
        three = two + len(entity.localized)
        return [
            (texts[0], texts[1:one], texts[one:two], texts[two:three], texts[three:])
            for texts in (tuple(_text(value) for value in row) for row in result.rows)
            if texts[0]
        ]

    def fingerprint(self) -> str:
        """A fingerprint that changes with the entities."""
        from sqlglot import exp

        key, name = exp.column(_name(self._entity.key)), exp.column(_name(self._entity.display))
        tree = exp.select(
            exp.Count(this=exp.Star()),
            exp.Max(this=key),
            exp.Min(this=key),
            exp.Sum(this=exp.Length(this=name)),
        )
        row = self._reader.read(self._query(tree), _LIMITS).rows[0]
        told = "\n".join(_text(value) for value in (*row, self._entity.table))
        return hashlib.sha256(told.encode("utf-8")).hexdigest()

    def _query(self, tree: "exp.Select") -> Query:
        from sqlglot import exp

        from dragoman.databases.sql_text import place, written

        schema, _, table = self._entity.table.rpartition(".")
        tree = tree.from_(exp.Table(this=_name(table), db=_name(schema) if schema else None), copy=False)
        view = self._view
        if view.visibility is not None:
            return view.visibility.written(tree, self._reader.dialect, ())
        values: list[Value] = []
        for condition in (each.tree for each in (view.rule.conditions if view.rule is not None else ())):
            for node in list(condition.find_all(exp.Placeholder)):
                node.replace(place(len(values)))
                values.append(view.user)
            tree = tree.where(exp.paren(condition), copy=False)
        return written(tree, self._reader.dialect, values)


def _name(text: str) -> "exp.Identifier":
    from sqlglot import exp

    return exp.to_identifier(text, quoted=True)


def _text(value: Value) -> str:
    return "" if value is None else str(value)
