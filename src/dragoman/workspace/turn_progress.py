"""What listeners of a turn are told, for the doors."""

from dragoman.contracts.model_events import ModelText
from dragoman.contracts.run import RunEvent
from dragoman.session.log import Listener, Progress

__all__ = ["Listener", "ModelText", "Progress", "RunEvent"]
