"""What one name in a path means, here and on other systems: a device, a folder of ours, dots in disguise.

A file written today may be opened tomorrow from a system that reads its name otherwise. So a name is judged
as the most obliging of them reads it: without case, without invisible characters, without what is stripped
from its end.
"""

import re
import unicodedata

from dragoman.guards.paths.verdict import PathCode

MAX_NAME_BYTES = 255

PROTECTED = (".git", ".dragoman")
"""The history of the workspace, and the sessions, runs and indexes in it."""

_SHORT_NAME = re.compile(r"(?:git|dragom)~\d+")
"""How Windows calls the protected folders for programs that know only eight letters."""
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[1-9]|lpt[1-9]|conin\$|conout\$|clock\$)")
_DOTS = re.compile(r"[. ]+")

# Beyond the format characters of Unicode: fillers and joiners that are letters or marks by their category.
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0\U000e0000")
_INVISIBLE_CATEGORIES = frozenset({"Cf", "Zl", "Zp"})
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
# Where the two joiners are spelling: between letters of scripts that are written joined, and the one that
# binds, between pictures that make one.
_JOINED_SCRIPTS = (
    "\u0620-\u065f\u066e-\u06d3\u06d5-\u06dc\u06df-\u06e8\u06ea-\u06ef\u06fa-\u06ff"
    "\u0710-\u074a\u074d-\u07b1\u07ca-\u07f5"
    "\u0860-\u086a\u0870-\u0887\u0889-\u088e\u0898-\u08e1\u08e3-\u0963\u0971-\u0df3"
    "\u1000-\u1049\u1050-\u109d\u1780-\u17b3\u17b6-\u17d3\u1820-\u1878"
)
_PICTURES = "\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
_SPELLED_JOINER = re.compile(
    f"(?<=[{_JOINED_SCRIPTS}])[\u200c\u200d](?=[{_JOINED_SCRIPTS}])"
    f"|(?<=[\ufe0f{_PICTURES}])\u200d(?=[{_PICTURES}])"
)


def is_dots(name: str) -> bool:
    """Whether nothing is left of a name, or only dots, where dots and spaces at its end are dropped."""
    return _DOTS.fullmatch(name) is not None


def fault_of_name(name: str) -> PathCode | None:
    """Why a name may not stand in a path, if so."""
    if len(name.encode("utf-8", "surrogatepass")) > MAX_NAME_BYTES:
        return PathCode.COMPONENT_TOO_LONG
    if is_dots(name):
        return PathCode.DOTS
    if is_protected(name):
        return PathCode.PROTECTED
    if _is_device(name):
        return PathCode.DEVICE
    return PathCode.STREAM if ":" in name else None


def is_protected(name: str) -> bool:
    folded = folded_name(name).strip(" ").rstrip(". ").partition(":")[0].rstrip(". ")
    return folded in PROTECTED or _SHORT_NAME.fullmatch(folded) is not None


def is_invisible(character: str) -> bool:
    return unicodedata.category(character) in _INVISIBLE_CATEGORIES or character in _FILLERS


def has_invisible(path: str) -> bool:
    """Whether something in a path is not seen; the joiners that spelling needs are."""
    return any(map(is_invisible, _SPELLED_JOINER.sub("", path)))


def folded_name(name: str) -> str:
    """The name as a system that ignores case, form and invisible characters compares it."""
    if name.isascii():
        return name.lower()
    seen = "".join(c for c in unicodedata.normalize("NFKC", name) if not is_invisible(c))
    # Folding may bring back characters that have a simpler form.
    return unicodedata.normalize("NFKC", _SELECTORS.sub("", seen).casefold())


def _is_device(name: str) -> bool:
    """With any ending, and after any spaces before it, it is still the device."""
    stem = re.split(r"[.:]", folded_name(name), maxsplit=1)[0]
    return _DEVICE.fullmatch(stem.strip(" ")) is not None
