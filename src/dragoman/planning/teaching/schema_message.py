"""A message in the words of the schema: taught names in its own words, and conditions taken out.

“Late orders by month” is “orders by month”, held to what late means. So a taught condition is as sure as the
question is without it.
"""

import re
from functools import cache
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.program import Sequence, Text, Value
from dragoman.contracts.record import Record
from dragoman.contracts.taught import TaughtKind, TaughtWord
from dragoman.locales.registry import FALLBACK, language
from dragoman.planning.tables.name_words import plain_words
from dragoman.planning.tables.words import in_one, stem
from dragoman.planning.teaching.named_things import noun_of
from dragoman.planning.teaching.said_words import is_dated_verb, meaning_of
from dragoman.planning.teaching.totals import AddsUp, is_ratio
from dragoman.reading.periods import PeriodMention
from dragoman.reading.teaching import Reworders, rewording_words
from dragoman.tables.graph import Graph, Table


class Reworded(Record, frozen=True):
    """What a message is in the words of the schema, and the conditions that its rows are held to beside."""

    text: str
    conditions: tuple[TaughtWord, ...] = ()
    left: tuple[TaughtWord, ...] = ()
    """The taught words that are still in it."""
    shared: bool = False
    """What is asked for is the share of rows with the condition."""
    moves: tuple[tuple[int, int], ...] = ()
    """From which place of the message on its words stand further, and how far."""

    def placed(self, periods: tuple[PeriodMention, ...]) -> tuple[PeriodMention, ...]:
        """Periods of the message where they stand in this text."""
        return tuple(
            replace(each, start=each.start + moved, end=each.end + moved)
            for each in periods
            for moved in [sum(by for at, by in self.moves if at <= each.start)]
        )

    @property
    def only_narrows(self) -> bool:
        """Whether nothing is left but words that hold rows to something: only those that are late."""
        return bool(self.conditions) and all(
            word in _words().narrows for word in re.findall(r"[\w']+", self.text.casefold())
        )

    @property
    def instead(self) -> bool:
        """Whether it asks the same of other rows: and the open ones?"""
        return _words().instead.match(self.text.strip()) is not None


def reworded(text: str, words: tuple[TaughtWord, ...], graph: Graph, adds_up: AddsUp) -> Reworded | None:
    """None where nothing can be said otherwise: a calculation has no words of the schema, a verb for a date
    none at all, and what is denied or chosen from is more than a condition."""
    made = _counted(Reworded(text), words)
    for word in words:
        table = graph.by_name.get(word.of)
        if table is None or word.kind in _COMPUTED or is_dated_verb(word, graph):
            made = replace(made, left=(*made.left, word))
        elif word.is_condition:
            without = _without(made, word, table, graph)
            if without is None:
                return None
            made = without
        else:
            made = _named(made, word, table, adds_up)
    if made.shared and len(made.conditions) != 1:
        return None
    return made if made.text != text else None


def as_total(text: str, words: tuple[TaughtWord, ...], adds_up: AddsUp) -> Reworded | None:
    """A message that compares things by a taught amount, with that amount as a total: “the rep with the
    highest revenue” ranks reps by what their rows come to, and no row by its own amount. None where the
    message does nothing of the kind."""
    made = Reworded(text)
    for word in words:
        found = _pattern(word.word).search(made.text)
        if found is None or not _is_amount(word, adds_up):
            continue
        if _compares(made.text[: found.start()], made.text[found.end() :]):
            made = _put(made, found.start(), found.end(), f"{_words().total_of}{found.group()}")
    return made if made.text != text else None


def _compares(before: str, after: str) -> bool:
    """Whether the words around an amount compare things by it: the highest, above 100, average per order."""
    known = _words()
    if known.averages.search(before):
        return known.each.search(after) is not None
    return known.compares.search(before) is not None or known.compared.match(after) is not None


def counts_rows(text: str, words: tuple[TaughtWord, ...]) -> bool:
    """Whether a message asks for a number of rows by a name that was taught for them: the number of lines."""
    named = (each for each in words if each.kind in (TaughtKind.TABLE, TaughtKind.COUNT))
    return any(
        _words().counts.search(text[: found.start()])
        for each in named
        if (found := _pattern(each.word).search(text)) is not None
    )


def _is_amount(word: TaughtWord, adds_up: AddsUp) -> bool:
    """Whether many of what a word means come to one."""
    if word.kind is TaughtKind.FIGURE:
        return not is_ratio(word)
    meaning = meaning_of(word) if word.kind is TaughtKind.COLUMN else None
    return isinstance(meaning, Text) and adds_up(word.of, meaning.value)


def _counted(made: Reworded, words: tuple[TaughtWord, ...]) -> Reworded:
    """The share of rows that have a condition, as how many rows there are."""
    found = _words().share_of.match(made.text)
    if found is None or not any(word.is_condition for word in words):
        return made
    return _put(replace(made, shared=True), found.start(), found.end(), _words().count_of)


def _named(made: Reworded, word: TaughtWord, table: Table, adds_up: AddsUp) -> Reworded:
    meaning = meaning_of(word) if word.kind in (TaughtKind.COLUMN, TaughtKind.VALUE) else None
    name = noun_of(table)
    if word.kind is TaughtKind.VALUE:
        name = _choice(meaning) or name
    elif isinstance(meaning, Text):
        column = table.column(meaning.value)
        name = " ".join(plain_words(column.info.name)) if column is not None else name
    found = _pattern(word.word).search(made.text)
    if found is None:
        return replace(made, left=(*made.left, word))
    many = found.group().casefold().endswith("s") and not name.endswith("s")
    many = many and word.kind is not TaughtKind.VALUE
    name = f"{name}s" if many else name
    alone = _words().asks_amount.fullmatch(made.text[: found.start()]) is not None
    if alone and isinstance(meaning, Text) and adds_up(word.of, meaning.value):
        # What an amount is that is asked for alone is what all of them come to.
        name = f"{_words().total_of}{name}"
    return _put(made, found.start(), found.end(), name)


def _choice(meaning: Value | None) -> str:
    """A value, or one of several: Germany, Austria or Switzerland."""
    match meaning:
        case Text(value=value):
            return value
        case Sequence(items=items):
            *first, last = [item.value for item in items if isinstance(item, Text)]
            return f"{', '.join(first)} {_words().one_of} {last}"
        case _:
            return ""


def _without(made: Reworded, word: TaughtWord, table: Table, graph: Graph) -> Reworded | None:
    """A message without a condition. Where it stands for the rows themselves, their name takes its place."""
    found = _pattern(word.word).search(made.text)
    if found is None:
        return None
    before, after = made.text[: found.start()], made.text[found.end() :]
    known, said = _words(), before.casefold().split()
    opens = known.instead.fullmatch(before.lstrip()) is not None
    beside = {*(() if opens else said[-1:]), *after.casefold().split()[:1]} - (known.groups - set(said[-1:]))
    if known.denies & set(said[-_NEAR:]) or known.shares & {*said, *after.casefold().split()}:
        return None
    if made.shared and _starts_with_noun(after, table, graph):
        # The share of late orders that were paid is a share of those alone.
        return None
    if (known.chooses | known.groups) & beside:
        return None
    held = replace(made, conditions=(*made.conditions, word))
    noun = _starts_with_noun(after, table, graph)
    clause = known.clause.search(before)
    if not noun and clause is not None:
        start = clause.start()
        names = _has_noun(before[:start] + after, table, graph)
        return _put(held, start, found.end(), "" if names else noun_of(table))
    if noun or known.ones.match(after):
        return _put(held, found.start(), found.end(), "")
    return _put(held, found.start(), found.end(), noun_of(table))


def _put(made: Reworded, start: int, end: int, text: str) -> Reworded:
    """A text in the place of a piece, at least as long as that: what stands behind stays where it is."""
    padded = text.ljust(end - start)
    by = len(padded) - (end - start)
    moves = (*made.moves, (start, by)) if by else made.moves
    return replace(made, text=made.text[:start] + padded + made.text[end:], moves=moves)


def _starts_with_noun(text: str, table: Table, graph: Graph) -> bool:
    """Whether the name of some table comes next, or one word later: late customer orders."""
    words = [stem(word) for word in re.findall(r"[\w'-]+", text)[:_NOUN]]
    return any(_nouns(each) & set(words) for each in graph.tables.values())


def _has_noun(text: str, table: Table, graph: Graph) -> bool:
    words = {stem(word) for word in re.findall(r"[\w'-]+", text)}
    pronouns = _words().pronouns
    return bool(_nouns(table) & words) or not pronouns.isdisjoint(text.casefold().split())


def _nouns(table: Table) -> set[str]:
    return {stem(word) for word in plain_words(table.info.name)}


@cache
def _pattern(word: str) -> re.Pattern[str]:
    """A word in either number, its parts with blanks or dashes between."""
    *parts, last = re.split(r"[\s-]+", word.casefold())
    one = in_one(last)
    ends = "|".join(sorted({re.escape(last), re.escape(one), rf"{re.escape(one)}e?s"}, key=len, reverse=True))
    return re.compile(r"\b" + "".join(rf"{re.escape(part)}[\s-]+" for part in parts) + rf"(?:{ends})\b", re.I)


@cache
def _words() -> Reworders:
    return rewording_words(language(FALLBACK))


_COMPUTED: Final = (TaughtKind.FIGURE, TaughtKind.COUNT)
_NEAR: Final = 3
_NOUN: Final = 2
