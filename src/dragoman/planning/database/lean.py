"""How a message leans on the answer before it: which of its words do so, and what is left to be read."""

from functools import cache

from msgspec.structs import replace

from dragoman.contracts.record import Record
from dragoman.locales.registry import language
from dragoman.planning.tables.cues import number_of
from dragoman.planning.tables.lexicon import Languages, spoken
from dragoman.planning.tables.words import Kind, Token, tokens_of
from dragoman.reading.period_grammar import period_grammar

LEANING = 0.8
"""From this strength on a message is about the one before it, whatever it may mean by itself."""
_LONGEST = 6
_SILENT = frozenset(
    {
        *("manners", "only", "also", "about", "instead", "same", "undo", "reverse", "out", "further"),
        *("resize", "placing"),
    }
)
"""Words that only say how a message leans. Read as names they would mislead."""
_OPENING = frozenset(
    {
        "and",
        "about",
        "only",
        "same",
        "also",
        "instead",
        "undo",
        "reverse",
        "rows",
        "whole",
        "out",
        "further",
        "resize",
        "placing",
    }
)
_SLIPPED = 4
_SHORT = 6
_VERB_BEHIND = 3
_AROUND = frozenset({"only", "article", "manners", "asking", "about", "and"})
_MOST_ROWS = 1000
"""A bare number from here on may be a year."""
_VOWELS = frozenset("aeiou")
_WORD = 0.62
"""What a word that is understood is worth to a cut."""


class Lean(Record, frozen=True):
    """`text` is the message with its leaning words blanked, every other word in its place."""

    text: str
    polite: str
    """The message without its manners only."""
    own: str
    """The message without its manners and without what only opens another question: "ok now"."""
    kinds: frozenset[str]
    opening: frozenset[str]
    """The ways in which its first words lean."""
    worth: float
    """What the blanked words would have been worth to a cut."""
    words: int
    pronoun: int | None = None
    """The place of the first pronoun, in words."""
    last: bool = False
    """The pronoun ends the message, or its clause."""
    object: bool = False
    owner: bool = False
    """The pronoun says whose something is: "their"."""
    each_verb: bool = False
    """What stands behind "each" is a verb: "did each place"."""
    dangling: bool = False
    """The message ends with a preposition: "who are they for"."""
    head: int | None = None
    """How many of the first rows the whole message asks for: "the first 5"."""
    size: int | None = None
    """How many rows the whole message makes of a top: "make it ten"."""

    def has(self, *kinds: str) -> bool:
        return not self.kinds.isdisjoint(kinds)

    def opens(self, *kinds: str) -> bool:
        return not self.opening.isdisjoint(kinds)

    @property
    def strength(self) -> float:
        """How much the message cannot stand alone."""
        pointing = self.has("plural") or (self.has("singular") and self.pronoun is not None)
        return max(self.else_strength, 1.0 if pointing else 0.0)

    @property
    def else_strength(self) -> float:
        """How much it cannot stand alone if its pronoun is about something of its own."""
        strong = 1.0 if self.opening & _OPENING else 0.0
        only = 0.8 if self.has("only") and self.words <= _SHORT else 0.0
        return max(
            strong,
            only,
            0.8 if self.has("undo", "reverse", "instead", "replaced", "same", "first") else 0.0,
            1.0 if self.head is not None else 0.0,
        )


class Phrase(Record, frozen=True):
    """Words that lean together: their places in words and in letters."""

    first: int
    last: int
    start: int
    end: int
    kinds: frozenset[str]


@cache
def _phrases(languages: Languages) -> dict[tuple[str, ...], frozenset[str]]:
    found: dict[tuple[str, ...], frozenset[str]] = {}
    for code in languages:
        texts = language(code).texts("follow_ups")
        for section in ("phrases", "edits"):
            for kind, phrases in texts.get(section, {}).items():
                for phrase in phrases:
                    key = tuple(token.low for token in tokens_of(phrase))
                    found[key] = found.get(key, frozenset()) | {kind}
    return found


def lean_of(text: str) -> Lean:
    tokens = tokens_of(text)
    phrases = _phrases(spoken(text))
    kinds: set[str] = set()
    opening: frozenset[str] | None = None
    blank: list[Token] = []
    manners: list[Token] = []
    shifts: list[Token] = []
    pronoun: int | None = None
    last = held = owner = False
    at = 0
    while at < len(tokens):
        tokens = _mended(tokens, at, phrases)
        length = _longest(tokens, at, phrases)
        here = _kinds_at(text, tokens, at, length, phrases)
        here = _in_place(here, opens=opening is None)
        if "dropped" in here and opening is None and (clause := _clause(tokens, at)):
            # "Forget the towns. Sales per region": only what comes behind it is asked.
            manners.extend(tokens[at:clause])
            blank.extend(tokens[at:clause])
            kinds.add("dropped")
            at = clause
            continue
        kinds.update(here - {"dropped"})
        if opening is None and "manners" not in here and tokens[at].kind is not Kind.MARK:
            opening = here
        several = "each" in here and length > 1
        if (here & {"plural", "singular"} or several) and pronoun is None:
            pronoun, last, held = at, _ends(tokens, at + max(length, 1)), "object" in here
            owner = "owner" in here
        if "manners" in here or here == {"instead"}:
            # "Instead" is part of no question of its own, and may look like a name.
            manners.extend(tokens[at : at + length])
        if "shift" in here and opening is here:
            shifts.extend(tokens[at : at + length])
        begins = opening is here and here == {"and"}
        end = at + max(length, 1)
        slipped = text[tokens[at].start : tokens[at].end].casefold() != tokens[at].low and here
        if "onward" not in here or opening is here:
            # "By floor, then name": the order goes on.
            blank.extend(tokens[at:end] if begins or slipped else _silent(tokens[at:end], here, tokens[end:]))
        at += max(length, 1)
    count = sum(token.kind is not Kind.MARK for token in tokens if token not in manners)
    worth = _WORD * len(blank)
    return Lean(
        _blanked(text, blank),
        _blanked(text, manners),
        _blanked(text, [*manners, *shifts]),
        frozenset(kinds),
        opening or frozenset(),
        worth,
        count,
        pronoun,
        last,
        held,
        owner,
        _verb_behind(tokens, phrases),
        _dangles(tokens, phrases),
        *_rows_asked(tokens, phrases, spoken(text)),
    )


def _rows_asked(
    tokens: tuple[Token, ...], phrases: dict[tuple[str, ...], frozenset[str]], languages: Languages
) -> tuple[int | None, int | None]:
    """How many rows the whole message asks for: of those in hand, and of a top."""
    return _head(tokens, phrases, languages), _size(tokens, phrases, languages)


def _in_place(kinds: frozenset[str], *, opens: bool) -> frozenset[str]:
    """How a phrase leans where it stands: some verbs only do so at the beginning."""
    if "parting" in kinds:
        kinds = kinds - {"parting"} | ({"further"} if opens else set())
    return kinds if opens else kinds - {"placing"}


def is_one(word: str) -> bool:
    """Whether a word stands for one of the rows that were spoken of: he, she."""
    return "singular" in _phrases(spoken(word)).get((word.casefold(),), frozenset())


def said_phrases(text: str) -> list[Phrase]:
    """The phrases of a message by which it leans; any other word and every sign alone."""
    tokens, phrases = tokens_of(text), _phrases(spoken(text))
    found, at = [], 0
    while at < len(tokens):
        length = max(_longest(tokens, at, phrases), 1)
        said = tokens[at : at + length]
        kinds = phrases.get(tuple(token.low for token in said), frozenset[str]())
        found.append(Phrase(at, at + length, said[0].start, said[-1].end, kinds))
        at += length
    return found


def _kinds_at(
    text: str,
    tokens: tuple[Token, ...],
    at: int,
    length: int,
    phrases: dict[tuple[str, ...], frozenset[str]],
) -> frozenset[str]:
    """How the phrase at a place leans."""
    here = phrases[tuple(token.low for token in tokens[at : at + length])] if length else frozenset()
    if "joining" in here and not _points(tokens, at, length, phrases):
        here = here - {"singular"}
    if "existing" in here and _points_there(tokens, at, phrases):
        here = here | {"singular", "object"}
    if "singular" in here and _begins_period(text, tokens[at]):
        here = frozenset()
    if here & {"singular", "plural"} and is_written_as_name(text[tokens[at].start : tokens[at].end], text):
        # "And for IT" is about a department, and points at nothing.
        here = here - {"singular", "plural", "object"}
    return here


def is_written_as_name(word: str, text: str) -> bool:
    """Whether a word stands in capitals where the rest of a message does not."""
    return len(word) > 1 and word.isupper() and not text.isupper()


def _clause(tokens: tuple[Token, ...], at: int) -> int:
    """Where the clause ends that a word begins; 0 where nothing comes behind it."""
    marks = (n for n, token in enumerate(tokens[at:], at) if token.kind is Kind.MARK)
    end = next(marks, len(tokens)) + 1
    return end if any(token.kind is not Kind.MARK for token in tokens[end:]) else 0


def _begins_period(text: str, token: Token) -> bool:
    """The "this" of "this month" stands for nothing."""
    return any(each.start == token.start for each in period_grammar().find(text))


def _verb_behind(tokens: tuple[Token, ...], phrases: dict[tuple[str, ...], frozenset[str]]) -> bool:
    """ "How many boats did each build", "which ward does each lie in": nothing but a verb and perhaps a
    preposition, where a verb has gone before "each"."""
    words = [token.low for token in tokens if token.kind is not Kind.MARK]
    if len(words) > _VERB_BEHIND and "governing" in phrases.get((words[-1],), ()):
        words = words[:-1]
    if len(words) < _VERB_BEHIND or "each" not in phrases.get((words[-2],), ()):
        return False
    return "doing" in phrases.get((words[-3],), ())


def _dangles(tokens: tuple[Token, ...], phrases: dict[tuple[str, ...], frozenset[str]]) -> bool:
    words = [token.low for token in tokens if token.kind is not Kind.MARK]
    kinds = phrases.get((words[-1],), frozenset()) if words else frozenset[str]()
    return "governing" in kinds and kinds.isdisjoint({"being", "doing"})


def _head(
    tokens: tuple[Token, ...], phrases: dict[tuple[str, ...], frozenset[str]], languages: Languages
) -> int | None:
    """ "Just the first 3", "the first one": nothing but the first ones, and how many."""
    words = [token for token in tokens if token.kind is not Kind.MARK]
    asking = (token.low for token in words)
    place = next((n for n, low in enumerate(asking) if "head" in phrases.get((low,), ())), None)
    if place is None or any(not phrases.get((token.low,), frozenset()) & _AROUND for token in words[:place]):
        return None
    rest = words[place + 1 :]
    if not rest or any("ones" not in phrases.get((token.low,), ()) for token in rest[1:]):
        return None
    if number_of(rest[0], languages) is None:
        return 1 if rest[0].low != "ones" and "ones" in phrases.get((rest[0].low,), ()) else None
    return _whole(rest[0], languages)


def _size(
    tokens: tuple[Token, ...], phrases: dict[tuple[str, ...], frozenset[str]], languages: Languages
) -> int | None:
    """ "Make it ten", "ten": nothing but how many there are to be, whatever else is called ten."""
    words = tuple(token for token in tokens if token.kind is not Kind.MARK)
    length = _longest(words, 0, phrases)
    said = phrases.get(tuple(token.low for token in words[:length]), frozenset[str]())
    rest = words[length:] if "resize" in said else words
    if not rest or any(_plain(each, phrases) for each in rest[1:]):
        return None
    number = _whole(rest[0], languages)
    return number if number is not None and (number < _MOST_ROWS or "resize" in said) else None


def _plain(token: Token, phrases: dict[tuple[str, ...], frozenset[str]]) -> bool:
    """Whether a word says something of its own."""
    return not phrases.get((token.low,), frozenset()) & {"ones", "instead", "manners"}


def _whole(token: Token, languages: Languages) -> int | None:
    number = number_of(token, languages)
    return int(number) if number is not None and number >= 1 and number % 1 == 0 else None


def _mended(
    tokens: tuple[Token, ...], at: int, phrases: dict[tuple[str, ...], frozenset[str]]
) -> tuple[Token, ...]:
    """Two letters of a pronoun that changed places, or another vowel: "thier", "thay"."""
    low = tokens[at].low
    if len(low) < _SLIPPED or (low,) in phrases or not low.isalpha():
        return tokens
    for key, kinds in phrases.items():
        alike = len(key) == 1 and kinds & {"plural", "singular"} and key[0][0] == low[0]
        if alike and len(key[0]) == len(low) and (sorted(key[0]) == sorted(low) or _vowel(key[0], low)):
            return (*tokens[:at], replace(tokens[at], low=key[0]), *tokens[at + 1 :])
    return tokens


def _vowel(one: str, other: str) -> bool:
    """Whether two words differ in one vowel."""
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    return len(pairs) == 1 and set(pairs[0]) <= _VOWELS


def _longest(tokens: tuple[Token, ...], at: int, phrases: dict[tuple[str, ...], frozenset[str]]) -> int:
    for length in range(min(_LONGEST, len(tokens) - at), 0, -1):
        if tuple(token.low for token in tokens[at : at + length]) in phrases:
            return length
    return 0


def _ends(tokens: tuple[Token, ...], at: int) -> bool:
    return at >= len(tokens) or tokens[at].kind is Kind.MARK


def _points(
    tokens: tuple[Token, ...], at: int, length: int, phrases: dict[tuple[str, ...], frozenset[str]]
) -> bool:
    """Whether a word that may join a clause points at something: it ends one, or a noun is due."""
    if _ends(tokens, at + length):
        return True
    return at > 0 and "governing" in phrases.get((tokens[at - 1].low,), ())


def _points_there(tokens: tuple[Token, ...], at: int, phrases: dict[tuple[str, ...], frozenset[str]]) -> bool:
    """ "Who works there" is about a place; "how many are there" only asks whether something exists."""
    behind = at > 0 and "being" in phrases.get((tokens[at - 1].low,), ())
    return at > 0 and not behind and _ends(tokens, at + 1)


def _silent(phrase: tuple[Token, ...], kinds: frozenset[str], rest: tuple[Token, ...]) -> list[Token]:
    """The words to blank. What "instead of" names goes; a preposition behind "and" stays: it says a role."""
    if "replaced" in kinds:
        clause = next((n for n, token in enumerate(rest) if token.kind is Kind.MARK), len(rest))
        return [*phrase, *rest[:clause]]
    if "by" in kinds and "further" in kinds:
        return list(phrase[:-1])
    if not kinds & _SILENT:
        return []
    if (
        "about" in kinds
        and len(phrase) > 1
        and "and" in _phrases(spoken(phrase[0].text)).get((phrase[0].low,), ())
    ):
        return []
    return list(phrase)


def _blanked(text: str, tokens: list[Token]) -> str:
    letters = list(text)
    for token in tokens:
        letters[token.start : token.end] = " " * (token.end - token.start)
    return "".join(letters)
