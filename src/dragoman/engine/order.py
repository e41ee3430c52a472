"""An order: a manifest as the engine reads it. Whoever runs it, here or on many machines, reads the same."""

import datetime as dt
import decimal
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from dragoman.contracts.decoding import converted, decoded
from dragoman.contracts.errors import ManifestRefused
from dragoman.contracts.record import Record
from dragoman.contracts.verb import Effect
from dragoman.language.inlined_calls import MOST_CALLS
from dragoman.language.manifest import MANIFEST_VERSION, canonical, fingerprint

_HINT = "make it again: dragoman compile FILE"


class CalledStep(Record, frozen=True):
    """In the place of a value of a step that reads: what another one gives."""

    component: str
    settings: dict[str, object]


class OrderStep(Record, frozen=True):
    """A step of a manifest. `config` is still as the manifest has it; `settings` gives plain values."""

    id: str
    component: str
    mode: Effect
    needs: tuple[str, ...]
    config: dict[str, Any]

    @property
    def settings(self) -> dict[str, object]:
        return {name: _plain(value) for name, value in self.config.items()}


class Order(Record, frozen=True):
    name: str
    fingerprint: str
    steps: tuple[OrderStep, ...]

    def step(self, name: str) -> OrderStep:
        return next(step for step in self.steps if step.id == name)

    @property
    def files(self) -> tuple[str, ...]:
        """The paths of the files that its steps write."""
        return tuple(path for step in self.steps if (path := written_file(step)))

    def consumers(self, name: str) -> tuple[OrderStep, ...]:
        """The steps that what this step gives flows to."""
        return tuple(step for step in self.steps if name in step.needs and takes_rows(step))


def written_file(step: OrderStep) -> str:
    """The path of the file that a step writes; empty where it writes none."""
    path = step.settings.get("path") if step.mode is Effect.WRITE else None
    return path if isinstance(path, str) else ""


def takes_rows(step: OrderStep) -> bool:
    """Whether what it needs flows into it. A step that only reads waits for what it needs, no more."""
    return step.mode is not Effect.READ


def read_order(data: bytes) -> Order:
    """A manifest from its bytes. One that was changed by hand is refused: nobody has checked it."""
    try:
        content = decoded(data, dict[str, Any])
        told = content.pop("fingerprint")
        if content["manifest_version"] != MANIFEST_VERSION:
            raise ManifestRefused("this manifest is of another version of Dragoman", hint=_HINT)
        if fingerprint(canonical(content)) != told:
            raise ManifestRefused("this manifest is not as the compiler wrote it", hint=_HINT)
        steps = converted(content["steps"], tuple[OrderStep, ...])
        if not _sound(steps):
            raise ManifestRefused("the steps of this manifest do not hang together", hint=_HINT)
        return Order(str(content["name"]), str(told), _with_calls(steps))
    except (msgspec.MsgspecError, KeyError, ValueError, ArithmeticError, TypeError, RecursionError) as error:
        raise ManifestRefused("this is not a manifest", hint=_HINT) from error


def _sound(steps: tuple[OrderStep, ...]) -> bool:
    """Whether each step has an id of its own and needs only what stands before it. A fingerprint says that
    nothing was changed by accident; anybody can make one. Raises ValueError of a value that is none."""
    before: set[str] = set()
    for step in steps:
        if step.id in before or not before.issuperset(step.needs):
            return False
        before.add(step.id)
        _ = step.settings
    return True


def _with_calls(steps: tuple[OrderStep, ...]) -> tuple[OrderStep, ...]:
    """The steps, with what they call in the place of a value: a step that reads, and holds something against
    what an earlier one gives, asks for both in one query."""
    made: dict[str, OrderStep] = {}
    calls: dict[str, int] = {}
    for step in steps:
        named = list(_symbols(step.config)) if step.mode is Effect.READ else []
        calls[step.id] = 1 + sum(calls.get(name, 0) for name in named)
        if calls[step.id] > MOST_CALLS:
            raise ManifestRefused(
                f"{step.id} calls too many others", hint="write some of their values yourself"
            )
        config = {name: _called(value, made) for name, value in step.config.items()} if named else step.config
        made[step.id] = OrderStep(step.id, step.component, step.mode, step.needs, config)
    return tuple(made.values())


def _symbols(value: object) -> Iterator[str]:
    match value:
        case {"symbol": str(name)}:
            yield name
        case dict():
            for item in value.values():
                yield from _symbols(item)
        case list(items):
            for item in items:
                yield from _symbols(item)


def _called(value: object, steps: Mapping[str, OrderStep]) -> object:
    match value:
        case {"symbol": str(name)} if name in steps:
            return {"call": steps[name].component, "config": steps[name].config}
        case {"map": list(entries)}:
            return {"map": [[key, _called(item, steps)] for key, item in entries]}
        case list(items):
            return [_called(item, steps) for item in items]
        case _:
            return value


def _plain(value: object) -> object:
    """A value as a component gets it."""
    match value:
        case {"call": str(verb), "config": dict(config)}:
            return CalledStep(verb, {name: _plain(item) for name, item in config.items()})
        case {"decimal": str(digits)}:
            return decimal.Decimal(digits)
        case {"date": str(day)}:
            return dt.date.fromisoformat(day)
        case {"symbol": str(name)}:
            return f"@{name}"
        case {"map": list(entries)}:
            return {key: _plain(item) for key, item in entries}
        case list(items):
            return [_plain(item) for item in items]
        case _:
            return value


Settings = Mapping[str, Mapping[str, object]]
"""The configuration of each step, by its id."""
