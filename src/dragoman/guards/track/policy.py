"""Which track a request takes: the usual one of its type, or the careful one where a word asks for care."""

from collections.abc import Callable
from functools import lru_cache

from dragoman.contracts.record import Record
from dragoman.contracts.roles import RequestType, Track
from dragoman.guards.roles.policy import request_policy


class TrackChoice(Record, frozen=True):
    track: Track
    reason: str


def choose_track(request_type: str, query: str, asks_for_care: Callable[[str], bool]) -> TrackChoice:
    """The track and why. A type that nobody knows takes FAST, unless the query asks for care.

    Which words do so is the languages' own: they say it through `asks_for_care`, so that no guard needs to
    know them."""
    usual = usual_choice(request_type)
    if usual.track is Track.FAST and asks_for_care(query):
        return TrackChoice(Track.QUALITY, f"track_policy:force_quality_by_hint(rt={request_type})")
    return usual


@lru_cache(maxsize=64)
def usual_choice(request_type: str) -> TrackChoice:
    """What a type takes whatever its words are."""
    return TrackChoice(_usual_track(request_type), f"track_policy:default(rt={request_type})")


def _usual_track(request_type: str) -> Track:
    try:
        return request_policy(RequestType(request_type)).track
    except ValueError:
        return Track.FAST
