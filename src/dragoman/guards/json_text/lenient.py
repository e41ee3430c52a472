"""The lenient profile: the object in a model's text, mended only where a single reading is left.

>>> found = extract_object('Sure! ```json\\n{"a": 1,}\\n```')
>>> found.value, [warning.code for warning in found.warnings]
({'a': 1}, [<RepairCode.TRAILING_COMMA: 'trailing_comma'>])
>>> extract_object('{"a": 1').code
<JsonCode.TRUNCATED: 'truncated_json'>
"""

import re
from collections.abc import Callable, Collection
from typing import Any

from dragoman.contracts.record import Record
from dragoman.guards.json_text import passages, tokens
from dragoman.guards.json_text.clean import CleanReader
from dragoman.guards.json_text.model import MAX_CHARACTERS, JsonCode, JsonRefusal, Repair, RepairCode, Repairs
from dragoman.guards.json_text.strict import read_strict
from dragoman.guards.json_text.value_reader import Broken, Read, read_value

_COST_OF_A_TRY = 100
_ENDS = re.compile(r"[ \t]*+(?:\Z|```|\n)")
_GOES_ON = re.compile(r"\s*+[,\]}]")

Contract = Callable[[dict[str, Any]], bool]
"""Whether an object is what was asked for."""

_REPAIRS = {
    RepairCode.TRAILING_COMMA: "a comma before a closing bracket was left out",
    RepairCode.COMMENT: "a comment was left out",
    RepairCode.SINGLE_QUOTES: "a string in single quotes was read as one in double quotes",
    RepairCode.SMART_QUOTES: "a string in typographic quotes was read as one in double quotes",
    RepairCode.PYTHON_LITERAL: "a literal of Python was read as the one of JSON",
    RepairCode.UNQUOTED_KEY: "a key without quotes was read as a string",
    RepairCode.RAW_NEWLINE: "a line break inside a string was kept",
    RepairCode.RAW_TAB: "a tab inside a string was kept",
    RepairCode.NUMBER_FORM: "a number with a leading plus or without digits beside its point was read",
    RepairCode.ODD_SPACE: "unusual or invisible space between tokens was left out",
    RepairCode.DUPLICATE_KEY: "a key stands twice with the same value",
}


class JsonWarning(Record, frozen=True):
    """A repair, as it is told: its place counts from 1, in code points."""

    code: RepairCode
    message: str
    line: int
    column: int


class JsonVerdict(Record, frozen=True):
    """The object and what was mended in it, or why there is none."""

    value: dict[str, Any] | None
    code: JsonCode | None = None
    message: str = ""
    warnings: tuple[JsonWarning, ...] = ()

    @property
    def ok(self) -> bool:
        return self.code is None


def extract_object(
    text: str, *, contract: Contract | None = None, required_keys: Collection[str] = ()
) -> JsonVerdict:
    """The first complete object that has the keys and satisfies the contract; with neither, the first."""
    if len(text) > MAX_CHARACTERS:
        return JsonVerdict(None, JsonCode.TOO_LARGE, f"more than {MAX_CHARACTERS:,} characters")
    search = _Search(text, contract, required_keys)
    found = search.run()
    if isinstance(found, Read):
        return JsonVerdict(found.value, warnings=_warnings(text, found.repairs))
    return JsonVerdict(None, found.code, found.message)


class _Search:
    def __init__(self, text: str, contract: Contract | None, required_keys: Collection[str]) -> None:
        self._text = text
        self._contract = contract
        self._keys = required_keys
        self._clean = CleanReader(text)
        self._found: Read | None = None
        self._unfit: JsonRefusal | None = None
        self._broken: JsonRefusal | None = None
        self._array = False
        # Broken values may be read over and over; what that may cost is a multiple of the text.
        self._allowance = 4 * len(text) + 8_000_000
        self._unclosed = self._inside = False

    def run(self) -> Read | JsonRefusal:
        text = self._text
        if _is_one_string(text):
            # What looks like an object in it is text of a string, which is a scalar.
            return self._nothing()
        passage = passages.begin(text)
        at = passage.start
        while self._found is None or at <= passage.last_end:
            mark = passages.NEXT.search(text, at)
            if mark is None:
                break
            match mark.lastgroup:
                case "thought":
                    at = passages.after_thought(text, mark.end())
                case "thought_end":
                    # Everything before was a thought whose beginning was not marked.
                    self._forget()
                    at = mark.end()
                case "channel":
                    at = passages.after_channel(text, mark.end())
                case _:
                    at = self._try(mark.start())
            if self._allowance < 0:
                return JsonRefusal(JsonCode.TANGLED, "too many broken values to find a whole one among them")
        return self._found or self._unfit or self._broken or self._nothing()

    def _forget(self) -> None:
        self._found = self._unfit = self._broken = None
        self._array = self._unclosed = self._inside = False

    def _try(self, at: int) -> int:
        """Read the value at `at` if it is one; where to go on."""
        read = read_value(self._text, at, self._clean)
        if isinstance(read, Broken):
            self._allowance -= max(read.reached, read.resume) - at + _COST_OF_A_TRY
            if read.meant and self._broken is None:
                self._broken = read.refusal
            self._unclosed = self._unclosed or read.unclosed
            self._inside = self._inside or read.inside
            return read.resume
        if self._unclosed and _GOES_ON.match(self._text, read.end):
            # The value before was never closed, and this one is followed as a part of it would be.
            return read.end
        if self._inside and not _ENDS.match(self._text, read.end):
            # The string before never ended, and this is followed by more of its text.
            return read.end
        if isinstance(read.value, list):
            self._array = self._array or any(isinstance(item, dict) for item in read.value)
        elif self._found is None:
            self._judge(read)
        return read.end

    def _judge(self, read: Read) -> None:
        missing = [key for key in self._keys if key not in read.value]
        if missing:
            self._unfit = self._unfit or JsonRefusal(
                JsonCode.KEYS_MISSING, f"no object has the keys {', '.join(missing)[:200]}"
            )
        elif self._contract is not None and not self._contract(read.value):
            self._unfit = JsonRefusal(JsonCode.CONTRACT, "no object satisfies the contract")
        else:
            self._found = read

    def _nothing(self) -> JsonRefusal:
        text = self._text.strip().removeprefix("```json").strip("`").strip()
        scalar = (
            text in tokens.PYTHON_WORDS
            or _is_one_string(text)
            or (text != "" and len(text) < 10_000 and not isinstance(read_strict(text), JsonRefusal))
        )
        if self._array or scalar:
            return JsonRefusal(JsonCode.ROOT_NOT_OBJECT, "the JSON of the text is not an object")
        return JsonRefusal(JsonCode.NO_OBJECT, "there is no JSON object in the text")


def _is_one_string(text: str) -> bool:
    whole = text.strip(" \t\n\r\ufeff")
    return whole[:1] == whole[-1:] == '"' and isinstance(read_strict(whole), str)


def _warnings(text: str, repairs: Repairs) -> tuple[JsonWarning, ...]:
    told = [_warning(text, repair) for repair in repairs.first]
    if repairs.total > len(told):
        more = f"{repairs.total - len(told):,} more repairs"
        told.append(JsonWarning(RepairCode.MORE, more, told[-1].line, told[-1].column))
    return tuple(told)


def _warning(text: str, repair: Repair) -> JsonWarning:
    line = text.count("\n", 0, repair.offset) + 1
    column = repair.offset - text.rfind("\n", 0, repair.offset)
    return JsonWarning(repair.code, _REPAIRS[repair.code], line, column)
