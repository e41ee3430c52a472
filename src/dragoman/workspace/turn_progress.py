"""What listeners of a turn are told, for the doors."""

from dragoman.session.log import Listener, Progress

__all__ = ["Listener", "Progress"]
