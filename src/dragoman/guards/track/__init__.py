"""Which track a request takes, by its type and by the words that ask for care."""

from dragoman.guards.track.policy import TrackChoice, choose_track, usual_choice

__all__ = ["TrackChoice", "choose_track", "usual_choice"]
