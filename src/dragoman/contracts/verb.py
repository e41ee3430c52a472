"""The signature of a verb: what a program may say to it, and what comes back."""

from collections.abc import Mapping
from enum import StrEnum

from dragoman.contracts.answer import Column
from dragoman.contracts.record import Record


class Effect(StrEnum):
    """What a verb does to the world: looks, reshapes, or changes something."""

    READ = "read"
    TRANSFORM = "transform"
    WRITE = "write"


class ArgumentType(StrEnum):
    """What an argument may hold: the key of an entity, one day, or a period of whole days."""

    ENTITY = "entity"
    DATE = "date"
    PERIOD = "period"


class VerbArgument(Record, frozen=True):
    name: str
    type: ArgumentType
    required: bool = True
    entity: str = ""


class VerbSignature(Record, frozen=True):
    """`name` is `domain.verb`. A root verb opens a root frame of its domain."""

    name: str
    domain: str
    title: str
    effect: Effect
    arguments: tuple[VerbArgument, ...]
    columns: tuple[Column, ...]

    def argument(self, name: str) -> VerbArgument | None:
        return next((argument for argument in self.arguments if argument.name == name), None)


Signatures = Mapping[str, VerbSignature]
