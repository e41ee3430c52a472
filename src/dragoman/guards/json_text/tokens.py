"""The tokens of JSON as models write it: clean ones whole, unusual ones by their first character."""

import re

DOUBLE_QUOTES = '"“”„‟'
SINGLE_QUOTES = "'‘’‚‛"
STRAIGHT_DOUBLE = '"'
# Spaces of other scripts, zero-width characters, the byte order mark: nothing, between tokens.
ODD_SPACES = "\x0b\x0c\x85\xa0\u1680\u180e\u2000-\u200d\u2028\u2029\u202f\u205f\u2060\u3000\ufeff"

TOKEN = re.compile(
    rf"""[ \t\n\r]*+(?:
      (?P<mark>[{{}}\[\],:])
    | "(?P<plain>[^"\\\x00-\x1f\ud800-\udfff]*+)"
    | (?P<number>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)(?![\w.+-])
    | (?P<quote>[{DOUBLE_QUOTES}{SINGLE_QUOTES}])
    | (?P<word>[^\W\d][\w$-]*+|\$[\w$-]*+)
    | (?P<amount>[+.0-9-][\w.+-]*+)
    | (?P<comment>//[^\n\r]*+|\#[^\n\r]*+|/\*)
    | (?P<space>[{ODD_SPACES}][{ODD_SPACES}\ \t\n\r]*+)
    | (?P<end>\Z)
    | (?P<other>(?s:.))
    )""",
    re.VERBOSE,
)

_CLEAN_STRING = r'"[^"\\\x00-\x1f\ud800-\udfff]*+"'
_CLEAN_NUMBER = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?"
_CLEAN_SCALAR = rf"(?:{_CLEAN_STRING}|{_CLEAN_NUMBER}|true|false|null)"
_S = r"[ \t\n\r]*+"
# Many clean items, or pairs, with their commas: one match where there would be thousands of tokens.
ITEMS = re.compile(rf"(?:{_S}{_CLEAN_SCALAR}{_S},){{2,}}+")
PAIRS = re.compile(rf"(?:{_S}{_CLEAN_STRING}{_S}:{_S}{_CLEAN_SCALAR}{_S},){{2,}}+")

_PLAIN = r"""[^"'“”„‟‘’‚‛\\\x00-\x1f\ud800-\udfff]*+"""
_STRAIGHT = r"""(?P<{0}q>["'])(?P<{0}text>[^"'\\\x00-\x1f\ud800-\udfff]*+)(?P={0}q)"""
_CURVED = rf"""[“„‟](?P<{{0}}curved>{_PLAIN})[“”„‟]"""
_NUMBER_OR_WORD = (
    r"""(?P<number>-?(?:0|[1-9][0-9]{0,300}+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)(?=[\s,}\]])"""
    r"""|(?P<word>true|false|null|True|False|None)(?=[\s,}\]])"""
)
_VALUE = rf"(?:{_STRAIGHT.format('v')}|{_NUMBER_OR_WORD}|{_CURVED.format('v')})"
_BARE_KEY = r"(?!(?:true|false|null|True|False|None)[^\w$-])(?P<bare>[^\W\d][\w$-]*+)"
_KEY = rf"(?:{_STRAIGHT.format('k')}|{_BARE_KEY}|{_CURVED.format('k')})"
# One item or pair as models write them, with its comma.
ITEM = re.compile(rf"{_S}{_VALUE}{_S}(?P<comma>,)?")
PAIR = re.compile(rf"{_S}{_KEY}{_S}:{_S}{_VALUE}{_S}(?P<comma>,)?")

# What stands before a closing quote: a straight one is closed by its like, a curved one by any of its kind.
BODIES = {
    '"': re.compile(r'(?:[^"\\]++|\\.)*+', re.DOTALL),
    "'": re.compile(r"(?:[^'\\]++|\\.)*+", re.DOTALL),
    **{quote: re.compile(r"(?:[^“”„‟\\]++|\\.)*+", re.DOTALL) for quote in "“”„‟"},
    **{quote: re.compile(r"(?:[^‘’‚‛\\]++|\\.)*+", re.DOTALL) for quote in "‘’‚‛"},
}

JSON_WORDS = {"true": True, "false": False, "null": None}
PYTHON_WORDS = {"True": True, "False": False, "None": None}
NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)

# A number that JSON would write otherwise, with one reading: `+5`, `.5`, `1.`
AMOUNT = re.compile(r"([+-]?)(0|[1-9][0-9]*+)?(?:(\.)([0-9]*+))?([eE][+-]?[0-9]++)?")

_GAP = rf"[\s{ODD_SPACES}]*+"
_QUOTES = DOUBLE_QUOTES + SINGLE_QUOTES
# Where a value can begin at all. Anything else after a bracket is prose, and is passed by at once.
OPENING = re.compile(
    rf"""
      \{{(?={_GAP}(?:[}}/\#{_QUOTES}]|\Z|(?:[^\W\d]|\$)[\w$-]*+{_GAP}[:/\#]))
    | \[(?={_GAP}(?:[\]\[{{/\#.+0-9{_QUOTES}-]|true|false|null|True|False|None))
    """,
    re.VERBOSE,
)

# Nothing but numbers, as prose has them in brackets.
NUMBERS = re.compile(r"[\s0-9.,+-]++")

STRING_OR_BRACKET = re.compile(r'"(?:[^"\\\n]++|\\.)*+"|[\[\]{}]')
