"""Cypher as tokens. Comments are dropped: what runs is written anew from the tokens."""

import re
from enum import StrEnum
from typing import Final, NamedTuple

from dragoman.contracts.record import Record

LONGEST: Final = 4_000
_TOKEN: Final = re.compile(
    r"""
    (?P<gap>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
  | (?P<quoted>`[^`]+`)
  | (?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w]))
  | (?P<word>[^\W\d]\w*)
  | (?P<sign>\.\.|<>|<=|>=|=~|->|<-|[-+*/%^=<>()\[\]{},.:;|$])
    """,
    re.VERBOSE | re.DOTALL,
)


class Kind(StrEnum):
    TEXT = "text"
    QUOTED = "quoted"
    NUMBER = "number"
    WORD = "word"
    SIGN = "sign"
    END = "end"


class Token(NamedTuple):
    kind: Kind
    text: str
    place: int

    @property
    def upper(self) -> str:
        """A word as keywords are compared; empty for anything else."""
        return self.text.upper() if self.kind is Kind.WORD else ""


class CypherRefusal(Record, frozen=True):
    """Why a query may not run, and where in it."""

    code: str
    message: str
    hint: str
    place: int = 0


def tokens(text: str) -> list[Token] | CypherRefusal:
    if len(text) > LONGEST:
        return CypherRefusal("cypher_too_long", f"the query has more than {LONGEST:,} characters", "ask less")
    found: list[Token] = []
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            shown = text[place : place + 10]
            return CypherRefusal("cypher_unreadable", f"{shown!r} is no Cypher", "write it otherwise", place)
        kind = match.lastgroup or "gap"
        if kind != "gap":
            found.append(Token(Kind(kind), match[0], place))
        place = match.end()
    found.append(Token(Kind.END, "", len(text)))
    return found
