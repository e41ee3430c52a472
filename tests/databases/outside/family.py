"""The record of the family."""

from pathlib import Path

from dragoman.contracts.access import Reader, Target
from dragoman.contracts.connection import ResolvedConnection, Transport
from dragoman.contracts.family import Family
from dragoman.contracts.schema import Dialect, Shape


def _target(connection: ResolvedConnection) -> Target:
    from tests.databases.outside.books import LedgerTarget

    return LedgerTarget(connection.path or Path())


def _shape(reader: Reader) -> Shape:
    from tests.databases.outside.books import ledger_shape

    return ledger_shape(reader)


LEDGER = Family(
    name="ledger",
    dialect=Dialect.SQLITE,
    transport=Transport.FILE,
    schemes=("ledger",),
    spellings=("ledgers",),
    endings=(".ledger",),
    recognizes=lambda path, head: path.is_dir() and any(path.glob("*.jsonl")),
    target=_target,
    shape=_shape,
    components=(("ledger.extractor", "tests.databases.outside.extractor:EXTRACTOR"),),
    query_extractor="tests.databases.outside.extractor:EXTRACTOR",
)
