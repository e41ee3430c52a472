"""Messages of a language with the English order of words: word by word, and what English needs between.

What a noun is of follows it in such a language, marked by its ending alone: English says `of`, or puts it in
front where both together are the name of a column.
"""

from collections.abc import Iterator, Sequence
from itertools import product, zip_longest
from typing import Final

from msgspec.structs import replace

from dragoman.locales.word_form import Part
from dragoman.planning.pivot.choices import Choice, Choices
from dragoman.planning.pivot.english_forms import plural
from dragoman.planning.pivot.items import Item, small

_OF: Final = "of"
_TRIED: Final = 5
_DOING: Final = ("containing", "starting with", "ending with")
_WHOLE: Final = ("all",)
_OF_EACH: Final = ("for each", "in each", "each")
_AGENT: Final = "ablt"
_ASKED: Final = ("in which", "which", "from which", "of which", "on which")
_QUANTITIES: Final = ("more", "less", "the most", "the fewest", "exactly", "at least", "at most")
_DESCRIBING: Final = (Part.ADJECTIVE, Part.PARTICIPLE)


def arranged(items: Sequence[Item], choices: Choices) -> list[Item]:
    """The items in English order, every choice made."""
    joined = _joined(_possessive(list(items)), choices)
    return list(_with_small_words(_having(_owned(joined))))


def _possessive(items: list[Item]) -> list[Item]:
    """`Them` before a noun says whose it is."""
    pairs = zip_longest(items, items[1:])
    return [
        replace(each, english="their", part=Part.ADJECTIVE, case=_OF)
        if each.english == "them" and following is not None and _is_owned(following)
        else each
        for each, following in pairs
    ]


def _is_owned(item: Item) -> bool:
    """Whether something can be theirs: a thing, or how many they are."""
    return item.is_noun or item.english.startswith("number")


def _joined(items: list[Item], choices: Choices) -> list[Item]:
    """Two words that are one name are chosen together: a delay of arrival is an arrival delay."""
    at = 0
    while at + 1 < len(items):
        first, second = items[at], items[at + 1]
        follows = first.is_noun and second.is_noun and _may_be_of(second)
        described = first.part in _DESCRIBING and second.is_noun
        if (follows or described) and first.choices and second.choices:
            pair = _pair(first, second, choices)
            if pair is not None and follows and choices.is_table(pair[1]):
                # The numbers of orders: they are still orders that something is said of.
                items[at : at + 2] = [_chosen(first, pair[0]), _chosen(second, pair[1])]
            elif pair is not None:
                items[at : at + 2] = [_compound(first, second, pair, turned=follows)]
                continue
        at += 1
    return items


def _pair(first: Item, second: Item, choices: Choices) -> tuple[Choice, Choice] | None:
    tried = product(first.choices[:_TRIED], second.choices[:_TRIED])
    return next(((one, other) for one, other in tried if choices.joined(one, other)), None)


def _chosen(item: Item, choice: Choice) -> Item:
    return replace(item, english=choice.english, choices=(choice,))


def _compound(one: Item, other: Item, pair: tuple[Choice, Choice], *, turned: bool) -> Item:
    first, second = _chosen(one, pair[0]), _chosen(other, pair[1])
    head = first if turned else second
    before = second if turned else first
    ending = replace(head, english=plural(head.english) if head.plural else head.english)
    joined = Choice(f"{before.english} {head.english}", 1.0, pair[0].things & pair[1].things)
    return replace(
        head,
        english=f"{before.english} {ending.english}",
        start=min(first.start, second.start),
        end=max(first.end, second.end),
        case=first.case,
        choices=(joined,),
        plural=False,
        inner=(*before.pieces(), *ending.pieces()),
    )


def _owned(items: list[Item]) -> list[Item]:
    """`Clients, the age of whom` are clients whose age is so much: the word goes before its noun."""
    found = list(items)
    for at in range(1, len(found)):
        if found[at].owner and found[at - 1].is_noun:
            first = at - 1
            while first and found[first - 1].part in _DESCRIBING:
                first -= 1
            whose = replace(found[at], english="whose")
            behind = found[at + 1].english if at + 1 < len(found) else ""
            copula = [] if behind.endswith(_DOING) else [small("is", found[at].end)]
            found[first : at + 1] = [whose, *found[first:at], *copula]
            return _owned_rest(found, at + 1 + len(copula))
    return found


def _having(items: list[Item]) -> list[Item]:
    """`In which countries more than two airports` are countries that have them."""
    if not items or items[0].english not in _ASKED:
        return items
    at = 1
    while at < len(items) and (items[at].part in _DESCRIBING or items[at].is_noun):
        at += 1
    if at == 1 or at == len(items) or not items[at].english.startswith((*_QUANTITIES, *"0123456789")):
        return items
    has = "have" if items[at - 1].plural or items[at - 1].inner else "has"
    return [replace(items[0], english="which"), *items[1:at], small(has, items[at].start), *items[at:]]


def _owned_rest(found: list[Item], at: int) -> list[Item]:
    return [*found[:at], *_owned(found[at:])]


def _with_small_words(items: Sequence[Item]) -> Iterator[Item]:
    before: Item | None = None
    counting = False
    grouping = False
    for at, item in enumerate(items):
        following = items[at + 1] if at + 1 < len(items) else None
        if before is not None and _needs_of(before, item, items, at):
            # Of the three cheapest hotels, and not of the third.
            yield small("of the" if item.counts else _OF, item.start)
        if before is not None and _is_agent(before, item, items[max(at - 2, 0)]):
            yield small("by", item.start)
        if before is not None and before.compares and _needs_than(before, item):
            yield small("than", item.start)
        if item.english.endswith(f" {_OF}") and not _is_named(following):
            item = replace(item, english=item.english.removesuffix(f" {_OF}"))
        if item.is_noun and not item.inner and (item.plural or counting) and not grouping:
            item = replace(item, english=plural(item.english) if item.known else item.english)
        yield item
        before = item
        describing = item.part in _DESCRIBING and following is not None
        counting = item.counts or (counting and describing)
        grouping = item.groups or (grouping and describing)


def _is_agent(before: Item, item: Item, first: Item) -> bool:
    """Whether a noun is who did what the word before it says."""
    if not item.is_noun or item.word is None:
        return False
    cases = {form.case for form in item.word.forms if form.part is Part.NOUN}
    if before.part is Part.PARTICIPLE:
        return _AGENT in cases and _OF not in cases
    return before.part is Part.VERB and first.is_noun and "name" in cases and not item.plural


def _is_named(item: Item | None) -> bool:
    """Whether something stands there that can be of something."""
    if item is None:
        return False
    return item.part is not None or item.english in _WHOLE or item.english[:1].isupper()


def _needs_of(before: Item, item: Item, items: Sequence[Item], at: int) -> bool:
    """A noun behind a noun, be it with adjectives before it, is what that one is of."""
    if not before.is_noun or not before.choices:
        return False
    if item.is_noun:
        return _may_be_of(item)
    if item.english in _OF_EACH:
        return False
    if item.counts and item.case == _OF:
        return True
    if item.english not in _WHOLE and (item.part not in _DESCRIBING or item.case != _OF):
        return False
    rest = (each for each in items[at + 1 :] if each.part not in _DESCRIBING)
    noun = next(rest, None)
    return noun is not None and noun.is_noun


def _needs_than(before: Item, item: Item) -> bool:
    if item.english.startswith("than"):
        return False
    if item.counts or item.english[:1].isdigit():
        return True
    return not before.amount and (item.is_noun or item.part in _DESCRIBING or item.english == "average")


def _may_be_of(item: Item) -> bool:
    """Whether a noun may stand in the case that says what another one is of."""
    if item.word is None:
        return item.case == _OF
    return any(form.case == _OF and form.part is Part.NOUN for form in item.word.forms)
