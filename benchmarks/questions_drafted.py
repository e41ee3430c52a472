"""The same questions without and with a drafted pack, side by side."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dragoman.contracts.program import Statement
from dragoman.language.verbs.printer import print_line

if TYPE_CHECKING:
    from benchmarks.questions import Outcome


def beside(plain: "Sequence[Outcome]", drafted: "Sequence[Outcome]", *, shown: bool) -> Iterator[str]:
    """Both, and every question that came out otherwise if they may be `shown`."""
    yield (
        f"  without → with a drafted pack: right {_right(plain)} → {_right(drafted)},"
        f" answered and wrong {_wrong(plain)} → {_wrong(drafted)}"
    )
    for one, other in zip(plain, drafted, strict=True):
        if shown and one.asked is not None and _kept(one) != _kept(other):
            yield f"  {one.asked.database}: {one.asked.question}"
            yield f"    {_mark(one)} {_said(one.statement)}"
            yield f"    {_mark(other)} {_said(other.statement)}"


def is_worse(plain: "Sequence[Outcome]", drafted: "Sequence[Outcome]") -> bool:
    return _right(drafted) < _right(plain) or _wrong(drafted) > _wrong(plain)


def _right(outcomes: "Sequence[Outcome]") -> int:
    return sum(each.right for each in outcomes)


def _wrong(outcomes: "Sequence[Outcome]") -> int:
    return sum(each.answered and not each.right for each in outcomes)


def _kept(outcome: "Outcome") -> tuple[bool, bool, Statement | None]:
    return outcome.answered, outcome.right, outcome.statement


def _mark(outcome: "Outcome") -> str:
    return f"{'right' if outcome.right else 'wrong'}, {'answered' if outcome.answered else 'not sure'}:"


def _said(statement: Statement | None) -> str:
    return "nothing" if statement is None else print_line((statement,))
