"""What ends a translation: a part of a query that the verbs of tables do not say."""

from dragoman.contracts.errors import InternalSignal


class Unsaid(InternalSignal):
    """Carries the part of a query that no verb says, for `why`."""
