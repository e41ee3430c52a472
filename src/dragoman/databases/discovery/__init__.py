"""Discovery: what a database holds, found by looking at it."""

from dragoman.contracts.access import Reader
from dragoman.databases.discovery.budget import SampleBudget
from dragoman.databases.discovery.cache import SchemaCache
from dragoman.databases.discovery.catalog_reader import Progress
from dragoman.databases.discovery.discovery import discover, discover_cached, shape_fingerprint

__all__ = [
    "Progress",
    "Reader",
    "SampleBudget",
    "SchemaCache",
    "discover",
    "discover_cached",
    "shape_fingerprint",
]
