"""Reading dialogues: a JSON object on each line. What is wrong is told before anything runs."""

import difflib
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar

import msgspec

from dragoman.contracts.errors import DialogueMalformed
from dragoman.conversation_tests.dialogue import STATE_KEYS, VALUES, Dialogue, DialogueTurn, Expectation

DIALOGUE_KEYS: Final = ("id", "turns", "db")
TURN_KEYS: Final = ("user", "also_accept", *(expectation.value for expectation in Expectation))
NOTES: Final = frozenset({"note", "notes", "tags", "lang", "decisions", "title", "description"})
"""Keys for people: they may stand anywhere, and nothing is compared with them."""

_NAME = re.compile(r"[^/\\\0]+")
MAX_NAME = 200
"""Bytes of the name of a database: a file system takes 255 with its suffix."""
_T = TypeVar("_T")


class DialogueFile(msgspec.Struct, frozen=True):
    """The dialogues of a file, and the keys in it that nothing reads."""

    dialogues: tuple[Dialogue, ...]
    unread_keys: tuple[str, ...]


def read_dialogues(text: str, name: str) -> DialogueFile:
    """The dialogues of a file; empty lines are passed over."""
    unread: dict[str, None] = {}
    dialogues = [
        _Line(name, number, unread).dialogue(line)
        for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1)
        if line.strip()
    ]
    return DialogueFile(tuple(dialogues), tuple(unread))


class _Line:
    """A line being read: it knows where it stands, for whoever has to mend it."""

    def __init__(self, name: str, number: int, unread: dict[str, None]) -> None:
        self._name = name
        self._number = number
        self._unread = unread

    def dialogue(self, line: str) -> Dialogue:
        try:
            read = msgspec.json.decode(line.encode("utf-8"))
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
            raise self._malformed(f"it is not JSON: {error}", "write one JSON object on each line") from error
        known = self._object(read, "the line")
        self._refuse_unknown(known, DIALOGUE_KEYS, "the dialogue")
        turns = self._of_type(known.get("turns"), list, "turns", "a list of objects")
        return Dialogue(
            id=self._id(known.get("id")),
            turns=tuple(self._turn(turn, number) for number, turn in enumerate(turns, 1)),
            db=self._database(known.get("db")),
            source=f"{self._name}:{self._number}",
        )

    def _id(self, value: Any) -> str:
        if type(value) is int:
            return str(value)
        return self._of_type(value, str, "id", "a string")

    def _database(self, value: Any) -> str | None:
        if value is None:
            return None
        name = self._of_type(value, str, "db", "a string")
        if name in (".", "..") or not _NAME.fullmatch(name) or len(name.encode("utf-8")) > MAX_NAME:
            raise self._malformed(
                f"the db {name[:80]!r} is not a plain name", "name the file without its folder and .sqlite"
            )
        return name

    def _turn(self, value: Any, number: int) -> DialogueTurn:
        where = f"turn {number}"
        known = self._object(value, where)
        self._refuse_unknown(known, TURN_KEYS, where)
        return DialogueTurn(
            user=self._of_type(known.get("user"), str, f"user of {where}", "a string"),
            expected={e: self._expected(e, known[e], where) for e in Expectation if e in known},
            also_accept=tuple(
                self._word(Expectation.TRANSITION, word, f"also_accept of {where}")
                for word in self._of_type(
                    known.get("also_accept", []), list, f"also_accept of {where}", "a list"
                )
            ),
        )

    def _expected(self, expectation: Expectation, value: Any, where: str) -> Any:
        place = f"{expectation} of {where}"
        if expectation in VALUES:
            return value if value is None else self._word(expectation, value, place)
        match expectation:
            case Expectation.STATE:
                self._refuse_unknown(self._object(value, place), STATE_KEYS, place)
            case Expectation.ROWS if value is not None:
                for row in self._of_type(value, list, place, "a list of rows"):
                    self._of_type(row, list, place, "a list of rows, each a list of cells")
            case Expectation.ROUTE | Expectation.ERROR if value is not None:
                self._of_type(value, str, place, "a string or null")
            case _:
                pass
        return value

    def _word(self, expectation: Expectation, value: Any, place: str) -> str:
        known = [word.value for word in VALUES[expectation]]
        if value not in known:
            raise self._malformed(
                f"{place} cannot be {str(value)[:80]!r}", f"write one of {', '.join(known)}"
            )
        return str(value)

    def _refuse_unknown(self, value: Mapping[str, Any], known: Iterable[str], where: str) -> None:
        """An unknown key is a note of somebody's, unless it looks like one of ours written wrong."""
        names = tuple(known)
        for key in value:
            if key in names or key in NOTES:
                continue
            close = difflib.get_close_matches(key, names, n=1, cutoff=0.8)
            if close or key.startswith("expect") or names == STATE_KEYS:
                hint = f"write {close[0]}" if close else f"the keys that are compared: {', '.join(names)}"
                raise self._malformed(f"{where} has the unknown key {key[:80]!r}", hint)
            self._unread[key] = None

    def _object(self, value: Any, place: str) -> dict[str, Any]:
        return self._of_type(value, dict, place, "an object")

    def _of_type(self, value: Any, kind: type[_T], place: str, wanted: str) -> _T:
        if type(value) is not kind:
            problem = "is missing" if value is None else f"is not {wanted}"
            raise self._malformed(f"{place} {problem}", f"give {wanted}")
        return value

    def _malformed(self, problem: str, hint: str) -> DialogueMalformed:
        where = f"{self._name}, line {self._number}"
        return DialogueMalformed(f"{where}: {problem}", hint=hint, file=self._name, line=self._number)
