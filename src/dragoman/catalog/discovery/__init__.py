"""Discovery: what a database holds, found by looking at it."""

from dragoman.catalog.discovery.budget import SampleBudget
from dragoman.catalog.discovery.cache import SchemaCache
from dragoman.catalog.discovery.discovery import discover, discover_cached, shape_fingerprint
from dragoman.catalog.discovery.reader import Progress, Reader

__all__ = [
    "Progress",
    "Reader",
    "SampleBudget",
    "SchemaCache",
    "discover",
    "discover_cached",
    "shape_fingerprint",
]
