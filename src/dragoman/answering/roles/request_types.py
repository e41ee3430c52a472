"""Which type of request a turn is: the program that was chosen decides, and the words where there is none."""

from collections.abc import Mapping
from typing import Final

from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.contracts.program import Program
from dragoman.contracts.roles import RequestType
from dragoman.locales.request_words import said_types, words_of_type
from dragoman.tables.verbs import TableVerb

R = RequestType

_OF_VERBS: Final[Mapping[str, RequestType]] = {
    "knowledge.define": R.DATA_DEFINITION,
    "graph.find": R.KNOWLEDGE_QA,
    "graph.neighbours": R.KNOWLEDGE_QA,
    "graph.paths": R.KNOWLEDGE_QA,
    "runs.explain": R.TROUBLESHOOTING,
    "runs.list": R.TROUBLESHOOTING,
}
_BY_WORDS: Final = ("knowledge.",)
"""Verbs that answer from documents: which type it is, the words say."""
_DOCUMENT_TYPES: Final = frozenset({R.HOWTO_POLICY, R.DATA_DEFINITION, R.DESIGN_ARCH, R.KNOWLEDGE_QA})
_LISTS: Final = frozenset({TableVerb.LIST, TableVerb.TOP})
_FIGURES: Final = frozenset(TableVerb) - _LISTS


def type_of_program(program: Program, text: str, code: str, asked: CatalogVerb | None) -> RequestType:
    """A figure is a metric, rows are a list; whoever asks for a summary of either gets one. A program over
    documents has the type that its words have. `asked` is the verb, where it is one of a pack."""
    verb = program[-1].verb
    if verb in _OF_VERBS:
        return _OF_VERBS[verb]
    if verb.startswith(_BY_WORDS):
        said = said_types(text, code)
        return next((R(each) for each in said if each in _DOCUMENT_TYPES), R.KNOWLEDGE_QA)
    if words_of_type(code, R.STATUS_SUMMARY).search(text.casefold()):
        return R.STATUS_SUMMARY
    if asked is None:
        return R.STATUS_METRIC if verb.rpartition(".")[2] in _FIGURES else R.STATUS_LIST
    amounts = any(column.scale is not None for column in asked.spec.columns)
    return R.STATUS_METRIC if amounts else R.STATUS_LIST


def type_of_words(text: str, code: str) -> RequestType:
    """What a message without a program is about; what nothing tells is general knowledge."""
    return next((R(each) for each in said_types(text, code)), R.KNOWLEDGE_QA)
