"""What everything that puts a program into words has before it."""

from collections.abc import Callable, Mapping

from dragoman.answering.words.vocabulary import Words
from dragoman.contracts.program import Statement
from dragoman.contracts.record import Record
from dragoman.tables.graph import Graph

MOST_DEPTH = 12
"""Deeper than this a program is shown as it is written: no sentence of that depth can be understood."""

GraphOf = Callable[[Statement], Graph | None]
TitleOf = Callable[[Statement], str]


class Known(Record, frozen=True, gc=True):
    """Where names come from: the tables that a statement reads, and the title of a pack's verb (empty where
    it is none). Without a graph a program is said by the names that it has itself."""

    graph_of: GraphOf = lambda _: None
    title_of: TitleOf = lambda _: ""


class Speaker(Record, frozen=True, gc=True):
    """How to say one statement. With `exact`, names and texts are quoted as they are written."""

    words: Words
    known: Known
    exact: bool = False
    whole: bool = False
    """Whether everything is said that a program shows, also what goes without saying."""
    steps: Mapping[str, Statement] = {}
    """The other statements of the program, by what they bind."""
    depth: int = 0
    tell: Callable[["Speaker", Statement], str] = lambda *_: ""
    """Says a statement inside another."""

    @property
    def too_deep(self) -> bool:
        return self.depth >= MOST_DEPTH

    def put(self, key: str, **values: object) -> str:
        return self.words.put(key, **values)

    def quoted(self, text: str) -> str:
        return self.words.put("quote", text=text)
