"""The same turns without and with a drafted pack, side by side."""

from collections.abc import Iterator, Sequence
from typing import Final

from benchmarks.real_turns import Outcome, Verdict

_WRONG: Final = (Verdict.WRONG_CONFIRMED, Verdict.WRONG_LIMITED)
_GOOD: Final = (Verdict.RIGHT, Verdict.DECLINED)

Outcomes = Sequence[Outcome]


def beside(plain: Outcomes, drafted: Outcomes) -> Iterator[str]:
    """Both, by class: right and wrong before → after; then every turn that came out otherwise."""
    yield "without → with a drafted pack"
    yield f"{'class':<20}{'turns':>7}{'right':>12}{'wrong':>12}{'asked, right offered':>24}"
    worse = worse_classes(plain, drafted)
    for name, (before, after) in _classes(plain, drafted).items():
        cells = (
            f"{_good(before)} → {_good(after)}",
            f"{_wrong(before)} → {_wrong(after)}",
            f"{_offered(before)} → {_offered(after)}",
        )
        mark = "   worse" if name in worse else ""
        yield f"{name:<20}{len(before):>7}{cells[0]:>12}{cells[1]:>12}{cells[2]:>24}{mark}"
    for one, other in zip(plain, drafted, strict=True):
        if (one.verdict, one.program) != (other.verdict, other.program):
            yield f"{one.turn.id} [{one.turn.kind}] {one.turn.question}"
            yield f"    {one.verdict}: {one.program or one.message}"
            yield f"    {other.verdict}: {other.program or other.message}"


def worse_classes(plain: Outcomes, drafted: Outcomes) -> list[str]:
    """The classes in which fewer turns are right, or more are wrong, with the pack than without."""
    return [
        name
        for name, (before, after) in _classes(plain, drafted).items()
        if _good(after) < _good(before) or _wrong(after) > _wrong(before)
    ]


def _classes(plain: Outcomes, drafted: Outcomes) -> dict[str, tuple[list[Outcome], list[Outcome]]]:
    found: dict[str, tuple[list[Outcome], list[Outcome]]] = {}
    for one, other in zip(plain, drafted, strict=True):
        for name in ("all turns", one.turn.kind):
            before, after = found.setdefault(name, ([], []))
            before.append(one)
            after.append(other)
    return found


def _good(outcomes: Outcomes) -> int:
    return sum(each.verdict in _GOOD for each in outcomes)


def _wrong(outcomes: Outcomes) -> int:
    return sum(each.verdict in _WRONG for each in outcomes)


def _offered(outcomes: Outcomes) -> int:
    return sum(each.verdict is Verdict.ASKED and each.offers_right for each in outcomes)
