"""Which language models a workspace may ask: `models` in dragoman.yaml."""

from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from dragoman.contracts.record import Record

_Seconds = Annotated[int, Meta(ge=1, le=3_600)]
_Tokens = Annotated[int, Meta(ge=1, le=100_000_000)]


class ModelUse(StrEnum):
    """When a model is asked for a program."""

    UNSURE = "unsure"
    """When no embedded planner is sure."""
    ALWAYS = "always"
    NEVER = "never"


class ModelRole(StrEnum):
    """The roles that a model may play in the place of the embedded ones."""

    ANALYST = "analyst"
    ARCHITECT = "architect"
    WRITER = "writer"
    GUARDIAN = "guardian"
    """It looks at what the embedded guardian has passed, and may only hold it back."""


class ProviderKind(StrEnum):
    """The protocol that a provider speaks."""

    OPENAI = "openai"
    """Chat completions, as OpenAI and most servers of local models have them."""
    ANTHROPIC = "anthropic"
    LOCAL = "local"
    """No protocol: a small model that runs on this machine, in a process of its own."""


class SchemaMode(StrEnum):
    """How a provider is told the JSON schema of a response."""

    SCHEMA = "schema"
    """The provider holds the model to it: `json_schema`, or for Anthropic a tool that must be called."""
    OBJECT = "object"
    """The provider only promises some JSON object."""
    NONE = "none"
    """The provider knows nothing of schemas. The request has to describe the response in words anyway."""


class LimitName(StrEnum):
    """What the limit of output tokens is called in chat completions."""

    MAX_TOKENS = "max_tokens"
    MAX_COMPLETION_TOKENS = "max_completion_tokens"


class ProviderSettings(Record, frozen=True):
    """One provider. Prices are for a million tokens, in whatever currency all of them use."""

    name: str
    kind: ProviderKind
    base_url: str = ""
    """Every kind but `local` has one."""
    model: str = ""
    """Of a local model `smollm2`, or the whole path of a file with weights."""
    key: str = ""
    """`${VARIABLE}`; empty for a server that asks for none."""
    price_in: Decimal | None = None
    price_out: Decimal | None = None
    deadline_seconds: _Seconds = 60
    """For one request with its retries, so that the next provider still has time."""
    max_output_tokens: _Tokens = 2_000
    retries: Annotated[int, Meta(ge=0, le=10)] = 2
    send_values: bool | None = None
    """Overrides `send_values` of all providers: a model on this machine may see what another may not."""
    schema: SchemaMode = SchemaMode.SCHEMA
    limit_name: LimitName = LimitName.MAX_TOKENS
    allow_http: bool = False
    """Whether an address of another machine may begin with http, which is not encrypted."""
    send_temperature: bool = True
    """Some models refuse a request that sets a temperature."""


class ModelsSettings(Record, frozen=True):
    """Providers in the order in which they are asked. The budget of a turn is for all of them together."""

    providers: tuple[ProviderSettings, ...]
    when: ModelUse = ModelUse.UNSURE
    send_values: bool = True
    """Whether values of rows may be sent. What a person wrote in a message is sent in any case."""
    choose: bool = False
    """A model may only choose among the readings of the embedded planners."""
    roles: tuple[ModelRole, ...] = ()
    """The roles of a turn that a model plays; the embedded ones play the others."""
    catalog_tokens: _Tokens = 2_000
    """So many tokens the tables and verbs may take that a model is told of."""
    turn_seconds: _Seconds = 60
    """For everything that a model is asked in a turn."""
    turn_tokens: _Tokens | None = None
    turn_cost: Decimal | None = None
