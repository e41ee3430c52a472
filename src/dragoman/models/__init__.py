"""Clients of language models and the chain of their providers. Only imported where models are configured."""

from typing import TYPE_CHECKING

from dragoman._lazy import lazy

if TYPE_CHECKING:
    from dragoman.models.chain import TurnModel, Watch
    from dragoman.models.models import Models
    from dragoman.models.patience import Patience
    from dragoman.models.recordings import recording, replaying
    from dragoman.models.recoveries import counted_in
    from dragoman.models.tokens import estimated_tokens

__all__ = [
    "Models",
    "Patience",
    "TurnModel",
    "Watch",
    "counted_in",
    "estimated_tokens",
    "recording",
    "replaying",
]

__getattr__ = lazy(
    __name__,
    {
        "Models": "dragoman.models.models",
        "Patience": "dragoman.models.patience",
        "TurnModel": "dragoman.models.chain",
        "Watch": "dragoman.models.chain",
        "counted_in": "dragoman.models.recoveries",
        "estimated_tokens": "dragoman.models.tokens",
        "recording": "dragoman.models.recordings",
        "replaying": "dragoman.models.recordings",
    },
)
