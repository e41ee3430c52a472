"""A pattern that waits to be compiled does what a compiled one does."""

import re

import pytest

from dragoman._patterns import lazy_pattern


def test_it_finds_what_a_compiled_pattern_finds() -> None:
    lazy = lazy_pattern(r"(?P<word>b)c", re.IGNORECASE)
    found = lazy.search("aBCd")
    assert found is not None
    assert (found["word"], found.span()) == ("B", (1, 3))
    assert lazy.sub("-", "abc BC") == "a- -"
    assert [match[0] for match in lazy.finditer("bc Bc")] == ["bc", "Bc"]
    assert (lazy.pattern, lazy.groupindex["word"]) == (r"(?P<word>b)c", 1)
    assert lazy.flags & re.IGNORECASE


def test_it_is_compiled_once_for_each_of_its_methods(monkeypatch: pytest.MonkeyPatch) -> None:
    lazy = lazy_pattern("b")
    assert lazy.match("b")
    monkeypatch.setattr(re, "compile", None)
    assert lazy.match("b")
    assert not lazy.match("a")


def test_what_no_pattern_has_it_does_not_have_either() -> None:
    assert not hasattr(lazy_pattern("b"), "nonsense")
