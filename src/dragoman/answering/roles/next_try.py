"""What each action of the guardian makes the next try do. A table from the action to the change."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from msgspec.structs import replace

from dragoman.answering.roles.contract import GenerateRequest, Retrieved, RetrieveRequest
from dragoman.contracts.roles import ArchitectSpec, EvidenceSource, GuardianAction
from dragoman.guards.roles.policy import request_policy
from dragoman.locales.registry import language
from dragoman.reading.tokens import tokens_of

A = GuardianAction
S = EvidenceSource

_SHORTEST_TERM: Final = 3

Retrieval = Callable[[RetrieveRequest, Retrieved], RetrieveRequest]
Generation = Callable[[GenerateRequest, ArchitectSpec], GenerateRequest]


def _added(how: RetrieveRequest, *sources: EvidenceSource) -> RetrieveRequest:
    """The sources that are asked too, behind those that are asked already."""
    asked = tuple(dict.fromkeys((*how.sources, *sources)))
    return replace(how, sources=asked, again=how.again or S.DB in sources)


def _of_type(found: Retrieved) -> tuple[EvidenceSource, ...]:
    return request_policy(found.plan.request_type).priority


def _terms(found: Retrieved) -> tuple[str, ...]:
    """The words of the question that are no small words."""
    small = language(found.language).function_words()
    forms = (token.form for token in tokens_of(found.query))
    return tuple(dict.fromkeys(each for each in forms if len(each) >= _SHORTEST_TERM and each not in small))


RETRIEVALS: Final[Mapping[GuardianAction, Retrieval]] = {
    A.ADD_EVIDENCE: lambda how, found: replace(how, known=tuple(each.ref for each in found.items)),
    A.RETRIEVE_MORE: lambda how, found: replace(how, most=2 * how.most),
    A.DIVERSIFY_SOURCES: lambda how, found: _added(replace(how, spread=True), *_of_type(found)),
    A.RETRIEVE_DB: lambda how, found: _added(how, S.DB),
    A.RETRIEVE_NEO4J: lambda how, found: _added(how, S.GRAPH),
    A.RETRIEVE_DOC: lambda how, found: _added(how, S.DOC),
    A.RETRIEVE_POLICY: lambda how, found: _added(how, S.POLICY),
    A.REMOVE_DOC_EVIDENCE: lambda how, found: replace(how, without=(*how.without, S.DOC)),
    A.USE_DB_ONLY: lambda how, found: replace(how, only=(S.DB,)),
    A.REFINE_QUERY: lambda how, found: replace(how, terms=_terms(found)),
}
"""The next search for evidence."""

GENERATIONS: Final[Mapping[GuardianAction, Generation]] = {
    A.REGENERATE_DRAFT: lambda how, spec: replace(how, attempt=how.attempt + 1),
    A.ADD_REQUIRED_SECTIONS: lambda how, spec: replace(how, sections=True),
    A.REMOVE_FORBIDDEN_CONTENT: lambda how, spec: replace(how, without=spec.forbidden_content),
    A.USE_DOMAIN_TERMS: lambda how, spec: replace(how, terms=spec.domain_terms),
    A.ADD_EVIDENCE_REFERENCES: lambda how, spec: replace(how, references=True),
    A.FIX_JSON_FORMAT: lambda how, spec: replace(how, as_json=True),
}
"""The next writing of the draft."""


def next_retrieval(
    how: RetrieveRequest, found: Retrieved, actions: Iterable[GuardianAction]
) -> RetrieveRequest:
    how = replace(how, attempt=how.attempt + 1, again=False)
    for action in actions:
        if action in RETRIEVALS:
            how = RETRIEVALS[action](how, found)
    return how


def next_generation(
    how: GenerateRequest, spec: ArchitectSpec, actions: Iterable[GuardianAction]
) -> GenerateRequest:
    for action in actions:
        if action in GENERATIONS:
            how = GENERATIONS[action](how, spec)
    return how
