"""docs/reference/vocabulary.md: every closed vocabulary with its words."""

import enum
from types import ModuleType

from dragoman.contracts import answer, program, report, resolution, roles, taught, verb, vocabulary
from tools.reference_pages.markdown import code, own_words, page

_INTRODUCTION = """\
The closed vocabularies of a session. On the wire a word is its value, as listed here."""


def vocabularies(module: ModuleType) -> list[type[enum.Enum]]:
    """The enumerations that a module defines itself, in its order."""
    return [
        thing
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, enum.Enum) and thing.__module__ == module.__name__
    ]


def vocabulary_page() -> str:
    modules = (vocabulary, program, resolution, answer, verb, report, roles, taught)
    words = [kind for module in modules for kind in vocabularies(module)]
    return page("Vocabulary", _INTRODUCTION, *(_section(kind) for kind in words))


def _section(kind: type[enum.Enum]) -> str:
    values = code(str(member.value) for member in kind)
    return f"## {kind.__name__}\n\n{own_words(kind)}\n\n{values}"
