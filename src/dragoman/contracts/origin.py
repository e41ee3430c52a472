"""Where a session comes from that is not new."""

from dragoman.contracts.record import Record


class ForkedFrom(Record, frozen=True):
    """The session that another one goes on from: its id, its last turn that both have, and the digest of that
    record, which is of all before it too."""

    session: str
    turn: int
    digest: str
