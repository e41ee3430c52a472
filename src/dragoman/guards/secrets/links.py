"""What can stand between a telling name and its value: signs, words, lines, cells, labels."""

import re
from enum import StrEnum
from functools import cache

from dragoman._patterns import lazy_pattern
from dragoman.contracts.record import Record
from dragoman.guards.secrets.words import words


class Sign(StrEnum):
    """How a value is joined to its name, which tells how much of a value a plain word can be."""

    EQUALS = "="
    COLON = ":"
    TAG = ">"
    OPTION = "--"
    BESIDE = " "
    IS = "is"
    WEAKLY = "to"
    LINE = "line"
    CELL = "cell"
    ROW = "row"


class Link(Record, frozen=True):
    """`end`: where the value begins. `spaced`: white space is around the sign, as people write it.

    `listed`: others may follow it in brackets.
    """

    sign: Sign
    end: int
    spaced: bool = True
    listed: bool = False


# Between name and value. A type may stand there too: `password: str = "…"`.
_EQUALS = lazy_pattern(
    r"\\{0,3}[\"'`\]]?\s{0,8}(?P<sign>=>|:=|[!=]=|=|:(?![:/])"
    r"(?:\s{0,4}(?:&(?:'static )?)?(?:[Ss]tr(?:ing)?|SecretStr|bytes)(?: \| None)?\s{0,4}=(?!=))?)[ \t]{0,8}"
)
_JSON_BREAK = lazy_pattern(r"\\{0,3}\"\s{0,8}:\s{0,40}(?=\\{0,3}\")")
# A list, or a map that has the value under a name that tells nothing: `{"password": {"value": "…"}}`.
_OPENING = lazy_pattern(
    r"\s{0,40}(?:[\[(]\s{0,40}(?=\\{0,3}[\"'])"
    r"|\{\s{0,40}\\{0,3}[\"']?(?:value|val|plain|default|data)\\{0,3}[\"']?\s{0,8}[:=]\s{0,8})",
    re.IGNORECASE,
)
_BREAK = r"(?:\r\n|\n|\r|(?:\\r)?\\n|<br ?/?>)"
_NEXT_LINE = lazy_pattern(
    rf"[ \t]{{0,8}}(?P<block>[|>][+-]?\d?)?[ \t]{{0,8}}(?:{_BREAK}(?P<indent>[ \t]{{0,80}})){{1,3}}"
    r"(?P<item>[-*•][ \t]{1,8})?"
)
_ALONE_BEFORE = lazy_pattern(r"(?:\A|[\r\n])[ \t]{0,40}\Z")
_SPACE = lazy_pattern(r"[ \t]{1,8}")
_QUOTE_NEXT = lazy_pattern(r"[ \t]{1,8}(?=\\{0,3}[\"'`])")
_BRACKET = lazy_pattern(r"[ \t]{0,4}[(\[]['\"`]?(?=[^\s()\[\]]{4,200}[)\]])")
_CELL = lazy_pattern(r"[*_`]{0,3}[ \t]{0,200}\|[ \t]{0,40}")
_CELL_BEFORE = lazy_pattern(r"(?:\A|[\n|])[ \t]{0,40}[*_`]{0,3}\Z")
_NEXT_FIELD = lazy_pattern(
    r"(?P<quote>\\{0,3}[\"'])?[ \t]{0,4}[,;\t][ \t]{0,4}(?=\\{0,3}[\"']|(?(quote)|[^\s,;]))"
)
_WORD = lazy_pattern(r"[ \t]{1,4}[^\W_][\w.@/’-]{0,40}")
_MOST_WORDS = 4

# `{"key": "password", "value": "…"}`, `- name: DB_PASSWORD\n  value: …`, `<add key="password" value="…"/>`.
_FIELD = r"(?:key|name|id|field|property|param|parameter|variable|var|setting|option|label|title)"
_HELD = r"(?:value|val|content|contents|default)"
_IS = r"\\{0,3}[\"']?\s{0,8}[:=]\s{0,8}"
_HOLDER_BEFORE = lazy_pattern(rf"(?<!\w){_FIELD}{_IS}\\{{0,3}}[\"']?\Z", re.IGNORECASE)
_VALUE_AFTER = lazy_pattern(
    rf"\\{{0,3}}[\"']?\s{{0,8}}[,;]?\s{{0,40}}(?:\\{{0,3}}[\"']?[\w-]{{1,40}}{_IS}\\{{0,3}}[\"'][^\"'\n]{{0,80}}[\"'][\s,;]{{1,40}}){{0,3}}"
    rf"(?:-[ \t])?\\{{0,3}}[\"']?{_HELD}{_IS}",
    re.IGNORECASE,
)
_VALUE_BEFORE = lazy_pattern(
    rf"(?<!\w){_HELD}{_IS}\\{{0,3}}(?P<quote>[\"']?)(?P<value>[^\"'\s,;{{}}]{{1,200}}|(?<=[\"'])[^\"'\n]{{1,200}})"
    rf"\\{{0,3}}(?P=quote)\s{{0,8}}[,;]?\s{{0,40}}\\{{0,3}}[\"']?{_FIELD}{_IS}\\{{0,3}}[\"']?\Z",
    re.IGNORECASE,
)
_FAR = 320


def sign_after(text: str, start: int, end: int) -> Link | None:
    """A sign, where the name stands from `start` to `end`; the value may be on the next line."""
    if text[start - 1 : start] == "<" and text[end : end + 1] == ">":
        return Link(Sign.TAG, end + 1, spaced=False)
    held = _VALUE_AFTER.match(text, end)
    if held is not None and _HOLDER_BEFORE.search(text[max(0, start - 40) : start]):
        return Link(Sign.COLON, held.end())
    found = _JSON_BREAK.match(text, end) or _EQUALS.match(text, end)
    if found is None:
        return None
    written = found["sign"] if "sign" in found.re.groupindex else ":"
    sign = Sign.EQUALS if written == "=>" else Sign(written[-1])
    if opening := _OPENING.match(text, found.end()):
        return Link(sign, opening.end(), listed=True)
    spaced = text[end : end + 1].isspace() or text[found.end() - 1].isspace()
    return _on_next_line(text, start, found.end()) or Link(sign, found.end(), spaced)


def words_after(text: str, end: int) -> Link | None:
    """Words that say the value comes next: `is`, `equals`, `это`."""
    says = _says().match(text, end)
    if says is None:
        return None
    weak = says["weak"] is not None
    if following := _NEXT_LINE.match(text, says.end()):
        return Link(Sign.LINE, following.end())
    space = _SPACE.match(text, says.end())
    return Link(Sign.WEAKLY if weak else Sign.IS, space.end()) if space else None


def neighbour_after(text: str, start: int, end: int) -> Link | None:
    """Quotes, brackets, the next cell of a table, the next field of a line, the line below a name alone."""
    if quote := _QUOTE_NEXT.match(text, end):
        return Link(Sign.BESIDE, quote.end())
    if bracket := _BRACKET.match(text, end):
        return Link(Sign.CELL, bracket.end())
    if (cell := _CELL.match(text, end)) and _CELL_BEFORE.search(text[max(0, start - 44) : start]):
        return Link(Sign.CELL, cell.end())
    if (line := _NEXT_LINE.match(text, end)) and _ALONE_BEFORE.search(text[max(0, start - 41) : start]):
        return Link(Sign.ROW, line.end())
    if field := _NEXT_FIELD.match(text, end):
        return Link(Sign.CELL, field.end())
    return None


def ends_of_qualified(text: str, end: int) -> list[int]:
    """`password for the shop`: the places after each word that may be the last one about the password."""
    preposition = _preposition().match(text, end)
    ends = list[int]()
    position = preposition.end() if preposition else len(text)
    while len(ends) < _MOST_WORDS and (word := _WORD.match(text, position)):
        position = word.end()
        ends.append(position)
    return ends


def value_before(text: str, start: int) -> tuple[int, int] | None:
    """Where the value stands when it is written before its name: `{"value": "…", "key": "password"}`."""
    if not _HOLDER_BEFORE.search(text[max(0, start - 40) : start]):
        return None
    first = max(0, start - _FAR)
    found = _VALUE_BEFORE.search(text[first:start])
    return (first + found.start("value"), first + found.end("value")) if found else None


def _on_next_line(text: str, start: int, end: int) -> Link | None:
    following = _NEXT_LINE.match(text, end)
    if following is None:
        return None
    # An item that does not stand deeper than the name is the next one of the same list.
    if following["item"] and not following["indent"] and not following["block"]:
        return None
    return Link(Sign.LINE, following.end())


@cache
def _says() -> re.Pattern[str]:
    weak, strong = _alternatives("weak_copulas"), _alternatives("copulas")
    return re.compile(
        rf"[ \t]{{1,4}}(?:(?:(?P<weak>{weak})|{strong})(?!\w)(?:\s{{0,2}}[:=])?|->|=|→|—|–|-|:)",
        re.IGNORECASE,
    )


@cache
def _preposition() -> re.Pattern[str]:
    return re.compile(rf"[ \t]{{1,4}}(?:{_alternatives('prepositions')})(?!\w)", re.IGNORECASE)


def _alternatives(entry: str) -> str:
    """Longer ones first, or `is` would hide `is now`."""
    ordered = sorted(words(entry), key=lambda word: (-len(word), word))
    return "|".join(re.escape(word).replace("_", "[ ]") for word in ordered)
