"""Words that a dictionary has as names alone are names, however they are written."""

import pytest

from dragoman.locales.registry import language


@pytest.mark.parametrize(
    ("code", "form", "is_name"),
    [
        ("en", "zanzibar", True),
        ("en", "orion", True),
        ("en", "fees", False),
        ("en", "xqzt", False),
        ("ru", "занзибар", True),
        ("ru", "комиссии", False),
        ("de", "vertrag", False),
        ("ko", "고객", False),
    ],
)
def test_a_name_is_told_from_a_word(code: str, form: str, is_name: bool) -> None:
    spoken = language(code)
    assert spoken.is_name(spoken, form) is is_name
