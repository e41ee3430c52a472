"""A provider of language models on loopback, which speaks the real protocols and behaves as its script says.

    with ModelServer(says("no JSON"), says('{"a": 1}')) as server:
        settings = server.settings("openai")

Each request gets the next behaviour, and from then on the last one. What a behaviour says is written in the
protocol of the request's path, as a stream where the request wants one.
"""

from tests.model_server.behaviours import (
    Behaviour,
    breaks_events,
    breaks_json,
    calls,
    cuts,
    disconnects,
    disconnects_midway,
    drips,
    drips_head,
    empty,
    ends_without_end,
    fails_midway,
    filters,
    huge,
    lingers,
    packs,
    says,
    says_whole,
    speaks_no_http,
    stalls,
    status,
    types,
    waits,
)
from tests.model_server.server import Asked, ModelServer
from tests.model_server.texts import LEGACY_PROGRAM, PROSE, UNFINISHED_PROGRAM

__all__ = [
    "LEGACY_PROGRAM",
    "PROSE",
    "UNFINISHED_PROGRAM",
    "Asked",
    "Behaviour",
    "ModelServer",
    "breaks_events",
    "breaks_json",
    "calls",
    "cuts",
    "disconnects",
    "disconnects_midway",
    "drips",
    "drips_head",
    "empty",
    "ends_without_end",
    "fails_midway",
    "filters",
    "huge",
    "lingers",
    "packs",
    "says",
    "says_whole",
    "speaks_no_http",
    "stalls",
    "status",
    "types",
    "waits",
]
