"""Which of all that the words of a message can mean is taken: the longest phrase first, no word twice."""

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from dragoman.reading.languages import Spoken
from dragoman.reading.lemmas import is_particle, keys_of
from dragoman.reading.name_index import NameIndex, NameMatch
from dragoman.reading.phrases import Gap, Match, Meaning, PhraseIndex
from dragoman.reading.reading import MentionKind
from dragoman.reading.talk import LAST
from dragoman.reading.tokens import Token
from dragoman.reading.vocabulary import Vocabulary

_ORDER: Final = (
    MentionKind.ENTITY,
    MentionKind.META,
    MentionKind.RECAP,
    MentionKind.RETURN,
    MentionKind.CARRY,
    MentionKind.WIDEN,
    MentionKind.DATA_SCOPE,
    MentionKind.VERB,
    MentionKind.ACTION,
    MentionKind.METRIC,
    MentionKind.WRITE,
    MentionKind.OBJECT,
    MentionKind.SCOPE_CHOICE,
    MentionKind.SUPERLATIVE,
    MentionKind.ORDINAL,
    MentionKind.CHAT,
    MentionKind.COMPARISON,
    MentionKind.GROUPING,
    MentionKind.SORTING,
    MentionKind.NEGATION,
    MentionKind.ANAPHOR,
    MentionKind.AFFIRMATION,
    MentionKind.KIND_WORD,
    MentionKind.FILLER,
    MentionKind.NUMBER,
)
_DIGITS: Final = re.compile(r"[0-9]{1,2}(?![0-9])")
_RANK: Final = {kind: rank for rank, kind in enumerate(_ORDER)}
_ABOUT_ANSWERS: Final = frozenset(
    {MentionKind.META, MentionKind.RECAP, MentionKind.CHAT, MentionKind.DATA_SCOPE}
)
"""Phrases of these kinds may share words: is that big, a big amount."""
_ASKING: Final = frozenset({MentionKind.VERB, MentionKind.ACTION, MentionKind.METRIC})


class Found(NamedTuple):
    """A meaning that was taken, and the places of its words."""

    words: tuple[int, ...]
    meaning: Meaning
    name: NameMatch | None = None


class _Bid(NamedTuple):
    words: tuple[int, ...]
    gaps: int
    exact: int
    meaning: Meaning
    name: NameMatch | None = None

    @property
    def order(self) -> tuple[int, int, int, int, int, str]:
        rank = _RANK[self.meaning.kind]
        return -len(self.words), self.gaps, -self.exact, rank, self.words[0], self.meaning.means


class Message(NamedTuple):
    """A message as its words, with the keys of each, and the languages it is read in."""

    tokens: list[Token]
    keys: list[tuple[str, ...]]
    vocabularies: tuple[Vocabulary, ...]
    spoken: Spoken


def prepare(tokens: list[Token], vocabularies: tuple[Vocabulary, ...], spoken: Spoken) -> Message:
    return Message(tokens, [keys_of(token.form, spoken) for token in tokens], vocabularies, spoken)


def match(message: Message, names: NameIndex) -> list[Found]:
    """What the words mean, by where they stand."""
    tokens, keys, vocabularies, spoken = message

    def is_plain(form: str) -> bool:
        valued = any(not v.options.isdisjoint(keys_of(form, spoken)) for v in vocabularies)
        return valued or any(form in v.plain for v in vocabularies)

    named = names.matches(tokens, is_plain, spoken)
    closed = [any(token.form in v.gaps for v in vocabularies) for token in tokens]
    kind_words = _kind_words(message)
    pointed = [
        i for i in kind_words if i and any(tokens[i - 1].form in v.demonstratives for v in vocabularies)
    ]
    valued = [any(not v.options.isdisjoint(each) for v in vocabularies) for each in keys]
    passable = [
        Gap.WORD if empty or valued[i] or i in pointed else Gap.NONE for i, empty in enumerate(closed)
    ]
    for name in named:
        passable[name.start : name.end] = [Gap.NAME] * (name.end - name.start)
    lengths = {
        (name.start, names.kinds[entity]): name.end - name.start for name in named for entity in name.entities
    }

    def slots(place: int, kind: str) -> int:
        return lengths.get((place, kind), 0)

    bids = [
        _Bid(found.words, found.gaps, found.exact, found.meaning)
        for v in vocabularies
        for found in v.parts.matches(tokens, keys, passable, slots)
        if _holds(found, v)
    ]
    bids.extend(_same_time(message))
    bids.extend(_named_rows(message))
    bids.extend(_from_ends(bids, message, passable))
    bids.extend(_with_rows(bids, message, kind_words))
    owning = [any(token.form in v.owning for v in message.vocabularies) for token in message.tokens]
    bids.extend(_names(named, names, kind_words, closed, owning))
    bids.extend(_with_kind_phrases(message, names, is_plain, closed))
    bids.extend(_Bid((i,), 0, 0, Meaning(MentionKind.KIND_WORD, kinds[0])) for i, kinds in kind_words.items())
    bids.extend(_loose(tokens, spoken))
    return _settle(bids, len(tokens))


def _holds(found: Match, vocabulary: Vocabulary) -> bool:
    """A wish to change data is an order: `pay them` is one, `they paid` is not. So is a yes; and what is
    grouped by stands in the plural."""
    to_the_letter = (MentionKind.WRITE, MentionKind.AFFIRMATION, MentionKind.GROUPING)
    if vocabulary.language.glued:
        # A syllable that carries nothing is the beginning of many a word that does.
        return found.meaning.kind is not MentionKind.FILLER or found.exact > 0 or found.longest > 1
    if found.meaning.kind not in to_the_letter:
        return True
    return found.exact == len(found.words)


def _settle(bids: list[_Bid], size: int) -> list[Found]:
    taken = bytearray(size)
    settled: list[Found] = []
    winners: dict[tuple[int, ...], _Bid] = {}
    for bid in sorted(bids, key=lambda bid: bid.order):
        winner = winners.get(bid.words)
        if winner is not None:
            # A phrase may ask for several things, each of another kind of object.
            shared = {winner.meaning.kind, bid.meaning.kind} <= _ASKING
            if (
                shared
                and (bid.gaps, bid.exact) == (winner.gaps, winner.exact)
                and bid.meaning != winner.meaning
            ):
                settled.append(Found(bid.words, bid.meaning))
            continue
        rank = 1 + _RANK[bid.meaning.kind]
        rivals = {taken[word] for word in bid.words} - {0}
        if rivals and not (bid.meaning.kind in _ABOUT_ANSWERS and rivals == {rank}):
            continue
        for word in bid.words:
            taken[word] = rank
        winners[bid.words] = bid
        settled.append(Found(bid.words, bid.meaning, bid.name))
    return sorted(settled, key=lambda found: (found.words, found.meaning))


def _kind_words(message: Message) -> dict[int, tuple[str, ...]]:
    found: dict[int, list[str]] = {}
    none = [Gap.NONE] * len(message.tokens)
    for vocabulary in message.vocabularies:
        for one in vocabulary.kinds.matches(message.tokens, message.keys, none, lambda place, kind: 0):
            for word in one.words if len(one.words) == 1 else ():
                found.setdefault(word, []).append(one.meaning.means)
    return {word: tuple(dict.fromkeys(kinds)) for word, kinds in sorted(found.items())}


def _with_rows(bids: list[_Bid], message: Message, kind_words: dict[int, tuple[str, ...]]) -> list[_Bid]:
    """A place, a size or a pointing word together with the word for what it picks: the second line."""
    found: list[_Bid] = []

    def is_row(word: int) -> bool:
        keys = message.keys[word]
        return word in kind_words or any(not v.row_words.isdisjoint(keys) for v in message.vocabularies)

    for bid in bids:
        after = bid.words[-1] + 1
        if after >= len(message.tokens) or not _points_at_row(bid, message):
            continue
        # "This item": what stands behind it is asked of the item, and no second word for it.
        named = len(bid.words) > 1 and is_row(bid.words[-1])
        if not named and is_row(after):
            found.append(bid._replace(words=(*bid.words, after)))
    return found


def _points_at_row(bid: _Bid, message: Message) -> bool:
    """This supplier is one that was shown; its supplier is another."""
    if bid.meaning.kind is MentionKind.ANAPHOR:
        first = message.tokens[bid.words[0]].form
        return any(first in v.demonstratives for v in message.vocabularies)
    return bid.meaning.kind in (MentionKind.ORDINAL, MentionKind.SUPERLATIVE)


def _named_rows(message: Message) -> list[_Bid]:
    """Rows by their number: line 3, number 3, the 3rd, 3번."""
    found: list[_Bid] = []
    for i, token in enumerate(message.tokens):
        digits = _DIGITS.match(token.form)
        rest = token.form[digits.end() :].lstrip("-") if digits else ""
        words: tuple[int, ...] = (i,)
        if digits and not rest and i + 1 < len(message.tokens) and message.tokens[i + 1].start == token.end:
            rest, words = message.tokens[i + 1].form, (i, i + 1)
        if digits and int(digits.group()) and any(rest in v.number_suffixes for v in message.vocabularies):
            found.append(_Bid(words, 0, 2, Meaning(MentionKind.ORDINAL, str(int(digits.group())))))
    for i in range(len(message.tokens) - 1):
        number = message.tokens[i + 1].form
        is_place = number.isascii() and number.isdigit() and len(number) <= 2 and int(number) > 0
        if is_place and any(not v.row_numbers.isdisjoint(message.keys[i]) for v in message.vocabularies):
            found.append(_Bid((i, i + 1), 0, 2, Meaning(MentionKind.ORDINAL, str(int(number)))))
    return found


def _same_time(message: Message) -> list[_Bid]:
    """The time in hand, said in words of two languages: за тот же month."""
    if len(message.vocabularies) < 2:
        return []
    none = [Gap.NONE] * len(message.tokens)

    def found(index: PhraseIndex) -> list[Match]:
        return index.matches(message.tokens, message.keys, none, lambda place, kind: 0)

    times = [time for v in message.vocabularies for time in found(v.time)]
    return [
        _Bid((*same.words, *time.words), 0, same.exact + time.exact, Meaning(MentionKind.CARRY))
        for v in message.vocabularies
        for same in found(v.same)
        for time in times
        if time.words[0] == same.words[-1] + 1
    ]


def _from_ends(bids: Sequence[_Bid], message: Message, passable: Sequence[Gap]) -> list[_Bid]:
    """Places counted from an end, whichever is said first: the third from the end, 끝에서 세 번째."""
    found: list[_Bid] = []
    ends = [
        end
        for v in message.vocabularies
        for end in v.ends.matches(message.tokens, message.keys, passable, lambda place, kind: 0)
    ]
    places = [bid for bid in bids if bid.meaning.kind is MentionKind.ORDINAL and int(bid.meaning.means) > 0]
    places += _with_rows(places, message, _kind_words(message)) if ends else []
    for bid in places:
        for end in ends:
            beside = end.words[0] == bid.words[-1] + 1 or bid.words[0] == end.words[-1] + 1
            if beside:
                sign = "-" if end.meaning.means == LAST else ""
                meaning = Meaning(MentionKind.ORDINAL, sign + bid.meaning.means)
                words = tuple(sorted((*bid.words, *end.words)))
                found.append(_Bid(words, bid.gaps, bid.exact + end.exact, meaning))
    return found


def _names(
    named: Sequence[NameMatch],
    names: NameIndex,
    kind_words: dict[int, tuple[str, ...]],
    closed: Sequence[bool],
    owning: Sequence[bool],
) -> list[_Bid]:
    """Names, alone and with the word for their kind beside them: the North warehouse. The funds of Kestrel
    are no funds called Kestrel: `owning` are words that stand between a thing and whose it is."""
    bids: list[_Bid] = []
    for name in named:
        words = tuple(range(name.start, name.end))
        kind = MentionKind.ENTITY if name.full else MentionKind.OBJECT
        bids.append(_Bid(words, 0, name.exact, Meaning(kind), name))
        before = name.start - 1
        while before > 0 and closed[before] and not owning[before]:
            before -= 1
        bids.extend(
            _Bid(tuple(sorted((*words, beside))), 0, name.exact + 1, Meaning(kind), said)
            for beside in (before, name.end)
            if (said := names.of_kinds(name, kind_words.get(beside, ()))) is not None
        )
    return bids


def _with_kind_phrases(
    message: Message, names: NameIndex, is_plain: Callable[[str], bool], closed: Sequence[bool]
) -> list[_Bid]:
    """Names beside a kind that is called by several words: the Meridian management company. Such words are
    words of names as well, so that the name beside them is looked for without them."""
    bids: list[_Bid] = []
    none = [Gap.NONE] * len(message.tokens)
    for vocabulary in message.vocabularies:
        for one in vocabulary.kinds.matches(message.tokens, message.keys, none, lambda place, kind: 0):
            if len(one.words) < 2:
                continue
            first, last = one.words[0], one.words[-1]
            left = [
                token._replace(form="") if first <= place <= last else token
                for place, token in enumerate(message.tokens)
            ]
            for name in names.matches(left, is_plain, message.spoken):
                between = range(name.end, first) if name.end <= first else range(last + 1, name.start)
                said = names.of_kinds(name, (one.meaning.means,))
                if said is None or not all(closed[place] for place in between):
                    continue
                kind = MentionKind.ENTITY if said.full else MentionKind.OBJECT
                words = tuple(sorted((*range(name.start, name.end), *one.words)))
                bids.append(_Bid(words, 0, name.exact + 1, Meaning(kind), said))
    return bids


def _loose(tokens: Sequence[Token], spoken: Spoken) -> list[_Bid]:
    """Numbers, and particles behind a word in other letters."""
    bids: list[_Bid] = []
    for i, token in enumerate(tokens):
        if token.form.isdigit():
            bids.append(_Bid((i,), 0, 0, Meaning(MentionKind.NUMBER, token.form)))
        elif is_particle(token.form, spoken):
            bids.append(_Bid((i,), 0, 0, Meaning(MentionKind.FILLER)))
    return bids
