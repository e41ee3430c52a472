"""What the roles of a workspace may look at: its sources of evidence beside the data, and its rules."""

from dragoman.answering.roles.turn_stages import Roles
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.knowledge.answer_rules import workspace_rules
from dragoman.catalog.knowledge.evidence import GraphEvidence, RunEvidence, TextEvidence
from dragoman.catalog.knowledge.graph_store import has_graph
from dragoman.contracts.evidence import EvidenceProvider


def roles_of(catalog: Catalog) -> Roles:
    """The embedded roles, with what this folder has to show them. Raises `PolicyRulesInvalid`."""
    rules = None if catalog.shipped else workspace_rules(catalog.folder)
    return Roles(providers=providers_of(catalog), rules=rules)


def providers_of(catalog: Catalog) -> tuple[EvidenceProvider, ...]:
    """The sources there are. One that has nothing is none: the guardian expects items of each."""
    texts = tuple(TextEvidence(catalog, source) for source in catalog.library.sources())
    graph = (GraphEvidence(catalog),) if has_graph(catalog) else ()
    return (*texts, *graph, RunEvidence(catalog))
