"""The manifest: what will run, in order, under fingerprints of everything it depends on.

The same inputs give the same bytes on every machine: keys are sorted, nothing in it knows time or place.
"""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from dragoman.contracts.errors import DragomanError
from dragoman.contracts.program import Plan, PlanStep, Program, Value
from dragoman.contracts.record import Record
from dragoman.contracts.verb import VerbSignature
from dragoman.language.dependencies import Ordered, step_id
from dragoman.language.semantics import RESERVED
from dragoman.language.types import plain

COMPILER_VERSION = "1"
MANIFEST_VERSION = "1"


class BuildFailed(DragomanError):
    code = "build_failed"


class Manifest(Record, frozen=True):
    """A plan and its bytes."""

    plan: Plan
    data: bytes


def make_manifest(
    statements: Program,
    ordered: Ordered,
    signatures: Mapping[str, VerbSignature],
    *,
    source: str,
    parameters: Mapping[str, Value],
    name: str = "",
) -> Manifest:
    used = {statement.verb: signatures[statement.verb] for statement in statements}
    chosen = {key: plain(value) for key, value in parameters.items()}
    steps = [_step(statements, ordered, signatures, index) for index in ordered.order]
    content: dict[str, object] = {
        "manifest_version": MANIFEST_VERSION,
        "name": name,
        "steps": steps,
        "parameters": chosen,
        "fingerprints": {
            "source": fingerprint(source.encode("utf-8")),
            "catalog": fingerprint(_canonical(msgspec.to_builtins(used))),
            "parameters": fingerprint(_canonical(chosen)),
            "compiler": COMPILER_VERSION,
        },
    }
    whole = fingerprint(_canonical(content))
    data = msgspec.json.format(_canonical({**content, "fingerprint": whole}), indent=2) + b"\n"
    plan = Plan(whole, tuple(_plan_step(statements, ordered, index) for index in ordered.order))
    return Manifest(plan, data)


def _step(
    statements: Program, ordered: Ordered, signatures: Mapping[str, VerbSignature], index: int
) -> dict[str, object]:
    statement = statements[index]
    return {
        "id": step_id(statement, index),
        "component": statement.verb,
        "mode": signatures[statement.verb].effect.value,
        "needs": [step_id(statements[other], other) for other in ordered.needs[index]],
        "config": {a.name: plain(a.value) for a in statement.arguments if a.name not in RESERVED},
    }


def _plan_step(statements: Program, ordered: Ordered, index: int) -> PlanStep:
    statement = statements[index]
    needs = tuple(step_id(statements[other], other) for other in ordered.needs[index])
    return PlanStep(step_id(statement, index), statement.verb, needs)


def _canonical(value: object) -> bytes:
    return msgspec.json.encode(value, order="sorted")


def fingerprint(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def write_build(folder: Path, manifest: Manifest) -> Path:
    """Keep a manifest under its fingerprint and point LATEST at it. Files appear complete or not at all."""
    try:
        build = folder / manifest.plan.fingerprint
        build.mkdir(parents=True, exist_ok=True)
        path = build / "manifest.json"
        _write_whole(path, manifest.data)
        _write_whole(folder / "LATEST", f"{manifest.plan.fingerprint}\n".encode())
    except OSError as error:
        raise BuildFailed(
            f"the build cannot be written to {folder}: {error.strerror}",
            hint="name another folder with --out",
        ) from error
    return path


def _write_whole(path: Path, data: bytes) -> None:
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with unfinished.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
