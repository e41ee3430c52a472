"""The manifest: what will run, in order, under fingerprints of everything it depends on.

The same inputs give the same bytes on every machine: keys are sorted, nothing in it knows time or place.
"""

import hashlib
from collections.abc import Mapping

import msgspec

from dragoman.contracts.program import Plan, PlanStep, Program, Value
from dragoman.contracts.record import Record
from dragoman.contracts.verb import VerbSignature
from dragoman.language.dependencies import Ordered, step_id
from dragoman.language.semantics import RESERVED
from dragoman.language.types import plain

COMPILER_VERSION = "1"
MANIFEST_VERSION = "1"


class Manifest(Record, frozen=True):
    """A plan and its bytes."""

    plan: Plan
    data: bytes


def make_manifest(
    statements: Program,
    ordered: Ordered,
    signatures: tuple[VerbSignature, ...],
    *,
    source: str,
    parameters: Mapping[str, Value],
    name: str = "",
) -> Manifest:
    chosen = {key: plain(value) for key, value in parameters.items()}
    steps = [_step(statements, ordered, signatures, index) for index in ordered.order]
    content: dict[str, object] = {
        "manifest_version": MANIFEST_VERSION,
        "name": name,
        "steps": steps,
        "parameters": chosen,
        "fingerprints": {
            "source": fingerprint(source.encode("utf-8")),
            "catalog": fingerprint(canonical(msgspec.to_builtins(_catalog(signatures)))),
            "parameters": fingerprint(canonical(chosen)),
            "compiler": COMPILER_VERSION,
        },
    }
    whole = fingerprint(canonical(content))
    data = msgspec.json.format(canonical({**content, "fingerprint": whole}), indent=2) + b"\n"
    plan = Plan(whole, tuple(_plan_step(statements, ordered, index) for index in ordered.order))
    return Manifest(plan, data)


def _step(
    statements: Program, ordered: Ordered, signatures: tuple[VerbSignature, ...], index: int
) -> dict[str, object]:
    statement = statements[index]
    return {
        "id": step_id(statement, index),
        "component": statement.verb,
        "mode": signatures[index].effect.value,
        "needs": [step_id(statements[other], other) for other in ordered.needs[index]],
        "config": {a.name: plain(a.value) for a in statement.arguments if a.name not in RESERVED},
    }


def _catalog(signatures: tuple[VerbSignature, ...]) -> dict[str, VerbSignature]:
    """The verbs by name. One name may stand for the tables of two databases: each of them counts."""
    found: dict[str, VerbSignature] = {}
    for signature in signatures:
        name = signature.name
        while found.setdefault(name, signature) != signature:
            name += "+"
    return found


def _plan_step(statements: Program, ordered: Ordered, index: int) -> PlanStep:
    statement = statements[index]
    needs = tuple(step_id(statements[other], other) for other in ordered.needs[index])
    return PlanStep(step_id(statement, index), statement.verb, needs)


def canonical(value: object) -> bytes:
    return msgspec.json.encode(value, order="sorted")


def fingerprint(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
