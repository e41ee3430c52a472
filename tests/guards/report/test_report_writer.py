"""Reports that we write: whatever strings they are made of, the guard has nothing against them."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dragoman.contracts.report import Ruling
from dragoman.guards.report import AWAIT_USER, check_report, make_report, report_kinds, report_text
from dragoman.guards.report.report_writer import ITEM_CHARACTERS, NOTHING_TO_NOTE
from dragoman.guards.report.text import SPACE, units
from tests.guards.report.reports import FIELDS

KINDS = [name for name, kind in report_kinds().items() if not kind.role]

# Strings that meet one another, strings that look like ours, halves of characters, long ones, secrets.
ODD = [
    *(
        "",
        " ",
        "A",
        " A ",
        "A\ufeff",
        AWAIT_USER,
        NOTHING_TO_NOTE,
        "and 2 more blockers",
        "and 2 more in progress",
    ),
    *(
        "...",
        "\ud83d",
        "\ude00",
        "😀",
        "\x00",
        "\x7f",
        "Привет",
        "x" * 600,
        "x" * 601,
        "😀" * 300,
        "x " * 9000,
    ),
    *("postgresql://u:hunter2@db/x", "ghp_" + "a1B2" * 8, SPACE),
]
STRINGS = st.sampled_from(ODD) | st.text(st.characters(), max_size=5)
LISTS_OF = st.lists(STRINGS, max_size=8) | st.integers(0, 120).map(lambda n: [f"task {i}" for i in range(n)])


@pytest.mark.parametrize("kind", KINDS)
@given(LISTS_OF, LISTS_OF, LISTS_OF, LISTS_OF, STRINGS)
@example([], [], [], [], "")
@example([], [], [AWAIT_USER, AWAIT_USER + " (2)"], [AWAIT_USER], "\ud800")
@example([f"t{i}" for i in range(51)], ["and 2 more completed tasks"], [], ["t1"], "😀" * 3000)
def test_any_strings_make_a_report_without_a_warning(
    kind: str, done: list[str], doing: list[str], blocked: list[str], following: list[str], notes: str
) -> None:
    report = make_report(done, doing, blocked, following, notes, kind=kind)
    wire = report_text(report)
    verdict = check_report(wire, strict_warnings=True, kind=kind)
    assert verdict.verdict is Ruling.ACCEPT, verdict.errors
    assert check_report(wire, strict_warnings=True).verdict is Ruling.ACCEPT
    assert wire.isascii()
    assert list(json.loads(wire)) == list(FIELDS)
    assert "hunter2" not in wire
    assert "a1B2" not in wire


def test_what_is_good_is_kept_as_it_is() -> None:
    report = make_report(["a", "b"], ["c"], ["d"], ["e"], "все хорошо")
    assert report_text(report) == json.dumps(
        {
            "completed_tasks": ["a", "b"],
            "in_progress": ["c"],
            "blockers": ["d"],
            "next_focus": ["e"],
            "notes": "все хорошо",
        }
    )


def test_a_task_stays_in_the_list_that_needs_attention_most() -> None:
    report = make_report(["a", "b", "c"], ["b", "c", " a"], ["c"], ["a", "b", "c", "d"], "n")
    assert (report.completed_tasks, report.in_progress) == ((), ("b", "a"))
    assert (report.blockers, report.next_focus) == (("c",), ("d",))


def test_something_always_comes_next() -> None:
    assert make_report([], [], [], [], "").next_focus == (AWAIT_USER,)
    assert make_report(["a"], [], [], ["a", " "], "").next_focus == (AWAIT_USER,)
    taken = make_report([AWAIT_USER], [], [], [], "")
    assert taken.next_focus == (f"{AWAIT_USER} (2)",)


def test_notes_are_never_empty() -> None:
    assert make_report([], [], [], [], SPACE).notes == NOTHING_TO_NOTE


def test_a_long_list_ends_with_the_number_of_the_rest() -> None:
    tasks = [f"t{number}" for number in range(60)]
    report = make_report(tasks, ["and 11 more completed tasks"], [], [], "")
    assert report.completed_tasks == (*tasks[:49], "and 11 more completed tasks (2)")
    assert len(make_report(tasks[:50], [], [], [], "").completed_tasks) == 50


def test_what_was_left_out_of_one_list_does_not_come_back_in_another() -> None:
    tasks = [f"t{number}" for number in range(60)]
    report = make_report([], [], tasks, tasks, "")
    assert report.next_focus == (AWAIT_USER,)


def test_long_texts_are_cut_between_characters() -> None:
    report = make_report(["😀" * 400], [], [], [], "😀" * 3000)
    assert units(report.notes) == 4999  # 2,498 of two units each, and the dots
    assert report.notes.strip("😀") == "..."
    assert units(report.completed_tasks[0]) <= ITEM_CHARACTERS
    assert report.completed_tasks[0].endswith("😀...")
    assert make_report([], [], [], [], "x" * 5000).notes == "x" * 5000


def test_a_secret_at_the_cut_is_not_half_shown() -> None:
    for before in range(400, 520, 7):
        report = make_report(["x" * before + " postgresql://user:hunter2secret@db/shop"], [], [], [], "")
        assert "hunter" not in report.completed_tasks[0]
    for before in range(20_950, 21_050, 9):
        notes = "postgresql://u:" + "p" * 150 + "@db/x " + " " * before
        report = make_report([], [], [], [], notes + "postgresql://u:hunter2secret@db/x" * 3)
        assert "hunter" not in report.notes


def test_halves_of_characters() -> None:
    report = make_report(["\ud83d\ude00", "\ud83d", "x\ude00"], [], [], ["😀"], "\udfff")
    assert report.completed_tasks == ("😀", "\ufffd", "x\ufffd")
    assert report.next_focus == (AWAIT_USER,)
    assert report.notes == "\ufffd"


def test_huge_input_is_cut_before_it_is_worked_on() -> None:
    report = make_report(["é" * 50_000_000], [], [], [], "n" * 50_000_000)
    assert check_report(report_text(report)).verdict is Ruling.ACCEPT
