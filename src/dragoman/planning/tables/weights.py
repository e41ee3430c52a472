"""The weights of features: learned from questions over other databases, kept as data."""

from functools import cache
from importlib.resources import files

import msgspec

from dragoman.contracts.record import Record

Feature = tuple[str, float]


class Weights(Record, frozen=True):
    """What each feature is worth, and how a reading's worth becomes a probability."""

    features: dict[str, float]
    calibration: dict[str, float] = msgspec.field(default_factory=dict)
    confident: float = 0.75
    """From this probability on a reading may be answered without asking."""

    def of(self, features: tuple[Feature, ...]) -> float:
        get = self.features.get
        return sum(get(name, 0.0) * value for name, value in features)


@cache
def weights() -> Weights:
    place = files("dragoman.planning.tables").joinpath("weights.json")
    return msgspec.json.decode(place.read_bytes(), type=Weights)
