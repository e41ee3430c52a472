"""The rows of a pipeline by a question: whatever can be asked can be exported.

The planners of questions read what is left of the message; what they would answer is read by the pipeline.
"""

import re
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.program import Argument, Program, Sequence, Statement, Text
from dragoman.contracts.schema import TableInfo
from dragoman.contracts.state import (
    AnswersRegion,
    FramesRegion,
    ProgramRegion,
    RootFrameState,
    SessionState,
)
from dragoman.contracts.vocabulary import FrameStatus
from dragoman.databases.values import ValueIndex
from dragoman.locales.language import Language
from dragoman.locales.registry import FALLBACK, language, languages
from dragoman.planning.contract import MAX_OPTIONS, Asked, Candidate, Options, Question, Refusal
from dragoman.planning.examination import Examined
from dragoman.planning.pipelines.gates import of_program
from dragoman.planning.pipelines.request import Request
from dragoman.planning.pipelines.table_names import Place, stems_of, words_of_name
from dragoman.planning.pipelines.targets import is_said
from dragoman.planning.tables.words import stem
from dragoman.reading.tokens import tokens_of

_ENOUGH: Final = 0.3
"""So likely the best of several readings has to be, to be shown without a question."""
_AHEAD: Final = 0.1
"""So far before the next it has to be, where readings of several databases are near."""
Read = Callable[[Asked, str, SessionState, str], Asked]
"""A text, read as a message of a session in this state, asked of the connection that is named."""
Propose = Callable[[Asked], Examined]
"""What the planners of questions make of a message, examined."""


class Questions:
    """Asks the planners of questions for the program behind some words."""

    def __init__(
        self,
        read: Read,
        propose: Propose,
        values: Callable[[Place], ValueIndex | None] = lambda place: None,
        tables: Callable[[ConnectionSpec], tuple[TableInfo, ...] | None] = lambda spec: None,
    ) -> None:
        """`values` are those of the database of a table, where everybody may see them; `tables` those of a
        target as they are now."""
        self.tables = tables
        self._read = read
        self._propose = propose
        self.values = values

    def rows(
        self, asked: Asked, text: str, connection: str = "", *, takes_best: bool = False
    ) -> "tuple[Candidate, ...] | Question | Refusal":
        """The programs that a question may mean: one, or several that are close; what it lacks; or why there
        is none. With `takes_best` the likeliest is taken, whichever table it reads."""
        found = self._found(asked, text, _alone(asked.state), connection, takes_best=takes_best)
        if not isinstance(found, Refusal):
            return found
        # A noun with its conditions is no question yet.
        led = _led(text, asked.reading.language)
        again = (
            self._found(asked, led, _alone(asked.state), connection, takes_best=takes_best) if led else found
        )
        return found if isinstance(again, Refusal) else again

    def answered(self, asked: Asked) -> Examined:
        """What a message is to the question that is open."""
        return self._propose(asked)

    def changed(
        self, asked: Asked, text: str, reads: Program, connection: str
    ) -> "tuple[Candidate, ...] | Question | Refusal":
        """The same of a change of rows that are in hand."""
        return self._found(asked, text, _upon(asked.state, reads), connection)

    def _found(
        self, asked: Asked, text: str, state: SessionState, connection: str, *, takes_best: bool = True
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
        person = isinstance(proposal.asks, Options) and proposal.asks.person
        # The program is shown and waits for a yes: of readings that differ the likeliest is shown, unless it
        # leaves words out, or only a person can tell.
        if not isinstance(proposal.asks, Options):
            return reads[:1]
        domains = {each.program[0].verb.rpartition(".")[0] for each in reads}
        enough = reads[0].probability >= _ENOUGH and not reads[0].uncovered
        sure = enough and (len(domains) == 1 or takes_best)
        clear = len(reads) == 1 or reads[0].probability - reads[1].probability >= _AHEAD
        return reads[:1] if sure and (not person or (takes_best and clear)) else reads[:MAX_OPTIONS]


def _led(text: str, code: str) -> str:
    """The same words as somebody asks for rows: show …"""
    before, after = _lead(language(code if code in languages() else FALLBACK))
    return f"{before} {text} {after}".strip() if text.strip() and (before or after) else ""


def _lead(spoken: Language) -> tuple[str, str]:
    lead = spoken.texts("pipelines").get("lead", {})
    return lead.get("before", ""), lead.get("after", "")


def asks_to_see(request: Request) -> bool:
    """Whether a message begins, or ends, as somebody asks for rows: show members of Turku. Such rows are to
    be seen and not to be written, unless it leans on the pipeline in hand."""
    order = request.order
    if is_said(order) or order.only or order.also or order.same or order.instead or order.points:
        return False
    return any(_is_led(request, *_lead(each)) for each in request.spoken.languages)


def _is_led(request: Request, before: str, after: str) -> bool:
    said = [token.form for token in request.pieces.tokens]
    first, last = ([token.form for token in tokens_of(each)] for each in (before, after))
    return bool(said) and (said[:1] == first[:1] or said[-1:] == last[-1:])


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
    answer = AnswerObject(
        "rows-in-hand", turn, reads[-1].verb, of_program(), reads, result_set_id="rows-in-hand"
    )
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


def with_own_columns(candidate: Candidate, request: Request, whole: tuple[str, ...] = ()) -> Statement:
    """The statement of a list with the columns that the message names, and otherwise with all there are: what
    is shown of a row is not what is exported of it. `whole` are all columns of its table: what is named of
    another table stands beside them."""
    step = candidate.program[-1]
    columns = step.argument("columns")
    if columns is None or not step.verb.endswith(".list"):
        return step
    said = frozenset(word for token in request.pieces.tokens for word in stems_of(token, request.spoken))
    named = columns.value.items if isinstance(columns.value, Sequence) else (columns.value,)
    table = set(words_of_name(step.verb.rpartition(".")[0]))
    plain = [each.value for each in named if isinstance(each, Text)]
    own = [set(_all_words(each.rpartition("/")[2])) - table for each in plain]
    named_all = plain and all(words and words <= said for words in own)
    if named_all and not _is_adjective(own, request) and not _is_condition(step, plain, own, request):
        return step
    linked = [each for each in plain if "/" in each and set(_all_words(each.rpartition("/")[2])) <= said]
    if linked and whole:
        value = Sequence(tuple(Text(each) for each in (*whole, *linked)))
        return replace(
            step,
            arguments=tuple(
                Argument("columns", value) if each is columns else each for each in step.arguments
            ),
        )
    return replace(step, arguments=tuple(each for each in step.arguments if each.name != "columns"))


def _is_condition(step: Statement, plain: list[str], own: list[set[str]], request: Request) -> bool:
    """Whether the only column is named once, for a condition: where the city is missing."""
    if len(plain) != 1 or step.argument(plain[0]) is None or step.argument("distinct") is not None:
        return False
    times = sum(bool(own[0] & stems_of(token, request.spoken)) for token in request.pieces.tokens)
    return times <= len(own[0])


def _is_adjective(own: list[set[str]], request: Request) -> bool:
    """Whether the only column is named right before a table: paid bills are no column of bills."""
    if len(own) != 1:
        return False
    before = {table.start - 1 for table in request.read.tables if table.start}
    tokens = request.pieces.tokens
    return any(own[0] & stems_of(tokens[at], request.spoken) for at in before)


def _all_words(name: str) -> tuple[str, ...]:
    """Every word of a name as a stem, small ones too: paid_at is not named by paid."""
    return tuple(stem(word.casefold()) for word in re.findall(r"[A-Z]?[a-z]+|[^\W\d_a-z]+", name))
