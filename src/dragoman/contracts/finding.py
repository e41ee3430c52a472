"""What a guard found in an output: a stable code, the place, a message that names the field."""

from dragoman.contracts.record import Record


class Finding(Record, frozen=True):
    """One cause. `path` is dotted, with indices (`required_sources.1`); empty for the whole output."""

    code: str
    path: str
    message: str
