"""What connections and programs may say of a CSV, and what it means."""

from collections.abc import Mapping
from typing import Final

from dragoman.databases.families.files.csv_text import CsvOptions

OPTIONS: Final = ("delimiter", "encoding", "decimal", "dates", "bad_lines")
_CHOICES: Final = {
    "decimal": ("point", "comma"),
    "dates": ("day-first", "month-first"),
    "bad_lines": ("refuse", "skip"),
}
_NAMED: Final = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|"}


def csv_options(given: Mapping[str, str], *, header: bool = True) -> CsvOptions:
    delimiter = given.get("delimiter", "")
    return CsvOptions(
        delimiter=_NAMED.get(delimiter, delimiter),
        encoding=given.get("encoding", ""),
        decimal=given.get("decimal", ""),
        dates=given.get("dates", ""),
        skips=given.get("bad_lines", "") == "skip",
        header=header,
    )


def fault_of(name: str, value: str) -> str:
    """What should have been written instead; empty where the value is fine."""
    if name in _CHOICES:
        return "" if value in _CHOICES[name] else f"write {' or '.join(_CHOICES[name])}"
    if name == "delimiter":
        plain = _NAMED.get(value, value)
        fine = len(plain) == 1 and plain.isascii() and not plain.isalnum() and plain not in '"\r\n\0\\+-.:'
        return "" if fine else "write one character, or tab, comma, semicolon or pipe"
    if name == "encoding":
        return "" if _is_encoding(value) else "write utf-8, utf-16, latin-1, cp1252 or another"
    return ""


def _is_encoding(name: str) -> bool:
    try:
        # Some codecs make bytes of bytes, and are no encodings of text.
        return bool("a".encode(name))
    except (LookupError, ValueError, TypeError):
        return False
