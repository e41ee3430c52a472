"""The bars of each route, in CPU of the client."""

from collections.abc import Iterator, Mapping, Set
from typing import Final

from benchmarks.pipelines_job import Contender, Route

ALLOWED: Final = 1.3
PANDAS_SHARE: Final = 1 / 6
REFERENCE: Final = {
    Route.MARIADB_CSV: Contender.CLIENT,
    Route.POSTGRES_PARQUET: Contender.DUCKDB,
    Route.MARIADB_POSTGRES: Contender.CLIENT,
    Route.PARQUET_POSTGRES: Contender.DUCKDB,
}
"""Who sets the bar of a route; where nobody is named, the quickest of those without a wrong cell."""


def judge(route: Route, cpu: Mapping[Contender, float], exact: Set[Contender]) -> Iterator[tuple[str, bool]]:
    """The bars of a route that the contenders who ran allow to judge, and whether each is reached."""
    ours = cpu[Contender.DRAGOMAN]
    reference = reference_of(route, cpu, exact)
    if reference is not None:
        ratio = ours / cpu[reference]
        yield f"at most {ALLOWED} × {reference}: {ratio:.2f}", ratio <= ALLOWED
    if route is Route.MARIADB_PARQUET and Contender.PANDAS in cpu:
        share = ours / cpu[Contender.PANDAS]
        yield f"at most 1/6 of pandas: 1/{1 / share:.1f}", share <= PANDAS_SHARE


def reference_of(route: Route, cpu: Mapping[Contender, float], exact: Set[Contender]) -> Contender | None:
    """Whose CPU the bar of a route is measured by, if it ran."""
    if route in REFERENCE:
        named = REFERENCE[route]
        return named if named in cpu else None
    others = [each for each in cpu if each is not Contender.DRAGOMAN and each in exact]
    return min(others, key=lambda each: cpu[each], default=None)
