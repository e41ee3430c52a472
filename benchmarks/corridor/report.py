"""The findings as text."""

from collections.abc import Iterator, Sequence
from typing import Final

from benchmarks.corridor.costs import Costs
from benchmarks.corridor.findings import DRAGOMAN, Findings, bars
from benchmarks.corridor.measurement import times
from benchmarks.corridor.storage import Growth

TITLES: Final = {"memory": "In process", "sqlite": "On SQLite", "postgres": "On PostgreSQL"}
VERDICTS: Final = {True: "PASS", False: "FAIL", None: "----"}


def report(findings: Findings) -> str:
    return "\n".join(_lines(findings))


def _lines(findings: Findings) -> Iterator[str]:
    yield ", ".join(f"{name} {version}" for name, version in findings.versions.items())
    yield "State: " + ", ".join(f"{name} {size:,} bytes" for name, size in findings.state_bytes.items())
    yield 'LangGraph keeps threads in its default way; "LangGraph exit" with durability="exit", once a turn.'
    for kind, costs in findings.costs.items():
        yield from ("", *_cost_table(kind, costs, findings.lengths))
        if kind == "sqlite" and findings.fresh_file is not None:
            times = f"{_duration(findings.fresh_file.cpu)}, {_duration(findings.fresh_file.wall)} wall"
            yield f"  {DRAGOMAN} in a fresh file, whose log still grows: {times}"
    for kind, growth in findings.growth.items():
        yield from ("", *_growth_table(kind, growth, findings.langgraph_growth[kind]))
    if findings.syncs:
        yield from ("", *_syncs_table(findings))
    if findings.writers:
        yield from ("", *_writers_table(findings))
    yield from ("", "Bars")
    for bar in bars(findings):
        yield f"  {VERDICTS[bar.met]}  {bar.text}: {bar.found}"
    for reason in findings.not_measured:
        yield f"  not measured: {reason}"


def _cost_table(kind: str, costs: Costs, lengths: Sequence[int]) -> Iterator[str]:
    heads = ["turns"]
    for name in costs:
        heads += [name, "wall"] if name == DRAGOMAN else [name, "wall", "CPU ratio"]
    rows = []
    for length in lengths:
        row = [f"{length:,}"]
        for name, of in costs.items():
            row += [_duration(of[length].cpu), _duration(of[length].wall)]
            if name != DRAGOMAN:
                row.append(f"{times(of[length], costs[DRAGOMAN][length]):,.1f}")
        rows.append(row)
    side = " of the client" if kind == "postgres" else ""
    yield f"{TITLES[kind]}: CPU{side} and wall time of a turn at the given length of the session, medians"
    yield from _table(heads, rows)


def _duration(microseconds: float) -> str:
    return f"{microseconds:,.0f} µs" if microseconds < 10_000 else f"{microseconds / 1000:,.1f} ms"


def _growth_table(kind: str, growth: dict[int, Growth], langgraph: dict[int, float]) -> Iterator[str]:
    yield f"{TITLES[kind]}: bytes that a turn adds to the database"
    heads = ["turns", "payload", "Dragoman", "of payload", "LangGraph", "times"]
    rows = [
        [
            f"{length:,}",
            f"{of.payload:,.0f}",
            f"{of.stored:,.0f}",
            f"{of.stored / of.payload:.2f}",
            f"{langgraph[length]:,.0f}",
            f"{langgraph[length] / of.stored:,.0f}",
        ]
        for length, of in growth.items()
    ]
    yield from _table(heads, rows)


def _syncs_table(findings: Findings) -> Iterator[str]:
    yield "On SQLite: syncs to the disk"
    rows = [
        [name, f"{of.turns:,}", f"{of.log_per_turn:.2f}", str(of.database)]
        for name, of in findings.syncs.items()
    ]
    yield from _table(["", "turns", "a turn", "checkpoints, in all"], rows)


def _writers_table(findings: Findings) -> Iterator[str]:
    yield "Two writers on one session"
    rows = [
        [
            f"{name}, {TITLES[kind][3:]}",
            *map(str, (of.sent, of.acknowledged, of.lost)),
            f"{of.lost / of.sent:.0%}",
        ]
        for kind, outcomes in findings.writers.items()
        for name, of in outcomes.items()
    ]
    yield from _table(["", "sent", "acknowledged", "lost", "share"], rows)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[place]) for row in (heads, *rows)) for place in range(len(heads))]
    for row in (heads, *rows):
        cells = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        yield "  " + "  ".join(cells).rstrip()
