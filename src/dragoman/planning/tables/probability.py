"""How sure a reading is: what speaks for and against it, weighed into a probability."""

import math
from collections.abc import Sequence

from dragoman.planning.tables.plan import Plan

_MOST = 6.0
"""Beyond these odds nothing is learned any more."""
_UNCOVERED = 0.5
"""How sure a reading is at most, for each word that it leaves open."""
_OTHERWISE = 0.1
"""How unlike its name a word for a table is before it counts as another word."""


def chances(worths: Sequence[float]) -> list[float]:
    """What each reading's worth is among those of the others."""
    if not worths:
        return []
    best = max(worths)
    shares = [math.exp(worth - best) for worth in worths]
    total = sum(shares)
    return [share / total for share in shares]


def odds(chance: float) -> float:
    """The logarithm of the odds of a chance, within what can be learned from."""
    return max(-_MOST, min(_MOST, math.log(max(chance, 1e-6) / max(1.0 - chance, 1e-6))))


def evidence(plan: Plan, chance: float) -> dict[str, float]:
    """What a probability is made of: the chance among the readings, and what each of them leaves open."""
    found: dict[str, float] = {"bias": 1.0}
    found["odds"] = odds(chance)
    found["uncovered"] = float(min(len(plan.uncovered), 4))
    found["uncovered.any"] = 1.0 if plan.uncovered else 0.0
    links = 0
    weakest = 1.0
    for name, value in plan.features:
        if not value:
            continue
        if name in ("link.column", "link.table"):
            links += 1
            weakest = min(weakest, value)
        elif name.startswith("left."):
            found["left"] = found.get("left", 0.0) + 1.0
            if name == "left.held":
                found["left.held"] = 1.0
        elif name.startswith("pass@"):
            found["passed"] = found.get("passed", 0.0) + 1.0
        elif name.endswith(".weak"):
            found["weak"] = found.get("weak", 0.0) + 1.0
        elif name == "table.again.otherwise" and value > _OTHERWISE:
            found["otherwise"] = found.get("otherwise", 0.0) + 1.0
        elif name in _FLAGS or name.startswith("shape."):
            found[name] = 1.0
    found["weakest"] = weakest
    found["links"] = float(min(links, 6))
    return found


_FLAGS = frozenset(
    {
        "scope.pair",
        "scope.inferred",
        "skip.cue",
        "skip.number",
        "skip.quoted",
        "list.default",
        "distinct.unsaid",
        "keyed.not",
        "keyed",
        "group.loose",
        "scope.shown.elsewhere",
        "scope.other.unused",
        "value.small",
        "value.many.small",
        "value.named",
        "value.slip",
        "quoted.wait",
        "word.wait",
        "literal",
        "holds.text",
        "order.implied",
        "quoted.last",
        "quoted.name",
        "number.last",
        "number.wait",
        "link.key.unsaid",
        "agree.of.not",
        "agree.compound.not",
        "agree.row.not",
        "distinct.few",
        "kept.same",
        "kept.counts.other",
        "count.values.distinct.unsaid",
        "count.values.rows.unsaid",
        "count.rows.other.unsaid",
        "value.held.other",
        "shown.tested",
    }
)


def probability(calibration: dict[str, float], found: dict[str, float]) -> float:
    if not calibration:
        return 1.0 / (1.0 + math.exp(-found.get("odds", 0.0)))
    total = sum(calibration.get(name, 0.0) * value for name, value in found.items())
    chance = 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))
    # A word that nothing accounts for may be the one that matters, whatever the rest is like.
    return min(chance, math.pow(_UNCOVERED, found.get("uncovered", 0.0)))
