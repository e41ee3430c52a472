"""Statements are read back as frames. Whatever a frame is written as is read back, and written the same."""

import datetime as dt

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.contracts.program import Sequence, Text
from dragoman.planning.database.frame import (
    Aggregate,
    Condition,
    Frame,
    Group,
    Having,
    Linked,
    Measure,
    Order,
    Ref,
)
from dragoman.planning.database.unwriter import frame_of
from dragoman.planning.database.writer import written
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.verbs import DatePart
from tests.planning.database.orchard import Orchard
from tests.tables.test_engines import statement

WRITTEN = """
(picker.list)
(picker.list :columns ["first_name" "last_name"])
(picker.list :hourly_wage {:above 15} :columns ["last_name" "email"] :order {:desc "hourly_wage"} :top 2)
(picker.list :where {:orchard {:region_code "S"}} :columns "last_name")
(picker.list :where {:harvest-by-picker nil} :columns "last_name")
(picker.list :where {:harvest-by-picker {:how-many {:at-least 2}}} :columns "last_name")
(picker.list :where {:harvest-by-picker {:not {:fruit {:name "Plum"}}}} :columns "last_name")
(picker.list :where {:boss {:last_name "Quill"}} :columns ["last_name" "orchard/name"])
(picker.list :email nil :hire_date {:at-least 2018-01-01} :columns "last_name")
(picker.list :where [{:last_name "Quill"} {:hourly_wage {:below 14}}] :columns "last_name")
(sale.list :columns "buyer" :distinct true)
(sale.list :amount {:between [100 200]} :during [2022-01-01 2022-12-31])
(harvest.count)
(harvest.count :fruit_id {:not [1 2]} :picked_on {:month [8 9]})
(harvest.count :by "picked_on/year")
(harvest.count :by "picked_on/month" :order {:desc "picked_on/month"} :top 3)
(harvest.count :by "fruit_id" :columns ["fruit/name" "count"] :having {:count {:above 2}})
(harvest.count :groups true :by "picker_id")
(harvest.count :of "picker_id" :distinct true :by "fruit_id" :columns ["fruit/name" "count"])
(harvest.sum :of "weight_kg" :also {:average "spoiled_kg"} :by "picker/orchard/region_code"
  :columns ["picker/orchard/region/code" "picker/orchard/region/name" "sum" "average"]
  :order {:desc "sum"} :top 3)
(harvest.average :of {:divided ["weight_kg" 1000]})
(harvest.sum :of {:times ["weight_kg" "spoiled_kg"]} :by "fruit/colour")
(sale.share :that {:buyer "Juice Works"})
(sale.share :of "amount" :by "buyer")
(orchard.max :of "planted_year")
(harvest.list :weight_kg {:above {:column "spoiled_kg"}})
(harvest.list :spoiled_kg {:not {:column "weight_kg"}})
(picker.list :hourly_wage {:above (picker.average :of "hourly_wage" :orchard_id 1)})
(picker.count :where {:orchard {:region_code (orchard.list :name "Larkfield" :columns "region_code"
  :order "region_code" :top 1)}})
(harvest.count :per "picker_id")
(harvest.sum :of "weight_kg" :per "picker_id" :by "fruit_id" :columns ["fruit/name" "sum"])
(harvest.list :columns ["picked_on" {:minus ["weight_kg" "spoiled_kg"]}]
  :order {:desc {:minus ["weight_kg" "spoiled_kg"]}} :top 2)
(fruit.list :name [{:contains "app"} {:contains "plu"}])
(picker.list :email {:at-least "2022-01-01" :below "2023-01-01"})
(picker.share :that {:harvest-by-picker nil})
(picker.share :that {:active 1 :harvest-by-picker {:not nil}} :by "orchard_id"
  :columns ["orchard/name" "share"])
"""
STATEMENTS = [f"({each.strip()}" for each in WRITTEN.replace("\n(", "\x00").split("\x00")[1:]]


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_statement_is_read_back(orchard: Orchard, text: str) -> None:
    planner = orchard.planner
    frame = frame_of(statement(text), planner.knowledge, planner.joins)
    assert frame is not None
    again = written(frame, planner.knowledge, planner.joins)
    assert again is not None
    assert again.verb == statement(text).verb
    assert set(again.arguments) == set(statement(text).arguments)


@pytest.mark.parametrize(
    "text",
    [
        "(sales.report)",
        "(picker.list :as-of 2022-01-01)",
        "(picker.list :shoe_size 40)",
        '(picker.list :where {:where {:name "x"}})',
        '(harvest.count :by "no/such/path")',
        "(picker.count :ties true :hourly_wage {:number {:above 2}})",
    ],
)
def test_what_no_frame_says_is_none(orchard: Orchard, text: str) -> None:
    assert frame_of(statement(text), orchard.planner.knowledge, orchard.planner.joins) is None


def test_a_near_key_is_the_rows_it_points_at(orchard: Orchard) -> None:
    planner = orchard.planner
    text = '(harvest.count :by "fruit_id" :columns ["fruit/name" "count"])'
    frame = frame_of(statement(text), planner.knowledge, planner.joins)
    assert frame is not None
    (group,) = frame.groups
    assert group.table is not None
    assert group.table.name == "fruit"


def test_a_group_may_show_other_columns_than_its_name(orchard: Orchard) -> None:
    """The frame has the same rows; what names its groups is shown beside."""
    planner = orchard.planner
    text = '(harvest.count :by "picker_id" :columns ["picker/email" "count"] :order {:desc "count"})'
    frame = frame_of(statement(text), planner.knowledge, planner.joins)
    assert frame is not None
    again = written(frame, planner.knowledge, planner.joins)
    assert again is not None
    shown = {each.name: each.value for each in again.arguments}["columns"]
    assert isinstance(shown, Sequence)
    assert {"picker/email", "picker/last_name"} <= {
        each.value for each in shown.items if isinstance(each, Text)
    }


NUMBERS = st.sampled_from([0.0, 1.0, 12.5, 2022.0])
DAYS = st.sampled_from([dt.date(2022, 1, 1), dt.date(2023, 6, 30)])


def _refs(things: list[Thing]) -> st.SearchStrategy[Ref]:
    return st.sampled_from([Ref(each) for each in things if each.column is not None])


@st.composite
def conditions(draw: st.DrawFn, things: list[Thing]) -> Condition:
    ref = draw(_refs(things))
    negative = draw(st.booleans())
    if ref.thing.is_date:
        if draw(st.booleans()):
            return Condition(ref, "part", (draw(st.sampled_from([1.0, 9.0])),), negative, DatePart.MONTH)
        ends = draw(st.sampled_from([(True, True), (True, False), (False, True)]))
        first, last = (draw(DAYS) if end else None for end in ends)
        return Condition(ref, "days", (first, last), negative)
    if ref.thing.is_number:
        kind = draw(st.sampled_from(["equal", "above", "at-most", "between", "missing", "average", "other"]))
        beside = [each for each in things if each.is_number and each.table.key == ref.table.key]
        if kind == "average":
            return Condition(ref, kind, ("above",), negative)
        if kind == "other":
            return Condition(ref, "below", negative=negative, other=draw(_refs(beside)))
        wanted = {"between": 2, "missing": 0}.get(kind, 1)
        return Condition(ref, kind, tuple(draw(NUMBERS) for _ in range(wanted)), negative)
    kind = draw(st.sampled_from(["equal", "contains", "starts", "missing", "days"]))
    texts = draw(st.lists(st.sampled_from(["Apple", "red", "N"]), min_size=1, max_size=2, unique=True))
    if kind == "days":
        return Condition(ref, kind, (draw(DAYS), draw(st.none() | DAYS)), negative)
    return Condition(ref, kind, () if kind == "missing" else tuple(texts), negative)


@st.composite
def measures(draw: st.DrawFn, orchard: Orchard) -> Measure:
    things = orchard.planner.things
    if draw(st.booleans()):
        return Measure(Aggregate.COUNT, counts=draw(st.sampled_from(list(things.graph.tables.values()))))
    numbers = [each for each in things.all if each.is_number and not each.is_key]
    aggregate = draw(st.sampled_from([each for each in Aggregate if each is not Aggregate.COUNT]))
    return Measure(aggregate, draw(_refs(numbers)), divisor=draw(st.sampled_from([1.0, 60.0])))


@st.composite
def groups(draw: st.DrawFn, orchard: Orchard) -> Group:
    things = orchard.planner.things
    if draw(st.booleans()):
        return Group(table=draw(st.sampled_from(list(things.graph.tables.values()))))
    ref = draw(_refs(things.all))
    return Group(ref, draw(st.sampled_from([DatePart.YEAR, DatePart.MONTH])) if ref.thing.is_date else None)


@st.composite
def frames(draw: st.DrawFn, orchard: Orchard) -> Frame:
    things = orchard.planner.things
    tables = list(things.graph.tables.values())
    subject = draw(st.sampled_from(tables))
    held = tuple(draw(st.lists(conditions(things.all), max_size=3)))
    linked = tuple(
        Linked(draw(st.sampled_from(tables)), absent=draw(st.booleans()))
        for _ in range(draw(st.integers(0, 1)))
    )
    limit = draw(st.none() | st.integers(1, 5))
    if draw(st.booleans()):
        shown = tuple(draw(st.lists(_refs(things.all), max_size=3)))
        order = tuple(
            Order(ref, draw(st.booleans())) for ref in draw(st.lists(_refs(things.all), max_size=1))
        )
        return Frame(subject, shown, not shown, conditions=held, linked=linked, order=order, limit=limit)
    figures = tuple(draw(st.lists(measures(orchard), min_size=1, max_size=2, unique=True)))
    by: tuple[Group, ...] = tuple(draw(st.lists(groups(orchard), max_size=2, unique=True)))
    grouped = bool(by)
    if draw(st.integers(0, 5)) == 0:
        part = tuple(draw(st.lists(conditions(things.all), max_size=2)))
        return Frame(subject, groups=by, conditions=held, share=part, share_linked=linked)
    tests = st.sampled_from([("above", None), ("equal", None), ("between", 20.0)])
    operation, most = draw(tests)
    having = (Having(figures[0], operation, draw(NUMBERS), most),) if grouped and draw(st.booleans()) else ()
    order = (Order(figures[0], draw(st.booleans())),) if grouped and draw(st.booleans()) else ()
    return Frame(
        subject,
        measures=figures,
        groups=by,
        conditions=held,
        linked=linked,
        having=having,
        order=order,
        limit=limit if order else None,
    )


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_what_is_written_is_read_back(orchard: Orchard, data: st.DataObject) -> None:
    planner = orchard.planner
    said = written(data.draw(frames(orchard)), planner.knowledge, planner.joins)
    if said is None or planner.tables.findings_of([said])[0]:
        return
    frame = frame_of(said, planner.knowledge, planner.joins)
    assert frame is not None, said
    assert written(frame, planner.knowledge, planner.joins) == said
