"""What is wrong with one connection, before it is known where that stands."""

from dragoman.contracts.errors import InternalSignal


class UrlProblem(InternalSignal):
    """A rule that a URL, a path or an option breaks. No secret stands in any of its texts."""

    def __init__(self, rule: str, message: str, hint: str) -> None:
        super().__init__(message, hint=hint)
        self.rule = rule
