"""Everything that a run found out, and whether it meets the bars."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from benchmarks.corridor.costs import Costs
from benchmarks.corridor.measurement import Cost, times
from benchmarks.corridor.storage import Growth
from benchmarks.corridor.syncs import Syncs
from benchmarks.corridor.writers import Outcome

DRAGOMAN: Final = "Dragoman"
LANGGRAPH: Final = "LangGraph"

IN_PROCESS_SHARE: Final = 1 / 20
SQLITE_SHARES: Final = {10: 1 / 20, 1_000: 1 / 200}
FLAT: Final = 0.10
SYNCS: Final = 2.0
STORED_SHARE: Final = 1.3


@dataclass
class Findings:
    """Keys are kinds of store (`memory`, `sqlite`, `postgres`), systems, and lengths of a session."""

    versions: dict[str, str] = field(default_factory=dict)
    lengths: tuple[int, ...] = ()
    state_bytes: dict[str, int] = field(default_factory=dict)
    costs: dict[str, Costs] = field(default_factory=dict)
    fresh_file: Cost | None = None
    growth: dict[str, dict[int, Growth]] = field(default_factory=dict)
    langgraph_growth: dict[str, dict[int, float]] = field(default_factory=dict)
    syncs: dict[str, Syncs] = field(default_factory=dict)
    writers: dict[str, dict[str, Outcome]] = field(default_factory=dict)
    not_measured: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Bar:
    """What was asked for, what was found; `met` is None when it was not measured."""

    text: str
    found: str
    met: bool | None


def bars(findings: Findings) -> list[Bar]:
    return [
        *_in_process(findings),
        *(_sqlite_share(findings, length, share) for length, share in SQLITE_SHARES.items()),
        *(_flat_cost(findings, kind) for kind in findings.costs),
        *(_flat_bytes(kind, of) for kind, of in findings.growth.items()),
        _syncs(findings),
        *(_stored(kind, of) for kind, of in findings.growth.items()),
        *(_writers(kind, of[DRAGOMAN]) for kind, of in findings.writers.items()),
    ]


def _in_process(findings: Findings) -> Iterator[Bar]:
    costs = findings.costs.get("memory")
    if costs is None:
        return
    shares = [times(costs[DRAGOMAN][n], costs[LANGGRAPH][n]) for n in findings.lengths]
    yield _share_bar("CPU of a turn in process, at every length", max(shares), IN_PROCESS_SHARE)


def _sqlite_share(findings: Findings, length: int, share: float) -> Bar:
    costs = findings.costs.get("sqlite")
    text = f"CPU of a turn on SQLite, at {length:,} turns"
    if costs is None or length not in findings.lengths:
        return Bar(f"{text}: at most 1/{1 / share:.0f} of LangGraph's", "not measured", None)
    return _share_bar(text, times(costs[DRAGOMAN][length], costs[LANGGRAPH][length]), share)


def _share_bar(text: str, found: float, allowed: float) -> Bar:
    return Bar(f"{text}: at most 1/{1 / allowed:.0f} of LangGraph's", f"1/{1 / found:.1f}", found <= allowed)


def _flat_cost(findings: Findings, kind: str) -> Bar:
    costs = findings.costs[kind][DRAGOMAN]
    shortest = costs[min(costs)]
    values = [times(costs[n], shortest) for n in findings.lengths]
    return _flat_bar(f"CPU of a turn, {kind}", values, findings.lengths)


def _flat_bytes(kind: str, growth: dict[int, Growth]) -> Bar:
    return _flat_bar(f"stored bytes of a turn, {kind}", (g.stored for g in growth.values()), tuple(growth))


def _flat_bar(text: str, values: Iterable[float], lengths: Sequence[int]) -> Bar:
    found = list(values)
    spread = max(found) / min(found) - 1
    between = f"from {min(lengths):,} to {max(lengths):,} turns"
    return Bar(f"{text}: flat within {FLAT:.0%} {between}", f"{spread:.1%}", spread <= FLAT)


def _syncs(findings: Findings) -> Bar:
    text = f"syncs of a turn without effects: {SYNCS:.0f}"
    counted = findings.syncs.get(DRAGOMAN)
    if counted is None:
        return Bar(text, "not measured", None)
    return Bar(text, f"{counted.log_per_turn:.2f}", counted.log_per_turn <= SYNCS)


def _stored(kind: str, growth: dict[int, Growth]) -> Bar:
    worst = max(g.stored / g.payload for g in growth.values())
    return Bar(
        f"stored bytes, {kind}: at most {STORED_SHARE} of the payload", f"{worst:.2f}", worst <= STORED_SHARE
    )


def _writers(kind: str, outcome: Outcome) -> Bar:
    found = f"{outcome.lost} lost, {outcome.doubled} doubled of {outcome.acknowledged}"
    intact = outcome.lost == outcome.doubled == 0 and outcome.acknowledged == outcome.sent
    return Bar(f"two writers, {kind}: no acknowledged turn lost", found, intact)
