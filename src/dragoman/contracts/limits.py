"""How much a workspace lets a read, a run or a server take before it is stopped."""

from typing import Annotated

from msgspec import Meta

from dragoman.contracts.record import Record

MEGABYTE = 1_000_000
_Seconds = Annotated[int, Meta(ge=1, le=365 * 86_400)]
_Megabytes = Annotated[int, Meta(ge=1, le=1_000_000)]


class WorkspaceLimits(Record, frozen=True):
    """What `limits` in dragoman.yaml may say; what it does not say is as here."""

    read_seconds: _Seconds = 30
    """What is read to answer a message, its recount included."""
    run_seconds: _Seconds = 3_600
    """A run, whether of the command line or of a conversation's yes."""
    result_mb: _Megabytes = 64
    """The result of one message."""
    memory_mb: _Megabytes = 2_048
    """A command, and each process that it reads in."""

    @property
    def memory_bytes(self) -> int:
        return self.memory_mb * MEGABYTE


_Some = Annotated[int, Meta(ge=1, le=100_000)]


class ServerSettings(Record, frozen=True):
    """What `server` in dragoman.yaml may say: how much `dragoman serve` lets anybody ask of it."""

    body_kb: Annotated[int, Meta(ge=1, le=100_000)] = 1_024
    """The body of one request."""
    body_seconds: _Seconds = 30
    """How long a body may take to arrive."""
    requests_per_minute: _Some = 6_000
    """Of one token, at each worker."""
    burst: _Some = 200
    """So many of them at once."""
    turns_at_once: _Some = 8
    """At each worker; others wait."""
    turns_waiting: _Some = 256
    """At each worker; more are refused."""
    streams: _Some = 256
    """Open at each worker."""
    rows_per_page: _Some = 1_000
    keep_alive_seconds: _Seconds = 10
    """How often a stream says that it is alive."""
    shutdown_seconds: _Seconds = 10
    """How long requests may go on when the server is told to end."""
    hosts: tuple[str, ...] = ()
    """The names that the server is called by, beside those of this machine's loopback."""
