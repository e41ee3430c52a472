"""A pack: what a schema cannot say of a database. Names, metrics, verbs with their SQL, coverage, policies.

Texts for people stand per language: `title: {en: Stock, ru: Остатки}`. The names of these records are the
keys of a pack's YAML.
"""

import datetime as dt
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from dragoman.contracts.record import Record
from dragoman.contracts.roles import RequestType
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.contracts.verb import Effect

Texts = dict[str, str]
"""One text for each language."""

Words = dict[str, tuple[str, ...]]
"""For each language the words that something is called by."""


class KeyType(StrEnum):
    """What the key of an entity is."""

    INT = "int"
    CODE = "code"
    UUID = "uuid"


class ResolutionMode(StrEnum):
    """How a person picks an entity: from a search in a dialog, or while typing."""

    SEARCH_MODAL = "SearchModal"
    AUTOCOMPLETE = "Autocomplete"


class VerbFrame(StrEnum):
    """Where a verb belongs: it opens a root slice, speaks of a selected object, or does neither."""

    ROOT = "root"
    OBJECT = "object"
    NONE = "none"


class DateUse(StrEnum):
    """Whether a verb looks at the end of the date scope, or at all of it."""

    AS_OF = "as-of"
    PERIOD = "period"


DATE_ARGUMENTS: Final[Mapping[DateUse, str]] = {DateUse.AS_OF: "as-of", DateUse.PERIOD: "during"}
"""What the date is called in a call of the verb."""


class PackEntity(Record, frozen=True):
    """Something with a name that questions speak of. `display` is the column of its canonical name."""

    table: str
    key: str
    display: str
    key_type: KeyType = KeyType.INT
    names: tuple[str, ...] = ()
    """Further columns with names of it."""
    codes: tuple[str, ...] = ()
    """Columns that find it only when they are given exactly, such as an article number."""
    localized: Texts = {}
    """For a language the column whose name people of that language read."""
    title: Texts = {}
    words: Words = {}
    discriminators: dict[str, str] = {}
    """What narrows a search to fewer of them: a name, and the column that must be equal."""
    within: dict[str, str] = {}
    """An entity that this one belongs to, and the column with its key."""
    mode: ResolutionMode = ResolutionMode.AUTOCOMPLETE
    create: str = ""
    """The verb that makes a new one."""
    card: str = ""
    """The verb that shows one that was picked."""


class ArgumentKind(StrEnum):
    TEXT = "text"
    INTEGER = "integer"
    DECIMAL = "decimal"
    BOOLEAN = "boolean"
    DATE = "date"
    PERIOD = "period"
    NEW_KEY = "new-key"
    """The key of something that is being made: nobody is asked for it, the runtime makes it."""


class PackArgument(Record, frozen=True):
    """An argument of a verb: an entity, one of some options, or a plain value."""

    entity: str = ""
    kind: ArgumentKind = ArgumentKind.TEXT
    options: tuple[str, ...] = ()
    required: bool = True
    title: Texts = {}
    words: Words = {}


class Sign(StrEnum):
    POSITIVE = "positive"
    NEGATIVE = "negative"
    ZERO = "zero"


class PackColumn(Record, frozen=True):
    """A column of a result. With a `scale` the SQL gives whole numbers of so many decimal places, which is
    exact everywhere; `places` is how many are shown. `entity` says what the rows can be picked as."""

    name: str
    type: ValueType = ValueType.TEXT
    scale: int | None = None
    places: int | None = None
    entity: str = ""
    title: Texts = {}
    signs: dict[Sign, Texts] = {}
    """What a positive, a negative value or a zero means, in words: `they owe us`."""


class PackVerb(Record, frozen=True):
    """A capability. Its SQL is written once, in the pack's dialect, with `:name` for every argument; a date
    argument is `:as_of`, or `:start` and `:end`. `(:x IS NULL OR …)` makes an optional argument. A dash in a
    name is an underscore in SQL: `cbu-id` is `:cbu_id`."""

    title: Texts
    sql: str
    frame: VerbFrame = VerbFrame.ROOT
    effect: Effect = Effect.READ
    object: str = ""
    """Of which entity an object verb speaks; its key is the argument of that name."""
    date: DateUse | None = None
    arguments: dict[str, PackArgument] = {}
    columns: tuple[PackColumn, ...] = ()
    words: Words = {}
    domain: str = ""
    """The domain whose coverage holds; the part before the dot where nothing is said."""
    definition: Texts = {}
    writes: tuple[str, ...] = ()
    """The tables a write verb changes."""
    request_type: RequestType | None = None
    """What kind of request it answers; where nothing is said, its columns tell a metric from a list."""


class PackMetric(Record, frozen=True):
    """A figure with a definition: which verb gives it, in which unit, and what it means. Over a table it
    needs no verb: `of` says what is added up, as programs write it, and questions may name it."""

    title: Texts
    definition: Texts
    verb: str = ""
    table: str = ""
    of: str = ""
    """`{:times ["unit_price" "quantity"]}`, or the name of a column in quotes."""
    unit: str = ""
    words: Words = {}


class PackTableColumn(Record, frozen=True):
    """What a column of a table is to a question. What is left out is guessed from its name and type."""

    words: Words = {}
    """Further names."""
    measure: bool | None = None
    """Whether its numbers are amounts. False: they are codes, which nobody adds up."""
    scale: int | None = None
    """How many decimal places it has, where its type does not say."""
    verbs: Words = {}
    """Of a date: the verbs that speak of it, “shipped in May”. A verb that one date of a table has is not one
    of its other dates."""


class PackTable(Record, frozen=True):
    """What questions have to know of a table, for which no verb of a pack is needed."""

    words: Words = {}
    """What people call its rows, beside the name of the table."""
    label: tuple[str, ...] = ()
    """The columns that tell a person which row it is."""
    columns: dict[str, PackTableColumn] = {}


class PackScope(Record, frozen=True):
    """What a conversation carries from one question to the next. Without an entity it is the date."""

    entity: str = ""
    required: bool = True
    title: Texts = {}


class CoverageStatusWord(StrEnum):
    FULL = "full"
    PARTIAL = "partial"
    FAILED = "failed"


class CoverageTable(Record, frozen=True):
    """A table that says what is loaded. `scopes` maps a scope to its column; empty there means any."""

    table: str
    domain: str
    start: str
    end: str
    status: str
    reason: str
    scopes: dict[str, str] = {}


class CoverageEntry(Record, frozen=True):
    """What is loaded for a domain: how completely, from when until when, and of which keys of the scopes."""

    domain: str
    start: dt.date
    end: dt.date
    status: CoverageStatusWord
    reason: str = ""
    scopes: dict[str, str] = {}


class PackPolicy(Record, frozen=True):
    """Who may see what of a table: the rows that satisfy a condition, and all but the hidden columns.

    It holds for the `roles` that are named, and for everybody where none is, save those with a role of
    `unless`. Where several hold, a row has to satisfy all of them. `:user` in a condition is who asks.
    """

    table: str
    roles: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    rows: str = ""
    hide: tuple[str, ...] = ()


class DocumentKind(StrEnum):
    DOC = "doc"
    POLICY = "policy"


class PackDocument(Record, frozen=True):
    """A text that answers may cite: documentation, or a policy."""

    title: str
    text: str
    kind: DocumentKind = DocumentKind.DOC
    language: str = "en"


class Pack(Record, frozen=True):
    """The whole of a pack."""

    pack: str
    title: Texts
    version: int = 1
    dialect: Dialect = Dialect.POSTGRES
    connection: str = ""
    """The connection it is for; empty: the default one."""
    demo: str = ""
    """The SQL of its demo database, a file beside the pack."""
    tables: dict[str, PackTable] = {}
    """By their names in the database, with the schema where that is not the default one."""
    entities: dict[str, PackEntity] = {}
    verbs: dict[str, PackVerb] = {}
    metrics: dict[str, PackMetric] = {}
    scopes: dict[str, PackScope] = {}
    coverage_table: CoverageTable | None = None
    coverage: tuple[CoverageEntry, ...] = ()
    policies: tuple[PackPolicy, ...] = ()
    documents: dict[str, PackDocument] = {}
