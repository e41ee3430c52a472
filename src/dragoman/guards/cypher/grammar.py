"""The part of Cypher that reads and ends: what it does not know it refuses, whatever that would do.

MATCH, OPTIONAL MATCH, UNWIND, WITH and RETURN, with patterns of bounded length, the functions listed here,
and a LIMIT on what comes back. A query is proven by reading all of it; then it is written anew from its
tokens, so that what runs is what was read.
"""

from typing import Final

from dragoman.contracts.errors import InternalSignal
from dragoman.contracts.record import Record
from dragoman.guards.cypher.tokens import CypherRefusal, Kind, Token, tokens

MOST_STEPS: Final = 8
"""How long a pattern of any length may be."""
MOST_ROWS: Final = 1_000
MOST_PATTERNS: Final = 8
DEEPEST: Final = 40
FUNCTIONS: Final = frozenset(
    [
        *("ABS", "AVG", "CEIL", "COALESCE", "COLLECT", "COUNT", "FLOOR", "HEAD", "ID", "KEYS", "LABEL"),
        *("LABELS", "LAST", "LENGTH", "LOWER", "MAX", "MIN", "NODES", "PROPERTIES", "RELS", "RELATIONSHIPS"),
        *("REPLACE", "ROUND", "SIGN", "SIZE", "SPLIT", "STARTNODE", "ENDNODE", "SUBSTRING", "SUM", "TOFLOAT"),
        *("TOINTEGER", "TOLOWER", "TOSTRING", "TOUPPER", "TRIM", "TYPE", "UPPER", "SHORTESTPATH"),
    ]
)
_CLAUSES: Final = frozenset({"MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN"})
_OPERATORS: Final = frozenset(
    [
        *("AND", "OR", "XOR", "NOT", "IN", "IS", "NULL", "TRUE", "FALSE", "STARTS", "ENDS", "CONTAINS"),
        *("CASE", "WHEN", "THEN", "ELSE", "END", "DISTINCT"),
    ]
)
_ENDINGS: Final = frozenset({"WHERE", "ORDER", "SKIP", "LIMIT", "UNION", "AS", "ASC", "DESC", "BY"})
_KNOWN: Final = _CLAUSES | _OPERATORS | _ENDINGS | {"WITH", "ALL", "SHORTEST"}
_OPENS: Final = {"(": ")", "[": "]", "{": "}"}
_WRITES: Final = frozenset(
    [
        *("CREATE", "MERGE", "SET", "DELETE", "DETACH", "REMOVE", "DROP", "ALTER", "CALL", "LOAD", "COPY"),
        *("FOREACH", "INSTALL", "EXPORT", "IMPORT", "ATTACH", "USE", "GRANT", "REVOKE", "BEGIN", "COMMIT"),
        *("ROLLBACK", "CHECKPOINT", "EXPLAIN", "PROFILE", "UPDATE", "INSERT", "START", "STOP", "TERMINATE"),
    ]
)


class CypherQuery(Record, frozen=True):
    """A query that may run: written anew, with the names of what it returns."""

    text: str
    columns: tuple[str, ...]


class _Refused(InternalSignal):
    """Ends the reading; becomes a refusal."""

    def __init__(self, refusal: CypherRefusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def judge_cypher(text: str) -> CypherQuery | CypherRefusal:
    """The query as it may run, or why it may not."""
    found = tokens(text)
    if isinstance(found, CypherRefusal):
        return found
    try:
        return _Reading(found).query()
    except _Refused as refused:
        return refused.refusal


class _Reading:
    def __init__(self, found: list[Token]) -> None:
        self._tokens = found
        self._at = 0
        self._patterns = 0

    def query(self) -> CypherQuery:
        if self._is_over():
            raise self._refused("cypher_empty", "there is no query", "begin with MATCH")
        columns = self._single()
        while self._now.upper == "UNION":
            self._at += 1
            self._take_word("ALL")
            self._single()
        if not self._is_over():
            raise self._unexpected()
        body = [each for each in self._tokens if each.kind is not Kind.END and each.text != ";"]
        return CypherQuery(_written(body), columns)

    def _is_over(self) -> bool:
        """Whether nothing follows but the sign that may end a query."""
        rest = self._tokens[self._at :]
        return all(each.kind is Kind.END or each.text == ";" for each in rest) and len(rest) <= 2

    def _single(self) -> tuple[str, ...]:
        """Clauses up to a RETURN with a limit; the names that it gives."""
        while True:
            word = self._now.upper
            if word == "RETURN":
                self._at += 1
                return self._returned()
            if word == "OPTIONAL":
                self._at += 1
                word = self._now.upper
                if word != "MATCH":
                    raise self._unexpected()
            if word == "MATCH":
                self._at += 1
                self._matched()
            elif word == "UNWIND":
                self._at += 1
                self._expression({"AS"})
                self._alias()
            elif word == "WITH":
                self._at += 1
                self._take_word("DISTINCT")
                self._items()
                self._ordered(limited=False)
                if self._take_word("WHERE"):
                    self._expression(_CLAUSES)
            else:
                raise self._unexpected()

    def _matched(self) -> None:
        while True:
            self._patterns += 1
            if self._patterns > MOST_PATTERNS:
                raise self._refused("cypher_too_wide", f"more than {MOST_PATTERNS} patterns", "ask for less")
            self._expression({"WHERE"} | _CLAUSES, comma=True)
            if self._now.text != ",":
                break
            self._at += 1
        if self._take_word("WHERE"):
            self._expression(_CLAUSES)

    def _returned(self) -> tuple[str, ...]:
        self._take_word("DISTINCT")
        names = self._items()
        self._ordered(limited=True)
        return names

    def _items(self) -> tuple[str, ...]:
        names: list[str] = []
        while True:
            start = self._at
            self._expression({"AS", "ORDER", "SKIP", "LIMIT", "WHERE", "UNION"} | _CLAUSES, comma=True)
            written = _written(self._tokens[start : self._at])
            names.append(self._alias() if self._now.upper == "AS" else written)
            if self._now.text != ",":
                return tuple(names)
            self._at += 1

    def _alias(self) -> str:
        if not self._take_word("AS"):
            raise self._unexpected()
        name = self._now
        if name.kind is Kind.QUOTED or (name.kind is Kind.WORD and name.upper not in _KNOWN | _WRITES):
            self._at += 1
            return name.text.strip("`")
        raise self._unexpected()

    def _ordered(self, *, limited: bool) -> None:
        if self._take_word("ORDER"):
            if not self._take_word("BY"):
                raise self._unexpected()
            while True:
                self._expression({"SKIP", "LIMIT", "WHERE", "ASC", "DESC", "UNION"} | _CLAUSES, comma=True)
                _ = self._take_word("ASC") or self._take_word("DESC")
                if self._now.text != ",":
                    break
                self._at += 1
        for word in ("SKIP", "LIMIT"):
            if self._take_word(word):
                number = self._now
                whole = number.kind is Kind.NUMBER and number.text.isdigit()
                if not whole or (word == "LIMIT" and int(number.text) > MOST_ROWS):
                    hint = f"write LIMIT {MOST_ROWS} at most"
                    raise self._refused("cypher_unbounded", f"{word} needs a whole number", hint)
                self._at += 1
            elif word == "LIMIT" and limited:
                # What a person did not limit is limited here; the token stands where they would have put it.
                own = [Token(Kind.WORD, "LIMIT", self._now.place)]
                own.append(Token(Kind.NUMBER, str(MOST_ROWS), self._now.place))
                self._tokens[self._at : self._at] = own
                self._at += 2

    def _expression(self, ends: set[str] | frozenset[str], *, comma: bool = False) -> None:
        """Anything up to a word that ends it, outside of all brackets. At least one token."""
        opened: list[str] = []
        start = self._at
        while self._now.kind is not Kind.END:
            now = self._now
            free = not opened and not self._after_dot()
            compared = now.upper == "WITH" and self._tokens[self._at - 1].upper in ("STARTS", "ENDS")
            if (
                free
                and not compared
                and ((now.upper in ends and self._at > start) or (comma and now.text == ","))
            ):
                break
            if free and (now.text == ";" or now.upper == "UNION"):
                break
            self._check(now)
            if now.text in _OPENS and now.kind is Kind.SIGN:
                opened.append(_OPENS[now.text])
                if len(opened) > DEEPEST:
                    raise self._refused("cypher_too_deep", "too many brackets", "write it flatter")
            elif (
                now.kind is Kind.SIGN
                and now.text in _OPENS.values()
                and (not opened or opened.pop() != now.text)
            ):
                raise self._unexpected()
            self._at += 1
        if opened or self._at == start:
            raise self._unexpected()

    def _check(self, now: Token) -> None:
        """That a token inside an expression or a pattern is harmless where it stands."""
        if now.kind is Kind.SIGN:
            if now.text == "*" and self._is_length():
                self._bounded()
            if now.text in (";", "$"):
                raise self._unexpected()
            return
        if now.kind is Kind.QUOTED and self._next.text == "(" and not self._is_node_ahead():
            raise self._refused("cypher_call", f"{now.text} is no known function", _known_functions())
        if now.kind is not Kind.WORD or self._after_dot() or self._after_colon():
            if now.kind is Kind.WORD and self._after_dot() and self._next.text == "(":
                raise self._refused("cypher_call", f"{now.text} is no known function", _known_functions())
            return
        if self._next.text == "(" and now.upper not in _OPERATORS | {"ALL"}:
            if now.upper not in FUNCTIONS:
                raise self._refused("cypher_call", f"{now.text} is no known function", _known_functions())
            return
        writes = now.upper in _WRITES and self._next.text not in (":", "=")
        if writes or now.upper in _CLAUSES - {"WITH"} or now.upper in {"UNION", "WHERE", "LIMIT", "SKIP"}:
            raise self._unexpected()

    def _is_length(self) -> bool:
        """Whether a star stands in the brackets of a relationship: `-[:LINKS*1..3]-`, and is no product."""
        depth, at = 0, self._at - 1
        while at >= 0:
            text = self._tokens[at].text if self._tokens[at].kind is Kind.SIGN else ""
            if text in (")", "]", "}"):
                depth += 1
            elif text in _OPENS:
                if depth == 0:
                    before = self._tokens[at - 1].text if at else ""
                    return text == "[" and before in ("-", "<-")
                depth -= 1
            at -= 1
        return False

    def _bounded(self) -> None:
        """A pattern of any length needs its greatest: *..3, *1..3 or *2."""
        ahead = list(self._tokens[self._at + 1 : self._at + 6])
        while ahead and ahead[0].upper in ("ALL", "SHORTEST"):
            ahead = ahead[1:]
        if ahead and ahead[0].kind is Kind.NUMBER and (len(ahead) < 2 or ahead[1].text != ".."):
            most = ahead[0].text
        elif ahead and ahead[0].text == "..":
            most = ahead[1].text if len(ahead) > 1 else ""
        elif len(ahead) > 2 and ahead[1].text == "..":
            most = ahead[2].text
        else:
            most = ""
        # The scanner reads `1..3` as a number and a sign: `1.` alone is no number.
        if not most.isdigit() or int(most) > MOST_STEPS:
            hint = f"write *1..{MOST_STEPS} at most"
            raise self._refused("cypher_unbounded", "a pattern of any length has no end", hint)

    def _is_node_ahead(self) -> bool:
        return self._tokens[self._at - 1].text in ("(", ":", ",")

    def _after_dot(self) -> bool:
        return self._at > 0 and self._tokens[self._at - 1].text == "."

    def _after_colon(self) -> bool:
        return self._at > 0 and self._tokens[self._at - 1].text in (":", "|")

    @property
    def _now(self) -> Token:
        return self._tokens[self._at]

    @property
    def _next(self) -> Token:
        return self._tokens[min(self._at + 1, len(self._tokens) - 1)]

    def _take_word(self, word: str) -> bool:
        if self._now.upper == word:
            self._at += 1
            return True
        return False

    def _unexpected(self) -> _Refused:
        now = self._now
        if now.upper in _WRITES:
            message = f"{now.upper} does more than read the graph"
            return self._refused("cypher_not_read_only", message, "MATCH … RETURN … is what may be asked")
        shown = now.text or "the end of the query"
        return self._refused(
            "cypher_unreadable", f"{shown} is not expected there", "MATCH … RETURN … LIMIT …"
        )

    def _refused(self, code: str, message: str, hint: str) -> _Refused:
        return _Refused(CypherRefusal(code, message, hint, self._now.place))


def _known_functions() -> str:
    return "known are " + ", ".join(sorted(each.lower() for each in FUNCTIONS))


def _written(found: list[Token]) -> str:
    """Tokens as text: blanks only where two of them would become one."""
    parts: list[str] = []
    for before, each in zip([None, *found], found, strict=False):
        apart = before is not None and not (
            before.text in ("(", "[", "{", ".", ":", "..", "|", "-", "<-", "->")
            or each.text in (")", "]", "}", ",", ".", ":", "..", "|", "(", "-", "->", "<-")
        )
        parts.append(f" {each.text}" if apart else each.text)
    return "".join(parts)
