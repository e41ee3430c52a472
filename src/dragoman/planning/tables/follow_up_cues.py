"""How a message leans on what was asked before it: pronouns, "what about", "also", and how short it is."""

from functools import cache

from dragoman.contracts.record import Record
from dragoman.locales.registry import language
from dragoman.planning.tables.lexicon import Languages, spoken
from dragoman.planning.tables.words import Kind, Token, tokens_of

LONGEST = 6
_SILENT = frozenset({"manners", "only", "also", "about", "instead", "same", "undo", "reverse", "anew"})
"""What says nothing of tables, and would be taken for something else."""


class Context(Record, frozen=True):
    """`kinds`: the ways in which it leans, sorted; `words`: how many words it has besides manners; `leaning`
    are the words that do so, or that are manners."""

    kinds: tuple[str, ...]
    words: int
    leaning: frozenset[str]
    rest: tuple[Token, ...]
    """The message without the words that only say how it leans."""

    def has(self, kind: str) -> bool:
        return kind in self.kinds

    def uncovered(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Of words that nothing accounts for, those that do not lean on what came before either."""
        return tuple(word for word in words if word.casefold() not in self.leaning)


@cache
def _phrases(languages: Languages) -> dict[tuple[str, ...], tuple[str, ...]]:
    """The kinds of a phrase, by its words."""
    found: dict[tuple[str, ...], list[str]] = {}
    for code in languages:
        for kind, phrases in language(code).texts("follow_ups").get("phrases", {}).items():
            for phrase in phrases:
                key = tuple(token.low for token in tokens_of(phrase) if token.kind is not Kind.MARK)
                known = found.setdefault(key, [])
                if kind not in known:
                    known.append(kind)
    return {key: tuple(kinds) for key, kinds in found.items()}


def context_of(tokens: tuple[Token, ...]) -> Context:
    phrases = _phrases(spoken(" ".join(token.text for token in tokens)))
    lows = [token.low for token in tokens]
    kinds: set[str] = set()
    leaning: set[str] = set()
    quiet: set[int] = {at for at, token in enumerate(tokens) if token.kind is Kind.MARK}
    silent: set[int] = set()
    at = 0
    while at < len(tokens):
        length = next(
            (n for n in range(min(LONGEST, len(tokens) - at), 0, -1) if tuple(lows[at : at + n]) in phrases),
            0,
        )
        if not length:
            at += 1
            continue
        here = phrases[tuple(lows[at : at + length])]
        kinds.update(here)
        places = range(at, at + length)
        leaning.update(lows[at : at + length])
        if "manners" in here:
            quiet.update(places)
        if _SILENT.intersection(here):
            silent.update(places)
        at += length
    first = next((n for n in range(len(tokens)) if n not in quiet), None)
    if first is not None and "and" in phrases.get((lows[first],), ()):
        kinds.add("begins")
    rest = tuple(token for at, token in enumerate(tokens) if at not in silent)
    return Context(tuple(sorted(kinds)), len(tokens) - len(quiet), frozenset(leaning), rest)
