"""What binds by itself and what asks."""

import pytest

from dragoman.entities import How, Match, bind
from tests.entities.companies import index_of


@pytest.mark.parametrize(
    ("names", "text", "bound"),
    [
        (("Alpha", "Beta"), "Alpha", "k0"),
        (("Alpha", "Alpha Trade", "Alpha Trading"), "alpha", "k0"),
        (("Alpha", "ALPHA"), "alpha", None),
        (("C++", "C#", "C"), "C", "k2"),
        (("C++", "C#"), "C", None),
        (("ООО Альфа", "Бета"), "Альфа", "k0"),
        (("ООО Альфа", "ЗАО Альфа"), "Альфа", None),
        (("ООО Альфа", "ЗАО Альфа"), "ЗАО Альфа", "k1"),
        (("ООО Альфа",), "ЗАО Альфа", None),
        (("Газпром", "Лукойл"), "Gazprom", "k0"),
        (("Газпром", "Gazprom Neft"), "Gazprom", "k0"),
        (("Иванов", "Ivanov"), "Ivanov", "k1"),
        (("Альфа", "Alfa"), "Alpha", None),
        (("Fischer Holding International",), "Fisher Holding International", None),
        (("Газпром нефть",), "Газпром", None),
        (("Schneider Analytics Luxembourg", "Beta"), "Schneider Anolytics Luxembourg", "k0"),
        (("Fund 1", "Fund 2"), "Fund 3", None),
        (("Alpha Fund Series 1",), "Alpha Fund Series 2", None),
        (("Kit",), "Kat", None),
        (("Иванов Иван", "Петров Петр"), "Иван Иванов", "k0"),
        (("Иванов Иван", "Иван Иванов"), "Иван Иванов", "k1"),
        (("주식회사 알파무역", "베타무역"), "알파무역이", "k0"),
        (("Alpha",), "Omega", None),
    ],
)
def test_binding(names: tuple[str, ...], text: str, bound: str | None) -> None:
    found = index_of(*names).search(text)
    assert (None if found.bound is None else found.bound.key) == bound


def test_nothing_binds_nothing() -> None:
    assert bind(()) is None


@pytest.mark.parametrize("how", [How.PREFIX, How.SIMILAR, How.SPELLING])
def test_kinds_that_never_bind(how: How) -> None:
    assert bind((Match("a", "Alpha", 94.0, how),)) is None


@pytest.mark.parametrize("how", list(How))
def test_two_alike_never_bind(how: How) -> None:
    assert bind((Match("a", "Alpha", 97.0, how), Match("b", "Alpha", 97.0, how))) is None
