"""What a behaviour of a language knows of its language: the code and the files."""

from collections.abc import Mapping
from typing import Any, Protocol


class LanguageData(Protocol):
    """The part of a `Language` that its behaviours read."""

    @property
    def code(self) -> str: ...

    @property
    def letters(self) -> Mapping[str, str]: ...

    def document(self, name: str) -> Mapping[str, Any]: ...

    def function_words(self) -> frozenset[str]: ...

    def __hash__(self) -> int: ...
