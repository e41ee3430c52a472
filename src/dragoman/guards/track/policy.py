"""Which track a request takes: the usual one of its type, or the careful one where a word asks for care."""

from dragoman.contracts.record import Record
from dragoman.contracts.roles import RequestType, Track
from dragoman.guards.roles.policy import request_policy
from dragoman.guards.track.korean import has_korean_hint
from dragoman.guards.track.latin import has_latin_hint
from dragoman.guards.track.russian import has_russian_hint
from dragoman.guards.track.text import plain_text


class TrackChoice(Record, frozen=True):
    track: Track
    reason: str


def choose_track(request_type: str, query: str) -> TrackChoice:
    """The track and why. A type that nobody knows takes FAST, unless the query has a hint."""
    usual = _usual_track(request_type)
    if usual is Track.FAST and has_quality_hint(query):
        return TrackChoice(Track.QUALITY, f"track_policy:force_quality_by_hint(rt={request_type})")
    return TrackChoice(usual, f"track_policy:default(rt={request_type})")


def has_quality_hint(query: object) -> bool:
    """Whether a text has a word that asks for care, in any of the languages."""
    if not isinstance(query, str):
        return False
    text = plain_text(query)
    return has_latin_hint(text) or has_korean_hint(text) or has_russian_hint(text)


def _usual_track(request_type: str) -> Track:
    try:
        return request_policy(RequestType(request_type)).track
    except ValueError:
        return Track.FAST
