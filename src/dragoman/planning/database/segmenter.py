"""Cuts a message into pieces that mean something: the few ways that cover its words best."""

import re
from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from dragoman.databases.values import ValueIndex
from dragoman.locales.short_names import short_names
from dragoman.planning.database import (
    name_segments,
    number_segments,
    period_segments,
    silent_segments,
    span_segments,
    word_segments,
)
from dragoman.planning.database.below_segments import RowsBelow
from dragoman.planning.database.date_verbs import DateVerbs
from dragoman.planning.database.kind_segments import KindSegments
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.length_segments import LengthSegments
from dragoman.planning.database.other_names import KEY_WORDS
from dragoman.planning.database.own_values import OwnValues
from dragoman.planning.database.rank_segments import rank_phrases
from dragoman.planning.database.rival_values import near_names, weighed, whole_values
from dragoman.planning.database.segments import Cut, Piece, Segment
from dragoman.planning.database.turned_flags import TurnedFlags
from dragoman.planning.database.value_segments import ValueSegments
from dragoman.planning.database.vocabulary import Words, english, words_in
from dragoman.planning.database.word_forms import as_outcomes, by_years, reworded
from dragoman.planning.tables.cues import cues_of, linking_words
from dragoman.planning.tables.lexicon import spoken
from dragoman.planning.tables.name_linker import Linker, Named
from dragoman.planning.tables.schema_names import Things
from dragoman.planning.tables.words import Kind, Token, stem, tokens_of
from dragoman.reading.periods import PeriodMention

MOST_CUTS = 4
_SURE = 0.9
_SPLIT = 0.2
"""What it costs to take a cue of several words apart."""
_WHOLE_NAMES = frozenset({"detail", "information"})
"""Words that ask for everything, unless a column is called so."""
_HYPHENED = re.compile(r"\b(above|below)-(?=average\b)", re.IGNORECASE)
"""Two words, whatever stands between them; what is behind them stays where it is."""


class Segmenter:
    """Cuts messages against the names and values of one database."""

    def __init__(self, knowledge: Knowledge, values: ValueIndex, linker: Linker) -> None:
        self._values = ValueSegments(knowledge.things, values)
        self._dates = DateVerbs(knowledge)
        self._own = OwnValues(knowledge)
        self._turned = TurnedFlags(knowledge)
        self._kinds = KindSegments(knowledge)
        self._below = RowsBelow(knowledge.things.graph, linker)
        self._linker = linker
        self._things = knowledge.things
        self._words = {word for thing in knowledge.things.all for word in thing.words}
        things = knowledge.things
        self._doers = frozenset(each.words[-1] for each in things.table_thing.values() if len(each.words) > 1)
        self._discounts = any(discount is not None for _, _, discount in knowledge.lines)
        self._lengths = LengthSegments(knowledge, self._dates, self._words)
        self._yearly = _is_kept_by_years(things) and self._words.isdisjoint(map(stem, english().seasons))
        tables = things.graph.tables.values()
        self._lasting = any(knowledge.ending(table) is not None for table in tables)
        # A follow-up is cut to see how it leans, as an edit, and as a question of its own.
        self._cuts = lru_cache(maxsize=8)(self._cut)

    def cuts(self, text: str, periods: Sequence[PeriodMention] = ()) -> tuple[Cut, ...]:
        """The best few ways to cover the words from left to right."""
        return self._cuts(text, tuple(periods))

    def _cut(self, text: str, periods: tuple[PeriodMention, ...]) -> tuple[Cut, ...]:
        tokens = reworded(tokens_of(_HYPHENED.sub(r"\1 ", text)), self._known, self._is_named, self._doers)
        tokens = by_years(tokens) if self._yearly else tokens
        tokens = as_outcomes(tokens, self._is_counted)
        options = self._options(tokens, words_in(spoken(text)), periods)
        best: dict[int, list[tuple[float, tuple[Segment, ...]]]] = {0: [(0.0, ())]}
        for at in range(len(tokens)):
            for score, segments in best.get(at, ()):
                for option in options[at]:
                    best.setdefault(option.end, []).append((score + option.score, (*segments, option)))
            for end in list(best):
                if end > at:
                    best[end] = sorted(best[end], key=lambda each: -each[0])[:MOST_CUTS]
        return tuple(
            Cut(tuple(map(self._kinds.with_rows, segments)), score)
            for score, segments in best.get(len(tokens), [])
        )

    def _is_counted(self, noun: str) -> bool:
        """Whether a column counts what a noun says, and no table has the games one by one."""
        things = self._things
        names = {stem(noun), *short_names().get(noun, ())}
        numbers = [thing for thing in things.all if thing.is_number and thing.column is not None]
        counts = any(
            each.words == (stem(noun),)
            or (each.column is not None and each.column.info.name.casefold() in names)
            for each in numbers
        )
        contests = set(map(stem, english().contests))
        return counts and not any(contests & set(each.words) for each in things.table_thing.values())

    def _is_named(self, token: Token) -> bool:
        """Whether a word stands in the name of something."""
        return token.stem in self._words

    def _known(self, token: Token) -> bool:
        """Whether a word is the name of something, or a value."""
        return self._linker.knows(token) or self._values.knows(token)

    def _options(
        self, tokens: tuple[Token, ...], words: Words, periods: Sequence[PeriodMention]
    ) -> list[list[Segment]]:
        """What each word may begin."""
        links = self._linker.links(tokens)
        cues = cues_of(tokens)
        languages = spoken(" ".join(token.text for token in tokens))
        spans = period_segments.placed(periods, tokens)
        dated = {*spans, *(at for at in range(len(tokens)) if period_segments.decades(tokens, at))}
        dated |= span_segments.starts(tokens)
        numbered = {
            each.end for named in links.named.values() for each in named if _is_number_of(tokens, each)
        }
        timely = bool(dated) or word_segments.timely(tokens, words)
        options: list[list[Segment]] = []
        for at, token in enumerate(tokens):
            found = _numeric(tokens, at, languages, spans.get(at, []), numbered=at in numbered)
            found += [*span_segments.weekdays(tokens, at), *span_segments.hours(tokens, at)]
            found += self._lengths.segments(tokens, at, words, dated)
            found += number_segments.units(tokens, at)
            fresh = at == 0 or bool(cues.get(at - 1)) or tokens[at - 1].kind is not Kind.WORD
            found += word_segments.cues(tokens, cues.get(at, ()), words, fresh=fresh)
            found = [each for each in found if not self._names_column(tokens, each)]
            found += word_segments.analysts(tokens, at, words)
            found += word_segments.graded(tokens, at, words)
            found += rank_phrases(tokens, at, words)
            found += silent_segments.silent(tokens, at, words)
            found += silent_segments.known_here(tokens, at, words, self._words, self._values.knows)
            found += silent_segments.discounts(tokens, at) if self._discounts else []
            found += silent_segments.today(tokens, at, words) if self._lasting else []
            found += word_segments.signs(tokens, at)
            found += word_segments.apart(tokens, at, words)
            if not (token.low == "to" and at + 1 < len(tokens) and tokens[at + 1].stem in words.date_verbs):
                found += name_segments.names(tokens, near_names(tokens, links.named.get(at, ()), words))
            found += self._turned.at(tokens, at)
            found += self._values.linked(tokens, at, links.valued.get(at, ()), words)
            known = any(segment.piece is not Piece.PERIOD for segment in found)
            found += self._values.begun(tokens, at, cues, words, known=known)
            if token.kind is Kind.MARK:
                found.append(Segment(at, at + 1, Piece.MARK, token.text, token.low, 0.1))
            verbs = word_segments.verbs(tokens, at, words, dated=timely)
            found += self._dates.sure(tokens, words, dated, verbs)
            found += self._dates.before_period(tokens, at, words, dated, options, found)
            found += word_segments.rates(tokens, at, options, found)
            found += silent_segments.kinds(tokens, at, options, found)
            found += silent_segments.members(tokens, at, options, found, words)
            called = frozenset(
                each.thing.number
                for named in links.named.values()
                for each in named
                if each.end == at and each.score >= _SURE and each.thing.column is not None
            )
            found = [each for each in found if not _is_named_length(each, found)]
            found = weighed(found, tokens, at, frozenset(spans), words, called)
            found = self._below.alone(tokens, at, _taught_alone(found))
            if _inside_cue(options, at):
                found = [replace(each, score=each.score - _SPLIT) for each in found]
            options.append(found + self._left_over(tokens, at, found, words))
        return self._own.first(whole_values(options), tokens)

    def _names_column(self, tokens: tuple[Token, ...], cue: Segment) -> bool:
        """Whether words that ask for everything are the name of a column: the details of a product."""
        if cue.piece is not Piece.CUE or "everything" not in cue.kinds:
            return False
        said = [token for token in tokens[cue.start : cue.end] if token.stem in _WHOLE_NAMES]
        return any(token.stem in self._words for token in said)

    def _left_over(
        self,
        tokens: tuple[Token, ...],
        at: int,
        found: list[Segment],
        words: Words,
    ) -> list[Segment]:
        """What a word may be that nothing covers alone."""
        token = tokens[at]
        if any(segment.end == at + 1 for segment in found):
            return []
        if silent := silent_segments.left_over(tokens, at):
            return silent
        if token.low in linking_words():
            return [word_segments.fill(tokens, at)]
        verb = Segment(at, at + 1, Piece.VERB, token.text, token.stem, 0.2)
        return [
            *([verb] if token.stem in words.date_verbs else []),
            *word_segments.slips(at, token, words),
            *self._values.nearly(at, token),
            Segment(at, at + 1, Piece.UNKNOWN, token.text, token.stem, -0.6),
        ]


def _is_kept_by_years(things: Things) -> bool:
    """Whether a year is a part of what tells rows apart: the results of a team in one season."""
    keys = [thing for thing in things.all if thing.is_number and thing.is_key]
    named = [thing for thing in keys if set(thing.words) - KEY_WORDS == {stem("year")}]
    return any(
        each.column is not None and each.column.info.name in each.table.info.primary_key for each in named
    )


def _taught_alone(found: list[Segment]) -> list[Segment]:
    """The pieces that begin at a word: where it was taught, it means that and nothing else."""
    taught = [
        replace(each, names=tuple(named for named in each.names if named.thing.is_taught))
        for each in found
        if any(named.thing.is_taught and named.score >= _SURE for named in each.names)
    ]
    return taught or found


def _inside_cue(options: list[list[Segment]], at: int) -> bool:
    """Whether the word before begins a cue that goes on here: "best selling" is one thing said."""
    before = options[-1] if options else []
    return any(
        each.piece is Piece.CUE and each.end > at and each.kinds & {"most", "least"} for each in before
    )


def _is_number_of(tokens: tuple[Token, ...], named: Named) -> bool:
    """Whether the number behind a name says which one is meant: one of its keys, or "of customer 2019"."""
    thing = named.thing
    if named.score < _SURE or named.end >= len(tokens) or tokens[named.end].kind is not Kind.NUMBER:
        return False
    if thing.column is not None:
        return thing.is_key and thing.is_number
    before = tokens[named.start - 1].low if named.start > 0 else ""
    one = not tokens[named.end - 1].low.endswith("s") and before in english().prepositions and before != "by"
    keys = [thing.table.by_real_name[name].info for name in thing.table.info.primary_key]
    number = float(tokens[named.end].low) if tokens[named.end].low.isdigit() else 0.0
    return one and len(keys) == 1 and keys[0].most is not None and number <= keys[0].most


def _numeric(
    tokens: tuple[Token, ...],
    at: int,
    languages: tuple[str, ...],
    spans: list[Segment],
    *,
    numbered: bool,
) -> list[Segment]:
    """Periods and numbers: a number with a unit is not a year, a year is not a number."""
    numbers = number_segments.numbers(tokens, at, languages)
    measured = any(each.unit is not None or each.money or each.end > at + 1 for each in numbers)
    # "More than 2000" is not a year.
    measured |= period_segments.is_compared(tokens, at) or numbered
    measured |= bool(numbers) and period_segments.is_no_year(spans)
    found: list[Segment] = []
    if not measured or any(span.end != at + 1 for span in spans):
        found += spans
    if measured or not spans:
        found += numbers
    return found + period_segments.decades(tokens, at)


def _is_named_length(segment: Segment, found: Sequence[Segment]) -> bool:
    """Whether a word for how long something takes is the name of a number: the length of a ladder."""
    return segment.piece is Piece.LASTS and any(
        other.piece is Piece.NAME
        and other.end == segment.end
        and any(segment.stem in named.thing.words and named.thing.is_number for named in other.names)
        for other in found
    )
