"""What is said when a run has taken all the time that it may."""

from dragoman.contracts.errors import RunLimitExceeded
from dragoman.contracts.run import RunLimits


def time_over(limits: RunLimits, doing: str = "the run") -> RunLimitExceeded:
    """`doing` is what took so long, as the beginning of a sentence."""
    allowed = f"{limits.seconds:,g} seconds, its limit" if limits.seconds else "it may"
    return RunLimitExceeded(
        # A conversation shows the message alone.
        f"{doing} took longer than {allowed} (--max-seconds, or run_seconds under limits in dragoman.yaml)",
        hint="raise the limit, or do less",
        limit="run_seconds",
        seconds=limits.seconds,
    )
