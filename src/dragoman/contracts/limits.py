"""How much a workspace lets a read or a run take before it is stopped."""

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
