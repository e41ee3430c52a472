"""The patterns by which a language asks for knowledge, as its `knowledge.yaml` writes them.

In a pattern `a/b` is either word, `(a)` may be left out, `...` is any words, and `{term}` is what is asked
about. They are matched word by word: few messages begin as one does, and nothing is compiled for them.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from dragoman._patterns import lazy_pattern
from dragoman.contracts.record import Record
from dragoman.contracts.roles import RequestType
from dragoman.locales.documents import knowledge_of
from dragoman.locales.language import Language
from dragoman.locales.registry import every_language, glued_language, glues
from dragoman.locales.script import LATIN

TERM: Final = "term"
OTHER: Final = "other"
PATHS: Final = "paths"
DEPENDENTS: Final = "dependents"
RELATED: Final = "related"
RUN: Final = "run"
_TYPES: Final = {
    "runs": RequestType.TROUBLESHOOTING,
    PATHS: RequestType.KNOWLEDGE_QA,
    DEPENDENTS: RequestType.KNOWLEDGE_QA,
    RELATED: RequestType.KNOWLEDGE_QA,
    "definition": RequestType.DATA_DEFINITION,
    "design": RequestType.DESIGN_ARCH,
    "howto": RequestType.HOWTO_POLICY,
    "thing": RequestType.KNOWLEDGE_QA,
}
"""By the section of the patterns, in the order in which they are tried."""
_LONGEST: Final = 400
_MOST_WORDS: Final = 60
"""Longer messages are no questions of this kind."""
_WORD = lazy_pattern(r"\w+")
_PIECE = lazy_pattern(r"\([^)]*\)|\{\w+\}|\S+")
_ANY: Final = "..."
_EDGES: Final = " \t\n\"'“”„«»‘’`?!."


class KnowledgeAsk(Record, frozen=True):
    """What a message asks of knowledge; with a `term`, what of."""

    kind: RequestType
    language: str
    """The one whose pattern it has."""
    term: str = ""
    run: str = ""
    section: str = ""
    """The section that the pattern stands in."""
    other: str = ""
    """What the term is held against."""


class _Word(NamedTuple):
    form: str
    start: int
    end: int


class _Piece(NamedTuple):
    """One of some words; without any, as many words as there are, kept by a name."""

    words: frozenset[str]
    optional: bool = False
    name: str = ""


Places = dict[str, tuple[int, int]]


def asked_in(text: str, code: str, *, graph: bool = False) -> KnowledgeAsk | None:
    """What a message asks of knowledge by its form; None where it has the form of anything else. With `graph`
    only how things are linked."""
    words = _words_of(text) if len(text) <= _LONGEST else ()
    if not 0 < len(words) <= _MOST_WORDS:
        return None
    for spoken in _languages(text, code):
        for section, kind, pattern in _patterns(spoken):
            if graph is not (section in (PATHS, DEPENDENTS, RELATED)):
                continue
            first = pattern[0]
            if first.words and not first.optional and words[0].form not in first.words:
                continue
            places: Places = {}
            if _matches(pattern, words, 0, 0, places):
                return KnowledgeAsk(
                    kind,
                    spoken.code,
                    _term(text, words, places.get(TERM)),
                    " ".join(word.form for word in words[slice(*places.get(RUN, (0, 0)))]),
                    section,
                    _term(text, words, places.get(OTHER)),
                )
    return None


def _languages(text: str, code: str) -> list[Language]:
    """The languages whose patterns a message may have, its own first: a short question has few small words to
    tell its language by."""
    found = [each for each in every_language() if each.script == LATIN or not text.isascii()]
    return sorted(found, key=lambda each: each.code != code)


def _words_of(text: str) -> tuple[_Word, ...]:
    return tuple(
        _Word(match.group().casefold().replace("ё", "е"), *match.span()) for match in _WORD.finditer(text)
    )


def _matches(
    pattern: Sequence[_Piece], words: Sequence[_Word], piece: int, word: int, places: Places
) -> bool:
    """Whether the words from a place on are those of a pattern from a piece on."""
    if piece == len(pattern):
        return word == len(words)
    wanted = pattern[piece]
    if wanted.words:
        taken = word < len(words) and words[word].form in wanted.words
        if taken and _matches(pattern, words, piece + 1, word + 1, places):
            return True
        return wanted.optional and _matches(pattern, words, piece + 1, word, places)
    for end in range(word + 1, len(words) + 1):
        if _matches(pattern, words, piece + 1, end, places):
            places[wanted.name] = (word, end)
            return True
    return False


def _term(text: str, words: Sequence[_Word], place: tuple[int, int] | None) -> str:
    """The term as the message has it, with its capitals, and without a particle that is written onto other
    letters: the 는 of “velocity는”."""
    if place is None:
        return ""
    written = text[words[place[0]].start : words[place[1] - 1].end].strip(_EDGES)
    if written.isascii():
        return written
    whole = written.rstrip("".join(letter for letter in set(written) if glues(letter)))
    behind = written[len(whole) :]
    glued = glued_language(behind)
    if not whole[-1:].isalnum() or glued is None or glued.is_particle is None:
        return written
    return whole if glued.is_particle(glued, behind) else written


@cache
def _patterns(spoken: Language) -> tuple[tuple[str, RequestType, tuple[_Piece, ...]], ...]:
    written = knowledge_of(spoken).get("patterns", {})
    return tuple((name, kind, _read(each)) for name, kind in _TYPES.items() for each in written.get(name, ()))


def _read(pattern: str) -> tuple[_Piece, ...]:
    return tuple(_piece(each) for each in _PIECE.findall(pattern))


def _piece(written: str) -> _Piece:
    if written == _ANY:
        return _Piece(frozenset())
    if written.startswith("{"):
        return _Piece(frozenset(), name=written[1:-1])
    optional = written.startswith("(")
    words = written.strip("()").casefold().replace("ё", "е").split("/")
    return _Piece(frozenset(words), optional)


@cache
def _listed(spoken: Language, name: str) -> tuple[tuple[str, ...], ...]:
    """The phrases of a list of the language, word by word, the longest first."""
    found = (tuple(word.form for word in _words_of(each)) for each in knowledge_of(spoken).get(name, ()))
    return tuple(sorted(found, key=len, reverse=True))


def leaning_rest(text: str, code: str) -> str | None:
    """What follows the words by which a message leans on the one before: the “for contractors” of “and for
    contractors?”. None where it begins with no such word."""
    words = _words_of(text)
    forms = tuple(word.form for word in words)
    for spoken in _languages(text, code):
        for phrase in _listed(spoken, "lean"):
            if len(forms) > len(phrase) and forms[: len(phrase)] == phrase:
                return text[words[len(phrase)].start :].strip(_EDGES)
    return None


def names_rules(text: str, code: str) -> bool:
    """Whether a message asks for rules in so many words: “in the policies”."""
    said = " ".join(("", *(word.form for word in _words_of(text)), ""))
    phrases = (phrase for spoken in _languages(text, code) for phrase in _listed(spoken, "rules"))
    return any(f" {' '.join(phrase)} " in said for phrase in phrases)
