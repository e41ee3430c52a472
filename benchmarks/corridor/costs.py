"""The cost of a turn at each length of a session, of all systems by turns, so that noise meets them all."""

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

from benchmarks.corridor.children import DRAGOMAN, LANGGRAPH, Child, lengths_as_text, started
from benchmarks.corridor.measurement import Cost, Sample, cost

OUR_TURNS: Final = 6
THEIR_TURNS: Final[Mapping[int, int]] = {10: 10, 100: 3, 1_000: 2, 5_000: 1}
"""How many turns of LangGraph a round measures. They take long enough to be few."""


@dataclass(frozen=True)
class System:
    """Something that takes turns: the module that runs it, and the rest of its command line."""

    name: str
    module: str
    kind: str
    target: str = ""
    durability: str = ""

    def arguments(self, lengths: Sequence[int], rounds: int) -> list[str]:
        ours = self.module == DRAGOMAN
        turns = {length: OUR_TURNS if ours else THEIR_TURNS[length] for length in lengths}
        words = ["measure", self.kind, self.target, lengths_as_text(turns), str(rounds)]
        return words if ours else [*words, self.durability]


def systems(kind: str, new_target: Callable[[str], str]) -> list[System]:
    """Dragoman, and LangGraph in its default and in its fastest way to keep a thread."""
    found = [
        System("Dragoman", DRAGOMAN, kind, new_target("dragoman")),
        System("LangGraph", LANGGRAPH, kind, new_target("langgraph"), "default"),
    ]
    if kind != "memory":
        found.append(System("LangGraph exit", LANGGRAPH, kind, new_target("exit"), "exit"))
    return found


Costs = dict[str, dict[int, Cost]]
"""For every system and every length."""


def measure(contenders: Sequence[System], lengths: Sequence[int], rounds: int) -> Costs:
    samples: dict[str, dict[int, list[list[Sample]]]] = {
        system.name: defaultdict(list) for system in contenders
    }
    with ExitStack() as stack:
        children: dict[str, Child] = {}
        for system in contenders:
            children[system.name] = stack.enter_context(
                started(system.module, *system.arguments(lengths, rounds))
            )
        for child in children.values():
            child.hear()
        for _ in range(rounds):
            for length in lengths:
                for name, child in children.items():
                    pairs = json.loads(child.ask(str(length)))
                    samples[name][length].append([Sample(cpu, wall) for cpu, wall in pairs])
    return {name: {length: cost(found) for length, found in of.items()} for name, of in samples.items()}
