"""What a program may say to the verbs of knowledge. They read, and their rows can stand in a pipeline."""

from typing import Final

from dragoman.contracts.answer import CellType, Column
from dragoman.contracts.verb import (
    DecimalType,
    Effect,
    EnumType,
    IntType,
    StringType,
    VerbArgument,
    VerbSignature,
)

FIND: Final = "knowledge.find"
DEFINE: Final = "knowledge.define"
EXPLAIN: Final = "runs.explain"

PATHS: Final = "graph.paths"
NEIGHBOURS: Final = "graph.neighbours"
GRAPH_FIND: Final = "graph.find"
GRAPH: Final = frozenset({PATHS, NEIGHBOURS, GRAPH_FIND})

START: Final = "from"
END: Final = "to"
OF: Final = "of"
DIRECTION: Final = "direction"
QUERY: Final = "query"
QUESTION: Final = "question"
SOURCE: Final = "source"
TOP: Final = "top"
LEAST: Final = "least"
TERM: Final = "term"
LANGUAGE: Final = "language"
RUN: Final = "run"
LAST: Final = "last"
"""The run that was begun last."""

SINGLE_SOURCE: Final = "single_source"
"""The code of what rests on one item alone."""

PASSAGE: Final = "passage"
PLACE: Final = "place"
CONFIDENCE: Final = "confidence"


def _texts(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name, CellType.TEXT) for name in names)


_SURE: Final = Column(CONFIDENCE, CellType.DECIMAL)
_SOURCE: Final = VerbArgument(
    SOURCE,
    EnumType(("doc", "policy")),
    required=False,
    help="documents in docs/ or rules in policies/; both when left out",
)

_THING: Final = "a table, or a row as table:key"

KNOWLEDGE: Final[dict[str, VerbSignature]] = {
    FIND: VerbSignature(
        FIND,
        "knowledge",
        "Passages of documents",
        Effect.READ,
        (
            VerbArgument(QUESTION, StringType(), help="what is asked, in plain words"),
            _SOURCE,
            VerbArgument(TOP, IntType(1), required=False, help="how many at most; 3 when left out"),
            VerbArgument(
                LEAST, DecimalType(), required=False, help="the least confidence; 0.6 when left out"
            ),
        ),
        (*_texts(PASSAGE, "file", "lines", "heading", SOURCE), _SURE),
        examples=('(knowledge.find :question "how do I close a story" :source "policy")',),
    ),
    DEFINE: VerbSignature(
        DEFINE,
        "knowledge",
        "Definitions",
        Effect.READ,
        (
            VerbArgument(TERM, StringType(), help="the word, or the name of a table or column"),
            VerbArgument(
                LANGUAGE, StringType(), required=False, help="of the definition, where there are several"
            ),
        ),
        (*_texts("term", "definition", "kind", PLACE), _SURE),
        examples=('(knowledge.define :term "velocity")',),
    ),
    EXPLAIN: VerbSignature(
        EXPLAIN,
        "runs",
        "What a run did",
        Effect.READ,
        (
            VerbArgument(
                RUN,
                StringType(),
                required=False,
                help="the id of a run, or its beginning; the last when left out",
            ),
        ),
        (
            *_texts("part", "component", "state"),
            Column("rows", CellType.INTEGER),
            *_texts("problem", "hint", PLACE),
        ),
        examples=("(runs.explain)",),
    ),
    PATHS: VerbSignature(
        PATHS,
        "graph",
        "How two things are connected",
        Effect.READ,
        (
            VerbArgument(START, StringType(), help=_THING),
            VerbArgument(END, StringType(), help=_THING),
            VerbArgument(TOP, IntType(1), required=False, help="how many paths at most; 3 when left out"),
        ),
        (*_texts("path", "from", "to"), Column("steps", CellType.INTEGER), *_texts(PLACE)),
        examples=('(graph.paths :from "invoices" :to "artists")',),
    ),
    NEIGHBOURS: VerbSignature(
        NEIGHBOURS,
        "graph",
        "What a thing is linked to",
        Effect.READ,
        (
            VerbArgument(OF, StringType(), help=_THING),
            VerbArgument(
                DIRECTION,
                EnumType(("in", "out", "both")),
                required=False,
                help="in: what refers to it; out: what it refers to; both when left out",
            ),
            VerbArgument(TOP, IntType(1), required=False, help="how many at most; 20 when left out"),
        ),
        _texts("thing", "kind", "link", DIRECTION, PLACE),
        examples=('(graph.neighbours :of "invoices" :direction "in")',),
    ),
    GRAPH_FIND: VerbSignature(
        GRAPH_FIND,
        "graph",
        "Rows of a Cypher query",
        Effect.READ,
        (VerbArgument(QUERY, StringType(), help="Cypher that only reads: MATCH … RETURN … LIMIT …"),),
        (),
        examples=(
            '(graph.find :query "MATCH (a:Thing)-[l:LINKS]->(b:Thing) RETURN a.name, b.name LIMIT 5")',
        ),
    ),
}
