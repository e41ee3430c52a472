"""Discovery: what a database holds, found by looking at it.

Whoever only reads what was found before needs neither the search nor the SQL parser that it is made with.
"""

from typing import TYPE_CHECKING

from dragoman._lazy import lazy

if TYPE_CHECKING:
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

__getattr__ = lazy(
    __name__,
    {
        "Progress": "dragoman.databases.discovery.catalog_reader",
        "Reader": "dragoman.contracts.access",
        "SampleBudget": "dragoman.databases.discovery.budget",
        "SchemaCache": "dragoman.databases.discovery.cache",
        "discover": "dragoman.databases.discovery.discovery",
        "discover_cached": "dragoman.databases.discovery.discovery",
        "shape_fingerprint": "dragoman.databases.discovery.discovery",
    },
)
