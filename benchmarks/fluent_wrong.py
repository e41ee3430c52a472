"""A model that is fluent and wrong: how many of its wrong programs are confirmed, and how many right ones.

python -m benchmarks.fluent_wrong [--data FOLDER] [--when always|unsure] [--show]

FOLDER has what benchmarks.real asks. The product without a model finds the right programs: those that it
answers with, and those that it offers. Each is changed in one way a model errs in, until there are 200 that
give another result than the question wants. A scripted model then hands every program to the planner, in a
conversation as long as the question's own. Nothing of the questions is kept.
"""

import argparse
import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from benchmarks.packed_databases import database_file
from benchmarks.program_mutations import Mutation, mutants
from benchmarks.real import ANALYSTS
from benchmarks.real_data import FOLLOW_UP, AskedTurn, GoldDatabase, Wanted, conversations
from benchmarks.real_turns import AskedDatabase, Outcome, Verdict
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.lookup import look_up
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.model import EndReason, ModelReply, ModelRequest, OnText, TokenUsage, ToolCall
from dragoman.contracts.model_settings import ModelUse
from dragoman.contracts.program import Program
from dragoman.contracts.query import ReadLimits
from dragoman.contracts.record import Record
from dragoman.language.front import compile_program
from dragoman.language.source import Source
from dragoman.language.verbs.printer import print_program
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.planning.model.settings import OwnModel, PlannerSettings

MOST: Final = 200
BAR_WRONG, BAR_RIGHT = 0.02, 0.85
_SEED: Final = 17
_TRIED: Final = 6
"""So many changes of one kind are tried for one program."""
_LIMITS: Final = ReadLimits(rows=100_000, seconds=5.0)
_PLAN: Final = {
    "intent": "what is asked",
    "request_type": "STATUS_LIST",
    "track": "QUALITY",
    "required_sources": ["db"],
    "missing_info_questions": [],
    "expected_output_schema": "answer_v1_markdown",
}


class ScriptedModel:
    """Says what it is told to, and has nothing to say otherwise."""

    def __init__(self) -> None:
        self.program = ""
        self.continues = False

    def complete(
        self,
        request: ModelRequest,
        *,
        deadline_seconds: float,
        cancel: Cancellation | None = None,
        on_text: OnText | None = None,
    ) -> ModelReply:
        given = {"plan": _PLAN, "program": self.program, "continues": self.continues}
        call = ToolCall("1", "generate_pipeline", json.dumps(given))
        return ModelReply("", (call,), EndReason.TOOL_CALLS, TokenUsage(), "scripted", "scripted")


class Case(Record, frozen=True):
    """A program for the last turn of a conversation. `mutation` is none for the right one."""

    turns: tuple[AskedTurn, ...]
    program: str
    offered: bool
    """The product does not answer with it by itself: it asks which is meant."""
    mutation: Mutation | None = None
    is_right: bool = True


class Told(Record, frozen=True):
    """What the turn ended in."""

    case: Case
    outcome: Outcome

    @property
    def is_wrong(self) -> bool:
        return self.outcome.verdict is Verdict.WRONG_CONFIRMED

    @property
    def is_right(self) -> bool:
        return self.outcome.verdict is Verdict.RIGHT and self.outcome.mode == "confirmed"


def found_cases(asked: AskedDatabase, talks: Sequence[list[AskedTurn]]) -> Iterator[Case]:
    """The right programs of the conversations, as the product finds them by itself, and the wrong ones that
    it offers."""
    for talk in talks:
        for place, outcome in enumerate(asked.hold(talk)):
            turns = tuple(talk[: place + 1])
            if outcome.verdict is Verdict.RIGHT:
                yield Case(turns, outcome.program, offered=False)
            right = [each.program for each in outcome.options if each.right]
            if right:
                yield Case(turns, right[0], offered=True)
            for each in outcome.options:
                if each.program and not each.right:
                    yield Case(turns, each.program, offered=True, is_right=False)


def wrong_cases(case: Case, catalog: Catalog, gold: GoldDatabase, dice: random.Random) -> Iterator[Case]:
    """Programs one change away that give another result, one of each kind."""
    statements = read_verbs(Source(case.program)).statements
    tables = catalog.tables_for(statements[0].verb) if len(statements) == 1 else None
    if tables is None:
        return
    changed = list(mutants(statements[0], tables.graph))
    for kind in Mutation:
        own = [each for mutation, each in changed if mutation is kind]
        for each in dice.sample(own, min(_TRIED, len(own))):
            if _is_wrong((each,), case.turns[-1], catalog, gold):
                yield Case(case.turns, print_program((each,)), case.offered, kind, is_right=False)
                break


def _is_wrong(program: Program, turn: AskedTurn, catalog: Catalog, gold: GoldDatabase) -> bool:
    """Whether a program runs, and does not answer the question."""
    if not compile_program(program, catalog).ok:
        return False
    try:
        rows = look_up(catalog, program, limits=_LIMITS).rows
    except DragomanError:
        return False
    return not gold.answers(turn, rows)


def told(asked: AskedDatabase, model: ScriptedModel, case: Case) -> Told:
    """The conversation, with the program handed over in its last turn."""
    turns = asked.hold(list(case.turns))
    model.program, model.continues = "", False
    for _ in case.turns[:-1]:
        next(turns)
    model.program, model.continues = case.program, case.turns[-1].kind == FOLLOW_UP
    return Told(case, next(turns))


def spread(cases: Sequence[Case], dice: random.Random) -> list[Case]:
    """So many of the cases, as many of each kind as there are."""
    by_kind = {kind: [each for each in cases if each.mutation == kind] for kind in (None, *Mutation)}
    for several in by_kind.values():
        dice.shuffle(several)
    found: list[Case] = []
    while any(by_kind.values()) and len(found) < MOST:
        found += [several.pop() for several in by_kind.values() if several]
    return found[:MOST]


def made(data: Path) -> tuple[list[Case], list[Case], list[Case]]:
    """The wrong programs, the right ones, and the wrong ones among the readings that are offered."""
    dice, talks = random.Random(_SEED), conversations(data, Wanted())
    right: list[Case] = []
    wrong: list[Case] = []
    offered: list[Case] = []
    for name in _databases(talks):
        path = database_file(data / "databases", name)
        own = [talk for talk in talks if talk[0].database == name]
        with tempfile.TemporaryDirectory() as folder, AskedDatabase(path, Path(folder)) as asked:
            cases = [case for case in found_cases(asked, own) if case.turns[-1].golds]
            catalog = Catalog(Path(folder)).load()
            known = [case for case in cases if case.is_right]
            for case in known:
                wrong += wrong_cases(case, catalog, asked.gold, dice)
            right += known
            offered += [case for case in cases if not case.is_right]
    return spread(wrong, dice), spread(right, dice), offered


def _databases(talks: Sequence[list[AskedTurn]]) -> list[str]:
    return sorted({talk[0].database for talk in talks})


def held(data: Path, cases: Sequence[Case], when: ModelUse) -> list[Told]:
    """Every case, in a session of its own."""
    found: list[Told] = []
    for name in sorted({case.turns[0].database for case in cases}):
        model = ScriptedModel()
        own = OwnModel(model, PlannerSettings(when))
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            path = database_file(data / "databases", name)
            asked = stack.enter_context(AskedDatabase(path, folder, model=own))
            found += [told(asked, model, case) for case in cases if case.turns[0].database == name]
    return found


def report(wrong: Sequence[Told], right: Sequence[Told], offered: Sequence[Told]) -> Iterator[str]:
    yield f"{'programs':24} {'handed':>7} {'confirmed':>10} {'asked':>7} {'refused':>8}"
    groups: list[tuple[str, list[Told]]] = [
        (kind.value, [each for each in wrong if each.case.mutation is kind]) for kind in Mutation
    ]
    groups.append(("wrong", list(wrong)))
    groups.append(("  where nobody was sure", [each for each in wrong if each.case.offered]))
    groups.append(("wrong ones on offer", list(offered)))
    for name, several in groups:
        yield _line(name, several, sum(each.is_wrong for each in several))
    for name, several in (
        ("right", list(right)),
        ("  where nobody was sure", [each for each in right if each.case.offered]),
    ):
        yield _line(name, several, sum(each.is_right for each in several))


def _line(name: str, several: list[Told], confirmed: int) -> str:
    verdicts = Counter(each.outcome.verdict for each in several)
    share = confirmed / len(several) if several else 0.0
    asked, refused = verdicts[Verdict.ASKED], verdicts[Verdict.REFUSED]
    return f"{name:24} {len(several):7} {confirmed:4} {share:5.1%} {asked:7} {refused:8}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ANALYSTS, help="the folder of the questions")
    parser.add_argument("--when", type=ModelUse, default=ModelUse.ALWAYS, help="when the model is asked")
    parser.add_argument("--show", action="store_true", help="print the wrong programs that are confirmed")
    options = parser.parse_args()
    wrong, right, offered = (held(options.data, each, options.when) for each in made(options.data))
    print(*report(wrong, right, offered), sep="\n")
    if options.show:
        for each in (*(one for one in wrong if one.is_wrong), *(one for one in right if not one.is_right)):
            print(each.case.mutation, each.outcome.mode, each.case.program, each.outcome.message, sep=" | ")
    confirmed = sum(each.is_wrong for each in wrong) / max(1, len(wrong))
    kept = sum(each.is_right for each in right) / max(1, len(right))
    print(f"bars: wrong at most {BAR_WRONG:.0%}, right at least {BAR_RIGHT:.0%}")
    if confirmed > BAR_WRONG or kept < BAR_RIGHT:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
