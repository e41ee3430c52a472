"""A shape under way: catalogs tell of tables, columns and keys in rows; here they come together."""

from collections.abc import Iterable

import msgspec

from dragoman.contracts.schema import ColumnInfo, ForeignKey, Shape, SkippedTable, TableInfo, TableKind

Place = tuple[str, str]
"""A table's schema and name."""


class _Table:
    def __init__(self, kind: TableKind, rows: int | None, comment: str) -> None:
        self.kind = kind
        self.rows = rows
        self.comment = comment
        self.columns: list[ColumnInfo] = []
        self.primary_key: tuple[str, ...] = ()
        self.unique_keys: list[tuple[str, ...]] = []
        self.foreign_keys: list[ForeignKey] = []
        self.definition = ""
        self.parents: list[str] = []


class Draft:
    """Collects what the rows of a catalog say. What is said of a table nobody named is left out."""

    def __init__(self) -> None:
        self._tables: dict[Place, _Table] = {}
        self._skipped: dict[Place, str] = {}

    def table(self, place: Place, kind: TableKind, rows: int | None = None, comment: str = "") -> None:
        self._tables[place] = _Table(kind, rows, comment)

    def definition(self, place: Place, text: str) -> None:
        """The query of a view, or the text that declares a virtual or foreign table."""
        if (table := self._tables.get(place)) is not None:
            table.definition = text

    def parent(self, place: Place, name: str) -> None:
        """A table whose rows include the rows of this one."""
        if (table := self._tables.get(place)) is not None and name not in table.parents:
            table.parents.append(name)

    def column(self, place: Place, column: ColumnInfo) -> None:
        if (table := self._tables.get(place)) is not None:
            table.columns.append(column)

    def options(self, place: Place, column: str, options: tuple[str, ...]) -> None:
        """The values that a CHECK lists for a column. A type that lists them has said so before."""
        table, name = self._tables.get(place), self.column_named(place, column)
        if table is not None:
            table.columns = [
                msgspec.structs.replace(each, options=options)
                if each.name == name and not each.options
                else each
                for each in table.columns
            ]

    def primary_key(self, place: Place, columns: Iterable[str]) -> None:
        if (table := self._tables.get(place)) is not None:
            table.primary_key = tuple(columns)

    def unique_key(self, place: Place, columns: Iterable[str]) -> None:
        key = tuple(columns)
        if (table := self._tables.get(place)) is not None and key not in table.unique_keys:
            table.unique_keys.append(key)

    def foreign_key(self, place: Place, key: ForeignKey) -> None:
        if (table := self._tables.get(place)) is not None and key not in table.foreign_keys:
            table.foreign_keys.append(key)

    def skip(self, place: Place, reason: str) -> None:
        self._skipped.setdefault(place, reason)

    def places(self, *kinds: TableKind) -> list[Place]:
        return [place for place, table in self._tables.items() if table.kind in kinds]

    def key_of(self, place: Place) -> tuple[str, ...]:
        table = self._tables.get(place)
        return table.primary_key if table is not None else ()

    def column_named(self, place: Place, name: str) -> str:
        """A column's real name, for a database that does not tell small letters from capitals."""
        table = self._tables.get(place)
        columns = [column.name for column in table.columns] if table is not None else []
        same = [each for each in columns if each.lower() == name.lower()]
        return same[0] if same and name not in columns else name

    def finish(self) -> Shape:
        """The whole shape, in the order of names. A table without a column that can be read is skipped."""
        for place, table in self._tables.items():
            if not table.columns:
                self.skip(place, "it has no column that this login can read")
        kept = {place: table for place, table in self._tables.items() if place not in self._skipped}
        columns = {place: {column.name for column in table.columns} for place, table in kept.items()}
        tables = [self._finished(place, kept[place], columns) for place in sorted(kept)]
        skipped = [SkippedTable(name, reason, schema) for (schema, name), reason in self._skipped.items()]
        return Shape(tuple(tables), tuple(sorted(skipped, key=lambda each: (each.schema, each.name))))

    def _finished(self, place: Place, table: _Table, columns: dict[Place, set[str]]) -> TableInfo:
        own = columns[place]
        keys = [key for key in table.unique_keys if key and own.issuperset(key) and key != table.primary_key]
        primary = table.primary_key if own.issuperset(table.primary_key) else ()
        single = {key[0] for key in (*keys, primary) if len(key) == 1}
        return TableInfo(
            name=place[1],
            kind=table.kind,
            columns=tuple(_unique(column) if column.name in single else column for column in table.columns),
            schema=place[0],
            primary_key=primary,
            unique_keys=tuple(sorted(keys)),
            foreign_keys=tuple(
                sorted((key for key in table.foreign_keys if _holds(key, own, columns)), key=_order)
            ),
            rows=table.rows,
            comment=table.comment,
            definition=table.definition,
            parents=tuple(sorted(table.parents)),
        )


def _unique(column: ColumnInfo) -> ColumnInfo:
    return msgspec.structs.replace(column, unique=True)


def _holds(key: ForeignKey, own: set[str], columns: dict[Place, set[str]]) -> bool:
    """Whether both ends of a key can be seen: nobody can join along one that leads into the dark."""
    target = columns.get((key.schema, key.table))
    return (
        target is not None
        and len(key.columns) == len(key.target_columns) > 0
        and own.issuperset(key.columns)
        and target.issuperset(key.target_columns)
    )


def _order(key: ForeignKey) -> tuple[tuple[str, ...], str, str]:
    return key.columns, key.schema, key.table
