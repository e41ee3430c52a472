"""What the roles add to a turn with the embedded analyst, architect, writer and guardian.

One session over the trade database. The work of the roles is timed where it is done: the plan, the road of a
draft without the look into the database, the light look at a sentence of the house, and what their events
cost when they are folded, checked and counted. The bars are CPU.

./do bench roles
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from benchmarks.turn import messages, percentile
from dragoman import Workspace
from dragoman.answering.roles import road
from dragoman.answering.roles.turn_stages import TurnStages
from dragoman.contracts.roles import Track
from dragoman.reports import metrics_file
from dragoman.session import stage_faults, stages

TURNS: Final = 2_000
QUICK_TURNS: Final = 300
WARM_UP: Final = 48
BARS: Final = {Track.FAST: 2.0, Track.QUALITY: 5.0}
"""So many milliseconds of CPU the roles may add to a turn, p50."""


@dataclass(frozen=True)
class Added:
    """What the roles took of one turn, in milliseconds of CPU, and the track it was on."""

    track: str
    roles: float
    turn: float


class _Meter:
    """CPU of some functions, without what they call that is not theirs."""

    def __init__(self) -> None:
        self.spent = 0.0

    def own(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*given: Any, **named: Any) -> Any:
            began = time.process_time()
            try:
                return function(*given, **named)
            finally:
                self.spent += time.process_time() - began

        return timed

    def not_own(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*given: Any, **named: Any) -> Any:
            began = time.process_time()
            try:
                return function(*given, **named)
            finally:
                self.spent -= time.process_time() - began

        return timed


@contextmanager
def metered(meter: _Meter) -> Iterator[None]:
    """The roles, timed: the plan, the road but its look, the end of every turn, their events folded, checked
    and counted."""
    walk = road.by_roles

    def by_roles(context: Any, plan: Any, look: Callable[[], Any]) -> Any:
        return walk(context, plan, meter.not_own(look))

    with (
        patch("dragoman.turn.by_roles", meter.own(by_roles)),
        patch("dragoman.answering.resolutions.by_roles", meter.own(by_roles)),
        patch("dragoman.answering.turn_report.with_stages", meter.own(road.with_stages)),
        patch.object(TurnStages, "make_plan", meter.own(TurnStages.make_plan)),
        patch.object(TurnStages, "figures", meter.own(TurnStages.figures)),
        patch("dragoman.session.enforcement.stage_faults", meter.own(stage_faults.stage_faults)),
        patch.object(stages, "planned", meter.own(stages.planned)),
        patch.object(stages, "judged", meter.own(stages.judged)),
        patch.object(stages, "timed", meter.own(stages.timed)),
        patch.object(stages, "closed", meter.own(stages.closed)),
        patch.object(metrics_file, "add_stages", meter.own(metrics_file.add_stages)),
    ):
        yield


def take_turns(count: int, folder: Path) -> list[Added]:
    added: list[Added] = []
    meter = _Meter()
    with Workspace.open(folder) as workspace, metered(meter):
        session = workspace.new_session(title="benchmark")
        for (_, message), _ in zip(messages(), range(WARM_UP + count), strict=False):
            meter.spent, began = 0.0, time.process_time()
            workspace.ask(session, message)
            turn, spent = time.process_time() - began, meter.spent
            track = workspace.state(session).stages.track
            added.append(Added(str(track), spent * 1000, turn * 1000))
    return added[WARM_UP:]


def report(added: list[Added]) -> str:
    lines = [f"{len(added):,} turns of one session", ""]
    lines.append(f"{'track':<9}{'turns':>7}{'roles p50':>11}{'p95':>8}{'turn p50':>10}   (ms of CPU)")
    for track, limit in BARS.items():
        found = [each for each in added if each.track == track]
        if not found:
            continue
        roles = [each.roles for each in found]
        middle = statistics.median(roles)
        verdict = "reached" if middle <= limit else "MISSED"
        lines.append(
            f"{track:<9}{len(found):>7,}{middle:>11.3f}{percentile(roles, 0.95):>8.3f}"
            f"{statistics.median([each.turn for each in found]):>10.2f}   at most {limit:g}: {verdict}"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--turns", type=int, default=TURNS, help=f"how many; {TURNS:,} unless told")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_TURNS} turns: to see that it works")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE as well")
    options = parser.parse_args()
    count = QUICK_TURNS if options.quick else max(1, options.turns)
    with tempfile.TemporaryDirectory() as folder:
        added = take_turns(count, Path(folder))
    print(report(added))
    if options.json:
        options.json.write_text(json.dumps([asdict(each) for each in added]) + "\n", "utf-8")


if __name__ == "__main__":
    main()
