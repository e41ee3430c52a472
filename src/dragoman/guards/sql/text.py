"""The query as a text, before any parser: its size, its characters, and what a parser would skip."""

import re
import unicodedata

from dragoman.guards.sql.verdict import Refusal, SqlCode

MAX_CHARACTERS = 100_000

FUNCTION_MARK = "dragoman__"
"""Put before the names of functions while a query is parsed; no query may have it in it."""

_EXECUTABLE_COMMENT = re.compile(r"/\*M?!")
_TEMPLATE = re.compile(r"\{#|\{\{|\{%")
_LINE_END_OF_SOME = "\u0085\u2028\u2029"
"""Ends of lines for Python and not for servers: a comment would end in one and go on in the other."""


def fault_of_text(sql: str) -> Refusal | None:
    if not sql.strip():
        return Refusal(SqlCode.EMPTY, "the query is empty")
    if len(sql) > MAX_CHARACTERS:
        return Refusal(SqlCode.TOO_LONG, f"the query has more than {MAX_CHARACTERS:,} characters")
    if (fault := _fault_of_characters(sql)) is not None:
        return fault
    # A comment of any kind may hold one of these as plain words; nobody needs them there.
    if _EXECUTABLE_COMMENT.search(sql):
        return Refusal(
            SqlCode.EXECUTABLE_COMMENT, "the query has a comment that a server would run: /*! … */"
        )
    if _TEMPLATE.search(sql):
        return Refusal(SqlCode.TEMPLATE, "the query has a template in it: {{ … }}, {% … %} or {# … #}")
    if FUNCTION_MARK in sql.lower():
        return Refusal(SqlCode.TEMPLATE, f"the query has {FUNCTION_MARK} in it, which is kept for ourselves")
    return None


def _fault_of_characters(sql: str) -> Refusal | None:
    if sql.isascii() and sql.isprintable():
        return None
    for place, character in enumerate(sql):
        if character in "\t\n\r" or " " <= character <= "~":
            continue
        if _is_unsafe(character):
            name = unicodedata.name(character, f"U+{ord(character):04X}")
            return Refusal(
                SqlCode.CHARACTER, f"character {place + 1} of the query is {name}, which is not taken"
            )
    return None


def _is_unsafe(character: str) -> bool:
    """What is invisible, half a character, or turns the text around. Letters and signs of all scripts pass.

    Odd spaces pass inside quotes only, which the check of the tokens sees to.
    """
    if character in _LINE_END_OF_SOME:
        return True
    # A joiner shapes letters in scripts and emoji; outside quotes the check of the tokens meets it.
    if character in "\u200c\u200d\ufe0e\ufe0f":
        return False
    return unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}


def is_plain_space(gap: str) -> bool:
    return not gap.strip(" \t\n\r")


def is_plain_name(name: str) -> bool:
    """Whether a name outside quotes is made of what every reader takes for a part of a name."""
    return name.isascii() or all(
        character.isascii()
        or unicodedata.category(character)[0] == "L"
        or unicodedata.category(character) in {"Mn", "Mc", "Nd"}
        for character in name
    )
