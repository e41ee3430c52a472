"""A program before it runs: what it writes, which files it replaces, and the digest that a yes is for."""

import hashlib
from typing import TYPE_CHECKING

import msgspec

from dragoman.contracts.errors import ConfirmationNeeded
from dragoman.contracts.record import Record
from dragoman.contracts.verb import Effect
from dragoman.engine.order import Order, OrderStep, read_order
from dragoman.workspace.findings import refusal
from dragoman.workspace.programs import Compilation, findings_of

if TYPE_CHECKING:
    from dragoman.workspace.pipelines import Pipelines


class PreparedRun(Record, frozen=True):
    """A manifest, and what running it would do to what is there."""

    manifest: bytes
    order: Order
    replaces: tuple[str, ...] = ()
    """The files that it would replace though no run made them."""

    @property
    def intents(self) -> tuple[str, ...]:
        """What each writing step writes, in words; none where the program only reads."""
        return tuple(intent_of(step) for step in self.order.steps if step.mode is Effect.WRITE)

    @property
    def writes(self) -> bool:
        return bool(self.intents)

    @property
    def digest(self) -> str:
        """Of everything that a yes is given for: a program that would do anything else has another one."""
        agreed = msgspec.json.encode((self.order.fingerprint, self.replaces))
        return hashlib.sha256(agreed).hexdigest()

    def refuse_writes(self) -> None:
        """Raises `ConfirmationNeeded` where it writes anything."""
        if not self.writes:
            return
        said = "; ".join(self.intents)
        if self.replaces:
            said += f"; this replaces {', '.join(self.replaces)}, which no run made"
        raise ConfirmationNeeded(
            f"the program writes: {said}", hint="look at what it writes, and run it with yes=True"
        )


def prepared(done: Compilation, pipelines: "Pipelines") -> PreparedRun:
    """What came of compiling, ready to run. Raises `ProgramRefused`, or `StepRefused` of a file that no run
    may write."""
    if done.manifest is None:
        raise refusal(findings_of(done))
    order = read_order(done.manifest.data)
    return PreparedRun(done.manifest.data, order, pipelines.replaced(order))


def intent_of(step: OrderStep) -> str:
    """What a step writes, and where."""
    settings = step.settings
    what = settings.get("table") or settings.get("path") or ""
    where = f" of {settings['connection']}" if settings.get("connection") else ""
    mode = f", {settings['write_mode']}" if settings.get("write_mode") else ""
    return f"{what}{where} ({step.component}{mode})"
