"""Questions to the tables of a database: taken, asked about, refused, answered with their limits.

Which readings a message has is the planner's and is tested there; here it is given, and everything else is
real: the session, the compiler, the database.
"""

import datetime as dt
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from dragoman import Workspace
from dragoman.answering import answers
from dragoman.catalog import lookup, unread_texts
from dragoman.contracts import events as ev
from dragoman.contracts.errors import QueryTimeout
from dragoman.contracts.objection import Objection
from dragoman.contracts.program import Program, Statement
from dragoman.contracts.turn_result import ProgramOption, ResultRows, TurnResult
from dragoman.contracts.vocabulary import AnswerMode, ClarificationKind, Phase, TransitionClass
from dragoman.conversation_tests.turn_line import turn_line
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.planning.database.schema_words import SchemaWords
from dragoman.planning.database_planner import DatabasePlanner
from dragoman.planning.tables.day_spans import DaySpan
from dragoman.planning.tables.table_reading import TableReading
from dragoman.reading.periods import PeriodMention

T, M = TransitionClass, AnswerMode
SCRIPT: Final = """
CREATE TABLE town (town_id INTEGER PRIMARY KEY, name TEXT, people INTEGER, founded DATE, area REAL);
INSERT INTO town VALUES (1, 'Ulm', 126000, '0854-01-01', 118.7), (2, 'Bonn', 330000, '0011-01-01', 141.1),
  (3, 'Jena', 111000, '1182-01-01', 114.8), (4, 'Thun', NULL, NULL, NULL);
CREATE TABLE fair (fair_id INTEGER PRIMARY KEY, home_town INTEGER);
INSERT INTO fair VALUES (1, 1), (2, 2), (3, 2);
CREATE TABLE shop (shop_id INTEGER PRIMARY KEY, title TEXT, town_id INTEGER);
INSERT INTO shop VALUES (1, 'Bread', 1), (2, 'Books', 1), (3, 'Bikes', 2);
"""


class Readings:
    """A planner that has been told what every message means."""

    def __init__(self, schema_words: SchemaWords) -> None:
        self.schema_words = schema_words
        self.known: dict[str, tuple[TableReading, ...]] = {}
        self.in_hand: list[Statement | None] = []

    def hearing(self, text: str, language: str) -> "Readings":
        return self

    def readings(
        self,
        text: str,
        in_hand: Statement | None = None,
        spans: Sequence[DaySpan] = (),
        periods: Sequence[PeriodMention] = (),
        today: dt.date | None = None,
        language: str = "en",
        reference: dt.date | None = None,
    ) -> tuple[TableReading, ...]:
        self.in_hand.append(in_hand)
        return self.known.get(text, ())

    def in_english(self, text: str) -> str:
        """Everything is said in English."""
        return ""

    def is_new(self, text: str, previous: Statement, periods: Sequence[PeriodMention] = ()) -> bool:
        """Every message may be about the one before it."""
        return False

    def objections(
        self,
        text: str,
        language: str,
        program: Program,
        in_hand: Program = (),
        reference: dt.date | None = None,
    ) -> tuple[Objection, ...]:
        """None: a message means here whatever it was said to mean."""
        return ()

    def means(self, message: str, *readings: tuple[str, float], **more: Any) -> None:
        self.known[message] = tuple(
            TableReading(read_verbs(Source(verb)).statements[0], score, **more) for verb, score in readings
        )


class Talk:
    def __init__(self, workspace: Workspace, planner: Readings) -> None:
        self.workspace = workspace
        self.planner = planner
        self.session = workspace.new_session()
        self.whole: list[ResultRows] = []

    def say(self, message: str) -> TurnResult:
        return self.workspace.ask(self.session, message, on_result=self.whole.append)


def _opened(tmp_path: Path, *, answer_always: bool = False) -> tuple[Workspace, Readings]:
    database = tmp_path / "towns.sqlite"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.executescript(SCRIPT)
    workspace = Workspace.open_database(database, tmp_path / "folder", answer_always=answer_always)
    tables = next(each for each in workspace._open_services().planners if isinstance(each, DatabasePlanner))
    planner = Readings(tables.planner.schema_words)
    vars(tables)["_made"] = planner
    return workspace, planner


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    workspace, planner = _opened(tmp_path)
    with workspace:
        yield Talk(workspace, planner)


HOW_MANY: Final = "how many towns are there"
LISTED: Final = '(town.list :columns ["name" "people"] :order {:desc "people"})'


# Taken.


def test_a_sure_reading_is_answered_with_its_evidence(talk: Talk) -> None:
    talk.planner.means(HOW_MANY, ("(town.count)", 0.9))
    result = talk.say(HOW_MANY)
    assert (result.transition, result.answer_mode, result.phase) == (T.T1, M.CONFIRMED, Phase.DONE)
    assert (result.route, result.rows, result.row_count) == ("town.count", ((4,),), 1)
    query, recount, reader = result.evidence
    assert "COUNT" in query.snippet
    assert recount.snippet == "recounted 1 row"
    assert reader.snippet == "the second reader has no objection"
    assert (query.confidence, recount.confidence) == (1.0, 1.0)
    root = talk.workspace.state(talk.session).frames.root
    assert root is not None
    assert (root.domain_id, root.root_route_id) == ("town", "town.count")


def test_cells_are_what_the_database_holds(talk: Talk) -> None:
    talk.planner.means("all towns", ('(town.list :order {:asc "town_id"})', 0.9))
    result = talk.say("all towns")
    assert result.rows[0] == (1, "Ulm", 126000, "0854-01-01", "118.7")
    assert result.rows[3] == (4, "Thun", None, None, None)
    assert [column.type for column in result.columns] == ["integer", "text", "integer", "date", "decimal"]
    assert talk.whole[0].rows == result.rows


def test_a_follow_up_goes_on_from_the_statement_in_hand(talk: Talk) -> None:
    talk.planner.means(HOW_MANY, ("(town.count)", 0.9))
    talk.planner.means("and the shops", ("(shop.count)", 0.9), follow_up=True)
    talk.planner.means("their names", ('(town.list :columns ["name"])', 0.9), follow_up=True)
    talk.say(HOW_MANY)
    assert talk.say("their names").transition is T.T2
    assert talk.say("and the shops").transition is T.T6
    verbs = [statement.verb if statement else None for statement in talk.planner.in_hand]
    assert verbs == [None, "town.count", "town.list"]


def test_an_undone_question_is_run_again(talk: Talk) -> None:
    talk.planner.means(HOW_MANY, ("(town.count)", 0.9))
    talk.planner.means("list", (LISTED, 0.9))
    first = talk.say(HOW_MANY)
    talk.say("list")
    assert talk.say("undo").program == first.program
    again = talk.say("run it")
    assert (again.transition, again.answer_mode, again.rows) == (T.X_RUN, M.CONFIRMED, first.rows)


def test_an_answer_is_spoken_of_and_recalled(talk: Talk) -> None:
    talk.planner.means("list", ('(town.count :by "name" :order {:desc "count"})', 0.9))
    talk.say("list")
    assert talk.say("are you sure?").transition is T.T8
    recalled = talk.say("what did we find out so far?")
    assert (recalled.transition, recalled.answer_mode) == (T.T9, M.CONFIRMED)
    assert "4 rows" in recalled.message


# Refused.


def test_a_word_that_nothing_covers_is_named(talk: Talk) -> None:
    talk.planner.means("towns by colour", ("(town.count)", 0.9), uncovered=("colour",))
    result = talk.say("towns by colour")
    assert (result.transition, result.reason_codes) == (T.T10, ("uncovered_words",))
    assert "“colour”" in result.message
    assert result.rows == ()


def test_a_message_without_a_reading_is_refused(talk: Talk) -> None:
    result = talk.say("flurb wibble")
    assert (result.transition, result.answer_mode) == (T.T10, M.UNSUPPORTED)


def test_one_reading_that_is_not_sure_is_no_answer(talk: Talk) -> None:
    talk.planner.means("towns perhaps", ("(town.count)", 0.7))
    result = talk.say("towns perhaps")
    assert (result.transition, result.answer_mode) == (T.T1, M.CLARIFICATION_REQUIRED)
    assert result.options == (ProgramOption("number of towns", "(town.count :as @town-count)"),)
    assert result.message == "Do you mean: number of towns? Yes or no."


def test_options_that_are_programs_are_printed_with_them(talk: Talk) -> None:
    talk.planner.means("towns perhaps", ("(town.count)", 0.7))
    result = talk.say("towns perhaps")
    line = turn_line("d", 1, "towns perhaps", result, talk.workspace.state(talk.session))
    option = {"text": "number of towns", "program": "(town.count :as @town-count)"}
    assert json.loads(line.encoded())["options"] == [option]
    assert list(msgspec.to_builtins(result)["options"]) == [option]


def test_a_reading_that_is_hardly_meant_is_refused(talk: Talk) -> None:
    talk.planner.means("towns perhaps", ("(town.count)", 0.1))
    result = talk.say("towns perhaps")
    assert (result.transition, result.reason_codes) == (T.T10, ("no_reading",))


def test_a_reading_that_does_not_compile_is_a_boundary(talk: Talk) -> None:
    talk.planner.means("colours", ('(town.list :columns ["colour"])', 0.9))
    result = talk.say("colours")
    assert (result.transition, result.reason_codes) == (T.T10, ("does_not_compile",))
    assert result.program


def test_a_database_that_is_gone_is_a_boundary_and_the_session_goes_on(talk: Talk, tmp_path: Path) -> None:
    talk.planner.means(HOW_MANY, ("(town.count)", 0.9))
    (tmp_path / "towns.sqlite").rename(tmp_path / "away.sqlite")
    result = talk.say(HOW_MANY)
    assert (result.transition, result.route) == (T.T10, "town.count")
    assert talk.workspace.state(talk.session).frames.root is None
    (tmp_path / "away.sqlite").rename(tmp_path / "towns.sqlite")
    assert talk.say(HOW_MANY).rows == ((4,),)


# Asked.


@pytest.fixture
def asked(talk: Talk) -> Talk:
    talk.planner.means(
        "big ones", ("(town.count)", 0.5), ('(town.max :of "people")', 0.4), ("(shop.count)", 0.02)
    )
    result = talk.say("big ones")
    assert (result.transition, result.answer_mode) == (T.T1, M.CLARIFICATION_REQUIRED)
    offered = [each.text for each in result.options if isinstance(each, ProgramOption)]
    assert offered == ["number of towns", "highest town people"], "what is hardly meant is not offered"
    pending = talk.workspace.state(talk.session).frames.clarification
    assert pending is not None
    assert pending.clarification_kind is ClarificationKind.AMBIGUOUS
    assert result.phase is Phase.INTENT_CLARIFY
    return talk


@pytest.mark.parametrize(
    ("answer", "route"),
    [
        ("1", "town.count"),
        ("2", "town.max"),
        ("2.", "town.max"),
        ("the second one", "town.max"),
        ("the last one", "town.max"),
        ("people", "town.max"),
        ("town.count", "town.count"),
    ],
)
def test_an_offered_reading_is_chosen(asked: Talk, answer: str, route: str) -> None:
    result = asked.say(answer)
    assert (result.transition, result.answer_mode, result.route) == (T.T7, M.CONFIRMED, route)
    assert asked.workspace.state(asked.session).frames.clarification is None


@pytest.mark.parametrize("answer", ["3", "0", "town", "the seventh one"])
def test_what_was_not_offered_is_asked_again(asked: Talk, answer: str) -> None:
    result = asked.say(answer)
    assert result.answer_mode is not M.CONFIRMED
    assert asked.say("1").route == "town.count", "the question stands"


def test_a_place_inside_a_question_picks_nothing(asked: Talk) -> None:
    result = asked.say("what is the last name of Quincy?")
    assert (result.transition, result.answer_mode) == (T.T10, M.UNSUPPORTED)
    assert asked.say("1").route == "town.count", "the question stands"


def test_another_question_that_several_readings_fit_is_asked_about_in_its_turn(asked: Talk) -> None:
    message = "how large is the biggest shop of Quincy?"
    asked.planner.means(message, ("(shop.count)", 0.5), ("(shop.list)", 0.4))
    result = asked.say(message)
    assert (result.transition, result.answer_mode) == (T.T1, M.CLARIFICATION_REQUIRED)
    assert "did not understand" not in result.message
    assert asked.say("2").route == "shop.list"


def test_help_repeats_what_was_offered(asked: Talk) -> None:
    result = asked.say("help")
    assert result.transition is T.X_HELP
    assert "2) highest town people" in result.message


def test_none_of_these_drops_the_question(asked: Talk) -> None:
    assert asked.say("none of these").transition is T.X_NONE
    assert asked.workspace.state(asked.session).frames.clarification is None


def test_another_question_is_answered_and_drops_it(asked: Talk) -> None:
    asked.planner.means(HOW_MANY, ("(town.count)", 0.9))
    result = asked.say(HOW_MANY)
    assert (result.transition, result.answer_mode) == (T.T1, M.CONFIRMED)
    assert asked.workspace.state(asked.session).frames.clarification is None


def test_an_undo_drops_what_was_offered(asked: Talk) -> None:
    assert asked.say("undo").transition is T.X_UNDO
    assert asked.workspace.state(asked.session).frames.clarification is None


# Limited.


def test_a_result_that_was_cut_says_so(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (answers, lookup):
        monkeypatch.setattr(module, "MOST_ROWS", 3)
    talk.planner.means("list", (LISTED, 0.9))
    result = talk.say("list")
    assert (result.transition, result.answer_mode, result.row_count) == (T.T1, M.LIMITED, 3)
    assert "truncated" in result.reason_codes
    assert "only the first 3 rows" in result.message


NUMBERED: Final = '(shop.sum :of {:number "title"})'


def test_texts_that_are_no_numbers_are_counted(talk: Talk) -> None:
    talk.planner.means("sum of titles", (NUMBERED, 0.9))
    result = talk.say("sum of titles")
    assert (result.answer_mode, result.reason_codes) == (M.LIMITED, ("texts_unread",))
    assert "texts in title that are no numbers count as missing (3)" in result.message


def test_a_condition_on_numbers_in_texts_counts_what_is_none(talk: Talk) -> None:
    text = "(town.list :where {:shop-by-town {:title {:number {:above 5}}}})"
    talk.planner.means("towns by titles", (text, 0.9))
    assert talk.say("towns by titles").reason_codes == ("texts_unread",)


def test_where_every_text_is_a_number_nothing_limits(tmp_path: Path) -> None:
    database = tmp_path / "jars.sqlite"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.executescript(
            "CREATE TABLE jar (jar_id INTEGER PRIMARY KEY, litres TEXT);"
            "INSERT INTO jar VALUES (1, '9'), (2, '10'), (3, NULL), (4, '');"
        )
    with Workspace.open_database(database, tmp_path / "folder") as workspace:
        result = workspace.ask(workspace.new_session(), "what is the total of the litres of all jars")
    assert (result.answer_mode, result.reason_codes, result.rows) == (M.CONFIRMED, (), (("19.000000000",),))


def test_what_could_not_be_counted_is_said(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise QueryTimeout("too slow")

    monkeypatch.setattr(unread_texts, "look_up", fails)
    talk.planner.means("sum of titles", (NUMBERED, 0.9))
    result = talk.say("sum of titles")
    assert (result.answer_mode, result.reason_codes) == (M.LIMITED, ("texts_unread",))
    assert "could not be counted" in result.message


def test_a_link_that_was_inferred_is_named(talk: Talk) -> None:
    talk.planner.means("fairs of towns", ('(fair.count :with "home_town" :by "home_town/name")', 0.9))
    result = talk.say("fairs of towns")
    assert (result.answer_mode, result.reason_codes) == (M.LIMITED, ("inferred_link",))
    assert "inferred" in result.message


def test_a_link_whose_name_says_it_is_as_good_as_declared(talk: Talk) -> None:
    talk.planner.means("shops of towns", ('(shop.count :with "town" :by "town/name")', 0.9))
    result = talk.say("shops of towns")
    assert (result.answer_mode, result.reason_codes) == (M.CONFIRMED, ())
    assert result.rows


def test_answer_always_answers_what_is_not_sure_and_says_so(tmp_path: Path) -> None:
    workspace, planner = _opened(tmp_path, answer_always=True)
    with workspace:
        talk = Talk(workspace, planner)
        planner.means("big ones", ("(town.count)", 0.3), ("(shop.count)", 0.3))
        result = talk.say("big ones")
        assert (result.transition, result.answer_mode) == (T.T1, M.LIMITED)
        assert (result.reason_codes, result.rows) == (("unsure",), ((4,),))
        assert talk.say("nothing at all").transition is T.T10


# The weighing.


def test_the_weighing_is_on_record(asked: Talk) -> None:
    asked.planner.means("shops by mood", ("(shop.count)", 0.7), uncovered=("mood",))
    asked.say("shops by mood")
    weighed = [
        event
        for turn in (1, 2)
        for event in asked.workspace.turn_events(asked.session, turn)
        if isinstance(event, ev.ReadingsWeighed)
    ]
    first = weighed[0]
    assert [(reading.program, reading.score) for reading in first.readings] == [
        ("town.count", 0.5),
        ('town.max :of "people"', 0.4),
    ]
    assert [reading.text for reading in first.readings] == ["number of towns", "highest town people"]
    assert first.rule.startswith("ask: 2 readings")


def test_readings_that_give_the_same_rows_are_one(talk: Talk) -> None:
    """Each town once or not, there are no two of one name: nobody has to be asked."""
    same = ('(town.list :columns "name")', 0.5), ('(town.list :columns "name" :distinct true)', 0.4)
    talk.planner.means("the towns", *same)
    result = talk.say("the towns")
    assert (result.transition, result.answer_mode) == (T.T1, M.CONFIRMED)


def test_readings_that_find_nothing_are_not_one(talk: Talk) -> None:
    """Two counts of none say of neither that it is meant."""
    none = ('(town.count :name "Nowhere")', 0.5), ('(town.count :name "Nobody")', 0.4)
    talk.planner.means("those of Nowhere", *none)
    result = talk.say("those of Nowhere")
    assert (result.transition, result.answer_mode) == (T.T1, M.CLARIFICATION_REQUIRED)


def test_readings_that_give_other_rows_are_asked_about(talk: Talk) -> None:
    talk.planner.means("the towns", ('(town.list :columns "name")', 0.5), ("(town.count)", 0.4))
    result = talk.say("the towns")
    assert (result.transition, result.answer_mode) == (T.T1, M.CLARIFICATION_REQUIRED)
