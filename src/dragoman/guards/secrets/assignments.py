"""Secrets that stand after a telling name inside a text: `password=…`, `"api_key": "…"`, `--token …`.

The same pair is written by connection strings, JSON, YAML, INI, shells, headers and code. What follows the
name is judged by how it is written: in quotes it is a value; a bare word may be a column or a description.
"""

import re
from collections.abc import Iterator

from dragoman.guards.secrets.kinds import Secret, SecretKind
from dragoman.guards.secrets.names import NameKind, kind_of_name
from dragoman.guards.secrets.values import (
    LEAST_PASSWORD_BITS,
    bits,
    is_identifier,
    is_no_password,
    is_placeholder,
    is_telling_reference,
    is_token,
    is_wordlike,
)

MARKS = (
    *(
        "pass",
        "pwd",
        "secret",
        "token",
        "credential",
        "auth",
        "jwt",
        "bearer",
        "key",
        "cookie",
        "service_role",
    ),
    *("pw:", "pw=", "pw ", 'pw"', "pw'", "psw", "парол", "секрет", "токен", "비밀번호", "암호", "토큰"),
)
_NAME = re.compile(r"(?<![\w.-])(?P<dashes>-*+)(?P<name>\w[\w.-]*+)")
_STEM = re.compile(
    "pass|p[sw]?w|secret|token|credential|auth|jwt|bearer|key|cookie|service_role|парол|секрет|токен"
    "|비밀번호|암호|토큰",
    re.IGNORECASE,
)
_KEY = re.compile(r"keys?", re.IGNORECASE)
_WORD_BEFORE = re.compile(r"(\w{2,20}) \Z")
# Between name and value. A type may stand there too: `password: str = "…"`.
_EQUALS = re.compile(
    r"\\{0,3}[\"'`\]]?\s{0,8}(?P<sign>=>|:=|[!=]=|=|:(?![:/])"
    r"(?:\s{0,4}(?:&(?:'static )?)?(?:[Ss]tr(?:ing)?|SecretStr|bytes)(?: \| None)?\s{0,4}=(?!=))?)[ \t]{0,8}"
)
_JSON_BREAK = re.compile(r"\\{0,3}\"\s{0,8}:\s{0,40}(?=\\{0,3}\")")
_SPACE = re.compile(r"[ \t]{1,8}")
_SAYS = re.compile(r"[ \t]{1,4}(?:(?:is|was|это)\s{0,2}[:=]?|=|—|–|-|:)[ \t]{1,4}", re.IGNORECASE)
_QUOTE = re.compile(r"(?P<escape>\\{0,3})(?P<quote>[\"'`])")
_INSIDE = {quote: re.compile(rf"(?:[^{quote}\\]|\\.|{quote}{quote})*+", re.DOTALL) for quote in "\"'`"}
_BARE = re.compile(r"\{[^{}\s]*+\}|\$\{[^}\s]*+\}|[^\s;&'\"`()<>]++")
_BARE_TOKEN = re.compile(r"[^\s;&'\"`()<>=:,]++={0,2}")
_BARE_WITH_BRACKETS = re.compile(r"[^\s;&'\"`<>]++")
_CALL = re.compile(r"\([^()\n;]{0,200}\)|\([^()\n;]{0,200}\(")
_LONGEST_NAME = 200
_SHORT, _LONG = 6, 16
_LINE = re.compile(r"[^\r\n]*+")
_ALONE = re.compile(r"[ \t]*(?:\Z|[\r\n,;}\])#|<\"'])")
_SQL = tuple(
    (re.compile(rf"\b{verb}\b", re.IGNORECASE), re.compile(rf"\b{word}\b", re.IGNORECASE))
    for verb, word in (
        ("select", "from"),
        ("update", "set"),
        ("insert", "into"),
        ("delete", "from"),
        ("merge", "into"),
    )
)
_LIBPQ = re.compile(r"\b(?:host|hostaddr|user|dbname|port|server|uid|database)\s{0,4}=", re.IGNORECASE)


def assigned_secrets(text: str) -> Iterator[Secret]:
    finder = _Finder(text)
    position = 0
    while (name := _NAME.search(text, position)) is not None:
        position = name.end()
        if _STEM.search(name["name"]):
            found, position = finder.after(name)
            if found is not None:
                yield found


class _Finder:
    """Looks at what follows a name. It always says how far it has read, and nothing is read twice."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._sql: bool | None = None

    def after(self, name: re.Match[str]) -> tuple[Secret | None, int]:
        kind = self._kind(name)
        if kind is None:
            return None, name.end()
        text, end = self._text, name.end()
        before = text[name.start() - 1 : name.start()]
        equals = _JSON_BREAK.match(text, end) or _EQUALS.match(text, end)
        if equals is not None and not (before == "<" and text[end : end + 1] == ">"):
            sign = equals["sign"] if "sign" in equals.re.groupindex else ":"
            spaced = text[end : end + 1].isspace() or text[equals.end() - 1].isspace()
            return self._value(
                name["name"], kind, equals.end(), sign[-1] if sign != "=>" else "=", spaced=spaced
            )
        if before == "<" and text[end : end + 1] == ">":
            return self._value(name["name"], kind, end + 1, ">", spaced=False)
        space = _SPACE.match(text, end)
        if space is not None and name["dashes"]:
            return self._value(name["name"], kind, space.end(), " ", spaced=False)
        if space is not None and _QUOTE.match(text, space.end()):
            return self._value(name["name"], kind, space.end(), " ", spaced=True)
        says = _SAYS.match(text, end)
        if says is not None:
            return self._value(name["name"], kind, says.end(), "is", spaced=True)
        said = _BARE.match(text, space.end()) if space is not None else None
        if said is not None and _is_said(kind, said[0]) and not self._is_sql():
            return Secret(_kind_of(kind, "is"), said.start(), said.end()), said.end()
        return None, name.end()

    def _kind(self, name: re.Match[str]) -> NameKind | None:
        """What the name tells; `api key` is one name of two words."""
        kind = kind_of_name(name["name"])
        if kind is None and _KEY.fullmatch(name["name"]):
            word = _WORD_BEFORE.search(self._text[max(0, name.start() - 22) : name.start()])
            kind = kind_of_name(f"{word[1]}_key") if word else None
        return kind

    def _value(
        self, name: str, kind: NameKind, start: int, sign: str, *, spaced: bool
    ) -> tuple[Secret | None, int]:
        opening = _QUOTE.match(self._text, start)
        if opening is not None:
            return self._quoted(kind, opening, sign, spaced=spaced)
        bare = (_BARE if kind is NameKind.PASSWORD else _BARE_TOKEN).match(self._text, start)
        if bare is None:
            return None, start
        if _CALL.match(self._text, bare.end()):
            return None, bare.end()
        if sign == "=" and self._text[bare.end() : bare.end() + 1] in ("(", ")"):
            bare = _BARE_WITH_BRACKETS.match(self._text, start) or bare
        # The bracket that ends `${ENV}` is part of it, not of what stands around it.
        ends_there = sign == "=" or is_placeholder(bare[0])
        value = bare[0] if ends_there else bare[0].rstrip(",.}])")
        end = start + len(value)
        found = self._bare_is_secret(name, kind, value, end, sign, spaced=spaced)
        if found and value:
            return Secret(_kind_of(kind, sign), start, end), end
        # What is no secret may be a name with its own value behind it: `token=password=…`.
        return None, start if len(value) <= _LONGEST_NAME else end

    def _quoted(
        self, kind: NameKind, opening: re.Match[str], sign: str, *, spaced: bool
    ) -> tuple[Secret | None, int]:
        text, start = self._text, opening.end()
        if opening["escape"]:
            closing = text.find(opening[0], start)
            end = closing if closing >= 0 else _end_of_line(text, start)
        else:
            inside = _INSIDE[opening["quote"]].match(text, start)
            end = inside.end() if inside else start
            if end == len(text):
                end = _end_of_line(text, start)
        value = text[start:end]
        # What is no secret may have one in it.
        if is_no_password(value):
            return None, start
        if kind is NameKind.TOKEN:
            found = is_token(value)
        else:
            # Beside a name without a sign, `the password "admin"`, a word is only a word.
            found = bool(bits(value)) and not (sign == " " and spaced and is_wordlike(value))
        return (Secret(_kind_of(kind, sign), start, end), end) if found else (None, start)

    def _bare_is_secret(
        self, name: str, kind: NameKind, value: str, end: int, sign: str, *, spaced: bool
    ) -> bool:
        if is_no_password(value) or is_telling_reference(value) or _is_working_folder(name, value):
            return False
        if kind is NameKind.TOKEN:
            return is_token(value)
        if sign == ">":
            return self._text.startswith("</", end)
        if is_identifier(value) and self._is_sql():
            return False
        if not is_wordlike(value):
            return bits(value) >= LEAST_PASSWORD_BITS or (sign == "=" and not spaced)
        if sign == "=" and not spaced:
            return not ("." in name and is_identifier(value) and kind_of_name(value) is not None)
        if sign == " ":
            return not value.startswith("-")
        if sign == "is" or not value.isascii() or bits(value) < LEAST_PASSWORD_BITS:
            return False
        alone = _ALONE.match(self._text, end) is not None
        return alone or (sign == "=" and _LIBPQ.search(self._text) is not None)

    def _is_sql(self) -> bool:
        if self._sql is None:
            self._sql = any(
                (verb := first.search(self._text)) is not None and then.search(self._text, verb.end())
                for first, then in _SQL
            )
        return self._sql


def _kind_of(kind: NameKind, sign: str) -> SecretKind:
    if kind is NameKind.TOKEN:
        return SecretKind.NAMED_TOKEN
    if sign == " ":
        return SecretKind.COMMAND_PASSWORD
    return SecretKind.DSN_PASSWORD if sign == "=" else SecretKind.NAMED_PASSWORD


def _is_said(kind: NameKind, value: str) -> bool:
    """Right behind the name, as people say it: only what can be no word of the sentence."""
    letters, digits = any(c.isalpha() for c in value), any(c.isdigit() for c in value)
    if is_no_password(value) or not (letters and digits):
        return False
    cased = any(c.islower() for c in value) and any(c.isupper() for c in value)
    if len(value) >= _LONG and cased:
        return is_token(value)
    return kind is NameKind.PASSWORD and len(value) >= _SHORT and not ("_" in value or "-" in value)


def _is_working_folder(name: str, value: str) -> bool:
    """A shell keeps the folder it stands in under the name PWD."""
    return name.lower() in ("pwd", "oldpwd") and value.startswith("/")


def _end_of_line(text: str, start: int) -> int:
    line = _LINE.match(text, start)
    return line.end() if line else start
