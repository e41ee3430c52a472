"""Regular expressions that are compiled when they are first used.

Compiling is slow, and a process that answers one question uses few of the patterns that its modules have. For
the others, in modules that every start loads, `lazy_pattern` stands in the place of `re.compile`.
"""

import re
from typing import cast


class _Pattern:
    def __init__(self, text: str, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        found: object = getattr(re.compile(self._text, self._flags), name)
        # From now on it is an attribute like any other, and this is not called for it again.
        self.__dict__[name] = found
        return found


def lazy_pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` gives, as far as its methods and attributes are used: `re.sub` does not take it."""
    return cast("re.Pattern[str]", _Pattern(text, flags))
