"""The graph of a workspace: the Bolt server that it names, or its own, which is brought up to date first.

A graph that is old is built anew beside the other, and is there whole or not at all."""

import hashlib
import os
import time
from pathlib import Path
from typing import Final

import msgspec

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.errors import DragomanError, GraphUnavailable
from dragoman.contracts.graph import GraphStore
from dragoman.contracts.places import STATE_FOLDER

FOLDER: Final = "graph"
_FORMAT: Final = 1
_ENDING: Final = ".lbug"
_KEPT: Final = 4
"""So many graphs are kept: viewers who see different things have different ones."""


def has_graph(catalog: Catalog) -> bool:
    """Whether there is a graph to ask, without asking it: a server, or discovered tables and the package."""
    if catalog.shipped:
        return False
    if catalog.settings.graph is not None:
        return True
    from importlib.util import find_spec

    return find_spec("ladybug") is not None and any(catalog.tables_of(spec) for spec in catalog.in_order())


def graph_store(catalog: Catalog) -> GraphStore:
    """The graph as the data are now. Raises `GraphError`."""
    settings = catalog.settings.graph
    if settings is not None:
        from dragoman.databases.connections.variables import filled
        from dragoman.graph.bolt import BoltGraph

        return BoltGraph(settings, filled(settings.password, os.environ, "graph in dragoman.yaml"))
    from dragoman.graph.embedded import EmbeddedGraph, build, packaged

    packaged()
    if catalog.shipped or not any(catalog.tables_of(spec) for spec in catalog.in_order()):
        raise GraphUnavailable("no tables are known to make a graph of", hint="run dragoman discover")
    shape, stamp, max_age = _state(catalog)
    file = catalog.folder / STATE_FOLDER / FOLDER / f"{shape}-{stamp}{_ENDING}"
    if not _is_fresh(file, max_age):
        from dragoman.catalog.knowledge.graph_contents import graph_contents

        try:
            build(graph_contents(catalog), file)
        except OSError as error:
            hint = "make the folder .dragoman writable"
            raise GraphUnavailable("the graph cannot be kept here", hint=hint) from error
        _forget_others(file, shape)
    return EmbeddedGraph(file)


def _is_fresh(file: Path, max_age: float | None) -> bool:
    try:
        built = file.stat().st_mtime
    except OSError:
        return False
    return max_age is None or time.time() - built <= max_age


def _state(catalog: Catalog) -> tuple[str, str, float | None]:
    """What the graph is of, and a stamp of the data; of servers, how old it may be."""
    from dragoman.databases.connections import resolve
    from dragoman.databases.values import origin_of

    shape, stamp = hashlib.sha256(str(_FORMAT).encode()), hashlib.sha256()
    ages: list[float] = []
    viewer = catalog.viewer
    told = (catalog.operator, None if viewer is None else (viewer.name, viewer.roles))
    shape.update(repr(told).encode())
    for spec in catalog.in_order():
        schema = catalog.visible_schema(spec)
        shape.update(f"{spec.name}\0{schema.fingerprint if schema is not None else ''}".encode())
        try:
            origin = origin_of(resolve(spec, catalog.folder))
        except DragomanError:
            continue
        stamp.update(f"{origin.place}\0{origin.stamp}".encode())
        if origin.max_age is not None:
            ages.append(origin.max_age)
    for pack in catalog.packs.packs:
        shape.update(msgspec.msgpack.encode((pack.pack, pack.policies, list(pack.verbs))))
    return shape.hexdigest()[:24], stamp.hexdigest()[:16], min(ages, default=None)


def _forget_others(file: Path, shape: str) -> None:
    """Older graphs of the same shape, and the oldest of others. Whoever reads one has it open already."""
    found = [each for each in file.parent.glob(f"*{_ENDING}") if each != file]
    old = [each for each in found if each.name.startswith(shape)]
    others = sorted((each for each in found if each not in old), key=_age)
    for each in (*old, *others[: max(0, len(others) - _KEPT)]):
        each.unlink(missing_ok=True)


def _age(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0
