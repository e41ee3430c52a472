"""What a model was asked, and what came of it, as one event."""

from collections.abc import Iterable
from typing import Final

from dragoman.contracts import events as ev
from dragoman.contracts.model import ModelAttempt, TokenUsage
from dragoman.contracts.model_events import ModelTry
from dragoman.contracts.vocabulary import ModelOutcome
from dragoman.guards.secrets import scrubbed

MOST_SHOWN: Final = 500


def model_asked(
    outcome: ModelOutcome, attempts: Iterable[ModelAttempt], problem: str = "", role: str = ""
) -> ev.ModelAsked:
    """The event of some requests that belong together, with what they used and cost in all."""
    usage, cost, tries = TokenUsage(), None, []
    for each in attempts:
        usage += each.usage
        cost = cost if each.cost is None else each.cost + (cost or 0)
        tries.append(ModelTry(each.provider, each.model, each.code, each.recovery))
    return ev.ModelAsked(
        outcome,
        tuple(tries),
        usage.input,
        usage.output,
        usage.estimated,
        "" if cost is None else str(cost),
        short(problem),
        role,
    )


def short(text: str, most: int = MOST_SHOWN) -> str:
    """Text of a model, as it may be recorded: without secrets, and not endless."""
    clean = scrubbed(text[: 2 * most])
    return clean if len(clean) <= most else clean[: most - 1] + "…"
