"""What the tools take: checked here, every mistake at once, before anything is done."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dragoman.contracts.errors import ArgumentsRefused
from dragoman.contracts.vocabulary import Notation

MOST_TEXT = 4_000_000
"""More characters than this are no program; the readers have limits of their own."""
MOST_ROWS = 1_000
_SHOWN = 20

SessionId = Annotated[str, Field(max_length=200, description="The id of a session.")]
ProgramText = Annotated[str, Field(max_length=MOST_TEXT, description="The text of the program.")]
Digest = Annotated[str, Field(max_length=64, description="The digest of what a yes is given for.")]


class Arguments(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class NoArguments(Arguments):
    pass


class AskArguments(Arguments):
    message: str = Field(description="A question in plain words, an answer to a question, or a program.")
    session: SessionId | None = Field(None, description="Go on with this session. Without one, begin a new.")
    connection: str | None = Field(None, max_length=200, description="Ask only this database.")
    max_rows: int = Field(50, ge=0, le=MOST_ROWS, description="How many rows the answer may have.")
    key: str | None = Field(
        None, max_length=200, description="An idempotency key: a repeated call takes the turn once."
    )
    digest: Digest | None = Field(None, description="With a yes to a write: the digest of what is written.")


class Choice(Arguments):
    """What a reference means. `ref_id` is from an earlier call."""

    ref_id: str = Field(max_length=200)
    key: str | None = Field(None, max_length=2_000, description="The key that is meant.")
    skip: bool = Field(False, description="Leave out the statement instead.")
    search: str | None = Field(None, max_length=2_000, description="Search with other words instead.")


class ProgramArguments(Arguments):
    program: ProgramText
    notation: Literal["verbs", "oml"] | None = Field(
        None, description="How it is written. Without it, the text tells."
    )
    profile: str | None = Field(None, max_length=200, description="A profile of the pipeline.")
    parameters: dict[str, str] = Field(default_factory=dict, description="Parameters of the pipeline.")

    @property
    def written_in(self) -> Notation | None:
        return None if self.notation is None else Notation(self.notation)


class CheckArguments(ProgramArguments):
    stage: Literal["syntax", "semantics", "references", "dependencies"] = Field(
        "dependencies", description="How far to check."
    )


class ResolveArguments(ProgramArguments):
    choices: list[Choice] = Field(default_factory=list, max_length=1_000)


class RunArguments(ProgramArguments):
    digest: Digest | None = Field(
        None, description="For a program that writes: the digest that an earlier call gave."
    )
    max_rows: int | None = Field(None, ge=0, description="Fail if more rows than this would move.")
    max_seconds: float | None = Field(
        None, gt=0, le=31_536_000, allow_inf_nan=False, description="Stop after this many seconds."
    )


class DiscoverArguments(Arguments):
    connection: str = Field("@default", max_length=200, description="The name of a connection.")
    tables: list[str] = Field(
        default_factory=list, max_length=1_000, description="Only these tables. Without any, all."
    )
    refresh: bool = Field(False, description="Read the schema again, even if it is cached.")


class WhyArguments(Arguments):
    session: SessionId
    turn: int | None = Field(None, ge=1, description="The number of a turn. Without one, the last.")


class SessionsArguments(Arguments):
    limit: int = Field(50, ge=1, le=1_000)
    offset: int = Field(0, ge=0, le=10_000_000)


def accepted(kind: type[Arguments], given: dict[str, Any]) -> Arguments:
    """The arguments of a call. Raises `ArgumentsRefused` with everything that is wrong with them."""
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        wrong = [
            f"{'.'.join(map(str, each['loc'])) or 'arguments'}: {each['msg']}"[:200]
            for each in error.errors(include_url=False, include_input=False)
        ]
        raise ArgumentsRefused(
            f"the arguments are not what the tool takes: {'; '.join(wrong[:3])}",
            hint="tools/list has the schema of each tool",
            findings=wrong[:_SHOWN],
        ) from error
