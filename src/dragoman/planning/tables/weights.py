"""The weights of features: learned from questions over other databases, kept as data."""

from functools import cache
from importlib.resources import files

import msgspec

from dragoman.contracts.decoding import decoded
from dragoman.contracts.record import Record

Feature = tuple[str, float]
Features = list[Feature]


class Weights(Record, frozen=True):
    """What each feature is worth, and how a reading's worth becomes a probability."""

    features: dict[str, float]
    calibration: dict[str, float] = msgspec.field(default_factory=dict)
    confident: float = 0.75
    """From this probability on a reading may be answered without asking."""

    def of(self, features: tuple[Feature, ...]) -> float:
        get = self.features.get
        total = 0.0
        # One by one: from Python 3.12 on `sum` rounds otherwise, and readings are the same everywhere.
        for name, value in features:
            total += get(name, 0.0) * value
        return total


@cache
def weights() -> Weights:
    place = files("dragoman.planning.tables").joinpath("weights.json")
    return decoded(place.read_bytes(), Weights)
