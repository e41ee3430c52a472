"""Discovery: first the shape from the catalog, for all tables at once; then, within a budget, the data."""

import contextlib
from collections.abc import Callable

from dragoman.contracts.access import Reader
from dragoman.contracts.schema import DatabaseSchema, Shape
from dragoman.databases.discovery.budget import Purse, SampleBudget
from dragoman.databases.discovery.cache import SchemaCache
from dragoman.databases.discovery.catalog_reader import Progress
from dragoman.databases.discovery.fingerprint import fingerprint_of
from dragoman.databases.discovery.inference import infer, without_lost_ends
from dragoman.databases.discovery.samples import sample
from dragoman.databases.families.registry import family as family_of_name

KEYS_SHARE = 0.5
"""How much of the time for data the search for keys that nobody declared may take."""

CATALOG = "the catalog"
"""What progress is told while the shape is read."""


def _silent(done: int, total: int, what: str) -> None:
    """Nobody wants to be told."""


def _as_it_is(schema: DatabaseSchema) -> DatabaseSchema:
    return schema


def discover(
    reader: Reader,
    family: str,
    *,
    progress: Progress = _silent,
    samples: SampleBudget | None = None,
    deadline: float | None = None,
) -> DatabaseSchema:
    """Everything that can be known of a database without being told.

    `deadline` is a moment of `time.monotonic`: no data is looked at after it. The shape is read in any case.
    Raises what the reader raises when not even the catalog can be read.
    """
    progress(0, 1, CATALOG)
    return _completed(reader, family, read_shape(reader, family), progress, samples, deadline)


def discover_cached(
    reader: Reader,
    family: str,
    cache: SchemaCache,
    alias: str,
    *,
    progress: Progress = _silent,
    samples: SampleBudget | None = None,
    deadline: float | None = None,
    redacted: Callable[[DatabaseSchema], DatabaseSchema] = _as_it_is,
) -> DatabaseSchema:
    """What was kept for a connection if the shape is still the same, otherwise what is there now, kept.

    `redacted` takes out what may be neither kept nor given. That a schema cannot be kept is no reason not to
    give it.
    """
    progress(0, 1, CATALOG)
    shape = read_shape(reader, family)
    kept = cache.load(alias, fingerprint_of(reader.dialect, shape))
    if kept is not None and kept.family == family:
        return redacted(kept)
    found = redacted(_completed(reader, family, shape, progress, samples, deadline))
    with contextlib.suppress(OSError):
        cache.store(alias, found)
    return found


def shape_fingerprint(reader: Reader, family: str) -> str:
    """The fingerprint of the shape as it is now: a few queries on the catalog, no look at data."""
    return fingerprint_of(reader.dialect, read_shape(reader, family))


def read_shape(reader: Reader, family: str) -> Shape:
    """What the catalog says, or whatever a family has instead of one."""
    return family_of_name(family).shape(reader)


def _completed(
    reader: Reader,
    family: str,
    shape: Shape,
    progress: Progress,
    samples: SampleBudget | None,
    deadline: float | None,
) -> DatabaseSchema:
    purse = Purse(samples or SampleBudget(), deadline)
    # Keys first: many are checked by one query, and a join is worth more than a sample.
    tables = infer(reader, shape.tables, purse.part(KEYS_SHARE), progress)
    sampled = sample(reader, tables, purse, progress)
    progress(len(shape.tables), len(shape.tables), "")
    skipped = sorted((*shape.skipped, *sampled.failed), key=lambda each: (each.schema, each.name))
    return DatabaseSchema(
        family=family,
        dialect=reader.dialect,
        tables=without_lost_ends(sampled.tables),
        fingerprint=fingerprint_of(reader.dialect, shape),
        skipped=tuple(skipped),
    )
