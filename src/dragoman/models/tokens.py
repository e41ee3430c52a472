"""Tokens before anybody has counted them, and what they cost."""

from decimal import Decimal

from dragoman.contracts.model import TokenUsage
from dragoman.contracts.model_settings import ProviderSettings

_BYTES = 3
"""Tokens of English have four bytes on average, those of code and JSON three, of Russian and Korean more. An
estimate that errs should be too high: budgets are measured with it."""

_MILLION = 1_000_000


def estimated_tokens(text: str) -> int:
    """How many tokens a text will have, rather too many than too few.

    >>> estimated_tokens("How many orders are there?")
    9
    """
    size = len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
    return -(-size // _BYTES)


def cost_of(usage: TokenUsage, settings: ProviderSettings) -> Decimal | None:
    """What a provider takes for it; none where its prices are not known."""
    if settings.price_in is None or settings.price_out is None:
        return None
    return (usage.input * settings.price_in + usage.output * settings.price_out) / _MILLION
