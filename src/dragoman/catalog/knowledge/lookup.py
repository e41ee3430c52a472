"""From a statement of knowledge to its rows: each row is an item of evidence, with its place."""

from decimal import Decimal
from typing import Final

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.found import Found
from dragoman.catalog.knowledge.definitions import definitions
from dragoman.catalog.knowledge.run_accounts import accounts
from dragoman.catalog.knowledge.signatures import (
    DEFINE,
    EXPLAIN,
    FIND,
    GRAPH,
    KNOWLEDGE,
    LANGUAGE,
    LEAST,
    QUESTION,
    RUN,
    SINGLE_SOURCE,
    SOURCE,
    TERM,
    TOP,
)
from dragoman.catalog.knowledge.verbs import text_in
from dragoman.contracts.answer import Cell, EvidenceItem
from dragoman.contracts.errors import InternalError, RunFailed
from dragoman.contracts.knowledge import SURE
from dragoman.contracts.program import Integer, Number, Statement
from dragoman.contracts.vocabulary import EvidenceSource

SHOWN: Final = 3
"""So many passages are given when a program does not say."""

Row = tuple[tuple[Cell, ...], EvidenceItem]


def known(catalog: Catalog, statement: Statement, run_id: str = "") -> Found:
    """The rows of a statement that calls a verb of knowledge, and the evidence, an item for each.

    Raises `RunFailed` where there is nothing to ask, and `RunNotFound`."""
    if statement.verb in GRAPH:
        # Imported for what is asked of the graph alone.
        from dragoman.catalog.knowledge.graph_lookup import asked_of_graph

        return asked_of_graph(catalog, statement)
    rows = _rows(catalog, statement)
    evidence = tuple(item for _, item in rows)
    sure = [item for item in evidence if item.confidence >= SURE]
    return Found(
        KNOWLEDGE[statement.verb].columns,
        tuple(row for row, _ in rows),
        figures=(),
        # What is quoted was read where it stands just now: the index was brought up to date before.
        checked=True,
        truncated=False,
        inferred=(),
        evidence=evidence,
        limits=(SINGLE_SOURCE,) if len(sure) == 1 else (),
    )


def _rows(catalog: Catalog, statement: Statement) -> list[Row]:
    match statement.verb:
        case str(verb) if verb == FIND:
            return _passages(catalog, statement)
        case str(verb) if verb == DEFINE:
            found = definitions(catalog, text_in(statement, TERM), text_in(statement, LANGUAGE))
            return [(each.row, each.item) for each in found]
        case str(verb) if verb == EXPLAIN:
            return [(each.row, each.item) for each in accounts(catalog, text_in(statement, RUN))]
        case _:
            raise InternalError(f"{statement.verb} is no verb of knowledge")


def _passages(catalog: Catalog, statement: Statement) -> list[Row]:
    question, source = text_in(statement, QUESTION), text_in(statement, SOURCE)
    if not question.strip():
        raise RunFailed("the question is empty", hint="say in plain words what to look for")
    top, least = statement.argument(TOP), statement.argument(LEAST)
    found = catalog.library.find(
        question,
        source=EvidenceSource(source) if source else None,
        top=top.value.value if top is not None and isinstance(top.value, Integer) else SHOWN,
        least=_number(least.value) if least is not None else SURE,
    )
    return [
        (
            (
                each.passage.text,
                each.passage.file,
                each.passage.lines,
                each.passage.heading,
                each.passage.source.value,
                shown(each.confidence),
            ),
            EvidenceItem(each.passage.source, each.passage.ref, each.passage.text, each.confidence),
        )
        for each in found
    ]


def _number(value: object) -> float:
    match value:
        case Number(value=digits):
            return float(digits)
        case Integer(value=whole):
            return float(whole)
        case _:
            return SURE


def shown(confidence: float) -> str:
    """A confidence as a cell has it."""
    return str(Decimal(str(round(confidence, 2))).quantize(Decimal("0.01")))
