"""The processes that the benchmark starts, and the few words it exchanges with them."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

DRAGOMAN: Final = "benchmarks.corridor.dragoman_program"
LANGGRAPH: Final = "benchmarks.corridor.langgraph_program"


class Child:
    """A process that answers every line with a line."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def hear(self) -> str:
        line = self._process.stdout.readline() if self._process.stdout else ""
        if not line:
            raise ChildProcessError(f"a process of the benchmark ended with code {self._process.wait()}")
        return line

    def tell(self, word: str) -> None:
        if self._process.stdin:
            self._process.stdin.write(f"{word}\n")
            self._process.stdin.flush()

    def ask(self, word: str) -> str:
        self.tell(word)
        return self.hear()


def command(module: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", module, *arguments]


@contextmanager
def started(module: str, *arguments: str) -> Iterator[Child]:
    """A child for a while: it is told to end by the end of its input, and ended for certain after that."""
    process = subprocess.Popen(
        command(module, *arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield Child(process)
    finally:
        try:
            process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def lengths_as_text(turns: Mapping[int, int]) -> str:
    return json.dumps(turns)


def lengths_from(text: str) -> dict[int, int]:
    """The lengths of the sessions, and how many turns of each a round measures."""
    return {int(length): turns for length, turns in json.loads(text).items()}


def write(turn: Callable[[int, str], bool], name: str, turns: int) -> None:
    """Be one of two writers: take the turns, once told to go, and say which of them were acknowledged."""
    print("ready", flush=True)
    sys.stdin.readline()
    numbers = range(2, turns + 2)
    print(json.dumps([f"{name}-{n}" for n in numbers if turn(n, f" [{name}-{n}]")]), flush=True)
