"""Whether what stands after a telling name is the secret itself, or a word about it.

That depends on how it is joined to the name, on what follows it, and on what the whole text is.
"""

import re
from functools import cache

from dragoman._patterns import lazy_pattern
from dragoman.guards.secrets.links import Link, Sign
from dragoman.guards.secrets.secret_names import NameKind, kind_of_name
from dragoman.guards.secrets.values import (
    LEAST_PASSWORD_BITS,
    bits,
    is_description,
    is_identifier,
    is_no_password,
    is_telling_reference,
    is_token,
    is_wordlike,
)
from dragoman.guards.secrets.words import words

_SHORT, _LONG = 6, 16
_ALONE = lazy_pattern(r"[ \t]*(?:\Z|[\r\n,;}\])#|<\"'])")
_END_OF_LINE = lazy_pattern(r"[ \t]*[.!,;\"']?[ \t]*(?:\Z|[\r\n]|\\n|<)")
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
_LIBPQ = lazy_pattern(r"\b(?:host|hostaddr|user|dbname|port|server|uid|database)\s{0,4}=", re.IGNORECASE)


class Judge:
    """Judges the values in one text. What holds for the whole of it is looked up once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._sql: bool | None = None
        self._connection: bool | None = None

    def quoted_is_secret(self, kind: NameKind, value: str, link: Link) -> bool:
        if is_no_password(value):
            return False
        if kind is NameKind.TOKEN:
            return is_token(value)
        match link.sign:
            case Sign.CELL | Sign.ROW:
                return is_said(kind, value) and _is_one_word(value) and not self.is_sql()
            case Sign.WEAKLY:
                # `about a password in plain words: "this is weak"`.
                return _is_one_word(value) or not all(map(is_wordlike, value.split()))
            case Sign.BESIDE:
                # Beside a name without a sign, `the password "admin"`, a word is only a word.
                return bool(bits(value)) and not is_wordlike(value)
            case _:
                return bool(bits(value))

    def bare_is_secret(self, name: str, kind: NameKind, value: str, end: int, link: Link) -> bool:
        sign = link.sign
        if is_no_password(value) or is_telling_reference(value) or _is_working_folder(name, value):
            return False
        if kind is NameKind.TOKEN:
            return is_token(value)
        if sign is Sign.TAG:
            return self._text.startswith("</", end)
        if sign is Sign.CELL:
            return is_said(kind, value)
        if sign is Sign.ROW:
            return is_said(kind, value, strict=True) and self._closes_sentence(end)
        if sign is Sign.LINE and value.endswith((":", "=")):
            return False
        if sign is Sign.LINE and not _END_OF_LINE.match(self._text, end):
            # The line goes on: what begins it may be the first word of a sentence.
            return len(value) >= _SHORT and is_said(kind, value) and not self.is_sql()
        if is_identifier(value) and self.is_sql():
            return False
        # A name in a sentence may have capitals anywhere: `the password is MySQL's`.
        named = sign in (Sign.IS, Sign.WEAKLY) and value.isalpha() and len(value) < _LONG
        if not (named or is_wordlike(value)):
            return bits(value) >= LEAST_PASSWORD_BITS or (sign is Sign.EQUALS and not link.spaced)
        return self._word_is_secret(name, value, end, link)

    def _word_is_secret(self, name: str, value: str, end: int, link: Link) -> bool:
        """A plain word is a secret where it can be no word about one."""
        if link.sign is Sign.EQUALS and not link.spaced:
            return not ("." in name and is_identifier(value) and kind_of_name(value) is not None)
        if link.sign is Sign.OPTION:
            return not value.startswith("-")
        if not value.isascii() or bits(value) < LEAST_PASSWORD_BITS:
            return False
        match link.sign:
            case Sign.LINE:
                return True
            case Sign.IS:
                return not is_description(value) and self._closes_sentence(end)
            case Sign.EQUALS | Sign.COLON:
                if _ALONE.match(self._text, end):
                    return True
                return link.sign is Sign.EQUALS and self._is_connection()
            case _:
                return False

    def _closes_sentence(self, end: int) -> bool:
        return (
            _END_OF_LINE.match(self._text, end) is not None or _closing().match(self._text, end) is not None
        )

    def _is_connection(self) -> bool:
        if self._connection is None:
            self._connection = _LIBPQ.search(self._text) is not None
        return self._connection

    def is_sql(self) -> bool:
        if self._sql is None:
            self._sql = any(
                (verb := first.search(self._text)) is not None and then.search(self._text, verb.end())
                for first, then in _SQL
            )
        return self._sql


@cache
def _closing() -> re.Pattern[str]:
    return re.compile(rf"[ \t,]{{0,4}}(?:{'|'.join(sorted(words('closings')))})(?!\w)", re.IGNORECASE)


def is_said(kind: NameKind, value: str, *, strict: bool = False) -> bool:
    """Right behind the name, as people say it: only what can be no word of the sentence."""
    letters, digits = any(c.isalpha() for c in value), any(c.isdigit() for c in value)
    if is_no_password(value) or is_no_password(value.rstrip("0123456789.,")) or not (letters and digits):
        return False
    cased = any(c.islower() for c in value) and any(c.isupper() for c in value)
    if len(value) >= _LONG and cased:
        return is_token(value)
    if strict and not (cased and is_token(value)):
        return False
    return kind is NameKind.PASSWORD and len(value) >= _SHORT and not ("_" in value or "-" in value)


def _is_one_word(value: str) -> bool:
    return not any(c.isspace() for c in value)


def _is_working_folder(name: str, value: str) -> bool:
    """A shell keeps the folder it stands in under the name PWD."""
    return name.lower() in ("pwd", "oldpwd") and value.startswith("/")
