"""Currencies are said by their code or by a word, in whatever language."""

import pytest

from dragoman.planning.packs.currencies import are_currencies, currency
from dragoman.reading.languages import spoken_with
from dragoman.reading.tokens import tokens_of


@pytest.mark.parametrize(
    ("text", "language", "code"),
    [
        ("EUR", "en", "EUR"),
        ("euros", "en", "EUR"),
        ("pounds", "en", "GBP"),
        ("долларах", "ru", "USD"),
        ("рублей", "ru", "RUB"),
        ("유로", "ko", "EUR"),
        ("Franken", "de", "CHF"),
        ("TRY", "en", "TRY"),
        ("try", "en", ""),
        ("funds", "en", ""),
    ],
)
def test_a_currency_is_known_by_its_code_and_by_its_word(text: str, language: str, code: str) -> None:
    (token,) = tokens_of(text)
    assert currency(token, text, spoken_with(language, text)) == code


def test_only_codes_of_currencies_are_currencies() -> None:
    assert are_currencies(("EUR", "GBP"))
    assert are_currencies(("EUR", "SEK"))
    assert not are_currencies(("ETF", "REIT"))
    assert not are_currencies(("EUR", "EQUITY"))
    assert not are_currencies(())
