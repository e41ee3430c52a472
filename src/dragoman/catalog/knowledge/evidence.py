"""What a folder has beside its data, as sources of evidence: documents, rules, records of runs."""

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.knowledge.run_accounts import accounts
from dragoman.catalog.knowledge.signatures import LAST
from dragoman.contracts.answer import EvidenceItem
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.evidence import EvidenceRequest
from dragoman.contracts.graph import Direction
from dragoman.contracts.knowledge import SURE, Ranked
from dragoman.contracts.record import Record
from dragoman.contracts.roles import RequestType
from dragoman.contracts.vocabulary import EvidenceSource


class TextEvidence(Record, frozen=True, gc=True):
    """Passages of documents, or of rules."""

    catalog: Catalog
    source: EvidenceSource

    def find(self, request: EvidenceRequest) -> tuple[EvidenceItem, ...]:
        query = " ".join(request.terms) if request.terms else request.query
        try:
            found = self.catalog.library.find(query, source=self.source, least=SURE)
        except DragomanError:
            # A source that cannot be read has nothing to say; the turn does not fail with it.
            return ()
        fresh = [each for each in found if each.passage.ref not in request.known]
        chosen = _spread(fresh) if request.spread else fresh
        return tuple(item_of(each) for each in chosen[: request.most])


class GraphEvidence(Record, frozen=True, gc=True):
    """The links of what a question names in the graph."""

    catalog: Catalog
    source: EvidenceSource = EvidenceSource.GRAPH

    def find(self, request: EvidenceRequest) -> tuple[EvidenceItem, ...]:
        # Imported where there is a graph to ask.
        from dragoman.catalog.knowledge.graph_lookup import edge_item
        from dragoman.catalog.knowledge.graph_names import tables_in
        from dragoman.catalog.knowledge.graph_store import graph_store

        named = tables_in(self.catalog, request.query, request.language)
        if not named:
            return ()
        try:
            store = graph_store(self.catalog)
            found = [
                edge_item(store, edge)
                for name in named
                for edge in store.neighbours(name, Direction.BOTH, request.most)
            ]
        except DragomanError:
            return ()
        fresh = {each.ref: each for each in found if each.ref not in request.known}
        return tuple(fresh.values())[: request.most]


class RunEvidence(Record, frozen=True, gc=True):
    """What the last run did, where somebody asks what went wrong."""

    catalog: Catalog
    source: EvidenceSource = EvidenceSource.DB

    def find(self, request: EvidenceRequest) -> tuple[EvidenceItem, ...]:
        log = self.catalog.run_log
        if request.request_type is not RequestType.TROUBLESHOOTING or log is None:
            return ()
        try:
            if not log.runs(limit=1):
                return ()
            return tuple(each.item for each in accounts(self.catalog, LAST))[: request.most]
        except DragomanError:
            return ()


def item_of(found: Ranked) -> EvidenceItem:
    passage = found.passage
    return EvidenceItem(passage.source, passage.ref, passage.text, found.confidence)


def _spread(found: list[Ranked]) -> list[Ranked]:
    """The best passage of each document, the others behind them."""
    first: dict[str, Ranked] = {}
    for each in found:
        first.setdefault(each.passage.file, each)
    return [*first.values(), *(each for each in found if each not in first.values())]
