"""What the roles of a workspace may look at: its sources of evidence beside the data, and its rules."""

from dragoman.answering.roles.turn_stages import Roles
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.knowledge.evidence import GraphEvidence, RunEvidence, TextEvidence
from dragoman.catalog.knowledge.graph_store import has_graph
from dragoman.contracts.evidence import EvidenceProvider
from dragoman.contracts.places import TEXT_FOLDERS
from dragoman.contracts.policy_rules import AnswerRules
from dragoman.planning.knowledge.texts import has_texts


def roles_of(catalog: Catalog) -> Roles:
    """The embedded roles, with what this folder has to show them. Raises `PolicyRulesInvalid`."""
    return Roles(providers=providers_of(catalog), rules=_rules(catalog))


def _rules(catalog: Catalog) -> AnswerRules | None:
    if catalog.shipped or not (catalog.folder / TEXT_FOLDERS[1]).is_dir():
        return None
    # Imported where there may be rules: most questions are asked without any.
    from dragoman.catalog.knowledge.answer_rules import workspace_rules

    return workspace_rules(catalog.folder)


def providers_of(catalog: Catalog) -> tuple[EvidenceProvider, ...]:
    """The sources there are. One that has nothing is none: the guardian expects items of each."""
    # Without texts nothing of documents is imported.
    sources = catalog.library.sources() if has_texts(catalog) else ()
    texts = tuple(TextEvidence(catalog, source) for source in sources)
    graph = (GraphEvidence(catalog),) if has_graph(catalog) else ()
    return (*texts, *graph, RunEvidence(catalog))
