"""Messages of a language in which all that describes a noun stands before it, turned into English order.

Words are taken from left to right. What describes waits until its noun comes: then adjectives go before it,
clauses and owners behind it. Groups, times and orders go to the end, and what is asked for to the front.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from dragoman.planning.pivot.chunks import Chunk
from dragoman.planning.pivot.english_forms import plural
from dragoman.planning.pivot.grammar import HeadFinal, Sheet
from dragoman.planning.pivot.items import Item
from dragoman.planning.pivot.words import Kind

Look = Callable[[Chunk], Item]
"""What a stem is in English."""

_PREPOSITIONS = {"at": "in", "to": "to", "from": "from", "until": "to", "by": "by"}
_HOW_MANY = "how many"


@dataclass
class _Waiting:
    """What waits for its noun, and what has been found a place."""

    before: list[Item] = field(default_factory=list)
    behind: list[Item] = field(default_factory=list)
    subject: list[Item] = field(default_factory=list)
    places: list[Item] = field(default_factory=list)
    number: list[Item] = field(default_factory=list)
    extreme: Item | None = None
    listed: list[Item] = field(default_factory=list)
    main: list[Item] = field(default_factory=list)
    groups: list[Item] = field(default_factory=list)
    times: list[Item] = field(default_factory=list)
    orders: list[Item] = field(default_factory=list)
    opening: list[Item] = field(default_factory=list)


class Arrangement:
    """One message on its way to English order."""

    def __init__(self, sheet: Sheet, look: Look) -> None:
        self._sheet = sheet
        self._told = sheet.head_final or HeadFinal()
        self._look = look
        self._held = _Waiting()

    def arranged(self, chunks: Sequence[Chunk]) -> list[Item]:
        at = 0
        while at < len(chunks):
            at += self._take(chunks, at)
        return self._whole()

    def _take(self, chunks: Sequence[Chunk], at: int) -> int:
        """Find a place for the next chunk; how many were taken."""
        chunk = chunks[at]
        following = chunks[at + 1] if at + 1 < len(chunks) else None
        match chunk.word.kind:
            case Kind.PERIOD:
                return self._period(chunk, following)
            case Kind.NUMBER:
                return self._number(chunk, following)
            case Kind.MARK:
                return 1
        told = self._told
        if at and chunk.stem in told.counters and _is_counted(chunks[at - 1], told):
            return 1
        for section, take in (
            (told.superlative_marks, self._mark),
            (told.predicates, self._predicate),
            (told.orders, self._order),
            (told.clauses, self._clause),
            (told.before, self._describe),
            (told.heads, self._head),
        ):
            if chunk.stem in section and take(chunk, following):
                return 1
        self._noun(chunk, following)
        return 1

    def _period(self, chunk: Chunk, following: Chunk | None) -> int:
        bound, taken = self._bound(chunk, following)
        if bound is None and chunk.role in ("from", "until"):
            bound = _item({"from": "since", "until": "until"}[chunk.role], chunk)
        self._held.times += [bound or _item("in", chunk), _item(chunk.word.english, chunk)]
        return taken

    def _number(self, chunk: Chunk, following: Chunk | None) -> int:
        bound, taken = self._bound(chunk, following)
        said = _item(chunk.word.english, chunk, counts=True)
        held = self._held
        top = held.before and held.before[-1].english in ("top", "bottom", "first", "last")
        if bound is not None:
            held.number = [bound, said]
        elif top:
            self._top(said)
        elif following is None and held.main and held.main[0].is_noun:
            # `Airlines 3` are three of them.
            held.main = [said, *_many(held.main)]
        elif chunk.role == "than" or following is None or following.stem in self._told.clauses:
            held.number = [said]
        else:
            held.before.append(said)
        return taken

    def _top(self, said: Item) -> None:
        """`Sales top 5 countries` are the top 5 countries by sales."""
        held = self._held
        *measured, top = held.before
        if measured:
            held.orders += [_like("by", top), *measured]
        held.before = [top, said]

    def _bound(self, chunk: Chunk, following: Chunk | None) -> tuple[Item | None, int]:
        """What stands behind a number or a period and says which side of it is meant."""
        if following is None or following.stem not in self._told.bounds:
            return None, 1
        return _item(self._told.bounds[following.stem], following), 2

    def _mark(self, chunk: Chunk, following: Chunk | None) -> bool:
        self._held.extreme = _item("most", chunk)
        return True

    def _predicate(self, chunk: Chunk, following: Chunk | None) -> bool:
        english = self._told.predicates[chunk.stem]
        if chunk.stem in self._told.clauses and following is not None:
            return False
        if english:
            self._held.opening = [_item(english, chunk)]
        return True

    def _order(self, chunk: Chunk, following: Chunk | None) -> bool:
        self._held.orders.append(_item(self._told.orders[chunk.stem], chunk))
        return True

    def _describe(self, chunk: Chunk, following: Chunk | None) -> bool:
        """An adjective; at the end, or with an ending that says what it does, it is a noun."""
        if following is None or chunk.role:
            return False
        self._held.before.append(_item(self._told.before[chunk.stem], chunk))
        return True

    def _head(self, chunk: Chunk, following: Chunk | None) -> bool:
        """A noun that counts or adds up what stands before it: `customers number` is the number of them."""
        held = self._held
        if not held.before and not held.main:
            return False
        counted = held.before or held.main
        if not held.before:
            held.main = []
        english = self._told.heads[chunk.stem]
        head = [_item(english, chunk, counts=True)] if english else []
        held.before = []
        self._placed([*head, *_many(counted), *held.behind], chunk, following)
        return True

    def _clause(self, chunk: Chunk, following: Chunk | None) -> bool:
        held, template = self._held, self._told.clauses[chunk.stem]
        extreme = self._sheet.superlatives.get(chunk.stem) if held.extreme is not None else None
        if extreme is not None:
            mark = held.extreme or _item("", chunk)
            said = Item(extreme, min(mark.start, chunk.word.start), chunk.word.end)
            subject = [*held.before, *held.subject]
            if subject:
                held.before = []
                held.behind = [*held.behind, _like("with the", said), said, *_many(subject)]
            else:
                held.before.append(said)
            held.extreme, held.subject = None, []
            return True
        if "{" not in template:
            self._verb(chunk, template)
            return True
        subject = held.subject or held.before
        if "{n}" in template and not held.number:
            # Only an adjective: a tall building.
            return False
        filled = self._filled(template, chunk, subject)
        held.behind = [*held.behind, *filled, *held.places]
        held.before = [] if subject is held.before else held.before
        held.subject, held.number, held.places = [], [], []
        return True

    def _verb(self, chunk: Chunk, english: str) -> None:
        held = self._held
        by = [_like("by", held.subject[0]), *held.subject] if held.subject else []
        loose = held.before
        clause = [_item(english, chunk), *by, *loose, *held.number, *held.places, *held.times]
        held.behind = [*held.behind, *clause]
        held.subject, held.places, held.number, held.times, held.before = [], [], [], [], []

    def _filled(self, template: str, chunk: Chunk, subject: list[Item]) -> list[Item]:
        number = self._held.number
        found: list[Item] = []
        words = template.split()
        if "{n}" in words and len(number) > 1:
            # The number brings its own comparison.
            words = [*words[: words.index("{s}") + 1], "{n}"] if "{s}" in words else ["{n}"]
        for word in words:
            match word:
                case "{s}":
                    found.extend(subject)
                case "{n}":
                    found.extend(number)
                case _:
                    found.append(_item(word, chunk))
        return found

    def _noun(self, chunk: Chunk, following: Chunk | None) -> None:
        held = self._held
        item = self._look(chunk)
        joins = not chunk.role and following is not None and self._goes_on(following)
        if joins:
            held.before.append(item)
            return
        if held.extreme is not None:
            held.before.append(held.extreme)
            held.extreme = None
        counted = any(each.counts for each in held.before)
        phrase = [*held.before, *(_many([item]) if counted else [item]), *held.behind]
        held.before = []
        self._placed(phrase, chunk, following)

    def _goes_on(self, following: Chunk) -> bool:
        """Whether the next chunk goes on with the same noun phrase."""
        if following.word.kind in (Kind.PERIOD, Kind.MARK, Kind.NUMBER):
            return False
        told = self._told
        return not any(
            following.stem in section for section in (told.predicates, told.orders, told.superlative_marks)
        )

    def _placed(self, phrase: list[Item], chunk: Chunk, following: Chunk | None) -> None:
        """Put a whole noun phrase where its ending says."""
        held = self._held
        held.behind = []
        held.before = []
        whole = [*held.listed, *phrase]
        match chunk.role:
            case "and" | "or":
                held.listed = [*whole, _item(chunk.role, chunk)]
                return
            case "of":
                held.behind = [_item("of", chunk), *whole]
            case "each":
                held.groups += [_item("by", chunk), *whole]
            case "order":
                held.orders += [_item("sorted by", chunk), *whole]
            case "count":
                held.main += [_item("number of", chunk, counts=True), *_many(whole)]
            case "among":
                held.places += [_item("among", chunk), *whole]
            case "is" if held.subject:
                held.behind = [_like("with", held.subject[0]), *held.subject, *whole]
                held.subject = []
            case "is" | "named":
                held.before = whole
            case "only":
                held.main += [_item("only", chunk), *whole]
            case "than":
                held.number = whole
            case "at" | "to" | "from" | "until" | "by":
                held.places += [_item(_PREPOSITIONS[chunk.role], chunk), *whole]
            case "topic" if following is not None and self._is_subject(following):
                held.subject = whole
            case _:
                held.main += whole
        held.listed = []

    def _is_subject(self, following: Chunk) -> bool:
        """Whether what follows says something of this noun, and is not the end of the message."""
        told = self._told
        ends = following.stem in told.predicates and following.stem not in told.clauses
        return not ends and following.word.kind is not Kind.MARK

    def _whole(self) -> list[Item]:
        held = self._held
        rest = [*held.subject, *held.listed, *held.before, *held.behind]
        main = held.main or rest
        left = rest if held.main else []
        counting = bool(held.opening) and held.opening[0].english == _HOW_MANY
        main = _many(main) if counting else main
        number = [] if held.number and counting else held.number
        if not main and not held.opening and held.times and not held.groups:
            return [_like("what about", held.times[0]), *held.times[1:]]
        return [
            *held.opening, *main, *left, *number, *held.places, *held.times, *held.groups, *held.orders
        ]  # fmt: skip


def _is_counted(before: Chunk, told: HeadFinal) -> bool:
    """Whether what stands before a counter asks for a number, or is one."""
    return before.word.kind is Kind.NUMBER or told.predicates.get(before.stem) == _HOW_MANY


def _many(items: Sequence[Item]) -> list[Item]:
    """The first noun as a plural: what is counted."""
    found = list(items)
    for at, item in enumerate(found):
        if item.is_noun:
            last = at
            while last + 1 < len(found) and found[last + 1].is_noun:
                last += 1
            noun = found[last]
            if noun.known:
                found[last] = replace(noun, english=plural(noun.english))
            break
    return found


def _item(english: str, chunk: Chunk, *, counts: bool = False) -> Item:
    return Item(english, chunk.word.start, chunk.word.end, counts=counts)


def _like(english: str, item: Item) -> Item:
    return Item(english, item.start, item.end)
