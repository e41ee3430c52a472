"""Arrays out of PostgreSQL's notation into JSON text, numbers kept digit by digit."""

import json
import re

from dragoman.contracts.schema import ValueType

_TOKEN = re.compile(r'[{},]|"((?:[^"\\]|\\.)*)"|([^{},"\s][^{},"]*)', re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_JSON_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_NUMBERS = frozenset({ValueType.INTEGER, ValueType.DECIMAL, ValueType.FLOAT})


def array_to_json(text: str, held: ValueType) -> str:
    """The JSON of an array; bounds that do not begin at one are not told. Anything else stays as it is."""
    body = text[text.index("=") + 1 :] if text.startswith("[") and "=" in text else text
    if not body.startswith("{"):
        return text
    parts = list[str]()
    for token in _TOKEN.finditer(body):
        match token.group():
            case "{":
                parts.append("[")
            case "}":
                parts.append("]")
            case ",":
                parts.append(",")
            case _ if token.group(1) is not None:
                parts.append(_element(_ESCAPE.sub(r"\1", token.group(1)), held))
            case bare:
                parts.append("null" if bare.upper() == "NULL" else _element(bare, held))
    return "".join(parts)


def _element(text: str, held: ValueType) -> str:
    if held in _NUMBERS and _JSON_NUMBER.fullmatch(text):
        return text
    if held is ValueType.BOOLEAN and text in ("t", "f"):
        return "true" if text == "t" else "false"
    if held is ValueType.JSON:
        return text
    return json.dumps(text, ensure_ascii=False)
