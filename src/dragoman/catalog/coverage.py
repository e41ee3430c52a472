"""What is loaded until when: the coverage rules of a pack, from its file and from its database."""

import datetime as dt
from typing import TYPE_CHECKING

from dragoman.contracts.pack import CoverageTable, Pack
from dragoman.contracts.query import Value
from dragoman.contracts.record import Record

if TYPE_CHECKING:
    from dragoman.databases.access import DatabaseReader


class CoverageRule(Record, frozen=True):
    """What is loaded for a domain: how completely, from when until when, and for which keys of the scopes."""

    pack: str
    domain: str
    scopes: tuple[tuple[str, str], ...]
    start: dt.date
    end: dt.date
    status: str
    reason: str


def read_coverage(pack: Pack, reader: "DatabaseReader") -> list[CoverageRule]:
    rules = [
        CoverageRule(
            pack.pack,
            entry.domain,
            tuple(entry.scopes.items()),
            entry.start,
            entry.end,
            entry.status.value,
            entry.reason,
        )
        for entry in pack.coverage
    ]
    if pack.coverage_table is not None:
        rules += _rows(pack, pack.coverage_table, reader)
    return rules


def _rows(pack: Pack, table: CoverageTable, reader: "DatabaseReader") -> list[CoverageRule]:
    from sqlglot import exp

    from dragoman.databases.sql_text import written

    columns = (table.domain, table.start, table.end, table.status, table.reason, *table.scopes.values())
    schema, _, name = table.table.rpartition(".")
    source = exp.Table(
        this=exp.to_identifier(name, quoted=True),
        db=exp.to_identifier(schema, quoted=True) if schema else None,
    )
    tree = exp.select(*(exp.column(exp.to_identifier(c, quoted=True)) for c in columns)).from_(source)
    rows = reader.read(written(tree, reader.dialect, [])).rows
    return [
        CoverageRule(
            pack.pack,
            str(domain),
            tuple((s, str(k)) for s, k in zip(table.scopes, keys, strict=True) if k is not None),
            _day(start),
            _day(end),
            str(status),
            "" if reason is None else str(reason),
        )
        for domain, start, end, status, reason, *keys in rows
    ]


def _day(value: Value) -> dt.date:
    if isinstance(value, dt.datetime):
        return value.date()
    return value if isinstance(value, dt.date) else dt.date.fromisoformat(str(value)[:10])
