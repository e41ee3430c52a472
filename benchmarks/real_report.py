"""The figures of a run: totals, tables by class, language and database, and the curve by certainty."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from benchmarks.real_data import FOLLOW_UP
from benchmarks.real_turns import Outcome, Verdict

Outcomes = Sequence[Outcome]
_SHARES: Final = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_COUNTED: Final = tuple(each for each in Verdict if each is not Verdict.DECLINED)


def report(outcomes: Outcomes) -> Iterator[str]:
    """Every line of the report."""
    answerable = [each for each in outcomes if each.turn.golds]
    questions = [each for each in answerable if not each.turn.dialog]
    talks = [each for each in answerable if each.turn.dialog]
    yield from totals("all turns", answerable)
    yield from totals("questions", questions)
    yield from totals("first turns", [each for each in talks if each.turn.kind != FOLLOW_UP])
    yield from totals("follow-ups", [each for each in talks if each.turn.kind == FOLLOW_UP])
    yield from _promise(outcomes)
    yield from _cpu(outcomes)
    yield from _curve(answerable)
    yield from _table("class", answerable, lambda each: each.turn.kind)
    yield from _table("language", answerable, lambda each: each.turn.language)
    yield from _table("database", answerable, lambda each: each.turn.database)


def totals(title: str, outcomes: Outcomes) -> Iterator[str]:
    if outcomes:
        counts = ", ".join(f"{verdict} {_count(outcomes, verdict)}" for verdict in _COUNTED)
        right = _share(_count(outcomes, Verdict.RIGHT), len(outcomes))
        yield f"{title}: {len(outcomes)}, right {right}; {counts}"


def _promise(outcomes: Outcomes) -> Iterator[str]:
    """What being sure is worth. What cannot be answered and was answered counts against it."""
    answered = [each for each in outcomes if each.is_answered]
    right = [each for each in answered if each.verdict is Verdict.RIGHT]
    confirmed = [each for each in answered if _is_confirmed(each)]
    asked = [each for each in outcomes if each.verdict is Verdict.ASKED]
    hopeless = [each for each in outcomes if not each.turn.golds]
    yield f"right of all answered: {_part(len(right), len(answered))}"
    yield f"right of all confirmed: {_part(sum(map(_is_confirmed, right)), len(confirmed))}"
    yield f"confirmed of the right answers: {_part(sum(map(_is_confirmed, right)), len(right))}"
    yield f"asked, a right reading among the options: {_part(sum(a.offers_right for a in asked), len(asked))}"
    yield f"cannot be answered, declined: {_part(_count(hopeless, Verdict.DECLINED), len(hopeless))}"


def _is_confirmed(outcome: Outcome) -> bool:
    return outcome.mode == "confirmed"


def _cpu(outcomes: Outcomes) -> Iterator[str]:
    spent = sorted(each.cpu * 1000 for each in outcomes)
    if spent:
        middle, most = spent[len(spent) // 2], spent[min(len(spent) - 1, int(len(spent) * 0.95))]
        yield f"CPU to read and plan a turn: p50 {middle:.1f} ms, p95 {most:.1f} ms"


def _curve(outcomes: Outcomes) -> Iterator[str]:
    """Precision from the surest reading on: of turns whose best reading was answered, or offered first."""
    known = [(each.certainty, right) for each in outcomes if (right := _best_is_right(each)) is not None]
    ranked = sorted(((certainty, right) for certainty, right in known if certainty is not None), reverse=True)
    if not ranked:
        return
    yield f"the best reading by its certainty ({len(ranked)} of {len(outcomes)} turns have one that was run):"
    for share in _SHARES:
        count = round(share * len(outcomes))
        if 0 < count <= len(ranked):
            precision, least = _share(sum(right for _, right in ranked[:count]), count), ranked[count - 1][0]
            yield f"  at coverage {share:.0%} precision {precision}, certainty from {least:.2f}"


def _best_is_right(outcome: Outcome) -> bool | None:
    if outcome.is_answered:
        return outcome.verdict is Verdict.RIGHT
    return outcome.options[0].right if outcome.options else None


def _table(title: str, outcomes: Outcomes, key: Callable[[Outcome], str]) -> Iterator[str]:
    groups: dict[str, list[Outcome]] = {}
    for each in outcomes:
        groups.setdefault(key(each), []).append(each)
    heads = ("turns", "right", "asked", "(right offered)", "refused", "wrong-conf.", "wrong-lim.")
    yield ""
    yield f"{title:<20}" + "".join(f"{head:>{len(head) + 2}}" for head in heads) + "   right"
    for name, group in sorted(groups.items()):
        figures = (
            len(group),
            _count(group, Verdict.RIGHT),
            _count(group, Verdict.ASKED),
            sum(each.offers_right for each in group if each.verdict is Verdict.ASKED),
            _count(group, Verdict.REFUSED),
            _count(group, Verdict.WRONG_CONFIRMED),
            _count(group, Verdict.WRONG_LIMITED),
        )
        cells = "".join(f"{figure:>{len(head) + 2}}" for figure, head in zip(figures, heads, strict=True))
        yield f"{name:<20}{cells}{_share(figures[1], len(group)):>8}"


def shown(outcomes: Iterable[Outcome], wanted: str) -> Iterator[str]:
    """The turns that came out so, with what was made of them."""
    for each in outcomes:
        if not each.verdict.startswith(wanted):
            continue
        yield f"{each.turn.id} [{each.turn.kind}] {each.turn.question}"
        yield f"    {each.verdict}: {each.program or each.message}"
        yield from (f"    {'+' if option.right else '-'} {option.text}" for option in each.options)


def json_line(outcome: Outcome) -> str:
    turn = outcome.turn
    line = {
        "id": turn.id,
        "lang": turn.language,
        "class": turn.kind,
        "question": turn.question,
        "outcome": outcome.verdict,
        "mode": outcome.mode,
        "program": outcome.program,
        "options": [
            {"text": each.text, "program": each.program, "right": each.right} for each in outcome.options
        ],
        "certainty": outcome.certainty,
        "gold_rows": outcome.gold_rows,
        "our_rows": outcome.our_rows,
        "message": outcome.message,
        "cpu_ms": round(outcome.cpu * 1000, 3),
    }
    return json.dumps(line, ensure_ascii=False)


def _count(outcomes: Outcomes, verdict: Verdict) -> int:
    return sum(each.verdict is verdict for each in outcomes)


def _part(some: int, of: int) -> str:
    return f"{some} of {of} ({_share(some, of)})"


def _share(some: int, of: int) -> str:
    return f"{some / of:.1%}" if of else "–"
