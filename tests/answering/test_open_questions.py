"""A pending question never traps: it is answered, dropped and said to be, or left open and shown again."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman import Workspace
from dragoman.contracts import events as ev
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode, DropReason, Phase, TransitionClass
from tests import strategies as some
from tests.answering.places import dragoman
from tests.answering.told import COUNT, MOST, NAMES, SHOPS, Talk

T, M = TransitionClass, AnswerMode

LIBRARY: Final = """
CREATE TABLE member (member_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, city TEXT, joined DATE);
CREATE TABLE book (book_id INTEGER PRIMARY KEY, title TEXT, author TEXT, genre TEXT, pages INTEGER,
  price DECIMAL(8,2));
CREATE TABLE loan (loan_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES member(member_id),
  book_id INTEGER REFERENCES book(book_id), loaned DATE, fine DECIMAL(8,2));
INSERT INTO member VALUES (1,'Ann','Lee','Bonn','2019-03-01'), (2,'Bob','Ray','Ulm','2020-01-05'),
  (3,'Cho','Kim','Bonn','2020-07-09'), (4,'Dan','Fox','Jena','2021-02-11');
INSERT INTO book VALUES (1,'Dust','M. Stone','novel',310,12.5), (2,'Rivers','A. Field','poetry',90,8),
  (3,'Maps','K. Hill','history',450,30), (4,'Salt','M. Stone','novel',220,11),
  (5,'Bells','T. Wood','poetry',120,9.5);
INSERT INTO loan VALUES (1,1,1,'2021-01-03',0), (2,1,3,'2021-02-03',2.5), (3,2,2,'2021-02-10',0),
  (4,3,1,'2021-03-01',1), (5,3,4,'2021-03-08',0), (6,4,5,'2021-04-01',4);
"""
BOOKS, MEMBERS = "list all books", "how many members are there"
UNSURE: Final = "expensive loans of ann"
"""Two readings of it are offered."""
MAYBE: Final = "long ones"
"""It is asked whether its one reading is meant."""


class Library:
    """One session over the library, with the planner as it is."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.session = workspace.new_session()

    def say(self, *messages: str) -> TurnResult:
        return [self.workspace.ask(self.session, message) for message in messages][-1]

    @property
    def offered(self) -> int:
        pending = self.workspace.state(self.session).frames.clarification
        return 0 if pending is None else len(pending.candidate_scopes)

    def dropped(self) -> list[DropReason]:
        """Why the last turn dropped a question."""
        version = self.workspace.state(self.session).version
        events = self.workspace.turn_events(self.session, version)
        return [event.why for event in events if isinstance(event, ev.QuestionDropped)]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("library")
    with closing(sqlite3.connect(folder / "library.sqlite")) as connection, connection:
        connection.executescript(LIBRARY)
    with Workspace.open_database(folder / "library.sqlite", folder / "folder") as workspace:
        yield workspace


@pytest.fixture
def library(opened: Workspace) -> Library:
    return Library(opened)


# Over tables.


def test_a_sure_question_of_its_own_drops_it(library: Library) -> None:
    assert library.say(BOOKS, UNSURE).answer_mode is M.CLARIFICATION_REQUIRED
    result = library.say(MEMBERS)
    assert (result.transition, result.answer_mode, result.rows) == (T.T1, M.CONFIRMED, ((4,),))
    assert library.dropped() == [DropReason.SELF_CONTAINED]
    assert "I drop the open question what you mean by “expensive loans of ann”." in result.message
    assert library.offered == 0


@pytest.mark.parametrize(
    "pick",
    ["2", "the second", "the second one", "option 2", "number two", "I'd take the 2nd", "the last one"],
)
def test_a_place_picks(library: Library, pick: str) -> None:
    library.say(BOOKS, UNSURE)
    assert library.offered == 2
    result = library.say(pick)
    assert (result.transition, result.answer_mode, result.route) == (T.T7, M.CONFIRMED, "book.list")
    assert library.dropped() == []


@pytest.mark.parametrize("pick", ["второй", "вариант 2", "давай второй", "두 번째", "2번", "die zweite"])
def test_a_place_picks_in_any_language(library: Library, pick: str) -> None:
    library.say(BOOKS, UNSURE)
    assert library.say(pick).transition is T.T7


@pytest.mark.parametrize(
    "message",
    [
        "what are their first names",
        "show me their first names",
        "what is neo4j",
        "who was Ada Lovelace?",
        "a",
    ],
)
def test_what_picks_nothing_leaves_it_open_and_shows_it_again(library: Library, message: str) -> None:
    library.say(BOOKS, UNSURE)
    result = library.say(message)
    assert result.transition is T.T10
    assert "Still open: " in result.message
    assert "1) " in result.message
    assert library.offered == 2
    assert library.say("1").answer_mode is M.CONFIRMED


def test_a_follow_up_of_the_last_answer_drops_it_where_the_attempt_makes_nothing_of_it(
    library: Library,
) -> None:
    library.say(BOOKS, UNSURE)
    result = library.say("only novels")
    assert (result.transition, result.answer_mode, result.row_count) == (T.T2, M.CONFIRMED, 2)
    assert library.dropped() == [DropReason.FOLLOW_UP]
    assert "I drop the open question" in result.message
    assert library.workspace.state(library.session).attempt is None
    counted = library.say("how many are there")
    assert counted.rows == ((2,),), "and the conversation goes on from there"


def test_what_changes_the_last_answer_and_the_attempt_alike_leaves_it_open(library: Library) -> None:
    """Books of more than 200 pages, or Ann's loans of such books."""
    library.say(BOOKS, UNSURE)
    result = library.say("with more than 200 pages")
    assert (result.transition, result.answer_mode) == (T.T10, M.UNSUPPORTED)
    assert "Still open: " in result.message
    assert library.dropped() == []


def test_a_follow_up_of_the_attempt_goes_on_with_it(library: Library) -> None:
    library.say(BOOKS, UNSURE)
    narrowed = library.say("sort them by pages")
    assert (narrowed.transition, narrowed.answer_mode) == (T.T1, M.CLARIFICATION_REQUIRED)
    assert library.dropped() == [], "the question is narrowed, and not dropped"
    assert "ordered by" in narrowed.message


def test_two_questions_in_a_row_the_second_takes_the_place_of_the_first(library: Library) -> None:
    library.say(BOOKS, MAYBE)
    second = library.say(UNSURE)
    assert second.answer_mode is M.CLARIFICATION_REQUIRED
    assert library.dropped() == [DropReason.ABANDONED]
    assert second.message.index("I drop the open question") < second.message.index("1) ")
    assert library.say("1").route == "loan.list"


@pytest.mark.parametrize("talk", ["hello", "help", "how sure are you?", "what did we find out so far?"])
def test_talk_leaves_it_open(library: Library, talk: str) -> None:
    library.say(BOOKS, UNSURE)
    library.say(talk)
    assert library.dropped() == []
    assert library.say("2").transition is T.T7


def test_undo_and_clear_take_it_away(library: Library) -> None:
    library.say(BOOKS, UNSURE)
    assert library.say("undo").transition is T.X_UNDO
    assert library.offered == 0
    assert library.say("only novels").row_count == 2
    library.say(UNSURE, "start over")
    assert library.offered == 0
    assert library.say("2").transition is T.T10


def test_a_question_that_was_dropped_comes_back_with_undo(library: Library) -> None:
    library.say(BOOKS, UNSURE, MEMBERS)
    assert library.offered == 0
    library.say("undo")
    assert library.offered == 2
    assert library.say("the first one").answer_mode is M.CONFIRMED


def test_a_writer_drops_it_and_a_program_by_hand_too(library: Library) -> None:
    library.say(BOOKS, UNSURE)
    extended = library.say("save that as csv")
    assert (extended.transition, library.dropped()) == (T.X_EXTEND, [DropReason.ABANDONED])
    assert "book-list.csv" in extended.message
    library.say("no", UNSURE)
    edited = library.say("(book.count :as @books)")
    assert (edited.transition, library.dropped()) == (T.X_EDIT, [DropReason.ABANDONED])
    assert "I drop the open question" in edited.message


# A yes is for what it was asked about.


def _files(library: Library) -> list[str]:
    return [path.name for path in library.workspace.folder.glob("*.csv")]


@pytest.mark.parametrize("between", [UNSURE, MAYBE, MEMBERS, "only novels", "undo", "start over"])
def test_a_yes_to_something_else_writes_nothing(library: Library, between: str) -> None:
    library.say(BOOKS, "save that as csv", between)
    library.say("yes")
    assert _files(library) == []
    library.say("yes")
    assert _files(library) == []


def test_a_yes_that_is_asked_for_again_after_a_refusal_is_the_same_one(library: Library) -> None:
    library.say(BOOKS, "save that as csv")
    refused = library.say("what is neo4j")
    assert refused.transition is T.T10
    assert "book-list.csv" in refused.message, "what a yes would do is shown again"
    assert library.say("no").answer_mode is M.NONE
    assert _files(library) == []


# Where it stands on record.


def test_it_is_in_the_session_log_and_in_why(library: Library) -> None:
    library.say(BOOKS, UNSURE, MEMBERS)
    folder = library.workspace.folder
    log = folder / ".dragoman" / "logs" / f"{library.session}.jsonl"
    kinds = [json.loads(line)["event"]["kind"] for line in log.read_text("utf-8").splitlines()]
    assert kinds.count("question_dropped") == 1
    told = dragoman("why", library.session, "3", "-w", str(folder))
    assert "the open question was dropped (ambiguous of loan.list): self_contained" in told
    library.workspace.replay(library.session)


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("сколько всего магазинов", "снимаю"),
        ("wie viele Läden gibt es", "lasse ich fallen"),
        ("가게가 몇 개야", "거둡니다"),
    ],
)
def test_it_is_said_in_the_language_of_the_message(told: Talk, message: str, said: str) -> None:
    told.planner.asks("big ones", (COUNT, 0.4), (MOST, 0.3))
    told.say("big ones")
    told.planner.takes(message, (SHOPS, 0.9))
    assert said in told.say(message).message


# Any messages in any order.

_ANY: Final = st.sampled_from(
    (
        *(BOOKS, MEMBERS, UNSURE, MAYBE, "only novels", "sort them by pages", "what are their first names"),
        *("yes", "no", "1", "2", "the second", "the seventh", "none of these", "undo", "help", "hello"),
        *("what is neo4j", "flurb", "save that as csv", "run it", "is that a lot?", "start over"),
        *("(book.count :as @books)", "(book.count", "skip", "create new", "search again", "why?"),
    )
)


_LEAVES: Final = (T.T1, T.T2, T.T3, T.T4, T.T5, T.T6, T.X_EDIT)
"""What asks for something of its own, or goes on from the last answer: "1" may open a row."""


@settings(some.examples(0.02), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(_ANY, min_size=1, max_size=8))
def test_no_conversation_ends_in_a_state_in_which_nothing_can_be_answered(
    opened: Workspace, messages: list[str]
) -> None:
    library = Library(opened)
    for message in messages:
        before = library.workspace.state(library.session).frames.clarification
        result = library.say(message)
        after = library.workspace.state(library.session).frames.clarification
        left = before is not None and after != before and result.transition in _LEAVES
        if not left:
            assert library.dropped() in ([], [DropReason.ABANDONED])
        if result.transition is T.T10 and before is not None:
            assert after == before, "a refusal leaves the question"
    answered = library.say(MEMBERS)
    assert (answered.answer_mode, answered.rows) == (M.CONFIRMED, ((4,),))
    state = library.workspace.state(library.session)
    assert (state.frames.clarification, state.program.phase) == (None, Phase.DONE)
    library.workspace.replay(library.session)


def test_names_are_offered_only_as_what_they_are(told: Talk) -> None:
    """A part of the words of an option picks it; letters out of a word do not, nor does a question."""
    told.planner.asks("big ones", (COUNT, 0.4), (NAMES, 0.3))
    told.say("big ones")
    labels = told.workspace.turn_result(told.session, 1).options
    assert len(labels) == 2
    assert told.say("am").transition is T.T10
    assert told.say("what is the name").transition is T.T10
    assert told.say("name").route == "town.list"
