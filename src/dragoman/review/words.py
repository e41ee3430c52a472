"""A message as the second reader sees it: words by their base forms, numbers, quoted texts, and cues."""

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache

from msgspec.structs import replace

from dragoman.contracts.record import Record
from dragoman.locales.language import Language
from dragoman.locales.registry import FALLBACK, language, languages
from dragoman.reading.languages import Spoken, spoken_with
from dragoman.reading.lemmas import keys_of
from dragoman.reading.period_grammar import period_grammar
from dragoman.reading.periods import Bound, PeriodMention
from dragoman.reading.tokens import fold
from dragoman.review.vocabulary import Vocabulary, vocabulary

MOST_CHARACTERS = 2_000

_PIECE = re.compile(
    r"""(?P<quoted>(?<!\w)"[^"]{1,200}"|(?<!\w)'(?:[^']|(?<=\w)'(?=\w)){1,200}'(?!\w)|“[^”]{1,200}”|‘[^’]{1,200}’|«[^»]{1,200}»)
    |(?P<number>(?<![\w.])(?<!\w-)(?:(?<=\s)-)?\d+(?:[.,]\d+)*(?=[\uac00-\ud7a3]|(?!\w))(?![-/:]\d)(?!\.\d))
    |(?P<scaled>(?<![\w.])\d+(?:[.,]\d+)?(?=(?:k|m|bn|mln)\b))
    |(?P<word>[\uac00-\ud7a3]+|[^\W_\uac00-\ud7a3]+(?:['’][^\W_\uac00-\ud7a3]+)*|[%\#])""",
    re.VERBOSE,
)
_SENTENCE_END = re.compile(r"[.?!:]\s*$")


class Word(Record, frozen=True):
    """`keys`: the form and what it may be a form of. `number` is its value where it is one."""

    text: str
    form: str
    keys: frozenset[str]
    start: int
    end: int
    number: Decimal | None = None
    quoted: bool = False
    capital: bool = False
    """It has a capital that no beginning of a sentence asks for."""

    @property
    def is_plural(self) -> bool:
        """Whether an English word is a plural. "Status" and "address" are none, whatever they end with."""
        ends = self.form.endswith("s") and not self.form.endswith(("ss", "us", "is"))
        return ends and len(self.keys) > 1


class Cue(Record, frozen=True):
    """What a phrase does, and the words it is made of: from `first` up to `last`, which it does not take."""

    does: str
    first: int
    last: int


class Message(Record, frozen=True, gc=True):
    """A message, read."""

    text: str
    spoken: Spoken
    vocabulary: Vocabulary
    words: tuple[Word, ...]
    cues: tuple[Cue, ...]
    periods: tuple[PeriodMention, ...]

    def counted_from(self, day: dt.date) -> "Message":
        """The message with its relative periods by the calendar."""
        return replace(self, periods=tuple(each.on_calendar(day) for each in self.periods))

    @property
    def small_words(self) -> frozenset[str]:
        return frozenset().union(*(each.function_words() for each in self.spoken.languages))

    def does(self, *names: str) -> tuple[Cue, ...]:
        return tuple(cue for cue in self.cues if cue.does in names)

    def said(self, cue: Cue) -> str:
        return self.text[self.words[cue.first].start : self.words[cue.last - 1].end]

    def in_period(self, word: Word) -> bool:
        return any(each.start <= word.start < each.end for each in self.periods)

    def hints(self, name: str) -> bool:
        """Whether any word may stand for a kind of thing."""
        known = self.vocabulary.hints.get(name, frozenset())
        return any(word.keys & known for word in self.words)


@lru_cache(maxsize=64)
def read_message(text: str, code: str) -> Message:
    # Several programs are reviewed for one message.
    text = text[:MOST_CHARACTERS]
    known = language(code if code in languages() else FALLBACK)
    spoken = spoken_with(known.code, text)
    told = vocabulary(known.code)
    words = tuple(_words(text, spoken, known, told))
    cues = tuple(_cues(words, told))
    words = _with_amounts(words, cues, told)
    periods = tuple(_opened(each, words, cues) for each in _periods(text, spoken, words, told))
    return Message(text, spoken, told, words, cues, periods)


AND_A_HALF = ("and", "a", "half")
_COMPARING = frozenset({"above", "below", "at-least", "at-most"})


def _with_amounts(words: tuple[Word, ...], cues: tuple[Cue, ...], told: Vocabulary) -> tuple[Word, ...]:
    """ "More than an hour", "under half a mile": an article before a unit is the number one."""
    found = list(words)
    for at, word in enumerate(words):
        if word.form in told.singles and tuple(each.form for each in words[at + 1 : at + 4]) == AND_A_HALF:
            found[at] = replace(word, number=Decimal(1))
    for cue in cues:
        at = cue.last
        half = at < len(words) and words[at].form in told.halves
        article, unit = words[at + half : at + half + 1], words[at + half + 1 : at + half + 2]
        if cue.does not in _COMPARING or not article or not unit:
            continue
        if article[0].form in told.one_of and unit[0].form in told.units:
            found[at] = replace(words[at], number=Decimal("0.5") if half else Decimal(1))
    return tuple(found)


def keys(word: str, spoken: Spoken) -> frozenset[str]:
    return frozenset(keys_of(fold(word), spoken))


def _words(text: str, spoken: Spoken, known: Language, told: Vocabulary) -> Iterator[Word]:
    for piece in _PIECE.finditer(text):
        shown, start, end = piece.group(), piece.start(), piece.end()
        match piece.lastgroup:
            case "quoted":
                inner = shown[1:-1].strip()
                if any(letter.isalnum() for letter in inner):
                    yield Word(inner, fold(inner), frozenset({fold(inner)}), start, end, quoted=True)
            case "number" | "scaled":
                yield Word(shown, shown, frozenset({shown}), start, end, _number(shown, known))
            case _:
                form = fold(shown)
                value = told.numbers.get(form)
                number = None if value is None else Decimal(value)
                capital = shown[0].isupper() and not known.capital_nouns and not _opens(text, start)
                keys = frozenset(keys_of(form, spoken)) | _meant(form, known, told)
                yield Word(shown, form, keys, start, end, number, capital=capital)


_SLIP = 6
"""A shorter word is too often another one."""


def _meant(form: str, known: Language, told: Vocabulary) -> frozenset[str]:
    """The cue that a word is one slip of the keyboard away from: avergae, diffrent."""
    if len(form) < _SLIP or not form.isalpha() or form in told.cues or known.has_word(known, form):
        return frozenset()
    return _near_cues(form, told.single_cues)


@lru_cache(maxsize=1024)
def _near_cues(form: str, cues: frozenset[str]) -> frozenset[str]:
    from rapidfuzz.distance import OSA

    return frozenset(
        cue
        for cue in cues
        if len(cue) > _SLIP and cue[0] == form[0] and OSA.distance(form, cue, score_cutoff=1) == 1
    )


def _opens(text: str, start: int) -> bool:
    before = text[:start].rstrip("\"'“«( ")
    return not before or bool(_SENTENCE_END.search(before))


def _number(written: str, known: Language) -> Decimal | None:
    """What digits stand for: 1,000.5 in English, 1.000,5 in German; the other way round where that fails."""
    for point, mark in ((known.decimal, known.thousands), (".", ",")):
        grouped = rf"-?\d{{1,3}}(?:{re.escape(mark)}\d{{3}})+(?:{re.escape(point)}\d+)?"
        if re.fullmatch(grouped, written) or re.fullmatch(rf"-?\d+(?:{re.escape(point)}\d+)?", written):
            return Decimal(written.replace(mark, "").replace(point, "."))
    return None


def _cues(words: Sequence[Word], told: Vocabulary) -> Iterator[Cue]:
    at = 0
    while at < len(words):
        found = _longest(words, at, told)
        if not found:
            if not words[at].quoted and told.superlative.search(words[at].form):
                yield Cue("extreme", at, at + 1)
            at += 1
            continue
        size = len(found[0][0])
        yield from (Cue(cue, at, at + size) for _, cue in found)
        at += size


def _longest(words: Sequence[Word], at: int, told: Vocabulary) -> list[tuple[tuple[str, ...], str]]:
    """Every cue of the longest phrase that begins here. A phrase of one word prefers the form itself."""
    if words[at].quoted:
        return []
    best: list[tuple[tuple[str, ...], str]] = []
    for first in sorted(words[at].keys, key=lambda key: key != words[at].form):
        for phrase, cue in told.cues.get(first, ()):
            if cue in told.as_written and first != words[at].form:
                continue
            size = len(phrase)
            if best and size < len(best[0][0]):
                break
            rest = words[at + 1 : at + size]
            if len(rest) == size - 1 and all(
                wanted in word.keys and not word.quoted for wanted, word in zip(phrase[1:], rest, strict=True)
            ):
                best = [*best, (phrase, cue)] if best and size == len(best[0][0]) else [(phrase, cue)]
    return best


def _is_possible(mention: PeriodMention) -> bool:
    return replace(mention, open_ended=False).possible


def _periods(text: str, spoken: Spoken, words: Sequence[Word], told: Vocabulary) -> Iterator[PeriodMention]:
    """The periods, without what only looks like one: a quoted text, a lone word that is also a month."""
    quoted = [(word.start, word.end) for word in words if word.quoted]
    for mention in period_grammar(spoken).find(text):
        if any(start <= mention.start < end for start, end in quoted) or not _is_possible(mention):
            continue
        lone = mention.month is not None and mention.year is None and mention.day is None
        if lone and mention.until is None and mention.year_shift is None and told.before_month:
            before = [word.form for word in words if word.end <= mention.start][-1:]
            first = text[mention.start : mention.end].split()[:1]
            led = before and before[0] in told.before_month
            if not led and not (first and fold(first[0]) in told.before_month):
                continue
        yield _bounded(_with_first_day(text, mention), words, told)


def _bounded(mention: PeriodMention, words: Sequence[Word], told: Vocabulary) -> PeriodMention:
    """ "Earlier than 1960" is before it, though no word of dates says so."""
    before = [word for word in words if word.end <= mention.start][-2:]
    for name, bound in (("before", Bound.BEFORE), ("after", Bound.AFTER)):
        if mention.bound is None and any(word.keys & told.bounds.get(name, frozenset()) for word in before):
            return replace(mention, bound=bound, open_ended=True)
    return mention


def _opened(mention: PeriodMention, words: Sequence[Word], cues: Sequence[Cue]) -> PeriodMention:
    """ "In 2001 or before" has no first day."""
    at = sum(word.start < mention.end for word in words)
    for name, bound in (("or-less", Bound.UNTIL), ("or-more", Bound.SINCE)):
        if mention.bound is None and any(cue.does == name and cue.first == at for cue in cues):
            return replace(mention, bound=bound, open_ended=True)
    return mention


_FIRST_DAY = re.compile(r"(?<!\w)(\d{1,2})\.?\s*(?:[^\W\d_]{1,3}|-|–)\s*$")


def _with_first_day(text: str, mention: PeriodMention) -> PeriodMention:
    """ "10 and 20 June": the day before it is of the same month."""
    before = _FIRST_DAY.search(text, 0, mention.start)
    if before is None or mention.day is None or mention.until is not None or mention.bound is not None:
        return mention
    first = int(before[1])
    if not 1 <= first < mention.day:
        return mention
    whole = text[before.start() : mention.end]
    return replace(mention, start=before.start(), text=whole, day=first, until=mention)
