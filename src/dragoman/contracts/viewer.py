"""Who asks."""

from dragoman.contracts.record import Record


class Viewer(Record, frozen=True):
    """Who asks. Where nobody is named, only what everybody may see passes."""

    name: str = ""
    roles: tuple[str, ...] = ()
