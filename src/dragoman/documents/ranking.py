"""How much of a question a passage has: the confidence with which it is given.

A question is its content words, each with a weight: a rare word says more than one that every passage has, a
name or a number more than any, and words that only ask ("need", "allowed") next to nothing. A passage has a
word in its own text, under its headings, by a word of the same family, or by another one that means the same;
each counts for less than the one before. The confidence is the share of the weight that the passage has, and
less where the question asks for an amount, a time or a price and nothing of the kind stands there.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.record import Record
from dragoman.documents.asked_for import AskedFor
from dragoman.documents.index import Kept, OpenIndex
from dragoman.documents.synonyms import synonyms
from dragoman.documents.terms import Word, is_hangul, is_small, pairs, spoken_of, words_of
from dragoman.documents.wordlists import agents, joins

BODY: Final = 1.0
ABOVE: Final = 0.95
"""In the heading of the passage."""
TITLE: Final = 0.7
"""In a heading further up, or in the name of the file: said of much else too."""
KIN: Final = 0.8
"""By a word of the same family: approve, approval."""
_DOER: Final = 0.5
PART: Final = 0.75
BESIDE: Final = 0.4
"""In another passage under the same heading."""
AROUND: Final = 0.15
"""Under another heading of the same section."""
LIGHT: Final = 0.15
NAMED: Final = 1.4
_COMMON: Final = 0.35
_DOING: Final = 0.5
"""What is done: answers often have another verb."""
_DOING_OF_HOW: Final = 1.1
"""What is done, where the question is how to do it."""
_GUESSED: Final = 0.55
_MODIFIER: Final = 0.4
"""Only the first part of a compound: a children's birthday is no child."""
_UNMET: Final = 0.58
"""What stays of a confidence where the kind of thing that was asked for does not stand there."""
_UNNAMED: Final = 0.5
"""What stays where a thing was asked for by its name or number, and the passage is not of that thing."""
SECTION: Final = 12
"""More passages than these under one heading are about more than one thing."""
_FEWEST_LETTERS: Final = 5
_SAME: Final = 0.7
_MOST_ENDING: Final = 5
_SENTENCE: Final = re.compile(r"(?<=[.!?。;])\s+|\n")


class Sought(Record, frozen=True, gc=True):
    """A content word of a question."""

    word: Word
    weight: float
    others: tuple[tuple[str, float], ...]
    """Words that mean the same, each with how surely."""
    light: bool = False
    named: bool = False
    """It names one thing among its like, which no other word can do."""
    subject: bool = False
    """A document is named by it, and no dictionary has it: what is asked is asked of that thing."""


class Said(Record, frozen=True):
    """The words of a text by which it is held against a question."""

    keys: frozenset[str]
    parts: frozenset[str]


def sought_in(question: str, code: str, index: OpenIndex, asking: AskedFor) -> tuple[Sought, ...]:
    """The content words of a question, each once."""
    spoken = index.languages()
    subjects = index.subjects()
    found: dict[str, Sought] = {}
    words = list(words_of(question, code))
    forms = ["", *(word.form for word in words), ""]
    for place, word in enumerate(words, 1):
        if is_small(word, code):
            continue
        if len(word.form) < 2 and not word.form.isdigit():
            continue
        light = asking.is_light(word)
        others = () if word.form.isdigit() else tuple(synonyms(word, code, spoken).items())
        if light:
            weight = LIGHT
        else:
            rarity = index.rarity(word.keys)
            weight = _COMMON + (1 - _COMMON) * min(1.0, rarity)
            if _is_named(word):
                weight *= NAMED
            elif asking.is_verb(word, forms[place - 1], forms[place + 1]):
                weight *= _DOING_OF_HOW if asking.how else _DOING
        known = word.keys[-1]
        before = words[place - 2] if place > 1 else None
        named = not light and _names(word, before, code)
        subject = not light and not subjects.isdisjoint(word.keys) and _is_no_word(word, code)
        found.setdefault(known, Sought(word, weight, others, light, named, subject))
    return tuple(found.values())


def _is_named(word: Word) -> bool:
    """Whether it is a number, a code or an abbreviation: what another one cannot stand for."""
    letters = word.written
    digits = any(letter.isdigit() for letter in letters)
    return digits or (len(letters) > 1 and letters.isupper() and letters.isascii())


def _is_no_word(word: Word, code: str) -> bool:
    """Whether it is a name that somebody made up: any text has words of the language."""
    spoken = spoken_of(word.form, code)
    return spoken is not None and not word.form.isdigit() and not spoken.has_word(spoken, word.form)


def _names(word: Word, before: Word | None, code: str) -> bool:
    """Whether it tells one thing from its like: a name, or the number of a version, a room or a case. What
    stands behind a small word is an amount: "of 40", "more than 3"."""
    if before is None:
        return False
    if word.form[0].isdigit():
        return not before.form[0].isdigit() and not is_small(before, code) and before.form.isalpha()
    spoken = spoken_of(word.form, code)
    if spoken is None or spoken.capital_nouns or word.written.islower() or word.written.isupper():
        return False
    return not spoken.has_word(spoken, word.form)


def keys_sought(sought: Sequence[Sought]) -> list[str]:
    """What passages are looked for by."""
    found: list[str] = []
    for each in sought:
        found += (*each.word.keys, *each.word.parts, *(other for other, _ in each.others))
    return [key for phrase in found for key in phrase.split()]


def said_in(text: str, code: str) -> Said:
    keys: set[str] = set()
    parts: set[str] = set()
    for word in words_of(text, code):
        keys.update(word.keys)
        parts.update(word.parts)
    return Said(frozenset(keys), frozenset(parts))


class Ranking:
    """Holds passages against one question."""

    def __init__(self, sought: Sequence[Sought], asking: AskedFor, index: OpenIndex) -> None:
        self._sought = sought
        self._asking = asking
        self._index = index
        self._total = sum(each.weight for each in sought) or 1.0

    def confidence(self, kept: Kept) -> float:
        code, passage = kept.language, kept.passage
        name = passage.file.rpartition("/")[2].rpartition(".")[0].replace("-", " ").replace("_", " ")
        body = said_in(passage.text, code)
        outer, _, inner = passage.heading.rpartition(" › ")
        above = said_in(inner, code)
        title = said_in(f"{outer} {name}", code)
        levels = [
            max(_level(each, body), ABOVE * _level(each, above), TITLE * _level(each, title))
            for each in self._sought
        ]
        # What only stands above it is said of everything there: a passage must have something of its own.
        own = any(_level(each, body) for each in self._sought)
        reason = self._asking.is_reason(inner or outer, code)
        own = own or reason
        if any(level == 0 and not each.light for each, level in zip(self._sought, levels, strict=True)):
            levels = self._with_others(levels, kept, reason=reason) if own else levels
        covered = sum(each.weight * level for each, level in zip(self._sought, levels, strict=True))
        share = covered / self._total
        # Words that only mean the same are good company for a word that was said, and alone a guess.
        itself = map(said_itself(body, above), self._sought)
        if code == self._asking.code and not reason and not any(itself):
            share = min(share, _GUESSED)
        # What stands near the words of the question, not anywhere in a long passage.
        told = _without(self._telling(passage.text, code), self._sought)
        if not own or not self._asking.is_met(told, code):
            share *= _UNMET
        if code == self._asking.code and (self._is_unnamed(levels) or self._is_uncounted(body, above)):
            share *= _UNNAMED
        return share

    def _with_others(self, levels: Sequence[float], kept: Kept, *, reason: bool) -> list[float]:
        """With what stands beside a passage. The reason of what is told under one heading of a section stands
        under another, which need not say it all again."""
        section = self._index.section(kept.passage, SECTION)
        beside = said_in(self._index.beside(kept.passage), kept.language)
        around = said_in("\n".join(each.passage.text for each in section), kept.language)
        far = KIN if reason else AROUND
        return [
            max(level, BESIDE * _level(each, beside), far * _level(each, around))
            for each, level in zip(self._sought, levels, strict=True)
        ]

    def _is_unnamed(self, levels: Sequence[float]) -> bool:
        pairs = zip(self._sought, levels, strict=True)
        return any((each.named or each.subject) and level == 0 for each, level in pairs)

    def _is_uncounted(self, *texts: Said) -> bool:
        """Whether it does not speak of what is to be counted: an amount of something else is no answer."""
        counted = (each for each in self._sought if each.word.form == self._asking.counted)
        return any(not each.light and not any(_level(each, text) for text in texts) for each in counted)

    def nearness(self, kept: Kept) -> float:
        """How much of the question two sentences that stand together have: a long passage has many words."""
        sentences = [said_in(each, kept.language) for each in _SENTENCE.split(kept.passage.text)]
        levels = [[_level(each, said) for each in self._sought] for said in sentences]
        pairs_of = zip(levels, [*levels[1:], levels[-1]], strict=True)
        weights = [each.weight for each in self._sought]
        found = (
            sum(weight * max(a, b) for weight, a, b in zip(weights, one, other, strict=True))
            for one, other in pairs_of
        )
        return max(found, default=0.0) / self._total

    def _telling(self, text: str, code: str) -> str:
        """The sentences of a passage that have a word of the question, and what follows each."""
        sentences = _SENTENCE.split(text)
        shown: list[str] = []
        telling = 0
        for sentence in sentences:
            said = said_in(sentence, code)
            telling = 2 if any(_level(each, said) for each in self._sought if not each.light) else telling - 1
            if telling > 0:
                shown.append(sentence)
        return " ".join(shown) or text


def _without(text: str, sought: Sequence[Sought]) -> str:
    """A text without the numbers of the question: they are no answer to it."""
    for each in sought:
        if each.word.form[0].isdigit():
            text = re.sub(rf"(?<!\w){re.escape(each.word.form)}(?!\w)", "", text)
    return text


def said_itself(*texts: Said) -> Callable[[Sought], bool]:
    """Whether a text has a word itself, or one that is made of the same."""

    def has(sought: Sought) -> bool:
        alone = replace(sought, others=())
        return not sought.light and any(_level(alone, text) >= PART for text in texts)

    return has


def _level(sought: Sought, said: Said) -> float:
    """How surely a text has a word."""
    word = sought.word
    if said.keys.intersection(word.keys):
        return BODY
    if is_hangul(word.form):
        return max(_hangul(word, said), _by_others(sought.others, said))
    if said.parts.intersection(word.keys) or said.keys.intersection(word.parts[1:]):
        return PART
    by_kin = max((_kin(own, other) for own in word.keys for other in said.keys), default=0.0)
    by_modifier = _MODIFIER if said.keys.intersection(word.parts[:1]) else 0.0
    return max(by_kin, by_modifier, _by_others(sought.others, said))


def _by_others(others: Sequence[tuple[str, float]], said: Said) -> float:
    return max((sure for other, sure in others if said.keys.issuperset(other.split())), default=0.0)


def _kin(one: str, other: str) -> float:
    """How surely two words are made of the same: they begin alike, and differ in their endings alone. Who
    does a thing is less than the thing: a farmer is no farm."""
    if one[:3] != other[:3] or min(len(one), len(other)) < _FEWEST_LETTERS:
        return 0.0
    same = next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    shorter = min(len(one), len(other))
    if same < max(_FEWEST_LETTERS, _SAME * shorter) or max(len(one), len(other)) - same > _MOST_ENDING:
        return 0.0
    doers = [each for each in (one, other) if each[same:] and each.endswith(agents())]
    return _DOER if len(doers) == 1 else KIN


def _hangul(word: Word, said: Said) -> float:
    """By the beginning of the word, which is its stem, or by its pairs of syllables."""
    stem = min((each for each in word.keys if len(each) > 1), key=len, default=word.form)
    if len(stem) < 2:
        return 0.0
    joined = next((stem.find(each, 2) for each in joins() if stem.find(each, 2) > 0), -1)
    stem = stem if joined < 0 else stem[:joined]
    own = pairs(stem)
    if stem[:2] in said.parts and len(stem) <= 3:
        return KIN
    share = sum(pair in said.parts for pair in own) / len(own)
    return KIN * share if share >= 0.5 else 0.0
