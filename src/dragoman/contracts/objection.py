"""What a second reader says of a reading: what the message demands and the program lacks, or has unasked."""

from dragoman.contracts.record import Record


class Objection(Record, frozen=True):
    """One reason not to trust a reading: a stable code, the words it is about, and a sentence for people."""

    code: str
    words: tuple[str, ...] = ()
    sentence: str = ""
