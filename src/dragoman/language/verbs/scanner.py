"""The notation's tokens, as one regular expression.

Only what is right is a token of its own kind; everything else is ODD, and `oddities` says what is wrong with
it. Every alternative is possessive or followed by a look ahead, so no text makes the expression walk back
and forth: reading takes time in proportion to the text.
"""

import re
from typing import Final

from dragoman._patterns import lazy_pattern

_NAME: Final = r"[A-Za-z_][A-Za-z0-9_-]*+"
# What may follow a value directly. Brackets, commas and comments separate as white space does.
_END: Final = r"(?=[ \t\n\r()\[\]{},;]|\Z)"
# A key wants white space (or nothing at all, which is then a missing value).
_KEY_END: Final = r"(?=[ \t\n\r)\]},;]|\Z)"
CONTROL: Final = r"\x00-\x08\x0b-\x1f\x7f-\x9f"
"""Control characters, for use in a class: all but tab and line feed."""
SPACES: Final = r"\xa0\u1680\u180e\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000"
"""What looks like white space, or like nothing, and is neither space, tab nor line break."""
_PLAIN: Final = rf'[^"\\\n{CONTROL}\ud800-\udfff]*+'

TOKEN: Final = lazy_pattern(
    rf"""[ \t\n]*+(?:\r\n[ \t\n]*+)*+
    (?: :({_NAME}){_KEY_END}
      | "({_PLAIN})"{_END}
      | \(({_NAME}\.{_NAME})(?=[ \t\n\r;)]|\Z)
      | ([)\]}}])
      | @({_NAME}){_END}
      | (-?(?:0|[1-9][0-9]*+)){_END}
      | ([A-Za-z_][A-Za-z0-9_.-]*+){_END}
      | ([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}){_END}
      | (-?(?:0|[1-9][0-9]*+)\.[0-9]++){_END}
      | ([(\[{{])
      | ;([^\n]*+)
      | (,)
      | "((?:{_PLAIN}\\[nrt"\\])++{_PLAIN})"{_END}
      | (\Z)
      | ([\s\S])
    )""",
    re.VERBOSE,
)
"""One token with the white space before it; it matches anywhere in any text."""

(KEY, TEXT, CALL, CLOSE, SYMBOL, INTEGER, WORD, DATE, DECIMAL, OPEN, COMMENT, COMMA, ESCAPED, END, ODD) = (
    range(1, 16)
)

VERB: Final = lazy_pattern(rf"{_NAME}\.{_NAME}\Z")
RUN: Final = lazy_pattern(
    rf'(?:[^ \t\n()\[\]{{}}",;${CONTROL}{SPACES}\ufeff]++|\$(?:\{{[A-Za-z0-9_.-]*+\}})?)++'
)
"""What belongs together to the eye: up to white space, a bracket, a comma, a quote or a comment. A parameter
of the other notation, `${params.x}`, is one piece."""


def starts_line(text: str, offset: int) -> bool:
    return not offset or text[offset - 1] == "\n"
