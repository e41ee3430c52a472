"""What a write will do, decided before a row moves: which table, which columns, whether all of it fits."""

import dataclasses
from typing import cast

from dragoman.contracts.errors import SchemaDrift, StepRefused, TargetFailed
from dragoman.contracts.flow import ColumnWarning, FlowColumn, OnDrift, WriteMode
from dragoman.contracts.record import Record
from dragoman.engine.component import Config
from dragoman.engine.components.postgres.column_fit import Fit, fit
from dragoman.engine.components.postgres.ddl import check_names, created_type, staged_type
from dragoman.engine.components.postgres.table import TargetTable
from dragoman.engine.components.postgres.table_name import TableName, identifier
from dragoman.engine.ledger import refuse_own


class WrittenColumn(Record, frozen=True):
    """A column on its way: `staged` is its type in staging, where it is called `c<number>`; `value` is what
    is inserted for it, and `made` the type it is made with where it does not exist yet."""

    name: str
    staged: str
    value: str
    made: str = ""
    unfit: str = ""
    why: str = ""


class WritePlan(Record, frozen=True):
    table: TableName
    mode: WriteMode
    creates: bool
    columns: tuple[WrittenColumn, ...]
    key: tuple[str, ...] = ()
    overriding: bool = False
    guarded: bool = False
    """Whether what is made is closed to everybody but its owner, until policies say otherwise."""

    @property
    def staged_as_it_is(self) -> bool:
        return all(column.staged == column.made for column in self.columns)


@dataclasses.dataclass(frozen=True)
class Decided:
    plan: WritePlan
    warnings: tuple[ColumnWarning, ...]
    changes: tuple[str, ...]


def decide(
    config: Config, columns: tuple[FlowColumn, ...], name: TableName, table: TargetTable | None, guarded: bool
) -> Decided:
    """Raises SchemaDrift, StepRefused and ColumnRefused."""
    check_names(columns)
    refuse_own(name.name)
    mode = WriteMode(str(config.get("write_mode") or WriteMode.APPEND))
    key = _key(config, columns, mode)
    if table is None:
        return _created(columns, name, mode, key, guarded)
    _check_rights(table, mode)
    _check_key(table, mode, key)
    drift = OnDrift(str(config.get("on_drift") or OnDrift.FAIL))
    fits = _fits(columns, table, drift)
    written = tuple(_written(column, table, found) for column, found in zip(columns, fits, strict=True))
    added = [column for column in written if column.made]
    overriding = any(
        each.always_identity for column in columns if (each := table.column(column.name)) is not None
    )
    return Decided(
        WritePlan(name, mode, False, written, key, overriding, guarded),
        tuple(found.warning for found in fits if found is not None and found.warning is not None),
        tuple(f"column {each.name} {each.made} is added to {name}" for each in added),
    )


def _created(
    columns: tuple[FlowColumn, ...], name: TableName, mode: WriteMode, key: tuple[str, ...], guarded: bool
) -> Decided:
    written = tuple(
        WrittenColumn(column.name, staged_type(column), "{0}", created_type(column)) for column in columns
    )
    changes = [f"table {name} is created with {len(columns)} columns"]
    if key:
        changes.append(f"its primary key is {', '.join(key)}")
    if guarded:
        changes.append("its row-level security is on: only its owner sees it until a policy says otherwise")
    return Decided(WritePlan(name, mode, True, written, key, guarded=guarded), (), tuple(changes))


def _key(config: Config, columns: tuple[FlowColumn, ...], mode: WriteMode) -> tuple[str, ...]:
    key = tuple(str(name) for name in cast("list[object]", config.get("primary_key") or []))
    names = {column.name for column in columns}
    missing = [name for name in key if name not in names]
    if missing or len(set(key)) < len(key):
        said = f"{missing[0]} does not flow to this step" if missing else "a column stands in it twice"
        raise StepRefused(
            f"the primary key cannot be {', '.join(key)}: {said}", hint="name columns that flow"
        )
    if mode is WriteMode.UPSERT and not key:
        raise StepRefused("upsert needs a primary_key", hint="name the columns that tell rows apart")
    return key


def _check_rights(table: TargetTable, mode: WriteMode) -> None:
    missing = "INSERT" if not table.may_insert else ""
    if mode is WriteMode.UPSERT and not (table.may_update and table.may_select):
        missing = "SELECT and UPDATE"
    if mode is WriteMode.REPLACE and not table.may_delete:
        missing = "DELETE"
    if missing:
        raise TargetFailed(
            f"this user has no right to {missing} on {table.name}", hint=f"GRANT {missing} ON {table.name}"
        )
    if mode is not WriteMode.REPLACE:
        return
    if table.rows_hidden:
        raise StepRefused(
            f"row-level security hides rows of {table.name} from this user: replacing would leave them",
            hint="use a role that bypasses it, or upsert",
        )
    if table.reaches:
        raise StepRefused(
            f"replacing {table.name} would delete or change rows of {table.reaches} that point at it",
            hint="upsert instead",
        )


def _check_key(table: TargetTable, mode: WriteMode, key: tuple[str, ...]) -> None:
    if mode is WriteMode.UPSERT and tuple(sorted(key)) not in table.keys:
        columns = ", ".join(identifier(each) for each in key)
        raise SchemaDrift(
            f"{table.name} has no unique key of {', '.join(key)}",
            hint=f"ALTER TABLE {table.name.quoted} ADD UNIQUE ({columns})",
        )


def _fits(columns: tuple[FlowColumn, ...], table: TargetTable, drift: OnDrift) -> tuple[Fit | None, ...]:
    """How each column fits; None where the table has none of its name and may be given one."""
    wrong, fits = list[str](), list[Fit | None]()
    names = list[str]()
    for column in columns:
        target = table.column(column.name)
        found = fit(column, target) if target is not None else None
        if target is None and (drift is OnDrift.FAIL or not table.owned):
            wrong.append(f"there is no column {column.name}")
        elif target is not None and target.generated:
            wrong.append(f"{column.name} is computed by the table itself")
        elif target is not None and found is None:
            kind = column.native or created_type(column)
            wrong.append(f"{column.name} is {target.type.written}, and {kind} does not fit it exactly")
        else:
            fits.append(found)
            continue
        names.append(column.name)
    given = {column.name for column in columns}
    for each in table.columns:
        if each.required and not each.generated and each.name not in given:
            wrong.append(f"nothing flows to {each.name}, which may not be NULL and has no default")
            names.append(each.name)
    if wrong:
        raise SchemaDrift(
            f"{table.name} does not fit what flows: {'; '.join(wrong[:10])}",
            hint="change the table or the query; with on_drift add_columns its owner adds what is missing",
            columns=names,
        )
    return tuple(fits)


def _written(column: FlowColumn, table: TargetTable, found: Fit | None) -> WrittenColumn:
    staged = staged_type(column)
    if found is None:
        made = created_type(column)
        return WrittenColumn(column.name, staged, "{0}" if staged == made else f"{{0}}::{made}", made)
    return WrittenColumn(column.name, staged, found.value, "", found.unfit, found.why)
