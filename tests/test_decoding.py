"""Records are decoded from any thread: msgspec itself crashes where two threads meet a record first."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import dragoman

HOUSE = Path(dragoman.__file__).parent

_RACE = """
import sys, threading
from dragoman.contracts.decoding import converted, decoded
from dragoman.contracts.record import Record

sys.setswitchinterval(1e-6)

def fresh():
    class Inner(Record, frozen=True):
        x: int
    class Outer(Record, frozen=True):
        rows: tuple[Inner, ...] = ()
        one: Inner | None = None
    return Inner, Outer

def work(inner, outer):
    together.wait()
    assert decoded('{"rows":[{"x":1}]}', outer).rows[0].x == 1
    assert converted({"x": 2}, inner).x == 2

for _ in range(300):
    kinds, together = fresh(), threading.Barrier(4)
    threads = [threading.Thread(target=work, args=kinds) for _ in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
"""


def test_threads_that_meet_a_record_first_do_not_crash() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _RACE], capture_output=True, text=True, check=False, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_every_kind_is_learned_in_one_place() -> None:
    assert list(_unlearned("import msgspec\nmsgspec.convert(1, type=int)")) == ["convert"]
    found = [
        f"{path.relative_to(HOUSE)}: {each}"
        for path in HOUSE.rglob("*.py")
        if path != HOUSE / "contracts" / "decoding.py"
        for each in _unlearned(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def _unlearned(text: str) -> Iterator[str]:
    """Calls by which msgspec would learn a record in whatever thread they are made."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        called = ast.unparse(node.func)
        if called == "msgspec.convert" or (called.endswith(".decode") and _typed(node)):
            yield node.func.attr
        elif called in {"msgspec.json.Decoder", "msgspec.msgpack.Decoder"}:
            kind = ast.unparse(node.args[0])
            if "learned(" not in kind and kind not in {"dict[str, msgspec.Raw]", "str"}:
                yield kind


def _typed(call: ast.Call) -> bool:
    return any(keyword.arg == "type" for keyword in call.keywords)
