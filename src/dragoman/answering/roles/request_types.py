"""Which type of request a turn is: the program that was chosen decides, and the words where there is none."""

from collections.abc import Mapping
from typing import Final

from dragoman.catalog.knowledge.verbs import question_in
from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.contracts.program import Program
from dragoman.contracts.roles import RequestType
from dragoman.contracts.schema import ValueType
from dragoman.locales.plain_text import plain_text
from dragoman.locales.request_words import said_types, summary_words
from dragoman.planning.knowledge.patterns import asked_in
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
"""Verbs that answer from documents: which type it is, the form of the question says, or its words."""
DOCUMENT_TYPES: Final = frozenset({R.HOWTO_POLICY, R.DATA_DEFINITION, R.DESIGN_ARCH, R.KNOWLEDGE_QA})
_LISTS: Final = frozenset({TableVerb.LIST, TableVerb.TOP})
_FIGURES: Final = frozenset(TableVerb) - _LISTS
_COUNTED: Final = frozenset({ValueType.INTEGER, ValueType.DECIMAL, ValueType.FLOAT, ValueType.DATE})
"""What the columns of a figure hold: amounts, and the day that each is of."""


def type_of_program(program: Program, text: str, code: str, asked: CatalogVerb | None) -> RequestType:
    """A figure is a metric, rows are a list; whoever asks for a summary of either gets one. A program over
    documents has the type that its question has. `asked` is the verb, where it is one of a pack."""
    verb = program[-1].verb
    if verb in _OF_VERBS:
        return _OF_VERBS[verb]
    if verb.startswith(_BY_WORDS):
        return _type_of_question(question_in(program) or text, code)
    if asked is not None:
        return type_of_pack_verb(asked, text, code)
    if _asks_for_summary(text, code):
        return R.STATUS_SUMMARY
    return R.STATUS_METRIC if verb.rpartition(".")[2] in _FIGURES else R.STATUS_LIST


def type_of_pack_verb(verb: CatalogVerb, text: str, code: str) -> RequestType:
    """As its pack says, or else as its columns do."""
    if verb.spec.request_type is not None:
        return verb.spec.request_type
    if _asks_for_summary(text, code):
        return R.STATUS_SUMMARY
    return R.STATUS_METRIC if _gives_figures(verb) else R.STATUS_LIST


def _asks_for_summary(text: str, code: str) -> bool:
    """Whether a text that a program answers asks for a summary of it. "Stories in progress" does not: there
    the word is what rows are called."""
    words = summary_words(code)
    plain = text.lower() if text.isascii() else plain_text(text)
    return words.asked.search(words.named.sub(" ", plain)) is not None


def type_of_words(text: str, code: str) -> RequestType:
    """What a message without a program is about; what nothing tells is general knowledge."""
    return next((R(each) for each in said_types(text, code)), R.KNOWLEDGE_QA)


def _type_of_question(text: str, code: str) -> RequestType:
    """The form of a question says more than its words: "how do I define a risk" is no definition."""
    form = asked_in(text, code)
    said = [R(each) for each in said_types(text, code) if each in DOCUMENT_TYPES]
    if form is not None and form.kind in DOCUMENT_TYPES and (form.kind in said or not said):
        return form.kind
    return said[0] if said else R.KNOWLEDGE_QA


def _gives_figures(verb: CatalogVerb) -> bool:
    """Whether a metric names it, or what it gives are amounts and no things."""
    if any(metric.verb == verb.signature.name for metric in verb.pack.metrics.values()):
        return True
    columns = verb.spec.columns
    if any(column.scale is not None for column in columns):
        return True
    return bool(columns) and all(not each.entity and each.type in _COUNTED for each in columns)
