"""A follow-up is an edit of the program in hand, and the turn's record says which."""

from pathlib import Path
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.contracts import events as ev
from dragoman.contracts.edits import AddArgument, AddStatement, DropArgument, Edit, SetArgument, SetVerb
from dragoman.contracts.program import Program
from dragoman.contracts.vocabulary import TransitionClass
from dragoman.language.edits import apply, described
from tests.answering.places import STOCK

T = TransitionClass
EDITED: Final = '(inventory.stock :organization "1" :as-of 2020-03-31 :warehouse "1" :as @mine)'


def edits(workspace: Workspace, session: str, turn: int) -> tuple[Edit, ...]:
    events = workspace.turn_events(session, turn)
    return next(each.edits for each in events if isinstance(each, ev.OmlSynthesisComplete))


@pytest.mark.parametrize(
    ("messages", "kinds", "said"),
    [
        ((STOCK,), [AddStatement], ""),
        ((STOCK, "and for April?"), [SetArgument], "as-of: 2020-03-31 → 2020-04-30"),
        ((STOCK, "only the Main warehouse"), [AddArgument], "+ warehouse: Main"),
        ((STOCK, "only the Main warehouse", "all warehouses"), [DropArgument], "- warehouse"),
        ((STOCK, "and for Beta Retail?"), [SetArgument], "organization: Alfa Trade → Beta Retail"),
        ((STOCK, "save that as csv"), [AddStatement], ""),
        (("receivables of Alfa Trade on 31 March 2020", "and payables?"), [SetVerb], ""),
    ],
)
def test_each_follow_up_has_its_edits(
    tmp_path: Path, messages: tuple[str, ...], kinds: list[type[Edit]], said: str
) -> None:
    with Workspace.open(tmp_path) as workspace:
        session = workspace.new_session()
        for message in messages:
            result = workspace.ask(session, message)
        found = edits(workspace, session, result.turn)
    assert [type(each) for each in found] == kinds
    assert not said or [described(each) for each in found] == [said]


def test_the_edits_make_the_program_of_the_turn(tmp_path: Path) -> None:
    """From the program of the slice before, the edits of each turn lead to the program it answered with."""
    messages = (
        STOCK,
        "and for April?",
        "for Beta Retail",
        "only the Central warehouse",
        "and on 31 May 2020?",
    )
    with Workspace.open(tmp_path) as workspace:
        session = workspace.new_session()
        base: Program = ()
        for turn, message in enumerate(messages, 1):
            workspace.ask(session, message)
            program = workspace.state(session).program.ast
            assert apply(base, edits(workspace, session, turn)) == program
            base = program


def test_what_a_person_wrote_into_the_program_is_still_there(tmp_path: Path) -> None:
    with Workspace.open(tmp_path) as workspace:
        session = workspace.new_session()
        for message in (STOCK, EDITED, "run it"):
            workspace.ask(session, message)
        result = workspace.ask(session, "and for April?")
    assert result.transition is T.T2
    assert ':warehouse "1"' in result.program
    assert ":as-of 2020-04-30" in result.program
    assert "@mine" in result.program
