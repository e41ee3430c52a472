"""Russian words in Latin letters, as names are written abroad."""

from typing import Final

from dragoman.locales.data import LanguageData

_PAIRS: Final = {"дж": "j", "кс": "x", "ия": "ia", "ай": "i", "ью": "ew", "уо": "wa"}
"""Two letters that stand for another sound of a foreign name."""
_LETTERS: Final = dict(zip("абвгдеёзийклмнопрстуфхыэ", "abvgdeeziiklmnoprstufhye", strict=True)) | {
    "ж": "zh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "sch", "ъ": "", "ь": "", "ю": "yu", "я": "ya"
}  # fmt: skip


def latin(language: LanguageData, form: str) -> tuple[str, ...]:
    """Letter by letter; and with pairs of letters as they are in foreign names."""
    plain = "".join(_LETTERS.get(letter, letter) for letter in form)
    paired = form
    for pair, sound in _PAIRS.items():
        paired = paired.replace(pair, sound)
    other = "".join(_LETTERS.get(letter, letter) for letter in paired)
    hard = other.replace("ks", "x")
    return tuple(dict.fromkeys((plain, other, hard)))
