"""What a whole turn costs: read, plan, compile, run, gate, answer, and the durable record of it.

One long session over the trade database, in a SQLite store that is synced as in use. Every round of messages
asks of other months and items, in English and in Russian, and walks through the classes of a conversation.

./do bench turn
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from dragoman import Workspace

TURNS: Final = 5_000
QUICK_TURNS: Final = 600
WARM_UP: Final = 48
EDGE: Final = 500
"""The first and the last turns of the session, which are compared."""

BAR_P50: Final = 5.0
BAR_P95: Final = 20.0
BAR_GROWTH: Final = 1.10

MONTHS: Final = (("January", 31), ("February", 29), ("March", 31), ("April", 30), ("May", 31), ("June", 30))
MONTHS_RU: Final = ("январь", "февраль", "март", "апрель", "май", "июнь")
ITEMS: Final = ("Oak desk 120", "Oak desk 160")
ORGANIZATIONS_RU: Final = ("Альфа Трейд", "Бета Ритейл")


@dataclass(frozen=True)
class Taken:
    """One turn: what it was meant to be, what it became, and its processor time in milliseconds."""

    meant: str
    became: str
    cpu: float
    wall: float


@dataclass(frozen=True)
class Bar:
    name: str
    figure: float
    limit: float

    @property
    def reached(self) -> bool:
        return self.figure <= self.limit


def messages() -> Iterator[tuple[str, str]]:
    """The class that each message is meant for, and the message. No end."""
    number = 0
    while True:
        first, second = MONTHS[number % 4 + 1], MONTHS[(number + 1) % 4 + 2]
        yield "T1", f"Stock of Alfa Trade on {first[1]} {first[0]} 2020"
        yield "T2", f"and on {second[1]} {second[0]}?"
        yield "T3", ITEMS[number % 2]
        yield "T5", "who bought it?"
        yield "T4", "documents"
        yield "T6", "and the receivables"
        yield "T8", "is that a lot?"
        yield "T0", "thanks"
        organization = ORGANIZATIONS_RU[number % 2]
        yield "T1", f"продажи {organization} за {MONTHS_RU[number % 3]} 2020"
        yield "T2", f"а за {MONTHS_RU[number % 3 + 1]}?"
        yield "T6", "и закупки"
        yield "T8", "это много?"
        number += 1


def take_turns(count: int, folder: Path) -> list[Taken]:
    taken: list[Taken] = []
    with Workspace.open(folder) as workspace:
        session = workspace.new_session(title="benchmark")
        for (meant, message), _ in zip(messages(), range(WARM_UP + count), strict=False):
            cpu, wall = time.process_time(), time.perf_counter()
            result = workspace.ask(session, message)
            cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
            taken.append(Taken(meant, str(result.transition), cpu * 1000, wall * 1000))
    return taken


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def bars(taken: list[Taken]) -> list[Bar]:
    cpu = [turn.cpu for turn in taken]
    first, last = cpu[:EDGE], cpu[-EDGE:]
    return [
        Bar("CPU of a turn, p50, ms", statistics.median(cpu), BAR_P50),
        Bar("CPU of a turn, p95, ms", percentile(cpu, 0.95), BAR_P95),
        Bar(f"last {EDGE} turns against the first, mean", _ratio(last, first), BAR_GROWTH),
        Bar("turns of another class than meant", sum(t.meant != t.became for t in taken), 0),
    ]


def _ratio(last: list[float], first: list[float]) -> float:
    """Means without their slowest twentieth: a pause of the machine is not growth."""
    return _trimmed_mean(last) / _trimmed_mean(first)


def _trimmed_mean(values: list[float]) -> float:
    return statistics.fmean(sorted(values)[: max(1, len(values) * 19 // 20)])


def report(cold: Taken, taken: list[Taken]) -> str:
    lines = [f"{len(taken):,} turns of one session · the first, cold: {cold.cpu:.1f} ms of CPU", ""]
    lines.append(f"{'class':<8}{'turns':>7}{'CPU p50':>10}{'p95':>8}{'wall p50':>10}{'p95':>8}   (ms)")
    for name in (*sorted({turn.meant for turn in taken}), "all"):
        of_class = [turn for turn in taken if name in ("all", turn.meant)]
        cpu, wall = [turn.cpu for turn in of_class], [turn.wall for turn in of_class]
        lines.append(
            f"{name:<8}{len(of_class):>7,}{statistics.median(cpu):>10.2f}{percentile(cpu, 0.95):>8.2f}"
            f"{statistics.median(wall):>10.2f}{percentile(wall, 0.95):>8.2f}"
        )
    lines.append("")
    lines.extend(
        f"{bar.name}: {bar.figure:.2f}, at most {bar.limit:g}: {'reached' if bar.reached else 'MISSED'}"
        for bar in bars(taken)
    )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--turns", type=int, default=TURNS, help=f"how many; {TURNS:,} unless told")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_TURNS} turns: to see that it works")
    parser.add_argument("--folder", type=Path, help="keep the session's file here while measuring")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE as well")
    options = parser.parse_args()
    count = QUICK_TURNS if options.quick else max(1, options.turns)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        taken = take_turns(count, Path(folder))
    cold, measured = taken[0], taken[WARM_UP:]
    print(report(cold, measured))
    if options.json:
        figures = {"bars": [asdict(bar) for bar in bars(measured)], "turns": [asdict(t) for t in measured]}
        options.json.write_text(json.dumps(figures) + "\n", "utf-8")


if __name__ == "__main__":
    main()
