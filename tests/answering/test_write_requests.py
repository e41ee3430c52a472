"""Write verbs asked for in words: a form asks for what is missing, and nothing is written before a yes."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.contracts import events as ev
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode, ClarificationKind, Phase, TransitionClass
from tests.answering.gym import gym_workspace
from tests.answering.places import pack_workspace, rows_of, talk

T, M = TransitionClass, AnswerMode
ASKS: Final = M.CLARIFICATION_REQUIRED
BOND: Final = "c4b4aba3-413a-4868-ada5-969d708bbc5a"
"""Meridian Bond."""
CBUS: Final = "SELECT name, jurisdiction_code, client_type, status FROM cbu ORDER BY cbu_id"


@pytest.fixture(scope="module")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("writes")
    pack_workspace("funds", root / "funds")
    gym_workspace(root / "gym")
    return root


@pytest.fixture
def folder(templates: Path, tmp_path: Path) -> Path:
    return shutil.copytree(templates / "funds", tmp_path / "workspace")


@pytest.fixture
def funds(folder: Path) -> Iterator[Workspace]:
    with Workspace.open(folder) as workspace:
        yield workspace


@pytest.fixture
def gym(templates: Path, tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.open(shutil.copytree(templates / "gym", tmp_path / "gym")) as workspace:
        yield workspace


def outcome(result: TurnResult) -> tuple[TransitionClass | None, AnswerMode | None, Phase]:
    return result.transition, result.answer_mode, result.phase


def line(result: TurnResult) -> str:
    """The program in hand without the names beside its keys and what it binds."""
    parts = (part.partition(" ;")[0].strip() for part in result.program.splitlines())
    return " ".join(part for part in parts if part and not part.startswith(":as"))


# The whole way: an order, what is missing, the yes.


@pytest.mark.parametrize(
    ("order", "answers", "made"),
    [
        ("create a cbu called Foo in Luxembourg", ("bank",), ("Foo", "LU", "BANK", "draft")),
        (
            "please set up a new client named Bar Baz, type trust",
            ("Ireland",),
            ("Bar Baz", "IE", "TRUST", "draft"),
        ),
        ('I want to add a client "Q & A" in Jersey', ("the first",), ("Q & A", "JE", "BANK", "draft")),
        ("new cbu", ("Big Northgate", "DE", "insurer"), ("Big Northgate", "DE", "INSURER", "draft")),
        ("создай клиента по имени Ромашка в Ирландии", ("банк",), ("Ромашка", "IE", "BANK", "draft")),
        (
            "нужно завести клиента с названием «Северный ветер Плюс»",
            ("Люксембург", "траст"),
            ("Северный ветер Плюс", "LU", "TRUST", "draft"),
        ),
        ("새별이라는 고객을 독일에 추가해 주세요", ("은행",), ("새별", "DE", "BANK", "draft")),
        ("이름이 Nova인 고객 단위를 아일랜드에 생성해줘", ("신탁",), ("Nova", "IE", "TRUST", "draft")),
    ],
)
def test_an_order_is_asked_for_what_it_lacks_and_then_for_a_yes(
    funds: Workspace, folder: Path, order: str, answers: tuple[str, ...], made: tuple[str, ...]
) -> None:
    before = rows_of(folder / "funds.sqlite", CBUS)
    first, *others = talk(funds, order, *answers)
    assert outcome(first) == (T.T1, ASKS, Phase.INTENT_CLARIFY)
    assert first.route == "cbu.create"
    assert first.program.strip() in first.message, "the program is shown as far as it is known"
    for asked in others[:-1]:
        assert outcome(asked) == (T.T7, ASKS, Phase.INTENT_CLARIFY)
    last = others[-1]
    assert outcome(last) == (T.T7, ASKS, Phase.READY)
    assert last.options == ("yes", "no")
    assert last.program.strip() in last.message
    assert rows_of(folder / "funds.sqlite", CBUS) == before, "nothing is written before the yes"
    done = funds.ask(last.session_id, "yes")
    assert outcome(done) == (T.T7, M.CONFIRMED, Phase.DONE)
    assert set(rows_of(folder / "funds.sqlite", CBUS)) - set(before) == {made}


def test_a_no_leaves_the_program_and_runs_nothing(funds: Workspace, folder: Path) -> None:
    before = rows_of(folder / "funds.sqlite", CBUS)
    asked, refused, again = talk(funds, "close ALLIANZ FUNDS", "no", "run it")
    assert outcome(asked) == (T.T1, ASKS, Phase.READY)
    assert outcome(refused) == (T.T7, M.NONE, Phase.READY)
    assert outcome(again) == (T.X_RUN, ASKS, Phase.READY)
    assert rows_of(folder / "funds.sqlite", CBUS) == before


@pytest.mark.parametrize(
    ("messages", "program"),
    [
        (
            ("set the current CBU to Allianz Thematica",),
            '(session.set-cbu :cbu-id "2c7d90be-8f34-4e6a-b1d2-7a90c3e45f22"',
        ),
        (("rename ALLIANZ FUNDS II to Allianz Two to Go",), ':name "Allianz Two to Go"'),
        (("list cbus", "rename the third one to Zed"), ':name "Zed"'),
        (
            ("create fund Orion for Allianz Thematica, equity, EUR",),
            ':name "Orion" :fund-type "EQUITY" :currency "EUR"',
        ),
        (("create a cbu called Qux, client type insurer, short name QX in Germany",), ':short-name "QX"'),
        (("we need a new CBU for a bank in Germany, name it Hansa",), ':name "Hansa" :jurisdiction "DE"'),
        (("переименуй ALLIANZ FUNDS II в Альянс Два",), ':name "Альянс Два"'),
        (("открой клиента Kestrel Macro", "поменяй название на Кестрел"), ':name "Кестрел"'),
        (("измени название Kestrel Macro на Кестрел",), ':name "Кестрел"'),
        (("change the name of Kestrel Macro to Kestrel",), ':name "Kestrel"'),
        (("Meridian Bond의 이름을 Meridian Neo로 바꿔 줘",), ':name "Meridian Neo"'),
    ],
)
def test_what_an_order_says_stands_in_the_program(
    funds: Workspace, messages: tuple[str, ...], program: str
) -> None:
    *_, asked = talk(funds, *messages)
    assert (asked.answer_mode, asked.phase) == (ASKS, Phase.READY)
    assert program in line(asked)


# Of the object in hand.


@pytest.mark.parametrize(
    ("message", "entry", "route"),
    [
        ("close it", T.T5, "cbu.close"),
        ("terminate", T.T4, "cbu.close"),
        ("change its name to Neo", T.T5, "cbu.rename"),
        ("assign Northgate Fund Services as its manager", T.T5, "cbu.assign-manager"),
        ("activate it on 1 March 2024", T.T5, "cbu.activate"),
        ("delete it", T.T5, "cbu.discard"),
        ("work with it", T.T5, "session.set-cbu"),
        ("закрой этот счёт", T.T5, "cbu.close"),
        ("закройте её", T.T5, "cbu.close"),
        ("назначь ей Northgate Fund Services управляющей компанией", T.T5, "cbu.assign-manager"),
        ("이거 종료해 줘", T.T5, "cbu.close"),
        ("운용사를 Northgate Fund Services로 변경해 주세요", T.T4, "cbu.assign-manager"),
    ],
)
def test_an_order_about_the_object_in_hand(
    funds: Workspace, message: str, entry: TransitionClass, route: str
) -> None:
    *_, asked = talk(funds, "list cbus", "Meridian Bond", message)
    assert outcome(asked) == (entry, ASKS, Phase.READY)
    assert asked.route == route
    assert BOND in asked.program


def test_a_named_object_is_a_drilldown_in_a_slice_and_a_question_of_its_own_without_one(
    funds: Workspace,
) -> None:
    (alone,) = talk(funds, "close Meridian Bond")
    *_, inside = talk(funds, "list cbus", "close Meridian Bond")
    assert (alone.transition, inside.transition) == (T.T1, T.T3)


def test_a_verb_for_another_kind_of_thing_is_not_meant(funds: Workspace) -> None:
    *_, refused = talk(funds, "list funds", "the first one", "close it")
    assert (refused.transition, refused.reason_codes) == (T.T10, ("write_not_supported",))


def test_a_name_that_several_have_is_asked_about_first(funds: Workspace) -> None:
    *_, which, chosen = talk(
        funds, "list cbus", "Meridian Bond", "assign Northgate as its manager", "Northgate Fund Management"
    )
    assert (which.transition, which.answer_mode) == (T.T5, ASKS)
    assert {"Northgate Fund Services", "Northgate Fund Management"} <= set(which.options)
    assert '"Northgate"' in which.program
    assert outcome(chosen) == (T.T7, ASKS, Phase.READY)
    assert "1f51d99d-dff0-4002-936b-b377ee1fe518" in chosen.program


# In the middle of a form.

ORDER: Final = "create a cbu called Foo"


def test_a_wrong_answer_is_asked_again(funds: Workspace) -> None:
    _, again, right = talk(funds, ORDER, "Mars", "Spain")
    assert outcome(again) == (T.T7, ASKS, Phase.INTENT_CLARIFY)
    assert "didn't understand" in again.message
    assert "Spain" in again.options
    assert '"ES"' in right.program


def test_help_says_what_is_waited_for_and_changes_nothing(funds: Workspace) -> None:
    _, helped, right = talk(funds, ORDER, "help", "Spain")
    assert helped.transition is T.X_HELP
    assert "jurisdiction" in helped.message
    assert right.transition is T.T7


def test_undo_asks_the_question_before_again(funds: Workspace) -> None:
    _, spain, undone, france = talk(funds, ORDER, "Spain", "undo", "France")
    assert '"ES"' in spain.program
    assert (undone.transition, undone.phase) == (T.X_UNDO, Phase.INTENT_CLARIFY)
    assert '"FR"' in france.program
    assert '"ES"' not in france.program


def test_clear_drops_the_form(funds: Workspace) -> None:
    _, cleared, after = talk(funds, ORDER, "clear", "Spain")
    assert outcome(cleared) == (T.X_CLEAR, M.NONE, Phase.NEW)
    assert after.transition is not T.T7


@pytest.mark.parametrize("answer", ["no", "нет", "아니요"])
def test_a_no_gives_the_form_up(funds: Workspace, answer: str) -> None:
    session = funds.new_session()
    for message in (ORDER, answer):
        given_up = funds.ask(session, message)
    assert outcome(given_up) == (T.T7, M.NONE, Phase.INTENT)
    assert funds.state(session).frames.clarification is None


def test_a_question_of_its_own_drops_the_form(funds: Workspace) -> None:
    session = funds.new_session()
    funds.ask(session, ORDER)
    other = funds.ask(session, "how many cbus in Luxembourg")
    assert outcome(other) == (T.T1, M.CONFIRMED, Phase.DONE)
    assert funds.state(session).frames.clarification is None


def test_a_follow_up_of_the_slice_in_hand_drops_the_form_too(funds: Workspace) -> None:
    *_, other, row = talk(funds, "list cbus", "create a fund", "list funds", "the first one")
    assert (other.transition, other.answer_mode) == (T.T6, M.CONFIRMED)
    assert (row.transition, row.route) == (T.T3, "fund.show")


def test_a_wrong_answer_to_which_one_keeps_what_was_offered(funds: Workspace) -> None:
    which, again, chosen = talk(funds, "close Northgate Income", "the purple one", "the second")
    assert again.options == which.options
    assert (again.transition, again.answer_mode) == (T.T7, ASKS)
    assert outcome(chosen) == (T.T7, ASKS, Phase.READY)


def test_a_change_that_fits_no_row_says_so(funds: Workspace) -> None:
    *_, done = talk(funds, "list cbus", "Kestrel Macro", "delete it", "yes")
    assert (done.transition, done.row_count) == (T.T7, 0)
    assert "nothing has changed" in done.message


def test_another_order_takes_the_place_of_the_form(funds: Workspace) -> None:
    _, other = talk(funds, ORDER, "add a management company named Big Co in Jersey")
    assert outcome(other) == (T.T1, ASKS, Phase.READY)
    assert other.route == "manco.create"


@pytest.mark.parametrize("name", ["New Horizon Fund", 'Blue "Sky" Fund', "5", "Assets", "Create Capital"])
def test_any_text_is_a_name(funds: Workspace, name: str) -> None:
    _, named = talk(funds, "create a cbu", name)
    assert named.transition is T.T7
    assert "jurisdiction" in named.message
    told = name.replace('"', '\\"')
    assert f':name "{told}"' in named.program


@pytest.mark.parametrize(
    ("message", "program"),
    [
        ("no, call it Bar", ':name "Bar"'),
        ("in Ireland instead", ':jurisdiction "IE"'),
        ("change the name to Baz", ':name "Baz"'),
        ("make it a trust", ':client-type "TRUST"'),
        ("with short name FO", ':short-name "FO"'),
        ("нет, в Ирландии", ':jurisdiction "IE"'),
        ("назови его Лютик", ':name "Лютик"'),
    ],
)
def test_what_waits_for_a_yes_can_be_said_otherwise(funds: Workspace, message: str, program: str) -> None:
    session = funds.new_session()
    funds.ask(session, "create a cbu called Foo in Luxembourg, type bank")
    changed = funds.ask(session, message)
    assert outcome(changed) == (T.T7, ASKS, Phase.READY)
    assert program in line(changed)
    pending = funds.state(session).frames.clarification
    assert pending is not None
    assert pending.clarification_kind is ClarificationKind.CONFIRM_RUN


_KILLED: Final = """
import os, signal, sys
from dragoman import Workspace
from dragoman.session.journal import LiveTurn
folder, session, message = sys.argv[1:]

def killed(self, *arguments):
    os.kill(os.getpid(), signal.SIGKILL)

LiveTurn.record = killed
with Workspace.open(folder) as workspace:
    workspace.ask(session, message)
"""


def test_a_kill_in_the_middle_of_a_form_loses_one_answer_and_no_more(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        session = workspace.new_session()
        workspace.ask(session, ORDER)
    worker = [sys.executable, "-c", _KILLED, str(folder), session, "Spain"]
    assert subprocess.run(worker, capture_output=True, check=False).returncode == -signal.SIGKILL
    with Workspace.open(folder) as workspace:
        right = workspace.ask(session, "France")
        assert outcome(right) == (T.T7, ASKS, Phase.INTENT_CLARIFY)
        assert '"FR"' in right.program
        events = [
            event for turn in range(1, right.turn + 1) for event in workspace.turn_events(session, turn)
        ]
        assert not any(isinstance(event, ev.EffectIntended) for event in events)


# Wishes that no verb carries out, and what only looks like one.


@pytest.mark.parametrize(
    "message",
    [
        "delete all funds",
        "pay the invoice",
        "archive ALLIANZ FUNDS",
        "merge them",
        "удали все фонды",
        "оплати счёт",
        "모든 펀드 삭제해줘",
    ],
)
def test_a_wish_that_no_verb_carries_out_names_what_can_be_changed(funds: Workspace, message: str) -> None:
    (refused,) = talk(funds, message)
    assert (refused.transition, refused.reason_codes) == (T.T10, ("write_not_supported",))
    assert refused.rows == ()
    titles = ("create a fund", "создать фонд", "펀드 생성")
    assert any(title in refused.message for title in titles)


@pytest.mark.parametrize(
    "message",
    [
        "list closed cbus",
        "closed cbus",
        "which cbus were closed",
        "new clients in Luxembourg",
        "how many cbus did we close",
        "закрытые клиенты",
        "какие клиенты закрыты",
        "종료된 고객",
        "open ALLIANZ FUNDS",
    ],
)
def test_what_was_changed_is_no_order_to_change(funds: Workspace, message: str) -> None:
    (result,) = talk(funds, message)
    assert result.route not in ("cbu.close", "cbu.create")
    assert "write_not_supported" not in result.reason_codes
    assert result.options != ("yes", "no")


# The rule, and not the pack: other words, other kinds of arguments.


@pytest.mark.parametrize(
    ("messages", "program"),
    [
        (
            ("sign up a member called Vera Lund on the full access plan", "2 May 2024"),
            '(member.enroll :name "Vera Lund" :plan "FULL" :joined 2024-05-02',
        ),
        (
            ("enroll member Zoe, plan day pass, joined on 2 May 2024, vip",),
            '(member.enroll :name "Zoe" :plan "DAY" :joined 2024-05-02 :vip true',
        ),
        (("hire a trainer", "12", "Al Fox"), '(trainer.hire :number 12 :name "Al Fox"'),
        (("rename North 12 to South 1",), '(locker.rename :locker "l1" :label "South 1"'),
        (("rename Ida Strand to Ida Berg",), '(trainer.rename :trainer "1" :name "Ida Berg"'),
        (("list members", "Lena Hart", "set her state to trial"), ':member "m1" :state "trial"'),
        (("list members", "Lena Hart", "change the state", "frozen"), ':member "m1" :state "frozen"'),
        (("list members", "Lena Hart", "put her on hold"), '(member.freeze :member "m1"'),
        (("list members", "give Marco Pell Omar Vance as trainer"), ':member "m2" :trainer "2"'),
        (("freeze Hart", "Nils"), '(member.freeze :member "m3"'),
        (("remove Oleg Berg from the members",), '(member.leave :member "m4"'),
        (
            ("запиши участника по имени Вера Лунд, тариф дневной", "5 мая 2024"),
            '(member.enroll :name "Вера Лунд" :plan "DAY" :joined 2024-05-05',
        ),
        (("назначь Omar Vance тренером для Marco Pell",), ':member "m2" :trainer "2"'),
        (("요금제 종일권으로 박지수라는 회원을 등록해 줘", "2024년 5월 2일"), ':name "박지수" :plan "FULL"'),
        (("Lena Hart를 탈퇴시켜 줘",), '(member.leave :member "m1"'),
    ],
)
def test_other_words_and_other_arguments(gym: Workspace, messages: tuple[str, ...], program: str) -> None:
    *_, asked = talk(gym, *messages)
    assert (asked.answer_mode, asked.phase, asked.options) == (ASKS, Phase.READY, ("yes", "no"))
    assert program in line(asked)


def test_two_verbs_of_one_word_are_told_apart_by_what_is_in_hand(gym: Workspace) -> None:
    (neither,) = talk(gym, "rename")
    assert (neither.transition, neither.reason_codes) == (T.T10, ("which_change",))


def test_a_wish_about_something_named_is_not_answered_with_its_card(gym: Workspace) -> None:
    (refused,) = talk(gym, "make Oleg Berg a vip")
    assert (refused.transition, refused.rows) == (T.T10, ())


# Nothing is written on a guess, and nothing is left out of an order silently.


@pytest.mark.parametrize(
    "order",
    [
        "close Kestrel Bank and Kestrel Nova",
        "close any cbu but Kestrel Macro",
        "close Kestrel Bank unless it is active",
        "close Kestrel Bank tomorrow",
        "close Kestrel Bank in Luxembourg",
        "should I close Kestrel Macro?",
        "закрой Kestrel Bank, если нет фондов",
    ],
)
def test_an_order_that_says_more_than_its_program_would_do_is_not_prepared(
    funds: Workspace, order: str
) -> None:
    (refused,) = talk(funds, order)
    assert refused.phase is not Phase.READY
    assert refused.transition is T.T10


@pytest.mark.parametrize(
    ("order", "answer"),
    [
        ("close it", "friday"),
        ("close it", "never"),
        ("create a cbu called Foo in Luxembourg", "yes"),
        ("create a cbu called Foo in Luxembourg", "sure"),
    ],
)
def test_a_word_that_only_looks_like_a_value_is_none(funds: Workspace, order: str, answer: str) -> None:
    _, after = talk(funds, order, answer)
    assert after.phase is Phase.INTENT_CLARIFY, "the form still waits"


def test_a_list_that_is_asked_for_drops_the_form(funds: Workspace) -> None:
    _, after = talk(funds, "rename Kestrel Marco", "what are the cbus in Spain")
    assert (after.transition, after.route) == (T.T1, "cbu.list")
    assert "Spain" in after.program


def test_what_is_shown_is_what_is_picked(funds: Workspace) -> None:
    shown, chosen = talk(funds, "close kestrel", "1")
    assert shown.message.index(str(shown.options[0])) < shown.message.index(str(shown.options[1]))
    assert str(shown.options[0]) in chosen.message


def test_a_no_in_the_form_of_a_new_one_leads_back_to_the_name(funds: Workspace) -> None:
    opened, _, back = talk(funds, "show allianz cbu", "create new", "no")
    assert outcome(back) == (T.T7, ASKS, Phase.UNRESOLVED_REFS)
    assert back.options == opened.options
