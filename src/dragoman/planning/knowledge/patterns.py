"""The patterns by which a language asks for knowledge, as its `knowledge.yaml` writes them.

In a pattern `a/b` is either word, `(a)` may be left out, `...` is any words, and `{term}` is what is asked
about.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from dragoman.contracts.record import Record
from dragoman.contracts.roles import RequestType
from dragoman.locales.documents import knowledge_of
from dragoman.locales.language import Language
from dragoman.locales.registry import every_language, glued_language, glues
from dragoman.reading.languages import spoken_with

TERM: Final = "term"
RUN: Final = "run"
_TYPES: Final = {
    "runs": RequestType.TROUBLESHOOTING,
    "definition": RequestType.DATA_DEFINITION,
    "design": RequestType.DESIGN_ARCH,
    "howto": RequestType.HOWTO_POLICY,
    "thing": RequestType.KNOWLEDGE_QA,
}
"""By the section of the patterns, in the order in which they are tried."""
_LONGEST: Final = 400
"""Longer messages are no questions of this kind."""
_PIECE: Final = re.compile(r"\([^)]*\)|\{\w+\}|\S+")
_SIGNS: Final = re.compile(r"[^\w\s{}…'’-]|['’](?=s\b)")


class KnowledgeAsk(Record, frozen=True):
    """What a message asks of knowledge; with a `term`, what of."""

    kind: RequestType
    language: str
    """The one whose pattern it has."""
    term: str = ""
    run: str = ""


def asked_in(text: str, code: str) -> KnowledgeAsk | None:
    """What a message asks of knowledge by its form; None where it has the form of anything else."""
    said, places = _folded(text)
    if not said or len(text) > _LONGEST:
        return None
    # A short question has few small words to tell its language by: the others' patterns are tried too.
    for spoken in dict.fromkeys((*spoken_with(code, text).languages, *every_language())):
        for kind, pattern in _patterns(spoken):
            match = pattern.fullmatch(said)
            if match is not None:
                found = match.groupdict()
                return KnowledgeAsk(
                    kind, spoken.code, _term(text, places, match), (found.get(RUN) or "").strip()
                )
    return None


def _term(text: str, places: list[int], match: re.Match[str]) -> str:
    """The term of a match as the message has it, with its capitals, and without a particle that is written
    onto other letters: the 는 of “velocity는”."""
    if match.groupdict().get(TERM) is None:
        return ""
    start, end = match.span(TERM)
    written = text[places[start] : places[end - 1] + 1].strip(" \t\n\"'“”„«»‘’`?!.")
    whole = written.rstrip("".join(letter for letter in set(written) if glues(letter)))
    behind = written[len(whole) :]
    glued = glued_language(behind)
    if not whole[-1:].isalnum() or glued is None or glued.is_particle is None:
        return written
    return whole if glued.is_particle(glued, behind) else written


def _folded(text: str) -> tuple[str, list[int]]:
    """A text in small letters without signs, and where each letter of it stands."""
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        plain = letter.casefold().replace("ё", "е")
        if _SIGNS.match(text, place) or letter.isspace() or letter in "'’-":
            plain = " "
        for each in plain:
            if each == " " and (not letters or letters[-1] == " "):
                continue
            letters.append(each)
            places.append(place)
    while letters and letters[-1] == " ":
        letters.pop()
        places.pop()
    return "".join(letters), places


@cache
def _patterns(spoken: Language) -> tuple[tuple[RequestType, re.Pattern[str]], ...]:
    written = knowledge_of(spoken).get("patterns", {})
    return tuple((kind, _compiled(each)) for name, kind in _TYPES.items() for each in written.get(name, ()))


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile("".join(_pieces(pattern)).replace(r"\ ", " ").strip() + " ?")


def _pieces(pattern: str) -> Iterator[str]:
    """Each piece takes the blank behind it along, so that one that is left out leaves none."""
    for piece in _PIECE.findall(pattern):
        if piece == "...":
            yield "(?:.+?(?: |$))"
        elif piece.startswith("{"):
            yield f"(?P<{piece[1:-1]}>.+?)(?: |$)"
        elif piece.startswith("("):
            yield f"(?:(?:{_words(piece[1:-1])})(?: |$))?"
        else:
            yield f"(?:{_words(piece)})(?: |$)"


def _words(alternatives: str) -> str:
    return "|".join(re.escape(each.casefold().replace("ё", "е")) for each in alternatives.split("/"))


@cache
def phrases_in(spoken: Language, name: str) -> tuple[str, ...]:
    """Words of a list of the language, as they are compared."""
    return tuple(_folded(each)[0] for each in knowledge_of(spoken).get(name, ()))


def leaning_rest(text: str, code: str) -> str | None:
    """What follows the words by which a message leans on the one before: the “for contractors?” of “and for
    contractors?”. None where it begins with no such word."""
    said, places = _folded(text)
    for spoken in spoken_with(code, text).languages:
        for each in sorted(phrases_in(spoken, "lean"), key=len, reverse=True):
            if said.startswith(f"{each} "):
                return text[places[len(each) + 1] :].strip(" ?!.")
    return None


def names_rules(text: str, code: str) -> bool:
    """Whether a message asks for rules in so many words: “in the policies”."""
    said = f" {_folded(text)[0]} "
    spoken = spoken_with(code, text).languages
    return any(f" {each} " in said for one in spoken for each in phrases_in(one, "rules"))
