"""The embedded analyst: what is asked, from the program that was chosen and the words of the message."""

from typing import Final

from dragoman.answering.roles.request_types import type_of_pack_verb, type_of_program, type_of_words
from dragoman.catalog.knowledge.verbs import source_in
from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.contracts.program import Program
from dragoman.contracts.roles import AnalystPlan, OutputSchemaId, RequestType, Track
from dragoman.contracts.vocabulary import EvidenceSource, TransitionClass
from dragoman.guards.roles.policy import request_policy
from dragoman.planning.contract import Asked, Options, Proposal, Question
from dragoman.session.routing import Routing

T = TransitionClass

_ABOUT_ANSWERS: Final = (T.T8, T.T9)
_OF_PROGRAM_IN_HAND: Final = (T.X_RUN, T.X_SKIP)
_BY_WORDS: Final = frozenset({T.T1, T.T2, T.T3, T.T4, T.T5, T.T6, T.T10})
_ASKING: Final = _BY_WORDS | {T.T7}
_STATUS: Final = (RequestType.STATUS_METRIC, RequestType.STATUS_SUMMARY, RequestType.STATUS_LIST)


class EmbeddedAnalyst:
    """Knows every request: no words of it, and no program, are too odd for a type."""

    def plan(self, asked: Asked, proposal: Proposal, routing: Routing) -> AnalystPlan:
        program = program_of(asked, proposal, routing)
        request_type = self._type_of(asked, proposal, routing, program)
        policy = request_policy(request_type)
        careful = policy.track is Track.QUALITY
        shape = OutputSchemaId.ANSWER_V1_MARKDOWN
        if request_type in _STATUS:
            shape = OutputSchemaId.STATUS_V1_JSON
        return AnalystPlan(
            intent=program[-1].verb if program else routing.entry_class,
            request_type=request_type,
            track=policy.track,
            required_sources=_sources(program, policy.priority),
            missing_info_questions=_missing(proposal) if careful else (),
            expected_output_schema=shape,
        )

    def _type_of(self, asked: Asked, proposal: Proposal, routing: Routing, program: Program) -> RequestType:
        text, code = asked.text, asked.reading.language
        if program:
            return type_of_program(program, text, code, _verb_of_pack(asked, proposal, program))
        if isinstance(proposal.asks, Question):
            return type_of_pack_verb(proposal.asks.verb, text, code)
        # What moves the conversation itself asks for no evidence.
        return type_of_words(text, code) if routing.entry_class in _BY_WORDS else RequestType.CASUAL


def _sources(program: Program, usual: tuple[EvidenceSource, ...]) -> tuple[EvidenceSource, ...]:
    """Those of the type; whoever asks the policies alone, or the documents, gets no others beside them."""
    if len(usual) < 2:
        return usual
    named = source_in(program)
    return (named,) if named in usual else usual


def program_of(asked: Asked, proposal: Proposal, routing: Routing) -> Program:
    """What is run or offered; of what is in hand; or what the answer came from that is spoken of."""
    entry = routing.entry_class
    if proposal.candidates and proposal.refuses is None and entry in _ASKING:
        return () if proposal.candidates[0].writes else proposal.candidates[0].program
    if entry in _OF_PROGRAM_IN_HAND or (entry is T.T7 and asked.continuity.resolving is not None):
        return asked.state.program.ast
    if entry in _ABOUT_ANSWERS:
        return next((each.program for each in reversed(asked.in_context) if each.grounded), ())
    return ()


def _verb_of_pack(asked: Asked, proposal: Proposal, program: Program) -> CatalogVerb | None:
    chosen = proposal.candidates[0] if proposal.candidates else None
    if chosen is not None and chosen.program is program:
        return chosen.request.verb if chosen.request is not None else None
    return asked.catalog.verb(program[-1].verb)


def _missing(proposal: Proposal) -> tuple[str, ...]:
    """What a person is asked for, by its name: one thing at most."""
    if isinstance(proposal.asks, Question):
        return proposal.asks.missing[:1]
    return ("reading",) if isinstance(proposal.asks, Options) else ()
