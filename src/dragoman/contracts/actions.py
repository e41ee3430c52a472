"""What a person can do in a session beside talking: the buttons of a door, as one closed union.

An action is a message that need not be read: what it means is known. It takes a turn like any other, and its
record says in plain words what was done.
"""

from collections.abc import Mapping
from enum import StrEnum

from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import Notation


class Escape(StrEnum):
    """A way out of where a session stands, or on from there, that needs nothing but its name."""

    CLEAR = "clear"
    UNDO = "undo"
    CANCEL = "cancel"
    HELP = "help"
    SKIP = "skip"
    CREATE_NEW = "create new"
    SEARCH_AGAIN = "search again"
    NONE_OF_THESE = "none of these"
    RUN = "run"


class Confirm(Record, frozen=True):
    """A yes or a no to the question that waits."""

    yes: bool


class Choose(Record, frozen=True):
    """One of the closed answers to the question that waits, by its place; the first is 1."""

    place: int


class SelectRow(Record, frozen=True):
    """A row of the result in hand, by its place; the first is 1. The reference says which result was seen."""

    row: int
    result_set: str


class Resolve(Record, frozen=True):
    """A reference of the program means the entity with this key."""

    ref_id: str
    entity_id: str
    display: str = ""
    """How the entity was shown, for the record."""


class Search(Record, frozen=True):
    """A reference is searched for in other words, or the same, narrowed by discriminators: the one that is
    asked about where none is named."""

    ref_id: str
    text: str
    filters: Mapping[str, str] = {}


class Edit(Record, frozen=True):
    """The program, as a person has written it."""

    source: str
    notation: Notation


Action = Escape | Confirm | Choose | SelectRow | Resolve | Search | Edit


def said(action: Action) -> str:
    """The message that stands on record for an action: the same one whenever it is done again."""
    match action:
        case Escape():
            return str(action)
        case Confirm(yes=yes):
            return "yes" if yes else "no"
        case Choose(place=place):
            return str(place)
        case SelectRow(row=row):
            return f"#{row}"
        case Resolve(entity_id=key, display=display):
            return display or key
        case Search(text=text, filters=filters):
            return " ".join((text, *(f"{name}: {value}" for name, value in sorted(filters.items()))))
        case Edit(source=source):
            return source


class EscapeAction(StrEnum):
    """The escape actions of a session, as a door offers them: those that its state accepts."""

    CLEAR = "Clear"
    UNDO = "Undo"
    CANCEL = "Cancel"
    SKIP = "Skip"
    CREATE_NEW = "CreateNew"
    EDIT = "Edit"
