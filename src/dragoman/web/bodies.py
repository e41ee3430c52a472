"""What requests bring."""

from typing import Annotated, Literal

from pydantic import Field

from dragoman.web.shape import Body, Key, Name, Place, Text

Notation = Literal["verbs", "oml"]


class NewSession(Body):
    title: Name = ""


class Message(Body):
    """What a person says. `connection` is the one database that is asked; `as_sql` reads it as SQL only."""

    message: Text
    connection: Name = ""
    as_sql: bool = False


class ResolveRef(Body):
    """001's callout: the reference means the entity with this key. `display` is how it was shown."""

    ref_id: Key
    entity_id: Key
    display: Name = ""


class SearchRef(Body):
    """Another search, for the reference that is asked about where none is named. With neither words nor
    filters the next message says what is searched for."""

    ref_id: Name = ""
    text: Name = ""
    filters: dict[str, str] = Field(default={}, max_length=20)


class SelectedRow(Body):
    """A row of the result in hand; the first is 1."""

    result_set: Key
    row: Place


class ChosenOption(Body):
    place: Place


class Answered(Body):
    yes: bool


class Program(Body):
    source: Text
    notation: Notation = "verbs"


class ProgramText(Body):
    """A program of any length that a file may have."""

    source: Annotated[str, Field(max_length=1_000_000)]
    notation: Notation = "verbs"


class ProgramToCheck(ProgramText):
    """As far as `stage`."""

    stage: Literal["syntax", "semantics", "references", "dependencies"] = "dependencies"


class ProgramToConvert(ProgramText):
    to: Notation


class Fork(Body):
    """After which turn; without one, after the last."""

    turn: Annotated[int, Field(ge=0, le=1_000_000_000)] | None = None
    title: Name = ""
