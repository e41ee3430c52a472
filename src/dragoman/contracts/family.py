"""A database family: one record with everything that differs from one kind of source to another.

The rooms above find a family by the name that a connection or a stored schema has, and ask its record. They
know no names of families themselves, so a family can come from another package.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from dragoman.contracts.access import Reader, Target
from dragoman.contracts.connection import ConnectionSpec, ResolvedConnection, Transport
from dragoman.contracts.record import Record
from dragoman.contracts.schema import Dialect, Shape
from dragoman.contracts.verb import VerbSignature

ENTRY_POINTS = "dragoman.families"
"""The group of entry points under which other packages offer families; each names a `Family`."""


def _nothing_recognized(path: Path, head: bytes) -> bool:
    return False


def _no_address(scheme: str, rest: str) -> ConnectionSpec | None:
    return None


def _no_fault(name: str, value: str) -> str:
    return ""


def _rules_nothing(key: str) -> bool:
    return False


def _owner_of_file(connection: ResolvedConnection, login: str) -> str:
    return "chmod a-w on the file, and run Dragoman as a user who does not own it"


def _leaves_nothing(connection: ResolvedConnection, mark: str) -> None:
    """Nothing of it runs anywhere but in our own processes, which end with the run."""


def _asked_of_components() -> Mapping[str, VerbSignature]:
    return {}


class Family(Record, frozen=True, eq=False, kw_only=True, gc=True):
    """One kind of source. Functions in here import what they need when they are called, and components are
    named as `module:ATTRIBUTE`: to know all families must cost next to nothing when a command starts."""

    # What it is called and where it is.
    name: str
    """As connections, stored schemas and `--json` write it."""
    dialect: Dialect
    transport: Transport
    schemes: tuple[str, ...] = ()
    """Of its URLs. A file's URL is `scheme:///path`."""
    spellings: tuple[str, ...] = ()
    """Other names for it in connections.yaml."""
    endings: tuple[str, ...] = ()
    """Of its files, each with the dot."""
    shares_endings: bool = False
    """Others name their files so too: a file is looked into before it is believed."""
    companions: tuple[str, ...] = ()
    """What it writes beside a file, as endings behind the file's whole name: logs and journals."""
    holds_folders: bool = False
    """A plain folder is one of its sources. One family alone says so."""
    recognizes: Callable[[Path, bytes], bool] = _nothing_recognized
    """Whether a file, by its first 16 bytes, or a folder, is one of its sources."""
    address: Callable[[str, str], ConnectionSpec | None] = _no_address
    """A connection out of a URL with another scheme, from the scheme and what follows its colon."""
    takes: tuple[str, ...] = ()
    """Other families whose addresses may stand for this one."""

    # What a connection may say beside its address.
    port: int = 0
    parameters: tuple[str, ...] = ()
    """May stand in a URL and under options."""
    files: tuple[str, ...] = ()
    """Name a file, and so stand under options only."""
    fault_of: Callable[[str, str], str] = _no_fault
    """What should have been written in place of a parameter's value; empty where it is fine."""
    ignored: tuple[str, ...] = ()
    """What other programs put into such URLs, as `name` or `name=value`: taken, and without effect here."""

    # Reading.
    target: Callable[[ResolvedConnection], Target]
    shape: Callable[[Reader], Shape]
    """What is there, from the catalog or whatever the source has instead of one."""
    own_comments: bool = False
    """The comments in its shapes are notes on how the source was read; nobody wrote them about the data."""

    # What the doctor asks.
    alive: str = "SELECT 1"
    """A query that fails where the source cannot be read."""
    may_write: str = ""
    """A query that gives true where the login may do more than read."""
    rules_all: Callable[[str], bool] = _rules_nothing
    """Whether a key is bound by no policy at all."""
    reading_login: Callable[[ResolvedConnection, str], str] = _owner_of_file
    """How an administrator makes a login that can only read."""

    # Pipelines.
    stop_marked: Callable[[ResolvedConnection, str], None] = _leaves_nothing
    """Stop what the sessions with the mark of a run still do on their server. It is called when the process
    of the run is gone, and touches nothing that has not that mark."""
    components: tuple[tuple[str, str], ...] = ()
    """Its verbs in pipelines, each with the component that runs it, as `module:ATTRIBUTE`."""
    signatures: Callable[[], Mapping[str, VerbSignature]] = _asked_of_components
    """What programs may say to those verbs; components that are not among them are asked for theirs."""
    query_extractor: str = ""
    """The component that reads the rows of one query, as `module:ATTRIBUTE`: verbs of tables and packs go
    through it when they stand in a pipeline."""
    table_writer: str = ""
    """The verb that writes a table there; empty where no table can be written."""
