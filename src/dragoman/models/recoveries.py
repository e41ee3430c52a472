"""What became of failing providers, in the account that the status reports have as well."""

from dragoman.contracts.model import ModelAttempt
from dragoman.models.chain import Watch
from dragoman.reports.validation import Listener, OutputValidation

AGENT_TYPE = "model"


def counted_in(validation: OutputValidation, *, task: str, listener: Listener | None = None) -> Watch:
    """Counts every failed request, tells it as an event, and counts what was done about it.

    The end of a chain is the caller's to count: a reassignment where the embedded planner takes over, a
    failure where nobody does.
    """

    def watch(attempt: ModelAttempt) -> None:
        if not attempt.code:
            return
        validation.failed(
            attempt.code,
            attempt.message,
            task=task,
            agent=attempt.provider,
            agent_type=AGENT_TYPE,
            listener=listener,
        )
        if attempt.recovery is not None:
            validation.recovered(attempt.recovery)

    return watch
