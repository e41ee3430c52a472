"""A finding about a pack before its place is looked up: what is wrong, and the path to it."""

from msgspec.structs import replace

from dragoman.contracts.record import Record
from dragoman.packs.statements import Fault

Path = tuple[str | int, ...]
"""The keys, and the numbers in lists, that lead to a part of a pack."""


class Mark(Record, frozen=True):
    """`word` stands in the part where the finding is; `at_key` means the key of the part, not its value."""

    code: str
    message: str
    hint: str
    path: Path
    word: str = ""
    minor: bool = False
    at_key: bool = False

    @classmethod
    def of_fault(cls, fault: Fault, path: Path) -> "Mark":
        return cls(fault.code, fault.message, fault.hint, path, fault.word, fault.minor)

    def on_key(self) -> "Mark":
        return replace(self, at_key=True)
