"""How the planner gets at a model, and who counts what became of it."""

from collections.abc import Callable

from dragoman.contracts.model import Model, ModelAttempt, TurnPurse
from dragoman.contracts.record import Record
from dragoman.contracts.report import OutputValidationFailureEvent, Recovery

Watch = Callable[[ModelAttempt], None]
Listener = Callable[[OutputValidationFailureEvent], None]


def _nobody(code: str, problem: str, provider: str, listener: Listener) -> None:
    """Nobody counts."""


class ModelAccess(Record, frozen=True, gc=True):
    """`turn` gives the model of one turn, which spends from its purse. It tells a watch of every request, and
    a listener of every one that failed."""

    turn: Callable[[Watch, Listener, TurnPurse], Model]
    failed: Callable[[str, str, str, Listener], None] = _nobody
    """Counts an output that did not pass: its code, the problem, the provider."""
    recovered: Callable[[Recovery], None] = lambda recovery: None

    @classmethod
    def to(cls, model: Model) -> "ModelAccess":
        """To one model that counts nothing."""
        return cls(lambda watch, listener, purse: model)
