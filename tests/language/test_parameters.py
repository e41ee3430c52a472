"""Parameters: where their values come from, what they may be, and how they are put into a program."""

import datetime as dt

import pytest

from dragoman.contracts.program import Boolean, Date, Integer, Nil, Number, Program, Text, Value
from dragoman.language.oml.oml_reader import read_oml
from dragoman.language.parameters import Resolution, head_of, resolve_parameters, substituted
from dragoman.language.source import Source

TEXT = """\
oml_version: "0.1.0"
name: x
params:
  region: {type: string, enum: [north, south], default: north}
  limit: {type: int, default: 10}
  price: {type: decimal, default: 1.50}
  dry-run: {type: bool, default: false}
  since: {type: date, default: 2020-01-02}
  note: {type: string, default: null}
profiles:
  live: {region: south, limit: 20}
steps:
  - id: a
    component: b.c
    mode: read
    config:
      whole: [${params.limit}, "${params.price}", "${params.dry-run}", "${params.since}", "${params.note}"]
      inside: "${params.region} ${params.limit} ${params.price} ${params.dry-run}${params.note}."
      escaped: "$${params.region} ${ENV} $ {params.region}"
      map: {k: "${params.region}"}
""".replace("[${params.limit}", '["${params.limit}"')


@pytest.fixture(scope="module")
def program() -> Program:
    document = read_oml(Source(TEXT))
    assert document.diagnostics == ()
    return document.statements


def resolve(program: Program, *given: str, profile: str | None = None, **environment: str) -> Resolution:
    pairs = dict(each.split("=", 1) for each in given)
    return resolve_parameters(head_of(program), pairs, environment, profile)


@pytest.mark.parametrize(
    ("given", "environment", "profile", "limit"),
    [
        ((), {}, None, 10),
        ((), {}, "live", 20),
        ((), {"DRAGOMAN_PARAM_LIMIT": "30"}, "live", 30),
        (("limit=40",), {"DRAGOMAN_PARAM_LIMIT": "30"}, "live", 40),
        (("limit=40",), {}, None, 40),
        ((), {"DRAGOMAN_PARAM_OTHER": "1"}, None, 10),
    ],
)
def test_command_line_before_environment_before_profile_before_default(
    program: Program, given: tuple[str, ...], environment: dict[str, str], profile: str | None, limit: int
) -> None:
    resolution = resolve(program, *given, profile=profile, **environment)
    assert resolution.diagnostics == ()
    assert resolution.values["limit"] == Integer(limit)


@pytest.mark.parametrize(
    ("given", "name", "value"),
    [
        ("limit=-5", "limit", Integer(-5)),
        ("price=2", "price", Number("2")),
        ("price=2.500", "price", Number("2.500")),
        ("dry-run=true", "dry-run", Boolean(True)),
        ("since=2024-02-29", "since", Date(dt.date(2024, 2, 29))),
        ("note=true", "note", Text("true")),
        ("note=", "note", Text("")),
        ("region=south", "region", Text("south")),
    ],
)
def test_a_text_becomes_what_was_declared(program: Program, given: str, name: str, value: Value) -> None:
    assert resolve(program, given).values[name] == value


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        ("limit=x", "parameter_type", "whole number"),
        ("limit=1.5", "parameter_type", "whole number"),
        ("limit=", "parameter_type", "whole number"),
        ("limit=99999999999999999999", "parameter_type", "whole number"),
        ("price=1e6", "parameter_type", "12.50"),
        ("dry-run=yes", "parameter_type", "true or false"),
        ("since=2023-02-29", "parameter_type", "2020-03-31"),
        ("since=20230228", "parameter_type", "2020-03-31"),
        ("region=east", "parameter_not_in_enum", "north, south"),
        ("regoin=north", "unknown_parameter", "did you mean region"),
        ("zzz=1", "unknown_parameter", "the parameters are"),
    ],
)
def test_what_does_not_fit_is_said(program: Program, given: str, code: str, words: str) -> None:
    (finding,) = resolve(program, given).diagnostics
    assert finding.code == code
    assert words in finding.hint


def test_an_unknown_profile_and_a_missing_value() -> None:
    head = read_oml(Source(TEXT.replace("{type: int, default: 10}", "{type: int}"))).statements
    missing, unknown = resolve(head, profile="lvie").diagnostics[::-1]
    assert (missing.code, unknown.code) == ("missing_parameter", "unknown_profile")
    assert "--param limit=" in missing.hint
    assert "DRAGOMAN_PARAM_LIMIT" in missing.hint
    assert "live" in unknown.hint


def test_a_given_value_that_does_not_fit_is_not_replaced_by_a_default(program: Program) -> None:
    resolution = resolve(program, DRAGOMAN_PARAM_LIMIT="many", profile="live")
    assert [each.code for each in resolution.diagnostics] == ["parameter_type"]
    assert "limit" not in resolution.values


def test_a_whole_value_keeps_its_type_and_in_a_text_it_is_text(program: Program) -> None:
    values = resolve(program).values
    step = substituted(program, values)[1]
    whole = step.argument("whole")
    assert whole is not None
    assert whole.value.items == (  # type: ignore[union-attr]
        Integer(10),
        Number("1.50"),
        Boolean(False),
        Date(dt.date(2020, 1, 2)),
        Nil(),
    )
    texts = {each.name: each.value for each in step.arguments}
    assert texts["inside"] == Text("north 10 1.50 false.")
    assert texts["escaped"] == Text("${params.region} ${ENV} $ {params.region}")
    assert texts["map"].entries[0].value == Text("north")  # type: ignore[union-attr]


def test_the_head_and_what_is_not_known_stay_as_written(program: Program) -> None:
    assert substituted(program, {})[0] == program[0]
    assert substituted(program, {})[1].argument("map") == program[1].argument("map")
