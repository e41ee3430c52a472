"""What a message asks of a row in hand: a column of it, what it is linked to, or a question kept to it."""

from collections.abc import Callable

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.program import Statement
from dragoman.contracts.record import Record
from dragoman.planning.contract import Candidate, Proposal, Question
from dragoman.planning.database.schema_words import SchemaWords
from dragoman.planning.database.vocabulary import english
from dragoman.planning.rows.names_in import covering
from dragoman.planning.rows.row_links import (
    Target,
    above,
    below,
    bound,
    is_above,
    linked_rows,
    own_column,
    targets,
    ways,
)
from dragoman.planning.rows.row_object import RowObject, opened
from dragoman.planning.rows.row_periods import within
from dragoman.planning.rows.row_words import Part, Said, asks, place_of
from dragoman.planning.tables.name_linker import Named
from dragoman.planning.tables.words import Token, stem

_QUIET = frozenset({Part.SMALL, Part.OPENING, Part.HAVING, Part.MARK, Part.COUNTING, Part.ROW})
_POINTS = frozenset({Part.PRONOUN, Part.PLURAL, Part.POINTING})
_NEAR = 0.15
"""How much better another name may be before the words mean that."""

Planned = Callable[[str], Proposal]
"""What the planner over tables makes of words, as if nothing had been asked before."""


class Asking(Record, frozen=True, gc=True):
    """One program that a message may ask for of a row."""

    statement: Statement
    row: RowObject
    """The row that it is kept to: the one in hand, or what that belongs to."""
    exact: bool
    """Every word is accounted for by the schema alone."""
    read_as: str = ""
    plain: Candidate | None = None
    """What the planner over tables made of the rest of the words."""
    unsure: bool = False
    """It was not sure of that itself."""
    carried: Statement | None = None
    """What keeps the statement to the row, without what else it asks."""


class ObjectQuestion:
    """Reads what one message asks of rows."""

    def __init__(self, said: Said, words: SchemaWords, catalog: Catalog, planned: Planned) -> None:
        self._said = said
        self._words = words
        self._catalog = catalog
        self._planned = planned
        self._tokens = tuple(word.token for word in said.words)
        self._links = words.links(self._tokens)
        self._not_read: tuple[str, ...] = ()

    @property
    def points(self) -> bool:
        """Whether a word of the message stands for the row in hand. Of "each with its price" none does."""
        if self._said.has(Part.EACH) and not self._pointed():
            return False
        return self._said.has(Part.PRONOUN, Part.PLURAL) or bool(self._pointed()) or self._ends_pointing()

    def _ends_pointing(self) -> bool:
        """Whether the last word points at the row: which customer is that."""
        words = [word for word in self._said.words if word.part is not Part.MARK]
        return bool(self._said.content) and bool(words) and words[-1].part is Part.POINTING

    @property
    def asks_whether(self) -> bool:
        """Whether a pronoun stands where a question begins that is answered by yes or no: was it paid."""
        first = [word for word in self._said.words if word.part is not Part.MARK][:2]
        return len(first) == 2 and first[1].part is Part.PRONOUN and not asks(self._said, "which")

    @property
    def unknown(self) -> tuple[str, ...]:
        """The words that were not understood; all that say something, where none is to blame alone."""
        return self._not_read or tuple(token.text for token in self._said.content)

    def of(self, row: RowObject) -> list[Asking]:
        """The programs that the message may ask for; empty where it asks nothing of the row."""
        pointed = self._pointed()
        content = tuple(token for token in self._said.content if token not in pointed)
        if pointed:
            owner = self._owner(row, pointed)
            if owner is None:
                return []
            row = owner
        if not content:
            whole = self._is_bare() and (self._said.has(Part.PRONOUN) or bool(pointed))
            return [Asking(opened(row, self._words.knowledge), row, exact=True)] if whole else []
        exact = self._exact(row, content) if self._is_plain() else []
        named = {each.thing for each in covering(self._links, self._tokens, content)[:1]}
        if exact or self._ends_pointing() or self._words.knowledge.things.table_thing[row.table.key] in named:
            return exact
        return self._read(row, pointed)

    def briefly_of(self, row: RowObject, root: str) -> list[Asking]:
        """The same for a message that points at nothing: a noun alone, of what the row has or leads to, and
        not what the slice in hand lists anyway."""
        if self._said.has(Part.EVERYTHING, Part.EACH, Part.ROW, *_POINTS):
            return []
        if not self._is_plain():
            return self._one_of(row)
        # The doctor of a patient in hand is one of theirs, however many links away; doctors may be any.
        one = self._is_singular()
        found = [each for each in self._targets(row, self._said.content) if each.direct or one]
        own = [each for each in found if each.thing.column is not None or each.thing.table.name != root]
        if len(found) != 1 or not own or self._asks_for_all(own[0]):
            return []
        return self._asked(row, own)

    def _one_of(self, row: RowObject) -> list[Asking]:
        """The last order, the biggest invoice: one of what belongs to the row, and nothing else said."""
        if not all(word.part in _QUIET | {Part.CONTENT, Part.PICK} for word in self._said.words):
            return []
        found = self._targets(row, self._said.content)
        down = [each for each in found if each.thing.column is None and len(each.way) == 1 and each.direct]
        own = len(found) == 1 and bool(down) and down[0].thing.table.key != row.table.key
        return self._read(row, ()) if own else []

    def _asks_for_all(self, target: Target) -> bool:
        """Emails are those of all rows; the email is that of the row in hand."""
        last = self._said.content[-1].low
        if target.thing.column is None or target.way:
            return self._said.has(Part.OPENING) and not self._definite()
        return last.isascii() and last.endswith("s") and not target.thing.column.info.name.endswith("s")

    def _is_singular(self) -> bool:
        """Whether one thing is asked for by a noun: the doctor. A noun in the plural may be of all rows."""
        last = self._said.content[-1] if self._said.content else None
        return last is not None and last.low.isascii() and not last.low.endswith("s")

    def _definite(self) -> bool:
        first = self._tokens.index(self._said.content[0])
        return first > 0 and self._tokens[first - 1].low in ("the", "der", "die", "das", "den")

    def _is_plain(self) -> bool:
        """Whether beside a noun there are only words that say nothing more."""
        known = _QUIET | _POINTS | {Part.CONTENT, Part.PERIOD}
        return all(word.part in known for word in self._said.words)

    def _is_bare(self) -> bool:
        return self._is_plain() and not self._said.has(Part.COUNTING, Part.PERIOD)

    # Whose it is.

    def _pointed(self) -> tuple[Token, ...]:
        """The words for a thing behind a word that points at it: that customer."""
        for place, word in enumerate(self._said.words):
            after = self._said.words[place + 1 : place + 3]
            points = word.part is Part.POINTING or (
                word.part is Part.PRONOUN and not word.token.low.isascii()
            )
            if not points or not after or after[0].part is not Part.CONTENT:
                continue
            named = self._table_at(place + 1)
            if named is not None and (word.part is Part.POINTING or self._beside(named)):
                return self._tokens[named.start : named.end]
        return ()

    def _beside(self, named: Named) -> bool:
        """Whether something else is said as well: of two nouns the first says whose the second is."""
        inside = self._tokens[named.start : named.end]
        return any(token not in inside for token in self._said.content)

    def _table_at(self, place: int) -> Named | None:
        found = [each for each in self._links.named.get(place, ()) if each.thing.column is None]
        return max(found, key=lambda each: (each.score, each.end), default=None)

    def _owner(self, row: RowObject, pointed: tuple[Token, ...]) -> RowObject | None:
        """The row in hand, where it is called so; otherwise what it belongs to that is called so."""
        place = self._tokens.index(pointed[0])
        named = self._table_at(place)
        if named is None:
            return None
        table = named.thing.table
        if table.key == row.table.key:
            return row
        up = [
            way
            for way in ways(self._words.knowledge.things.graph, row.table, table)
            if all("-by-" not in link.name for link in way)
        ]
        return above(row, up[0], self._catalog, self._words.knowledge) if len(up) == 1 else None

    # By the schema alone.

    def _exact(self, row: RowObject, content: tuple[Token, ...]) -> list[Asking]:
        return self._asked(row, self._targets(row, content))

    def _targets(self, row: RowObject, content: tuple[Token, ...]) -> list[Target]:
        """What words mean of a row: the name most like them that the row leads to, unless they are much more
        like something else."""
        named = covering(self._links, self._tokens, content)
        reached = [
            (each.score, found)
            for each in named
            if (found := targets(each.thing, row.table, self._words.knowledge))
        ]
        if not reached:
            return (
                self._held_value(row, content) or self._only_date(row, content) or self._beneath(row, content)
            )
        best = max(score for score, _ in reached)
        if named[0].score > best + _NEAR:
            return self._only_date(row, content)
        at_best = [found for score, found in reached if score == best]
        # A column of the row itself before a table of that name.
        own = [found for found in at_best if found[0].thing.column is not None]
        return [self._turned(each, row) for each in (own or at_best)[0]]

    def _turned(self, target: Target, row: RowObject) -> Target:
        """Who reports to her is another than whom she reports to: along a link from a table to itself, the
        pronoun says at which end the row in hand stands."""
        way = below(row.table, self._words.knowledge.things.graph)
        if not way or not is_above(target, row.table):
            return target
        return replace(target, way=way) if self._ends_in_pronoun() or self._has_some_below() else target

    def _has_some_below(self) -> bool:
        """Whether the message is about those below the row, by a noun for them: his reports."""
        words = [word for word in self._said.words if word.part is not Part.MARK]
        if len(words) != 2 or words[0].part not in (Part.PRONOUN, Part.PLURAL):
            return False
        noun = words[1].token
        return noun.low.endswith("s") and noun.stem in {stem(word) for word in english().below_self}

    def _ends_in_pronoun(self) -> bool:
        """Whether what is asked is done to the row in hand: reports to her, and not: her boss."""
        words = [word for word in self._said.words if word.part is not Part.MARK]
        last, before = words[-1:], words[-2:-1]
        led = bool(before) and before[0].part is Part.SMALL and asks(self._said, "which")
        return led and last[0].part in (Part.PRONOUN, Part.PLURAL)

    def _beneath(self, row: RowObject, content: tuple[Token, ...]) -> list[Target]:
        """Her subordinates: rows of the same kind that point at the row, by a word for such."""
        way = below(row.table, self._words.knowledge.things.graph)
        stems = {token.stem for token in content}
        if not way or not stems <= {stem(word) for word in english().below_self}:
            return []
        return [Target(self._words.knowledge.things.table_thing[row.table.key], way)]

    def _only_date(self, row: RowObject, content: tuple[Token, ...]) -> list[Target]:
        """When an order was ordered: its only date."""
        dates = self._words.knowledge.dates(row.table)
        if len(dates) != 1 or not asks(self._said, "when"):
            return []
        places = [self._tokens.index(token) for token in content]
        own = all(
            any(each.thing.table.key == row.table.key for each in self._links.named.get(place, ()))
            for place in places
        )
        return [Target(dates[0])] if own else []

    def _held_value(self, row: RowObject, content: tuple[Token, ...]) -> list[Target]:
        """Whether it is paid: the column of the row that has such a value."""
        if self._said.has(Part.COUNTING) or not content:
            return []
        first, last = self._tokens.index(content[0]), self._tokens.index(content[-1]) + 1
        valued = [each for each in self._links.valued.get(first, ()) if each.end == last and not each.inside]
        own = {each.thing for each in valued if each.thing.table.key == row.table.key}
        return [Target(thing) for thing in own] if len(own) == 1 else []

    def _asked(self, row: RowObject, found: list[Target]) -> list[Asking]:
        knowledge = self._words.knowledge
        statements: list[Statement | None] = []
        for target in filter(self._answers, found):
            column = target.thing.column
            if target.way:
                counted = self._said.has(Part.COUNTING)
                found_rows = linked_rows(row, target.way, knowledge, counted=counted)
                statements.append(within(found_rows, self._said, knowledge))
            elif column is not None and not self._said.has(Part.PERIOD) and self._may_count(target):
                statements.append(own_column(row, column.name, knowledge))
        return [Asking(each, row, exact=True) for each in statements if each is not None]

    def _may_count(self, target: Target) -> bool:
        """How many seats it has is a column of it, where it has one of numbers."""
        return target.thing.is_number or not self._said.has(Part.COUNTING)

    def _answers(self, target: Target) -> bool:
        """Whether a column can be what is asked for: nobody is a date, and no time is a name."""
        if target.way or target.thing.column is None:
            return True
        dated, numeric = target.thing.is_date, target.thing.is_number
        return not (asks(self._said, "who") and (dated or numeric)) and not (
            asks(self._said, "when") and not dated
        )

    # By the planner over tables.

    def _read(self, row: RowObject, pointed: tuple[Token, ...]) -> list[Asking]:
        """The rest of the words as a question of its own, kept to the row."""
        rest = self._rest(pointed)
        proposal = self._planned(rest)
        refusal = proposal.refuses
        self._not_read = tuple(word for word in refusal.words if word in self._said.text) if refusal else ()
        if refusal is not None or isinstance(proposal.asks, Question):
            return []
        offered = proposal.candidates if proposal.asks is not None else proposal.candidates[:1]
        found: list[Asking] = []
        for candidate in offered:
            if len(candidate.program) != 1 or candidate.uncovered:
                continue
            kept = self._kept(candidate.program[0], row)
            if kept is not None:
                carried = self._kept(Statement(kept.verb), row)
                asking = Asking(kept, row, exact=False, read_as=rest, plain=candidate, carried=carried)
                found.append(replace(asking, unsure=proposal.asks is not None))
        return found

    def _rest(self, pointed: tuple[Token, ...]) -> str:
        """The message without what points at the row, and without the verbs that say only that it has
        something."""
        text = list(self._said.without(Part.PRONOUN, Part.PLURAL, Part.HAVING))
        # "At which station is it" asks which station: where it is, the row in hand says.
        before_which = self._tokens[: place_of(self._said, "which") or 0]
        if all(word.part is Part.SMALL for word in self._said.words[: len(before_which)]):
            for token in before_which:
                text[token.start : token.end] = " " * (token.end - token.start)
        for place, token in enumerate(self._tokens):
            points = self._said.words[place].part is Part.POINTING and self._tokens[place + 1 : place + 2]
            if token in pointed or (points and self._tokens[place + 1] in pointed):
                text[token.start : token.end] = " " * (token.end - token.start)
                before = self._tokens[place - 1] if place else None
                if before is not None and before.low in ("of", "for", "by", "from", "von", "у", "для"):
                    text[before.start : before.end] = " " * (before.end - before.start)
        return "".join(text)

    def _kept(self, statement: Statement, row: RowObject) -> Statement | None:
        graph = self._words.knowledge.things.graph
        table = graph.by_name.get(statement.verb.rpartition(".")[0])
        if table is None:
            return None
        if table.key == row.table.key:
            # Columns of the row in hand, and nothing that another row could be meant by.
            given = {argument.name for argument in statement.arguments}
            plain = statement.verb.endswith(".list") and given <= {"columns"}
            return bound(statement, row, (), self._words.knowledge) if plain else None
        found = ways(graph, row.table, table)
        measured = not statement.verb.endswith((".list", ".count"))
        if len(found) != 1 or (measured and len(found[0]) > 1):
            # What is added up along several links may be a part of something else.
            return None
        return bound(statement, row, found[0], self._words.knowledge)
