"""Orders to change data: whether a message is one, what it does, and which word says so.

An order is told by its form and its place, since the same words describe what happened: "close it" is one,
"closed accounts" and "which did we close" are not.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from enum import StrEnum
from functools import cache, lru_cache

from dragoman.contracts.record import Record
from dragoman.locales.documents import lexicon_of
from dragoman.locales.language import Language
from dragoman.reading.languages import Spoken
from dragoman.reading.lemmas import keys_of
from dragoman.reading.tokens import Token, tokens_of

_FIRST, _INSIDE, _LAST = "first", "inside", "last"


class Change(StrEnum):
    """What an order does with the data."""

    CREATE = "create"
    DELETE = "delete"
    CHANGE = "change"
    OTHER = "other"


class Order(Record, frozen=True):
    """An order: the places of its words, what it may do, and how sure it is that it is one."""

    start: int
    end: int
    changes: frozenset[Change]
    sure: bool
    """It is an order whatever else is said; another may be a word of a question."""
    edits: bool
    """It may as well be about the question in hand: add a column, remove a filter."""
    of_named: bool = False
    """Before the name of something it is an order: make Ann a member."""
    makes_new: bool = False
    """It is a word for something new, and the word for what is new stands behind it."""
    of_object: bool = False
    """What it is done to is said right behind it: refund it, file the return."""


class OrderWords:
    """The words of orders in one language."""

    def __init__(self, language: Language) -> None:
        data: Mapping[str, list[str]] = lexicon_of(language)["changes"]
        self.language = language
        self.classes = {change: _phrases(data[change]) for change in Change}
        self.new, self.sure, self.edits = (_phrases(data[name]) for name in ("new", "sure", "edits"))
        self.of_named, self.of_slice = _phrases(data["of_named"]), _forms(data["of_slice"])
        self.not_orders, self.commands = _phrases(data["not_orders"]), _phrases(data["commands"])
        self.before, self.objects = _forms(data["before"]), _forms(data["objects"])
        self.acted_on, self.looks = _forms(data["acted_on"]), _forms(data["looks"])
        self.selves = _forms(data["selves"])
        self.nouns = _forms(data["nouns"])
        self.ends = _forms(data["ends"])
        self.endings, self.infinitives = frozenset(data["endings"]), tuple(data["infinitives"])
        self.places = frozenset(data["places"])
        lists = (*self.classes.values(), self.new, self.sure, self.edits, self.of_named, self.commands)
        self.first = frozenset(phrase[0] for phrases in lists for phrase in phrases)
        self.known = {phrase for phrases in self.classes.values() for phrase in phrases}

    @property
    def ends_in_verb(self) -> bool:
        """Whether the verb of a phrase is its last word."""
        return _LAST in self.places


def may_be_order(tokens: Sequence[Token], spoken: Spoken, heads: Set[str]) -> bool:
    """Whether a word of a message can be one of an order. Where words of orders take endings, any can."""
    for language in spoken.languages:
        words = order_words(language)
        if words.endings or words.infinitives or not words.first.isdisjoint(token.form for token in tokens):
            return True
        if _act_at(tokens, words) is not None:
            return True
    return any(key in heads for token in tokens for key in keys_of(token.form, spoken))


def is_noun(tokens: Sequence[Token], at: int, spoken: Spoken) -> bool:
    """Whether a word that can be an order is a noun where it stands."""
    words = [order_words(language) for language in spoken.languages]
    known = [each for each in words if tokens[at].form in each.nouns]
    return at > 0 and bool(known) and all(tokens[at - 1].form not in each.before for each in known)


@cache
def order_words(language: Language) -> OrderWords:
    return OrderWords(language)


def order_in(tokens: Sequence[Token], spoken: Spoken, heads: frozenset[str] = frozenset()) -> Order | None:
    """The order that a message gives. `heads` are verbs of a catalog, orders in the same places."""
    for language in spoken.languages:
        words = order_words(language)
        found = _found(tokens, words, spoken, _by_form(language, heads))
        if found is not None:
            return found
    return None


_Phrase = tuple[str, ...]


@lru_cache(maxsize=64)
def _by_form(language: Language, heads: frozenset[str]) -> Mapping[str, tuple[_Phrase, ...]]:
    """The phrases of orders by every form of their first word that is an order by itself."""
    words = order_words(language)
    found: dict[str, list[_Phrase]] = {}
    for phrase in {(head,) for head in heads} | words.known:
        for ending in ("", *words.endings):
            found.setdefault(phrase[0] + ending, []).append(phrase)
    return {form: tuple(phrases) for form, phrases in found.items()}


def _found(
    tokens: Sequence[Token], words: OrderWords, spoken: Spoken, by_form: Mapping[str, tuple[_Phrase, ...]]
) -> Order | None:
    last = len(tokens) - 1
    while last >= 0 and tokens[last].form in words.endings | words.before:
        last -= 1
    begins = True
    for start, token in enumerate(tokens):
        standing = [
            phrase
            for phrase in _candidates(token.form, words, spoken, by_form, begins=begins)
            if _stands(tokens, start, phrase, words, begins=begins, last=last)
        ]
        if standing and not _is_no_order(tokens, start, words):
            return _order(tokens, start, start + max(map(len, standing)), words, spoken)
        begins = begins and token.form in words.before
        if not begins and words.places == {_FIRST}:
            break
    acts = _act_at(tokens, words)
    if acts is None:
        return None
    return Order(acts, acts + 1, frozenset({Change.OTHER}), sure=True, edits=False, of_object=True)


def _act_at(tokens: Sequence[Token], words: OrderWords) -> int | None:
    """Where a message tells somebody to do something to what is in hand, with a verb that nobody listed:
    reserve it, sue them. What is looked at, sorted or said again is not acted on."""
    at = next((i for i, token in enumerate(tokens) if token.form not in words.before), len(tokens))
    if at + 1 >= len(tokens) or tokens[at + 1].form not in words.acted_on:
        return None
    if not words.selves.isdisjoint(token.form for token in tokens[:at]):
        return None
    form = tokens[at].form
    small = form in words.looks or form in words.language.function_words() or not form.isalpha()
    if small or form in words.acted_on:
        return None
    commands = words.language.is_command
    return at if commands is None or commands(words.language, form) else None


def _candidates(
    form: str,
    words: OrderWords,
    spoken: Spoken,
    by_form: Mapping[str, tuple[_Phrase, ...]],
    *,
    begins: bool,
) -> tuple[_Phrase, ...]:
    """The phrases that a word may begin: as it is, or as an infinitive where the message begins."""
    found = by_form.get(form, ())
    if found or not begins or not words.infinitives or not form.endswith(words.infinitives):
        return found
    return tuple(
        phrase
        for phrases in by_form.values()
        for phrase in phrases
        if not set(keys_of(form, spoken)).isdisjoint(keys_of(phrase[0], spoken))
    )


def _stands(
    tokens: Sequence[Token], start: int, phrase: _Phrase, words: OrderWords, *, begins: bool, last: int
) -> bool:
    """Whether a phrase whose first word fits stands where an order stands."""
    following = tuple(token.form for token in tokens[start + 1 : start + len(phrase)])
    if following != phrase[1:]:
        return False
    form = tokens[start].form
    infinitive = bool(words.infinitives) and form.endswith(words.infinitives)
    if form != phrase[0] and not infinitive:
        return _INSIDE in words.places
    new = phrase in words.new
    if words.ends_in_verb:
        return start == last or (new and start == 0) or phrase in words.commands
    # What is to be done may be told of, and what is new too: only the beginning makes an order of them.
    return begins if infinitive or new else begins or _INSIDE in words.places


def _is_no_order(tokens: Sequence[Token], start: int, words: OrderWords) -> bool:
    forms = tuple(token.form for token in tokens)
    return any(
        forms[at : at + len(phrase)] == phrase
        for phrase in words.not_orders
        for at in range(max(0, start - len(phrase) + 1), start + 1)
    )


def _order(tokens: Sequence[Token], start: int, end: int, words: OrderWords, spoken: Spoken) -> Order:
    said = tuple(token.form for token in tokens[start:end])

    def among(phrases: Iterable[tuple[str, ...]]) -> bool:
        return any(_same(said, phrase, words, spoken) for phrase in phrases)

    changes = frozenset(change for change, phrases in words.classes.items() if among(phrases))
    following = tokens[end].form if end < len(tokens) else ""
    takes = following in words.objects or (end - start > 1 and said[-1] in words.objects)
    if words.ends_in_verb:
        takes = any(token.form in words.objects for token in tokens[:start])
    # Something new is nothing of the question in hand: add a new order.
    beside = tokens[end : end + 4]
    of_slice = any(token.form in words.of_slice for token in beside)
    makes = any((token.form,) in words.new for token in beside[:2]) and not of_slice
    # One row, by its number: cancel order 3.
    noun, *rest = [token.form for token in tokens[end:]] or [""]
    numbered = noun.isalpha() and noun not in words.ends and len(rest) == 1 and rest[0].isdigit()
    return Order(
        start,
        end,
        changes or frozenset({Change.OTHER}),
        sure=among(words.sure) or (takes and not among(words.new)) or makes or numbered,
        edits=among(words.edits) and not makes,
        of_named=among(words.of_named),
        makes_new=among(words.new),
        # "We have to pay it?" is asked of an answer: only who is spoken to is told to do something.
        of_object=takes
        and not among(words.new)
        and words.selves.isdisjoint(token.form for token in tokens[:start]),
    )


def _same(said: tuple[str, ...], phrase: tuple[str, ...], words: OrderWords, spoken: Spoken) -> bool:
    if said[1:] != phrase[1:]:
        return False
    one, other = said[0], phrase[0]
    if one == other or (one.startswith(other) and one[len(other) :] in words.endings):
        return True
    infinitive = bool(words.infinitives) and one.endswith(words.infinitives)
    return infinitive and not set(keys_of(one, spoken)).isdisjoint(keys_of(other, spoken))


def _phrases(listed: Iterable[str]) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(token.form for token in tokens_of(str(phrase))) for phrase in listed)


def _forms(listed: Iterable[str]) -> frozenset[str]:
    return frozenset(token.form for phrase in listed for token in tokens_of(str(phrase)))
