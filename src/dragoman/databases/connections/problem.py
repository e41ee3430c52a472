"""What is wrong with one connection, before it is known where that stands."""


class UrlProblem(Exception):
    """A rule that a URL, a path or an option breaks. No secret stands in any of its texts."""

    def __init__(self, code: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
