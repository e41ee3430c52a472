"""The planner over the tables of several databases: names decide which is asked, or else a person.

Opening a database reads its values. So the one whose names the message has is asked first, and the others
only where names do not decide.
"""

import itertools
import re
from collections.abc import Sequence as Several
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.errors import DragomanError
from dragoman.contracts.objection import Objection
from dragoman.contracts.program import Argument, Sequence, Statement, Symbol, Text
from dragoman.contracts.vocabulary import Signal
from dragoman.language.edits import difference
from dragoman.language.verbs.printer import print_program
from dragoman.planning.contract import CERTAIN, LIKELY, Asked, Candidate, Options, Proposal, Refusal
from dragoman.planning.database_planner import DatabasePlanner
from dragoman.planning.leaning_words import only_leans
from dragoman.planning.several.merged import Answered, merged
from dragoman.planning.several.place import Place
from dragoman.planning.several.said_names import Said, SchemaNames, stems_of
from dragoman.planning.tables.words import tokens_of

_AT: Final = re.compile(r"(?<![\w.@])@[A-Za-z][\w.-]*\w")
"""Something that looks like the name of a connection, and is none: those were read before."""


class SeveralDatabases:
    """Asks each database, or the one that is named, and makes one proposal of what they say."""

    name = DatabasePlanner.name

    def __init__(self, places: Several[Place], names: Several[SchemaNames]) -> None:
        """`names` are those of each place, in their order."""
        self.places = tuple(places)
        self._names = tuple(names)

    def propose(self, asked: Asked) -> Proposal:
        named = self.named_in(asked)
        if len(asked.reading.connections) > 1:
            return _refusing(Refusal("several_databases", _short(asked)), CERTAIN)
        if named is not None:
            return self._of_named(named, asked)
        if asked.reading.connections:
            return self._unread(asked)
        answered = self._answered(asked)
        if any(each.takes for each in answered):
            proposal = merged(answered, self.home(asked))
            return _hesitant(proposal) if self._is_called_elsewhere(proposal, asked) else proposal
        return self._boundary(answered, asked) or merged(answered, self.home(asked))

    def _is_called_elsewhere(self, proposal: Proposal, asked: Asked) -> bool:
        """Whether a message has the name of a table of another database, which the one that would answer
        takes for something like it: invoices for orders."""
        best = proposal.candidates[0] if proposal.candidates else None
        if best is None or best.follows or proposal.asks is not None:
            return False
        stems = stems_of(token.text for token in tokens_of(asked.text))
        owner = [place.owns(best.program) for place in self.places]
        here = frozenset[str]().union(*(n.own for n, own in zip(self._names, owner, strict=True) if own))
        there = (n.own_tables for n, own in zip(self._names, owner, strict=True) if not own)
        return any(stems & tables - here for tables in there)

    def named_in(self, asked: Asked) -> Place | None:
        """The one database that a message names."""
        specs = [asked.catalog.connection_named(name) for name in asked.reading.connections]
        return next((place for place in self.places if [place.spec] == specs), None)

    def home(self, asked: Asked) -> Place | None:
        """The database that the program in hand reads; none where it is open which program that is, and they
        are not all of one."""
        attempt = asked.continuity.attempt
        if attempt is not None and attempt.readings:
            read = [each.program for each in attempt.readings]
            return next((place for place in self.places if all(map(place.owns, read))), None)
        in_hand = asked.continuity.in_hand or asked.continuity.base
        return next((place for place in self.places if place.owns(in_hand)), None)

    def objections(self, asked: Asked, candidate: Candidate) -> tuple[Objection, ...]:
        """What the second reader of its database has against a candidate."""
        for place in self.places:
            if candidate.request is None and place.owns(candidate.program):
                try:
                    return place.objections(asked, candidate)
                except DragomanError:
                    # Without the database nobody can judge; whoever picks it hears why it cannot be read.
                    return ()
        return ()

    # One of them.

    def _of_named(self, place: Place, asked: Asked) -> Proposal:
        in_hand = asked.continuity.in_hand
        if in_hand and only_leans(asked.text, asked.reading.language):
            return self._moved(place, asked)
        proposal = place.ask(place.tables, asked, moves=True)
        return proposal if proposal is not None else _refusing(Refusal("no_reading"))

    def _moved(self, place: Place, asked: Asked) -> Proposal:
        """What was asked last, asked of another database."""
        before = asked.continuity.in_hand
        program = place.moved(before)
        if program is None:
            return _refusing(Refusal("not_in_database", (place.name,)), CERTAIN)
        candidate = Candidate(program, difference(before, program), 1.0, follows=True, notes=(place.name,))
        rule = f"take: the same of {place.name}"
        root = asked.continuity.root
        same = root is not None and program[0].verb.rpartition(".")[0] == root.domain_id
        signals = (Signal.REQUEST, Signal.SAME_DOMAIN if same else Signal.OPENS_ROOT)
        return Proposal(self.name, signals, CERTAIN, (candidate,), rule=rule)

    def _unread(self, asked: Asked) -> Proposal:
        """A connection is named that has no planner: it was never discovered, or has nothing to ask."""
        return _refusing(Refusal("not_discovered", _short(asked)), CERTAIN)

    # All of them.

    def _answered(self, asked: Asked) -> list[Answered]:
        said = [names.said(asked.text, asked.reading.language) for names in self._names]
        home = self.home(asked)
        order = sorted(range(len(said)), key=lambda at: (self.places[at] is not home, -len(said[at].names)))
        found: list[Answered] = []
        for at in order:
            found.append(Answered(self.places[at], self._asked(self.places[at], asked)))
            others = [said[other] for other in order if other != at]
            if found[-1].takes and _decides(said[at], others):
                # What changes the program in hand is meant there, whatever else is called so.
                return [*(each for each in found[:-1] if _changes(each, home)), found[-1]]
        return found

    def _asked(self, place: Place, asked: Asked) -> Proposal:
        try:
            proposal = place.ask(place.tables, asked)
        except DragomanError as failure:
            return _refusing(Refusal(failure.code, problem=failure.message))
        return proposal if proposal is not None else _refusing(Refusal("no_reading"))

    def _boundary(self, answered: list[Answered], asked: Asked) -> Proposal | None:
        """What keeps all of them from an answer, where it is not a word that nobody knows: a connection that
        is not there, a name of one that lacks its @, or things of two databases at once."""
        if any(each.proposal.refuses is None and not each.left_over for each in answered):
            return None
        unknown = _AT.search(asked.text)
        if unknown is not None:
            return _refusing(Refusal("connection_unknown", (unknown.group(), *self._shown())))
        bare = self._bare_name(answered, asked)
        if bare is not None:
            return bare
        return self._two(answered, asked)

    def _shown(self) -> tuple[str, ...]:
        return tuple(place.name for place in self.places)

    def _bare_name(self, answered: list[Answered], asked: Asked) -> Proposal | None:
        """A word that nobody knows and a connection has for its name means that connection."""
        left = {word.casefold() for each in answered for word in each.left_over}
        named = [place for place in self.places if place.spec.alias.casefold() in left]
        if len(named) != 1:
            return None
        (place,) = named
        rest = re.sub(rf"(?<!\w){re.escape(place.spec.alias)}(?!\w)", " ", asked.text, flags=re.IGNORECASE)
        reading = replace(asked.reading, connections=(place.spec.name,))
        return self._of_named(place, replace(asked, text=" ".join(rest.split()), reading=reading))

    def _two(self, answered: list[Answered], asked: Asked) -> Proposal | None:
        """What one database lacks is a name in another, and the other way round."""
        of_place = dict(zip((place.name for place in self.places), self._names, strict=True))
        text, code = asked.text, asked.reading.language
        for one, other in itertools.permutations(answered, 2):
            names, others = of_place[one.place.name], of_place[other.place.name]
            here, there = names.said(text, code), others.said(text, code)
            mine, yours = stems_of(one.left_over), stems_of(other.left_over)
            if mine and yours and not mine & yours and yours & (here.names - there.names):
                ways = (
                    _copied(one, names.table_of(sorted(here.tables) or sorted(here.names))),
                    _copied(
                        other, others.table_of(sorted(there.tables & mine) or sorted(there.names & mine))
                    ),
                )
                words = (one.place.name, other.place.name, *_told(text, yours, mine))
                return _refusing(Refusal("two_databases", (*words, " ".join(filter(None, ways)))), CERTAIN)
        return None


def _short(asked: Asked) -> tuple[str, ...]:
    """The connections that a message names, each by the shortest name that is only its own."""
    known = asked.catalog.databases
    return tuple(f"@{known.told_apart(known.find(name))}" for name in asked.reading.connections)


def _copied(answered: Answered, table: str) -> str:
    """A program that copies the table a database would read for a message into the folder `both`."""
    if not table:
        table = answered.best.program[0].verb.rpartition(".")[0] if answered.best is not None else ""
    if not table:
        return ""
    listed = answered.place.named(Statement(f"{table}.list", binds=table))
    needs = Argument("needs", Sequence((Symbol(table),)))
    told = (("format", "parquet"), ("path", f"both/{table}.parquet"))
    arguments = (needs, *(Argument(name, Text(value)) for name, value in told))
    return " ".join(print_program((listed, Statement("duckdb.writer", arguments, f"copy-{table}"))).split())


def _told(text: str, *stems: frozenset[str]) -> list[str]:
    """The words of a message with these stems, as they were written."""
    tokens = tokens_of(text)
    return [", ".join(f"“{each.text}”" for each in tokens if each.stem in wanted) for wanted in stems]


def _changes(answered: Answered, home: Place | None) -> bool:
    """Whether a database would change the program in hand, which is its own."""
    return answered.place is home and answered.best is not None and answered.best.follows


def _hesitant(proposal: Proposal) -> Proposal:
    """A proposal that asks whether its first reading is meant."""
    return replace(
        proposal,
        signals=(Signal.REQUEST, Signal.OPENS_ROOT),
        certainty=min(proposal.certainty, LIKELY - _STEP),
        candidates=proposal.candidates[:1],
        asks=Options(person=True),
        rivals=False,
        rule="ask: a table of another database is called so",
    )


def _decides(said: Said, others: Several[Said]) -> bool:
    """Whether a message names a table that no other database has anything like."""
    return all(said.tables - other.names for other in others)


def _refusing(refusal: Refusal, certainty: float = 0.0) -> Proposal:
    rule = f"refuse: {refusal.code}"
    return Proposal(
        DatabasePlanner.name, (Signal.UNCOVERED,), certainty or _REFUSED, refuses=refusal, rule=rule
    )


_STEP: Final = 0.01
_REFUSED: Final = 0.07
"""As sure as the planner over one database is of a refusal that names words."""
