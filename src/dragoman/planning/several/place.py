"""One of several databases. Its planner knows of no other, and its programs name no connection.

What goes in is put into the words of this database: programs of its own lose their `:connection`, those of
others are not there. What comes out names the connection again, the default one as well: whoever reads the
program or the answer sees where it is from. So everything that plans over one database plans over each of
several, unchanged.
"""

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.verbs import CONNECTION, connection_in
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.objection import Objection
from dragoman.contracts.program import Argument, Program, Statement, Text
from dragoman.contracts.state import AttemptState
from dragoman.language.edits import difference
from dragoman.language.inlined_calls import with_inner
from dragoman.planning.contract import Asked, Candidate, Planner, Proposal
from dragoman.planning.database_planner import DatabasePlanner
from dragoman.session.continuity import Continuity


class Place:
    """A database, the planner over its tables and the one over its rows."""

    def __init__(
        self, catalog: Catalog, spec: ConnectionSpec, tables: DatabasePlanner, rows: Planner
    ) -> None:
        self._catalog = catalog
        self.spec = spec
        self.tables = tables
        self.rows = rows
        self.view = catalog.only(spec)
        """The catalog of this database alone."""
        self.name = f"@{catalog.databases.told_apart(spec)}"
        """What programs over it name, and people call it."""

    def owns(self, program: Program) -> bool:
        """Whether a program reads this database and nothing else."""
        return bool(program) and all(
            self._catalog.connection_for(each.verb, connection_in(each)) == self.spec for each in program
        )

    def ask(self, planner: Planner, asked: Asked, *, moves: bool = False) -> Proposal | None:
        """What a planner of this database makes of a message. With `moves` the program in hand, where it is
        of another database and can be asked of this one, is asked of this one."""
        proposal = planner.propose(self.here(asked, moves=moves))
        return None if proposal is None else self._there(proposal, asked)

    def objections(self, asked: Asked, candidate: Candidate) -> tuple[Objection, ...]:
        local = replace(
            candidate, program=self._plain(candidate.program), carried=self._plain(candidate.carried)
        )
        return self.tables.objections(self.here(asked, moves=True), local)

    def moved(self, program: Program) -> Program | None:
        """A program over a table of another database, asked of this one; None where it has no such table or
        columns."""
        if len(program) != 1 or not self._catalog.is_of_table(program[0]):
            return None
        (statement,) = self._plain(program)
        known = self.view.signature(statement.verb) is not None and self.view.is_of_table(statement)
        return (self.named(statement),) if known and not self.view.findings(statement) else None

    def named(self, statement: Statement) -> Statement:
        """A statement that names this database, with every call in it."""
        return with_inner(statement, self._named)

    def _named(self, statement: Statement) -> Statement:
        rest = tuple(each for each in statement.arguments if each.name != CONNECTION)
        return replace(statement, arguments=(Argument(CONNECTION, Text(self.name)), *rest))

    # Into the words of this database.

    def here(self, asked: Asked, *, moves: bool = False) -> Asked:
        return replace(asked, continuity=self._continuity(asked.continuity, moves=moves), catalog=self.view)

    def _continuity(self, whole: Continuity, *, moves: bool) -> Continuity:
        root, base = whole.root_answer, self._held(whole.base, moves=moves)
        attempt = self._attempt(whole.attempt, moves=moves)
        own = not whole.base or bool(base)
        return replace(
            whole,
            root=whole.root if own else None,
            selected_object=whole.selected_object if own else None,
            root_answer=self._answer(root) if own else None,
            last_found=self._answer(whole.last_found),
            base=base,
            attempt=attempt,
            in_hand=attempt.program if attempt is not None and attempt.program else base,
        )

    def _attempt(self, attempt: AttemptState | None, *, moves: bool) -> AttemptState | None:
        if attempt is None:
            return None
        held = [(each, self._held(each.program, moves=moves)) for each in attempt.readings]
        return replace(
            attempt, readings=tuple(replace(each, program=program) for each, program in held if program)
        )

    def _held(self, program: Program, *, moves: bool) -> Program:
        if self.owns(program):
            return self._plain(program)
        moved = self.moved(program) if moves else None
        return () if moved is None else self._plain(moved)

    def _answer(self, answer: AnswerObject | None) -> AnswerObject | None:
        if answer is None or not self.owns(answer.program):
            return None
        return replace(answer, program=self._plain(answer.program))

    def _plain(self, program: Program) -> Program:
        return tuple(
            with_inner(each, _unnamed) if self._catalog.is_of_table(each) else each for each in program
        )

    # Out of them again.

    def _there(self, proposal: Proposal, asked: Asked) -> Proposal:
        return replace(
            proposal, candidates=tuple(self._candidate(each, asked) for each in proposal.candidates)
        )

    def _candidate(self, candidate: Candidate, asked: Asked) -> Candidate:
        program = tuple(map(self.named, candidate.program))
        continuity = asked.continuity
        before = continuity.base if candidate.of_slice or candidate.focus is not None else continuity.in_hand
        return replace(
            candidate,
            program=program,
            edits=difference(before if candidate.follows else (), program),
            carried=tuple(map(self.named, candidate.carried)),
        )


def _unnamed(statement: Statement) -> Statement:
    return replace(
        statement, arguments=tuple(each for each in statement.arguments if each.name != CONNECTION)
    )
