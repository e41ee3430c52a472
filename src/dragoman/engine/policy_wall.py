"""The wall before every component: what a step may read and write of a guarded database, whoever runs it.

Verbs of packs and of tables are narrowed where their queries are made. A component takes a table or a query
as it is, so it is narrowed here: a guarded table becomes a query of its visible part, a query is rewritten as
any other, and a file of a guarded connection is not read past it. A write into a guarded table is refused:
what a component writes cannot be held to rows that the viewer may not even see.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dragoman.contracts.errors import PolicyViolation, WorkspaceError
from dragoman.contracts.schema import DatabaseSchema
from dragoman.engine.component import Config, StepContext
from dragoman.guards.paths import judge_path

if TYPE_CHECKING:
    from dragoman.catalog.catalog import Catalog
    from dragoman.contracts.connection import ConnectionSpec
    from dragoman.packs.policy_visibility import PolicyVisibility

_OF_A_TABLE = ("table", "columns", "filter")


class Guarded(NamedTuple):
    """A connection with policies, and what the viewer may see of it."""

    spec: "ConnectionSpec"
    visibility: "PolicyVisibility"
    schema: DatabaseSchema


class PolicyWall:
    """What the policies of a workspace let the components of a run do."""

    def __init__(self, catalog: Callable[[], "Catalog"]) -> None:
        self._catalog = catalog

    def stands(self) -> bool:
        """Whether there is any policy at all."""
        return bool(self._guarded_specs())

    def narrowed(self, config: Config, context: StepContext) -> Config:
        """What an extractor is asked for, as the viewer may see it. Raises `PolicyViolation`."""
        if config.get("path") is not None:
            self._refuse_files(config, context)
        guarded = self._guarded(config)
        if guarded is None:
            return config
        asked = self._asked(config, guarded)
        if asked is None:
            return config
        from dragoman.engine.components.verbs import with_values

        dialect = guarded.schema.dialect
        sql = with_values(guarded.visibility.of_person(asked, dialect), dialect, as_given=True)
        rest = {name: value for name, value in config.items() if name not in _OF_A_TABLE}
        return {**rest, "query": sql}

    def is_kept_from_writing(self, config: Config) -> bool:
        """Whether a table is to be written that the viewer sees only in part."""
        guarded, table = self._guarded(config), str(config.get("table") or "")
        return guarded is not None and bool(table) and _is_seen_in_part(table, guarded)

    def refuse_write(self, config: Config) -> None:
        """Raises `PolicyViolation` where a table is to be written that the viewer sees only in part."""
        if not self.is_kept_from_writing(config):
            return
        table = str(config["table"])
        raise PolicyViolation(
            f"{table} of {config['connection']} is not open to you for writing: policies hide part of it",
            hint="write another table, or let somebody do it whom no policy binds",
            rule="write_beyond_policy",
            name=table,
        )

    def _asked(self, config: Config, guarded: Guarded) -> str | None:
        """The query of a step on a guarded connection; None where it only names a table without a rule."""
        if config.get("query") is not None:
            return str(config["query"])
        if config.get("table") is None:
            return None
        # The parser of SQL is most of what a start would cost.
        from dragoman.engine.table_query import query_of_table, table_named

        name = str(config["table"])
        table = table_named(name, guarded.schema)
        if table is None:
            # A table that nobody discovered may be a view over anything.
            raise PolicyViolation(
                f"{guarded.spec.name} has policies, and no table {name} was discovered there",
                hint=f"run dragoman discover {guarded.spec.name}",
                rule="policy_unproven",
                name=name,
            )
        # A filter may ask for any table, whatever table it narrows.
        if guarded.visibility.rule(name) is None and config.get("filter") is None:
            return None
        return query_of_table(config, table, guarded.schema)

    def _guarded(self, config: Config) -> Guarded | None:
        name = config.get("connection")
        catalog = self._catalog()
        spec = catalog.connection_named(str(name).removeprefix("@")) if name is not None else None
        visibility = catalog.visibility(spec) if spec is not None else None
        if spec is None or visibility is None:
            return None
        schema = catalog.schema(spec)
        if schema is None:
            raise WorkspaceError(
                f"{spec.name} has policies, and was not discovered yet",
                hint=f"run dragoman discover {spec.name}",
            )
        return Guarded(spec, visibility, schema)

    def _guarded_specs(self) -> "list[ConnectionSpec]":
        catalog = self._catalog()
        return [spec for spec in catalog.databases.specs if catalog.guards(spec)]

    def _refuse_files(self, config: Config, context: StepContext) -> None:
        """A file of a guarded connection is that connection: it is not read past its policies."""
        from dragoman.databases.connections.own_files import belongs_to

        files = _meant(str(config["path"]), context.workspace.resolve())
        for spec in self._guarded_specs():
            connection = context.connect(spec.name)
            for file in files:
                if belongs_to(file, connection):
                    raise PolicyViolation(
                        f"{file.name} belongs to {spec.name}, which has policies",
                        hint=f"read it through {spec.name}: its verbs show what you may see",
                        rule="policy_unproven",
                        name=file.name,
                    )


def _is_seen_in_part(name: str, guarded: Guarded) -> bool:
    from dragoman.engine.table_query import table_named
    from dragoman.packs.policy_rules import own_name

    visibility = guarded.visibility
    if visibility.rule(name) is not None:
        return True
    # What a withheld index keeps its data in is called after it.
    withheld = [rule.table for rule in visibility.rules.values() if rule.withheld]
    if any(own_name(name).startswith(f"{table}_") for table in withheld):
        return True
    # A key that points at a hidden column would tell of every value whether it is there.
    written = table_named(name, guarded.schema)
    keys = written.foreign_keys if written is not None else ()
    pointed = ((visibility.rule(key.table), key.target_columns) for key in keys)
    return any(rule is not None and any(map(rule.hides, columns)) for rule, columns in pointed)


def _meant(path: str, root: Path) -> list[Path]:
    """The files that a path or a pattern of a program means. What the path guard refuses means none: the step
    is refused as well."""
    resolved = judge_path(str(root), path).resolved
    if resolved is None:
        return []
    whole = Path(resolved)
    return [whole] if whole.exists() else list(root.glob(str(whole.relative_to(root))))
