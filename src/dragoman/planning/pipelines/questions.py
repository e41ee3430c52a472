"""The rows of a pipeline by a question: whatever can be asked can be exported.

The planners of questions read what is left of the message; what they would answer is read by the pipeline.
"""

from collections.abc import Callable

from msgspec.structs import replace

from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.program import Program, Sequence, Statement, Text
from dragoman.contracts.state import (
    AnswersRegion,
    FramesRegion,
    ProgramRegion,
    RootFrameState,
    SessionState,
)
from dragoman.contracts.vocabulary import FrameStatus
from dragoman.planning.contract import Asked, Candidate, Options, Question, Refusal
from dragoman.planning.examination import Examined
from dragoman.planning.pipelines.gates import of_program
from dragoman.planning.pipelines.request import Request

Read = Callable[[Asked, str, SessionState, str], Asked]
"""A text, read as a message of a session in this state, asked of the connection that is named."""
Propose = Callable[[Asked], Examined]
"""What the planners of questions make of a message, examined."""


class Questions:
    """Asks the planners of questions for the program behind some words."""

    def __init__(self, read: Read, propose: Propose) -> None:
        self._read = read
        self._propose = propose

    def rows(self, asked: Asked, text: str, connection: str = "") -> "tuple[Candidate, ...] | Question | Refusal":
        """The programs that a question may mean: one, or several that are close; what it lacks; or why there
        is none."""
        return self._found(asked, text, _alone(asked.state), connection)

    def answered(self, asked: Asked) -> Examined:
        """What a message is to the question that is open."""
        return self._propose(asked)

    def changed(
        self, asked: Asked, text: str, reads: Program, connection: str
    ) -> "tuple[Candidate, ...] | Question | Refusal":
        """The same of a change of rows that are in hand."""
        return self._found(asked, text, _upon(asked.state, reads), connection)

    def _found(
        self, asked: Asked, text: str, state: SessionState, connection: str
    ) -> "tuple[Candidate, ...] | Question | Refusal":
        if not text.strip():
            return Refusal("no_reading")
        examined = self._propose(self._read(asked, text, state, connection))
        proposal = examined.proposal
        if proposal.refuses is not None:
            return proposal.refuses
        if isinstance(proposal.asks, Question):
            return proposal.asks
        reads = tuple(
            each
            for each in proposal.candidates
            if len(each.program) == 1 and not asked.catalog.writes((each.program[0].verb,))
        )
        if not reads:
            return Refusal("no_reading")
        return reads if isinstance(proposal.asks, Options) else reads[:1]


def _alone(state: SessionState) -> SessionState:
    """A session in which nothing was asked yet."""
    frames = FramesRegion(
        default_scope=state.frames.default_scope,
        default_scope_turn=state.frames.default_scope_turn,
        reference_date=state.frames.reference_date,
    )
    return replace(
        state, frames=frames, program=ProgramRegion(), attempt=None, answers=AnswersRegion(), gate=None
    )


def _upon(state: SessionState, reads: Program) -> SessionState:
    """A session in which these rows were asked for last."""
    alone, turn = _alone(state), max(state.version, 1)
    answer = AnswerObject("rows-in-hand", turn, reads[-1].verb, of_program(), reads, result_set_id="rows-in-hand")
    root = RootFrameState(
        domain_id=reads[-1].verb.rpartition(".")[0],
        root_route_id=reads[-1].verb,
        organization_scope=None,
        date_scope=None,
        root_result_set_id=answer.result_set_id,
        root_answer_object_ref=answer.ref,
        frame_status=FrameStatus.ACTIVE,
    )
    return replace(
        alone,
        frames=replace(alone.frames, root=root),
        program=ProgramRegion(source="()", ast=reads),
        answers=AnswersRegion((answer,), 0, 1),
    )


def with_own_columns(candidate: Candidate, request: Request) -> Statement:
    """The statement of a list with the columns that the message names, and otherwise with all there are: what
    is shown of a row is not what is exported of it."""
    step = candidate.program[-1]
    columns = step.argument("columns")
    if columns is None or not step.verb.endswith(".list"):
        return step
    from dragoman.planning.pipelines.table_names import stems_of, words_of_name

    said = frozenset(
        word for token in request.pieces.tokens for word in stems_of(token, request.spoken)
    )
    named = columns.value.items if isinstance(columns.value, Sequence) else (columns.value,)
    table = set(words_of_name(step.verb.rpartition(".")[0]))
    plain = [each.value for each in named if isinstance(each, Text)]
    own = [set(words_of_name(each.rpartition("/")[2])) - table for each in plain]
    if plain and all(words and words <= said for words in own):
        return step
    return replace(step, arguments=tuple(each for each in step.arguments if each.name != "columns"))
