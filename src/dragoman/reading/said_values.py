"""Values that a message gives in words of its own: quoted, called so, or said behind what they are of.

They are kept as they were written: a name that is given is in no catalog yet.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from dragoman._patterns import lazy_pattern
from dragoman.contracts.record import Record
from dragoman.locales.documents import lexicon_of
from dragoman.locales.language import Language
from dragoman.locales.script import LATIN
from dragoman.reading.tokens import Token, tokens_of

_QUOTED: Final = lazy_pattern(
    r"\"([^\"]+)\"|“([^”“]+)”|„([^“”„]+)[“”]|«([^«»]+)»|「([^」]+)」|『([^』]+)』|(?<!\w)'([^']+)'(?!\w)|‘([^’‘]+)’"
)
_PART: Final = lazy_pattern(r"[,;\n]")
_AROUND: Final = " \t.,;:!?…\"'“”„«»「」『』()"


class SaidText(Record, frozen=True):
    """A text, and the part of the message that gives it, the words before it included."""

    start: int
    end: int
    text: str


class ValueWords:
    """How one language names a value."""

    def __init__(self, language: Language) -> None:
        data = lexicon_of(language)["changes"]
        self.called = _longest_first(data["called"])
        self.called_after = tuple(sorted(map(str, data["called_after"]), key=len, reverse=True))
        self.into = frozenset(map(str, data["into"]))
        self.into_after = tuple(sorted(map(str, data["into_after"]), key=len, reverse=True))
        self.ends = frozenset(token.form for word in data["ends"] for token in tokens_of(str(word)))
        self.small = self.ends | {token.form for word in data["objects"] for token in tokens_of(str(word))}
        self.between = frozenset(map(str, data["between"]))
        self.before = frozenset(token.form for word in data["before"] for token in tokens_of(str(word)))
        self.limits = frozenset(map(str, data["limits"]))
        """Words that change what an order is about: a write is not offered without them."""
        self.owns = frozenset(map(str, data["owns"]))
        self.possessives = tuple(map(str, data["possessives"]))
        self.glued = language.glued


@cache
def value_words(language: Language) -> ValueWords:
    return ValueWords(language)


def quoted(text: str) -> list[SaidText]:
    """Everything that stands in quotes."""
    return [
        SaidText(found.start(), found.end(), next(group for group in found.groups() if group).strip())
        for found in _QUOTED.finditer(text)
    ]


def called(
    text: str,
    tokens: Sequence[Token],
    words: ValueWords,
    known: Iterable[tuple[int, int]],
    leading: frozenset[str] = frozenset(),
) -> SaidText | None:
    """The name that is given to something: called X, по имени X, X라는. `known` are the parts of the message
    that mean something else: a name ends before one of them, where a small word or one of the `leading`
    words leads to it."""
    parts = sorted(known)
    for start, end in _places(tokens, words.called):
        while end + 1 < len(tokens) and tokens[end].form in words.between:
            end += 1
        if end < len(tokens):
            last = _name_end(text, tokens, end, words, parts, leading)
            found = _said(text, tokens[start].start, tokens[end].start, last)
            if found is not None:
                return found
    for at in range(len(tokens)):
        ending = next((each for each in words.called_after if _ends(tokens, at, each)), "")
        if ending and len(ending) > 1:
            return _behind(text, tokens, at, ending, words, parts)
    return None


def said_into(
    text: str, tokens: Sequence[Token], after: int, words: ValueWords, known: Iterable[tuple[int, int]]
) -> SaidText | None:
    """What something becomes: to X, в X, X로. From the place `after` on, to the end of the sentence."""
    parts = sorted(known)
    for at, token in enumerate(tokens):
        inside = any(start <= token.start < end for start, end in parts)
        if at > after and token.form in words.into and at + 1 < len(tokens) and not inside:
            return _said(text, token.start, tokens[at + 1].start, _sentence_end(text, token.end))
    for at in range(len(tokens)):
        ending = next((each for each in words.into_after if _ends(tokens, at, each)), "")
        if ending:
            return _behind(text, tokens, at, ending, words, parts)
    return None


def beside(
    text: str,
    tokens: Sequence[Token],
    at: int,
    words: ValueWords,
    known: Iterable[tuple[int, int]],
    leading: frozenset[str] = frozenset(),
) -> SaidText | None:
    """What stands next to the word at a place, where that is no part of something else: behind it, or before
    it where the verb comes last."""
    parts = sorted(known)
    if words.glued:
        last = tokens[at].start
        first = max((stop for _, stop in parts if stop <= last), default=0)
        inside = [token for token in tokens if first <= token.start < last]
        while inside and (inside[0].form in words.small or inside[0].form in words.before):
            inside.pop(0)
        whole = [token for token in inside if token.script == LATIN]
        return _said(text, whole[0].start, whole[0].start, last) if whole and whole == inside else None
    first = at + 1
    if first >= len(tokens) or tokens[first].form in words.small | words.between | leading:
        return None
    if any(start <= tokens[first].start < stop for start, stop in parts):
        return None
    if _PART.search(text, tokens[at].end, tokens[first].start):
        return None
    last = _name_end(text, tokens, first, words, parts, leading)
    return _said(text, tokens[first].start, tokens[first].start, last)


def titled(
    text: str,
    tokens: Sequence[Token],
    title: tuple[str, ...],
    words: ValueWords,
    known: Iterable[tuple[int, int]],
    *,
    long: bool = False,
) -> SaidText | None:
    """What is said behind the word for it: currency EUR, short name: FOO. One word, or a `long` name."""
    for start, end in _places(tokens, (title,)):
        at = end
        while at < len(tokens) and (tokens[at].form in words.between or _is_ending(tokens, at, words)):
            at += 1
        if at >= len(tokens):
            continue
        marks = next((each for each in quoted(text) if each.start <= tokens[at].start < each.end), None)
        if marks is not None:
            return SaidText(tokens[start].start, marks.end, marks.text)
        last = _name_end(text, tokens, at, words, sorted(known)) if long else _word_end(text, tokens[at])
        return _said(text, tokens[start].start, tokens[at].start, last)
    return None


def _said(text: str, start: int, first: int, last: int) -> SaidText | None:
    said = text[first:last].strip(_AROUND)
    return SaidText(start, last, said) if said else None


def _places(tokens: Sequence[Token], phrases: Iterable[tuple[str, ...]]) -> list[tuple[int, int]]:
    forms = [token.form for token in tokens]
    return [
        (start, start + len(phrase))
        for phrase in phrases
        for start in range(len(forms) - len(phrase) + 1)
        if tuple(forms[start : start + len(phrase)]) == phrase
    ]


def _name_end(
    text: str,
    tokens: Sequence[Token],
    first: int,
    words: ValueWords,
    parts: Sequence[tuple[int, int]],
    leading: frozenset[str] = frozenset(),
) -> int:
    """Where a name ends: with the sentence, or before what leads to something else."""
    for each in quoted(text):
        if each.start <= tokens[first].start < each.end:
            return each.end
    end = _sentence_end(text, tokens[first].start)
    for at in range(first + 1, len(tokens)):
        if tokens[at].start >= end:
            break
        if tokens[at].form in words.ends | leading and _leads(tokens, at, words.small | leading, parts):
            return tokens[at].start
        if words.glued and any(_ends(tokens, at, each) for each in (*words.called_after, *words.into_after)):
            return tokens[at].start if _is_ending(tokens, at, words) else _cut(tokens, at, words)
    if words.glued:
        return min(end, _cut(tokens, first, words)) if len(tokens) > first + 1 else end
    return end


def _leads(tokens: Sequence[Token], at: int, small: frozenset[str], parts: Sequence[tuple[int, int]]) -> bool:
    """Whether the words at a place lead to something else: on the full access plan."""
    while at < len(tokens) and tokens[at].form in small:
        if any(start == tokens[at].start for start, _ in parts):
            return True
        at += 1
    return at < len(tokens) and any(start <= tokens[at].start < stop for start, stop in parts)


def _cut(tokens: Sequence[Token], at: int, words: ValueWords) -> int:
    """The end of a word without the ending that is glued onto it."""
    token = tokens[at]
    for each in (*words.called_after, *words.into_after):
        if _ends(tokens, at, each) and len(token.form) > len(each):
            return token.end - len(each)
    return token.end


def _behind(
    text: str,
    tokens: Sequence[Token],
    at: int,
    ending: str,
    words: ValueWords,
    parts: Sequence[tuple[int, int]],
) -> SaidText | None:
    """What stands before an ending: back to what means something else, or to the beginning."""
    glued = " " not in ending and tokens[at].form != ending
    last = tokens[at].end - len(ending.split()[0]) if glued or " " in ending else tokens[at].start
    if " " in ending and tokens[at].form == ending.split()[0]:
        last = tokens[at].start
    start = 0
    for each in quoted(text):
        if each.end <= last + 1 and not text[each.end : last].strip():
            return SaidText(each.start, tokens[at].end, each.text)
    for _, stop in parts:
        if stop <= last and stop > start:
            start = stop
    for mark in _PART.finditer(text, start, max(start, last)):
        start = mark.end()
    inside = [token for token in tokens if start <= token.start < last]
    while inside and (inside[0].form in words.before or _is_particle(inside[0], words)):
        inside.pop(0)
    if not inside:
        return None
    return _said(text, inside[0].start, inside[0].start, last)


def _is_particle(token: Token, words: ValueWords) -> bool:
    return words.glued and token.form in words.ends


def _is_ending(tokens: Sequence[Token], at: int, words: ValueWords) -> bool:
    return words.glued and tokens[at].form in (*words.called_after, *words.into_after, *words.ends)


def _ends(tokens: Sequence[Token], at: int, ending: str) -> bool:
    """Whether an ending stands at a place: as a word behind other letters, or glued onto the word."""
    first, *rest = ending.split()
    if any(at + n >= len(tokens) or tokens[at + n].form != form for n, form in enumerate(rest, 1)):
        return False
    form = tokens[at].form
    behind = at > 0 and form == first
    return behind or (form.endswith(first) and len(form) > len(first) and tokens[at].script != LATIN)


def _sentence_end(text: str, start: int) -> int:
    found = _PART.search(text, start)
    return found.start() if found is not None else len(text)


def _word_end(text: str, token: Token) -> int:
    end = token.end
    while end < len(text) and not text[end].isspace() and text[end] not in ",;":
        end += 1
    return end


def _longest_first(listed: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    phrases = {tuple(token.form for token in tokens_of(str(phrase))) for phrase in listed}
    return tuple(sorted(phrases, key=lambda phrase: (-len(phrase), phrase)))
