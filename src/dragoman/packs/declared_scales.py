"""How many decimal places a column has, where a pack says so and its type does not."""

from collections.abc import Iterable

from msgspec.structs import replace

from dragoman.contracts.pack import Pack
from dragoman.contracts.schema import ColumnInfo, DatabaseSchema, TableInfo, ValueType
from dragoman.tables.measures import MOST_SCALE, scale_in


def with_scales(schema: DatabaseSchema, packs: Iterable[Pack]) -> DatabaseSchema:
    """The schema with the scales of packs. Only SQLite needs them: it adds what has no scale as floats."""
    if not schema.dialect.is_untyped:
        return schema
    said: dict[str, dict[str, int]] = {}
    for pack in packs:
        for name, table in pack.tables.items():
            for column, noted in table.columns.items():
                if noted.scale is not None and 0 <= noted.scale <= MOST_SCALE:
                    said.setdefault(name, {}).setdefault(column, noted.scale)
    if not said:
        return schema
    return replace(schema, tables=tuple(_scaled(table, said) for table in schema.tables))


def _scaled(table: TableInfo, said: dict[str, dict[str, int]]) -> TableInfo:
    own = said.get(f"{table.schema}.{table.name}" if table.schema else table.name)
    if own is None:
        return table
    return replace(
        table, columns=tuple(_with_scale(column, own.get(column.name)) for column in table.columns)
    )


def _with_scale(column: ColumnInfo, scale: int | None) -> ColumnInfo:
    if scale is None or column.type is not ValueType.DECIMAL or scale_in(column.native) is not None:
        return column
    return replace(column, native=f"DECIMAL(18,{scale})")
