"""Secrets that stand after a telling name inside a text: `password=…`, `"api_key": "…"`, `--token …`.

The same pair is written by connection strings, JSON, YAML, INI, shells, headers and code. What follows the
name is judged by how it is written: in quotes it is a value; a bare word may be a column or a description.
"""

import re
from collections.abc import Iterator
from functools import cache

from dragoman._patterns import lazy_pattern
from dragoman.guards.secrets.judgement import Judge, is_said
from dragoman.guards.secrets.kinds import Secret, SecretKind
from dragoman.guards.secrets.links import (
    Link,
    Sign,
    ends_of_qualified,
    neighbour_after,
    sign_after,
    value_before,
    words_after,
)
from dragoman.guards.secrets.secret_names import (
    MARKED,
    NameKind,
    ends_in_particle,
    kind_of_name,
    last_words,
    phrase_ends,
)
from dragoman.guards.secrets.values import (
    is_no_password,
    is_placeholder,
    is_token,
    is_told_of_password,
    is_wordlike,
)
from dragoman.guards.secrets.words import unaccented, words

_STEMS = (
    *(
        "pass",
        "pwd",
        "psw",
        "secret",
        "token",
        "credential",
        "creds",
        "auth",
        "jwt",
        "bearer",
        "key",
        "cookie",
    ),
    *("service_role", "phrase", "mnemonic"),
)
_SHORT_MARKS = ("pw:", "pw=", "pw ", 'pw"', "pw'", "pw|", "pw,", "pw(", "pw\n", "pw\\", "pw%", "pw&")
_NAME = lazy_pattern(rf"(?<![\w.-])(?P<dashes>-*+)(?P<name>\w[\w.{MARKED}-]*+)")
_KEY = lazy_pattern(r"keys?", re.IGNORECASE)
_WORDS_BEFORE = lazy_pattern(r"\w{1,20}(?=[ \t'’_-])")
_SPACE = lazy_pattern(r"[ \t]{1,8}")
_QUOTE = lazy_pattern(r"(?P<escape>\\{0,3})(?P<quote>[\"'`])")
_INSIDE = {quote: re.compile(rf"(?:[^{quote}\\]|\\.|{quote}{quote})*+", re.DOTALL) for quote in "\"'`"}
_NEXT_QUOTED = lazy_pattern(r"\\{0,3}[\"'`]\s{0,40},\s{0,40}(?P<escape>\\{0,3})(?P<quote>[\"'`])")
_BARE = lazy_pattern(r"\{[^{}\s]*+\}|\$\{[^}\s]*+\}|[^\s;&'\"`()<>]++")
_BARE_TOKEN = lazy_pattern(r"[^\s;&'\"`()<>=:,]++={0,2}")
_BARE_WITH_BRACKETS = lazy_pattern(r"[^\s;&'\"`<>]++")
_LINE_VALUE = lazy_pattern(r"[^\s<\\]++")
_CELL_VALUE = lazy_pattern(r"[^\s|,;()\[\]'\"`]++")
_USER_AND_PASSWORD = lazy_pattern(r"[^\s:/|,\"'=]{1,64}(?:[:/|]| [:/|] )(?P<password>[^\s:/,\"'][^\s,\"']*+)")
_PHRASE = lazy_pattern(r"[^\W\d_]{2,20}(?:[ -][^\W\d_]{2,20}){2,23}+(?=[ \t]*(?:\Z|[\r\n.,;!)}\"'#<]))")
_CALL = lazy_pattern(r"\([^()\n;]{0,200}\)|\([^()\n;]{0,200}\(")
_LONGEST_NAME = 200
_LINE = lazy_pattern(r"[^\r\n]*+")


def marks() -> tuple[str, ...]:
    """Only a text with one of these in it can have a telling name."""
    return (*_STEMS, *_SHORT_MARKS, *_foreign())


def assigned_secrets(text: str) -> Iterator[Secret]:
    finder = _Finder(text)
    position = 0
    stem = _stem()
    while (name := _NAME.search(text, position)) is not None:
        position = name.end()
        if stem.search(name["name"]):
            found, position = finder.around(name)
            if found is not None:
                yield found


@cache
def _foreign() -> tuple[str, ...]:
    listed = words("passwords") | words("tokens") | {p.replace("_", " ") for p in words("password_phrases")}
    return tuple(sorted(listed | {unaccented(word) for word in listed}))


@cache
def _stem() -> re.Pattern[str]:
    ends = {each for phrase in words("password_phrases") for each in phrase.rsplit("_", 1)[1:]}
    stems = {*_STEMS, "pw", *words("passwords"), *words("tokens"), *ends}
    return re.compile("|".join(sorted(stems | {unaccented(stem) for stem in stems})), re.IGNORECASE)


class _Finder:
    """Looks at what stands around a name. It always says how far it has read, and nothing is read twice."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._judge = Judge(text)

    def around(self, name: re.Match[str]) -> tuple[Secret | None, int]:
        kind = self._kind(name)
        if kind is None:
            return None, name.end()
        link = self._link(name)
        if link is not None:
            return self._value(name["name"], kind, link)
        found = self._before(kind, name.start("name")) or self._said(name["name"], kind, name.end())
        return found, found.end if found is not None and found.end > name.end() else name.end()

    def _kind(self, name: re.Match[str]) -> NameKind | None:
        """What the name tells; `api key` and `mot de passe` are one name of several words."""
        kind = kind_of_name(name["name"])
        if kind is not None:
            return kind
        last = unaccented(name["name"]).lower()
        if _KEY.fullmatch(last) or last in phrase_ends():
            before = _WORDS_BEFORE.findall(self._text[max(0, name.start() - 30) : name.start()])
            kind = kind_of_name("_".join((*before[-1 if _KEY.fullmatch(last) else -2 :], last)))
        return kind

    def _link(self, name: re.Match[str]) -> Link | None:
        text, start, end = self._text, name.start(), name.end()
        link = sign_after(text, start, end)
        if link is not None:
            return link
        space = _SPACE.match(text, end)
        if space is not None and name["dashes"]:
            return Link(Sign.OPTION, space.end(), spaced=False)
        # A quote right behind the name opens its value, unless it closes the name itself.
        opens = _QUOTE.match(text, end) is not None and text[end : end + 1] != text[max(0, start - 1) : start]
        if (space is not None or opens) and ends_in_particle(name["name"]):
            return Link(Sign.IS, space.end() if space is not None else end)
        link = neighbour_after(text, start, end) or words_after(text, end)
        if link is not None and link.sign is not Sign.WEAKLY:
            return link
        return self._qualified(end) or link

    def _qualified(self, end: int) -> Link | None:
        for position in ends_of_qualified(self._text, end):
            link = sign_after(self._text, position, position) or words_after(self._text, position)
            if link is not None:
                return link if link.sign is not Sign.COLON else Link(Sign.WEAKLY, link.end)
            space = _SPACE.match(self._text, position)
            if space is not None and _QUOTE.match(self._text, space.end()):
                return Link(Sign.BESIDE, space.end())
        return None

    def _before(self, kind: NameKind, start: int) -> Secret | None:
        place = value_before(self._text, start)
        if place is None:
            return None
        value = self._text[place[0] : place[1]]
        found = not is_no_password(value) and (kind is NameKind.PASSWORD or is_token(value))
        return Secret(_kind_of(kind, Sign.COLON), *place) if found else None

    def _said(self, name: str, kind: NameKind, end: int) -> Secret | None:
        """Right behind the name, or behind what it is for, as people say it."""
        space = _SPACE.match(self._text, end)
        both = self._told_by_name(name, kind, Link(Sign.BESIDE, space.end())) if space is not None else None
        if both is not None and not is_wordlike(self._text[both.start : both.end]):
            return both
        for position in (end, *ends_of_qualified(self._text, end)):
            space = _SPACE.match(self._text, position)
            said = _BARE.match(self._text, space.end()) if space is not None else None
            if said is None:
                return None
            # A foreign word among others is no word of the sentence; among its like it may be a name.
            foreign = position == end or not self._text[position - 1].isascii()
            if is_said(kind, said[0], strict=not foreign) and not self._judge.is_sql():
                value = said[0].rstrip(",.!?")
                return Secret(_kind_of(kind, Sign.IS), said.start(), said.start() + len(value))
        return None

    def _value(self, name: str, kind: NameKind, link: Link) -> tuple[Secret | None, int]:
        start, sign = link.end, link.sign
        opening = _QUOTE.match(self._text, start)
        if sign is Sign.LINE and self._text.startswith(('"""', "'''"), start):
            # `def first() -> Secret:` and a text that says what it does.
            return None, start
        if opening is not None:
            return self._quoted(kind, opening, link)
        told = self._told_by_name(name, kind, link)
        if told is not None:
            return told, told.end
        bare = self._pattern(kind, sign).match(self._text, start)
        if bare is None:
            return None, start
        if sign not in (Sign.LINE, Sign.ROW, Sign.CELL) and _CALL.match(self._text, bare.end()):
            return None, bare.end()
        if sign is Sign.EQUALS and self._text[bare.end() : bare.end() + 1] in ("(", ")"):
            bare = _BARE_WITH_BRACKETS.match(self._text, start) or bare
        # The bracket that ends `${ENV}` is part of it, not of what stands around it.
        ends_there = sign in (Sign.EQUALS, Sign.LINE) or is_placeholder(bare[0])
        value = bare[0] if ends_there else bare[0].rstrip(",.}])")
        end = start + len(value)
        if value and self._judge.bare_is_secret(name, kind, value, end, link):
            return Secret(_kind_of(kind, sign), start, end), end
        # What is no secret may be a name with its own value behind it: `token=password=…`.
        return None, start if len(value) <= _LONGEST_NAME else end

    def _pattern(self, kind: NameKind, sign: Sign) -> re.Pattern[str]:
        match sign:
            case Sign.LINE | Sign.ROW:
                return _LINE_VALUE
            case Sign.CELL:
                return _CELL_VALUE
            case _:
                return _BARE if kind is NameKind.PASSWORD else _BARE_TOKEN

    def _told_by_name(self, name: str, kind: NameKind, link: Link) -> Secret | None:
        """Under some names a value has a form of its own: several words, or a user and a password."""
        last = last_words(name)[-1:]
        if last and (last[0] in words("phrases") or last[0].endswith("phrase")):
            phrase = _PHRASE.match(self._text, link.end)
            said = phrase is not None and not any(map(is_no_password, re.split("[ -]", phrase[0].lower())))
            return Secret(_kind_of(kind, link.sign), *phrase.span()) if phrase is not None and said else None
        if last and last[0] in words("credentials"):
            both = _USER_AND_PASSWORD.match(self._text, link.end)
            if both is not None and not is_no_password(both["password"]):
                return Secret(SecretKind.NAMED_PASSWORD, *both.span("password"))
        return None

    def _quoted(self, kind: NameKind, opening: re.Match[str], link: Link) -> tuple[Secret | None, int]:
        first, end, values = opening.end(), self._end_of_quoted(opening), list[str]()
        values.append(self._text[first:end])
        while link.listed and (following := _NEXT_QUOTED.match(self._text, end)):
            start, end = following.end(), self._end_of_quoted(following)
            values.append(self._text[start:end])
        # A list with a description in it is one of rules: `["required", "min:8"]`.
        described = len(values) > 1 and any(is_told_of_password(value) for value in values)
        if not described and any(self._judge.quoted_is_secret(kind, value, link) for value in values):
            return Secret(_kind_of(kind, link.sign), first, end), end
        # What is no secret may have one in it.
        return None, first if len(values) == 1 else end

    def _end_of_quoted(self, opening: re.Match[str]) -> int:
        text, start = self._text, opening.end()
        if opening["escape"]:
            closing = text.find(opening["escape"] + opening["quote"], start)
            return closing if closing >= 0 else _end_of_line(text, start)
        inside = _INSIDE[opening["quote"]].match(text, start)
        end = inside.end() if inside else start
        return _end_of_line(text, start) if end == len(text) else end


def _kind_of(kind: NameKind, sign: Sign) -> SecretKind:
    if kind is NameKind.TOKEN:
        return SecretKind.NAMED_TOKEN
    match sign:
        case Sign.OPTION:
            return SecretKind.COMMAND_PASSWORD
        case Sign.EQUALS:
            return SecretKind.DSN_PASSWORD
        case _:
            return SecretKind.NAMED_PASSWORD


def _end_of_line(text: str, start: int) -> int:
    line = _LINE.match(text, start)
    return line.end() if line else start
