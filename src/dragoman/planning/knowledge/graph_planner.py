"""The planner of how things are linked: “how is X connected to Y”, “what depends on Z”.

It takes a message only where it has the form of such a question and the things are known: tables by their
names, rows by what they are called. Where no graph can be asked, the answer says what is missing.
"""

from dragoman.catalog.knowledge.graph_names import things_named
from dragoman.catalog.knowledge.signatures import DIRECTION, END, NEIGHBOURS, OF, PATHS, START
from dragoman.contracts.graph import Direction
from dragoman.contracts.program import Argument, Statement, Text
from dragoman.planning.contract import CERTAIN, Asked, PlannerName, Proposal
from dragoman.planning.knowledge.knowledge_planner import taken
from dragoman.planning.knowledge.patterns import DEPENDENTS, asked_in
from dragoman.planning.knowledge.patterns import PATHS as PATHS_SECTION


class GraphPlanner:
    """Proposes the verbs of the graph."""

    name = PlannerName.KNOWLEDGE

    def propose(self, asked: Asked) -> Proposal | None:
        if asked.written is not None:
            return None
        code = asked.reading.language
        found = asked_in(asked.text, code, graph=True)
        if found is None:
            return None
        things = things_named(asked.catalog, (found.term, *((found.other,) if found.other else ())), code)
        if things is None:
            return None
        statement = _statement(found.section, things)
        return taken(asked, statement, 1.0, CERTAIN, "the message asks how things are linked")


def _statement(section: str, things: tuple[str, ...]) -> Statement:
    if section == PATHS_SECTION:
        return Statement(PATHS, (Argument(START, Text(things[0])), Argument(END, Text(things[1]))))
    way = (Argument(DIRECTION, Text(Direction.IN.value)),) if section == DEPENDENTS else ()
    return Statement(NEIGHBOURS, (Argument(OF, Text(things[0])), *way))
