"""What discovery knows of a database: tables, columns, keys, and what their values look like."""

from enum import StrEnum
from functools import cached_property

from dragoman.contracts.record import Record


class Dialect(StrEnum):
    """The SQL that a source speaks. The values are the names sqlglot has for them.

    Closed, unlike the families: the SQL guard has to know a grammar whole before it lets a query pass.
    """

    SQLITE = "sqlite"
    DUCKDB = "duckdb"
    MYSQL = "mysql"
    POSTGRES = "postgres"

    @cached_property
    def is_untyped(self) -> bool:
        """Whether a column holds whatever is put into it. Dates and decimals are no types of their own there:
        they are texts and numbers."""
        return self is Dialect.SQLITE

    @cached_property
    def escapes_backslashes(self) -> bool:
        """Whether a backslash in a quoted text has to be written twice."""
        return self is Dialect.MYSQL

    @cached_property
    def has_zoned_literals(self) -> bool:
        """Whether a point in time with its zone can be written as a literal of that type."""
        return self not in (Dialect.SQLITE, Dialect.MYSQL)

    @cached_property
    def nests_repeated_names(self) -> bool:
        """Whether a query with two columns of one name may stand inside another query."""
        return self is not Dialect.MYSQL

    @cached_property
    def nests_deeply(self) -> bool:
        """Whether queries may stand inside each other as often as one likes."""
        return self is not Dialect.SQLITE

    @cached_property
    def like_ignores_case(self) -> bool:
        return self is Dialect.SQLITE

    @cached_property
    def truth_is_a_number(self) -> bool:
        """Whether 0 and 1 are what a boolean column is compared with."""
        return self in (Dialect.SQLITE, Dialect.MYSQL)

    @cached_property
    def compares_texts_exactly(self) -> bool:
        """Whether texts are equal only if their characters are. Collations of MySQL ignore case."""
        return self is not Dialect.MYSQL

    @cached_property
    def orders_texts_by_characters(self) -> bool:
        """Whether texts sort by their characters whatever the settings of the server are."""
        return self is Dialect.DUCKDB

    @cached_property
    def rounds_averages(self) -> bool:
        """Whether an average gets a number of decimal places that the server chooses."""
        return self is Dialect.MYSQL


class ValueType(StrEnum):
    """What a column holds, alike over all families."""

    TEXT = "text"
    INTEGER = "integer"
    DECIMAL = "decimal"
    FLOAT = "float"
    BOOLEAN = "boolean"
    DATE = "date"
    TIME = "time"
    DATETIME = "datetime"
    INSTANT = "instant"
    """A point in time, with its zone."""
    INTERVAL = "interval"
    JSON = "json"
    UUID = "uuid"
    BYTES = "bytes"
    OTHER = "other"


class TableKind(StrEnum):
    TABLE = "table"
    VIEW = "view"


class ColumnInfo(Record, frozen=True):
    """A column under its real name. `native` is the type as the database writes it."""

    name: str
    type: ValueType
    native: str
    nullable: bool = True
    unique: bool = False
    comment: str = ""
    samples: tuple[str, ...] = ()
    """A few values as text, the frequent ones first; none of what is long, binary or secret by name."""
    distinct: int | None = None
    """How many different values there are, where that was cheap to learn."""
    least: float | None = None
    most: float | None = None
    """Of numbers: between which they lie, as far as rows were looked at."""
    writes: ValueType | None = None
    """Of texts that were all numbers, as far as rows were looked at: which kind of numbers they write. It is
    no promise: a row that nobody looked at may have any text."""
    has_gaps: bool = False
    """Whether a row that was looked at has nothing there."""
    options: tuple[str, ...] = ()
    """The values that the database lets it hold, where it declares a list of them."""
    formula: str = ""
    """Of a generated column, what the database computes it from."""


class ForeignKey(Record, frozen=True):
    """Columns that point at a key of another table. One that was inferred is a guess, and says so."""

    columns: tuple[str, ...]
    table: str
    target_columns: tuple[str, ...]
    schema: str = ""
    declared: bool = True
    certain: bool = False
    """Of one that was inferred: its name says where it leads and the data agree, so that it is as good as
    declared."""


class TableInfo(Record, frozen=True):
    """A table or a view. `schema` is empty where the database has none, or it is the default one."""

    name: str
    kind: TableKind
    columns: tuple[ColumnInfo, ...]
    schema: str = ""
    primary_key: tuple[str, ...] = ()
    unique_keys: tuple[tuple[str, ...], ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    rows: int | None = None
    """An estimate, or the count where counting was cheap."""
    comment: str = ""
    definition: str = ""
    """Of a view its query, as the database writes it; of a virtual or foreign table the text that declares
    it. Empty where the login may not read it."""
    parents: tuple[str, ...] = ()
    """The tables whose rows include its rows."""


class SkippedTable(Record, frozen=True):
    """A table that is there and cannot be read, and why."""

    name: str
    reason: str
    schema: str = ""


class Shape(Record, frozen=True):
    """What a catalog says of a database: no value of any row was looked at."""

    tables: tuple[TableInfo, ...]
    skipped: tuple[SkippedTable, ...] = ()


class DatabaseSchema(Record, frozen=True):
    """One database as it was discovered. The fingerprint covers its shape, not its data."""

    family: str
    """The name of its family."""
    dialect: Dialect
    tables: tuple[TableInfo, ...]
    fingerprint: str
    skipped: tuple[SkippedTable, ...] = ()
