"""What a SELECT reads from, as a table and the ways that lead from its rows to others.

Verbs follow links, each of which leads to one row at most. A join says the same where it goes along such a
link: a LEFT JOIN as it is, an inner join where rows without a linked row are left out on purpose.
"""

from collections.abc import Iterator
from typing import Final

from sqlglot import exp

from dragoman.contracts.record import Record
from dragoman.contracts.schema import DatabaseSchema
from dragoman.planning.sql.unknown_names import table_named
from dragoman.planning.sql.unsaid import Unsaid
from dragoman.tables.graph import Column, Graph, Link, Table
from dragoman.tables.paths import ColumnPath

_OF_TABLE: Final = frozenset({"this", "alias", "db", "catalog"})
_OF_JOIN: Final = frozenset({"this", "on", "using", "kind", "side"})
_Pairs = frozenset[tuple[str, str]]


class Source(Record, frozen=True, gc=True):
    """A table under its name in the query, and the links that lead to it from the rows that are read."""

    alias: str
    table: Table
    links: tuple[Link, ...] = ()
    outer: bool = False
    """A row may be missing there: it was joined with LEFT."""

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(link.name for link in self.links)


class _Read(Record, frozen=True, gc=True):
    """A table as FROM or JOIN names it."""

    alias: str
    table: Table
    left: bool = False
    on: tuple[exp.Expr, ...] = ()
    using: tuple[str, ...] = ()


class Sources:
    """The table whose rows are read, and the others by their names. `conditions` are those of WHERE and of
    inner joins that are no join."""

    def __init__(self, select: exp.Select, graph: Graph, schema: DatabaseSchema) -> None:
        self.graph = graph
        self._reads = list(_reads(select, graph, schema))
        names = [each.alias.casefold() for each in self._reads]
        if len(set(names)) < len(names):
            raise Unsaid("two tables of one name")
        self._using = frozenset(name.casefold() for each in self._reads for name in each.using)
        where = select.args.get("where")
        self._pool = [each for read in self._reads if not read.left for each in read.on]
        self._pool += conjuncts(where.this) if where is not None else []
        for read in self._reads:
            if not read.left:
                self._pool += [self._used(read, name) for name in read.using]
        self._found = self._placed()
        self.base = self._found[0]

    @property
    def conditions(self) -> list[exp.Expr]:
        return self._pool

    @property
    def is_single(self) -> bool:
        return len(self._reads) == 1

    @property
    def merges_columns(self) -> bool:
        return bool(self._using)

    @property
    def required(self) -> list[Source]:
        """Where a row has to be that may be missing: an inner join leaves rows without one out."""
        return [each for each in self._found[1:] if not each.outer and not self._is_sure(each)]

    def in_order(self) -> list[Source]:
        """As FROM names them."""
        return [self._source(read.alias) for read in self._reads]

    def column(self, node: exp.Column) -> tuple[Source, Column]:
        """The column that a query names."""
        name = node.name.casefold()
        if node.args.get("db") is not None or not isinstance(node.this, exp.Identifier):
            raise Unsaid(f"the column {node.name}")
        sources = [self._source(node.table)] if node.table else self.in_order()
        found = [
            (source, column)
            for source in sources
            for column in source.table.columns.values()
            if column.info.name.casefold() == name
        ]
        if not found or (len(found) > 1 and name not in self._using):
            raise Unsaid(f"the column {node.name}")
        return found[0]

    def path(self, node: exp.Column) -> ColumnPath:
        source, column = self.column(node)
        return ColumnPath(source.links, column)

    def _source(self, alias: str) -> Source:
        for each in self._found:
            if each.alias.casefold() == alias.casefold():
                return each
        raise Unsaid(f"the table {alias}")

    def _used(self, read: _Read, name: str) -> exp.Expr:
        """USING as the equality that it stands for."""
        before = self._reads[: self._reads.index(read)]
        own = [each.alias for each in before if _has(each.table, name)]
        if len(own) != 1 or not _has(read.table, name):
            raise Unsaid("USING over several tables")
        sides = [exp.column(name, table=alias) for alias in (own[0], read.alias)]
        return exp.EQ(this=sides[0], expression=sides[1])

    def _placed(self) -> list[Source]:
        """The first table from which links to one row lead to all others."""
        candidates = self._reads[:1] if any(each.left for each in self._reads) else self._reads
        for base in candidates:
            pool = list(self._pool)
            found = self._reached(base, pool)
            if found is not None:
                self._pool = pool
                return found
        raise Unsaid("a join along no key that leads to one row")

    def _reached(self, base: _Read, pool: list[exp.Expr]) -> list[Source] | None:
        found = [Source(base.alias, base.table)]
        left = [each for each in self._reads if each is not base]
        while left:
            step = next(((read, source) for read in left if (source := self._next(read, found, pool))), None)
            if step is None:
                return None
            left.remove(step[0])
            found.append(step[1])
        return found

    def _next(self, read: _Read, found: list[Source], pool: list[exp.Expr]) -> Source | None:
        """The table of a join, where one link leads to it from what is there."""
        conditions = [*read.on, *(self._used(read, name) for name in read.using)] if read.left else pool
        for source in found:
            equal = {each: pair for each in conditions if (pair := self._pair(each, source, read))}
            for link in self.graph.links(source.table).values():
                pairs = frozenset(link.pairs)
                fits = link.target == read.table.key and link.single and link.declared
                if not fits or not pairs or not pairs <= set(equal.values()):
                    continue
                taken = [each for each, pair in equal.items() if pair in pairs]
                if read.left and len(taken) < len(conditions):
                    continue
                if source.outer and not read.left:
                    raise Unsaid("an inner join behind a LEFT JOIN")
                if not read.left:
                    pool[:] = [each for each in pool if not any(each is used for used in taken)]
                return Source(read.alias, read.table, (*source.links, link), read.left or source.outer)
        return None

    def _pair(self, node: exp.Expr, source: Source, read: _Read) -> tuple[str, str] | None:
        """The columns that an equality holds against each other, there and here, under their real names."""
        if not isinstance(node, exp.EQ):
            return None
        sides = [each for each in (node.this, node.expression) if isinstance(each, exp.Column)]
        if len(sides) != 2:
            return None
        owners = [self._owner(each) for each in sides]
        for (near, near_column), (far, far_column) in (owners, owners[::-1]):
            if near == source.alias and far == read.alias:
                return near_column, far_column
        return None

    def _owner(self, node: exp.Column) -> tuple[str, str]:
        reads = [
            each
            for each in self._reads
            if _has(each.table, node.name) and node.table.casefold() in ("", each.alias.casefold())
        ]
        if len(reads) != 1:
            return "", ""
        name = node.name.casefold()
        columns = [each.info.name for each in reads[0].table.columns.values()]
        return reads[0].alias, next(each for each in columns if each.casefold() == name)

    def _is_sure(self, source: Source) -> bool:
        """Whether every row has one there: a declared key whose columns are never empty says so."""
        at = self.base.table
        for link in source.links:
            nullable = {each.info.name: each.info.nullable for each in at.columns.values()}
            keys = [each for each in at.info.foreign_keys if each.declared]
            own = any(
                frozenset(zip(k.columns, k.target_columns, strict=True)) == frozenset(link.pairs)
                for k in keys
            )
            if not own or any(nullable.get(near, True) for near, _ in link.pairs):
                return False
            at = self.graph.tables[link.target]
        return True


def conjuncts(node: exp.Expr) -> list[exp.Expr]:
    """The parts of a condition that must all hold."""
    plain = node.unnest()
    if isinstance(plain, exp.And):
        return [*conjuncts(plain.this), *conjuncts(plain.expression)]
    return [plain]


def _reads(select: exp.Select, graph: Graph, schema: DatabaseSchema) -> Iterator[_Read]:
    start = select.args.get("from_")
    if start is None:
        raise Unsaid("a query without a table")
    yield _read(start.this, graph, schema)
    for join in select.args.get("joins") or ():
        given = {name for name, value in join.args.items() if value}
        kind, side = str(join.args.get("kind") or "").upper(), str(join.args.get("side") or "").upper()
        if not given <= _OF_JOIN or kind not in ("", "INNER", "CROSS", "OUTER") or side not in ("", "LEFT"):
            raise Unsaid(f"a join of the kind {side} {kind}".strip())
        if kind == "OUTER" and not side:
            raise Unsaid("a join of the kind OUTER")
        read = _read(join.this, graph, schema)
        on, using = join.args.get("on"), join.args.get("using") or ()
        yield _Read(
            read.alias,
            read.table,
            side == "LEFT",
            tuple(conjuncts(on)) if on is not None else (),
            tuple(each.name for each in using),
        )


def _read(node: exp.Expr, graph: Graph, schema: DatabaseSchema) -> _Read:
    if not isinstance(node, exp.Table) or not isinstance(node.this, exp.Identifier):
        raise Unsaid("a query inside of FROM")
    if any(value for name, value in node.args.items() if name not in _OF_TABLE):
        raise Unsaid("more than a table in FROM")
    info = table_named(node, schema)
    table = graph.tables.get((info.schema, info.name)) if info is not None else None
    if table is None or len(table.columns) != len(table.info.columns):
        raise Unsaid(f"the table {node.name}")
    return _Read(node.alias or node.name, table)


def _has(table: Table, name: str) -> bool:
    return any(each.info.name.casefold() == name.casefold() for each in table.columns.values())
