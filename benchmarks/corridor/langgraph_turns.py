"""The turn through LangGraph: a graph of the ten stages, its state the same information in plain values.

Where the two sides cannot do the same, LangGraph's does less: its route is one comparison, its history keeps
the words of a turn only, and nothing checks what a node wrote.
"""

import operator
import os
from typing import Annotated, Any, Final, TypedDict

from langgraph.graph import END, START, StateGraph

from benchmarks.corridor import material

# Whatever the person's own settings say: nothing of a turn is to be reported to anybody.
os.environ["LANGSMITH_TRACING"] = "false"
os.environ["LANGCHAIN_TRACING_V2"] = "false"

Json = dict[str, Any]

COLUMNS: Final = [{"name": column, "type": kind} for column, kind in material.COLUMNS]


class Message(TypedDict):
    role: str
    content: str


class Corridor(TypedDict, total=False):
    """What a turn leaves behind, and the history of all turns."""

    number: int
    message: str
    language: str
    signals: list[str]
    routing: Json
    intent: Json
    program: Json
    plan: Json
    run: Json
    gate: Json
    root: Json
    answer: Json
    text: str
    outcome: Json
    messages: Annotated[list[Message], operator.add]


def read(state: Corridor) -> Corridor:
    opens = state["message"].startswith(material.OPENING)
    return {"language": "en", "signals": ["request", "opens_root"] if opens else ["shift", "same_domain"]}


def route(state: Corridor) -> Corridor:
    entry = "T1" if "opens_root" in state["signals"] else "T2"
    text = "a business question that opens a root slice of its own"
    if entry == "T2":
        text = "date, organization or filter changes within the domain in hand"
    weighed = [{"transition": entry}, {"transition": "T10"}]
    return {
        "routing": {
            "entry_class": entry,
            "carryover": "none" if entry == "T1" else "root_only",
            "rule": f"{entry}: {text}; before T10",
            "signals": state["signals"],
            "weighed": weighed,
        }
    }


def plan(state: Corridor) -> Corridor:
    asked = material.period(state["number"])
    key, name = material.ORGANIZATION
    carried = "message" if state["routing"]["carryover"] == "none" else "root_frame"
    bindings = [
        {"name": "organization", "value": key, "origin": carried, "display": name},
        {"name": "from", "value": asked.start, "origin": "message"},
        {"name": "to", "value": asked.end, "origin": "message"},
        {"name": "by", "value": "customer", "origin": "message"},
        {"name": "rows", "value": 8, "origin": "message"},
    ]
    return {"intent": {"route": material.ROUTE, "domain": material.DOMAIN, "bindings": bindings}}


def write(state: Corridor) -> Corridor:
    asked = material.period(state["number"])
    ast = [_statement(statement) for statement in material.statements(asked)]
    return {"program": {"notation": "verbs", "source": material.source(asked), "ast": ast}}


def _statement(statement: material.Statement) -> Json:
    verb, arguments, binds = statement
    made = [
        {"name": name, "value": {"type": kind, "value": value}, "display": display}
        for name, kind, value, display in arguments
    ]
    return {"verb": verb, "arguments": made, "binds": binds}


def compile_program(state: Corridor) -> Corridor:
    program = material.statements(material.period(state["number"]))
    steps = [
        {"id": name, "verb": verb, "needs": list(needs)} for name, verb, needs in material.steps(program)
    ]
    return {"plan": {"fingerprint": f"{state['number']:032x}", "steps": steps}}


def run(state: Corridor) -> Corridor:
    found = material.rows(state["number"], material.period(state["number"]))
    return {"run": {"run_id": f"run-{state['number']}", "ok": True, "rows": [list(row) for row in found]}}


def gate(state: Corridor) -> Corridor:
    return {
        "gate": {
            "coverage_status": "full",
            "evidence_grade": "checked",
            "grounding_status": "grounded",
            "truth_mode": "confirmed",
            "carryover_eligibility": "full",
            "reason_codes": ["coverage_full", "recounted_from_lines"],
        }
    }


def answer(state: Corridor) -> Corridor:
    number = state["number"]
    asked = material.period(number)
    found = _rows(state)
    sum_of_all = material.total(found)
    result = f"result-{number}"
    key, name = material.ORGANIZATION
    return {
        "root": {
            "domain_id": material.DOMAIN,
            "root_route_id": material.ROUTE,
            "organization_scope": {"kind": "organization", "id": key, "name": name},
            "date_scope": {"start": asked.start, "end": asked.end},
            "root_result_set_id": result,
            "root_answer_object_ref": f"answer-{number}",
            "frame_status": "active",
        },
        "answer": {
            "ref": f"answer-{number}",
            "turn_index": number,
            "route": material.ROUTE,
            "gate": state["gate"],
            "program": state["program"]["ast"],
            "result_set_id": result,
            "columns": COLUMNS,
            "row_count": len(found),
            "figures": [
                {"name": "revenue_total", "value": sum_of_all},
                {"name": "customers", "value": str(len(found))},
            ],
            "evidence": [
                {"source": "db", "ref": f"{result}/query", "snippet": material.QUERY, "confidence": 1.0},
                {"source": "db", "ref": f"{result}/recount", "snippet": material.RECOUNT, "confidence": 1.0},
            ],
        },
        "text": material.answer_text(asked, found, sum_of_all),
    }


def guard(state: Corridor) -> Corridor:
    sum_of_all = state["answer"]["figures"][0]["value"]
    return {"outcome": {"unsaid": material.unsaid(state["text"], _rows(state), sum_of_all)}}


def record(state: Corridor) -> Corridor:
    routing = state["routing"]
    outcome = {
        "outcome_class": routing["entry_class"],
        "carryover": routing["carryover"],
        "mode": "confirmed",
    }
    return {"outcome": outcome, "messages": [{"role": "assistant", "content": state["text"]}]}


def _rows(state: Corridor) -> tuple[material.Row, ...]:
    return tuple((row[0], row[1], row[2], row[3], row[4]) for row in state["run"]["rows"])


NODES: Final = dict(
    zip(
        material.STAGES,
        (read, route, plan, write, compile_program, run, gate, answer, guard, record),
        strict=True,
    )
)


def compiled(checkpointer: Any = None) -> Any:
    """The graph, its stages in a row."""
    graph = StateGraph(Corridor)
    # A node may not have the name of a channel.
    names = [f"stage_{name}" for name in NODES]
    for name, node in zip(names, NODES.values(), strict=True):
        graph.add_node(name, node)
    for one, next_one in zip((START, *names), (*names, END), strict=True):
        graph.add_edge(one, next_one)
    return graph.compile(checkpointer=checkpointer)


def thread(name: str) -> Json:
    """The configuration of a call for one thread."""
    return {"configurable": {"thread_id": name}}


def seed(graph: Any, config: Json, messages: list[Message]) -> None:
    """Give a fresh thread its history, as if its last stage had written it."""
    if messages:
        graph.update_state(config, {"messages": messages}, as_node=f"stage_{material.STAGES[-1]}")


def turn_input(number: int, mark: str = "") -> Json:
    """What a client sends."""
    text = material.message(number, mark)
    return {"number": number, "message": text, "messages": [{"role": "user", "content": text}]}


def history(turns: int) -> list[Message]:
    """The messages that `turns` turns leave behind."""
    messages: list[Message] = []
    for number in range(1, turns + 1):
        asked = material.period(number)
        found = material.rows(number, asked)
        text = material.answer_text(asked, found, material.total(found))
        messages.append({"role": "user", "content": material.message(number)})
        messages.append({"role": "assistant", "content": text})
    return messages
