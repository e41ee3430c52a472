"""What all documents of the API have in common."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class Document(BaseModel):
    """A document that goes out. Nothing stands in it that the schema does not name."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Body(BaseModel):
    """A document that comes in: strict, so that a misspelt field is an error, not a wish unheard."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


Text = Annotated[str, Field(max_length=20_000, pattern=r"\S")]
"""A message or a program."""
Name = Annotated[str, Field(max_length=500)]
Key = Annotated[str, Field(min_length=1, max_length=500)]
Count = Annotated[int, Field(ge=0, le=10_000_000)]
Place = Annotated[int, Field(ge=1, le=1_000_000)]
