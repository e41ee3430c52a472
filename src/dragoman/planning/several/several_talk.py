"""Rows and words where there are several databases: which of them a message about either belongs to."""

from collections.abc import Iterable

from msgspec.structs import replace

from dragoman.contracts.taught import TaughtKind, TaughtWord
from dragoman.planning.contract import Asked, Planner, Proposal, Question
from dragoman.planning.rows.rows_planner import RowsPlanner
from dragoman.planning.several.place import Place
from dragoman.planning.several.several_planner import SeveralDatabases
from dragoman.planning.teaching.teach_planner import TeachPlanner


class SeveralRows:
    """A row is one of the answer in hand, so its database is asked, unless another one is named."""

    name = RowsPlanner.name

    def __init__(self, databases: SeveralDatabases) -> None:
        self._databases = databases

    def propose(self, asked: Asked) -> Proposal | None:
        answer, named = asked.continuity.root_answer, self._databases.named_in(asked)
        if answer is None:
            return None
        for place in self._databases.places:
            if place.owns(answer.program):
                return place.ask(place.rows, asked) if named in (None, place) else None
        return None


class SeveralTeachers:
    """A word is taught for the database that has what it means: the one that is named, or else one that has a
    table of that name, the one in hand, the first."""

    name = TeachPlanner.name

    def __init__(self, databases: SeveralDatabases, teachers: Iterable[tuple[Place, TeachPlanner]]) -> None:
        self._databases = databases
        self._teachers = tuple(teachers)

    def propose(self, asked: Asked) -> Proposal | None:
        named, home = self._databases.named_in(asked), self._databases.home(asked)
        taught: list[tuple[TaughtWord, Proposal]] = []
        refused: Proposal | None = None
        for place, teacher in sorted(self._teachers, key=lambda each: each[0] is not home):
            proposal = teacher.propose(place.here(asked)) if named in (None, place) else None
            teaching = proposal.teaches if proposal is not None else None
            if proposal is None or teaching is None:
                continue
            if teaching.problem is not None:
                refused = refused or proposal
            elif teaching.word is None or teaching.answer is not None:
                return proposal
            else:
                default = place.spec == asked.catalog.default
                name = "" if default else place.name
                word, *more = (replace(each, connection=name) for each in (teaching.word, *teaching.more))
                told = replace(teaching, word=word, more=tuple(more))
                taught.append((word, replace(proposal, teaches=told)))
        return min(taught, key=lambda each: each[0].kind is not TaughtKind.TABLE)[1] if taught else refused


class Where:
    """A planner over packs beside several databases: what would read another database than the one that is
    named is not proposed."""

    def __init__(self, planner: Planner, databases: SeveralDatabases) -> None:
        self._planner = planner
        self._databases = databases

    @property
    def name(self) -> str:
        return self._planner.name

    def propose(self, asked: Asked) -> Proposal | None:
        proposal = self._planner.propose(asked)
        named = self._databases.named_in(asked)
        if proposal is None or named is None:
            return proposal
        verbs = [each.request.verb for each in proposal.candidates if each.request is not None]
        if isinstance(proposal.asks, Question):
            verbs.append(proposal.asks.verb)
        elsewhere = any(asked.catalog.connection_of(verb.pack) != named.spec for verb in verbs)
        return None if elsewhere else proposal
