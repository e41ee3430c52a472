"""Every verb of every shipped pack on four databases: the same rows from each, and those that are known."""

import datetime as dt
import itertools
import json
import random
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import pytest

from dragoman.contracts.pack import ArgumentKind, DateUse, Pack, PackArgument, PackVerb
from dragoman.contracts.query import Value
from dragoman.contracts.schema import Dialect, TableKind
from dragoman.contracts.verb import Effect
from dragoman.packs.demo import demo_script
from dragoman.packs.pack_files import load_shipped, shipped_packs
from dragoman.packs.policy_application import policy_applied
from dragoman.packs.policy_rules import PolicyRefusal, holding
from dragoman.packs.queries import parsed
from tests.packs.engines import FAMILIES, OTHERS, Engine, opened
from tests.packs.schemas import schema_of

CASES: Final = 12
"""Of one verb at most twice as many calls are tried."""

PLAIN: Final[dict[str, list[Value]]] = {"currency": ["EUR", "USD", "XXX"], "top": [1, 5, 1000]}
"""Values for arguments that are neither entities nor options."""

DATES: Final = {
    "trade": [dt.date(2020, month, 28) for month in range(1, 7)],
    "projects": [dt.date(2024, 1, 12), dt.date(2024, 1, 31), dt.date(2024, 2, 14), dt.date(2024, 3, 27)],
    "funds": [dt.date(2024, 3, 30), dt.date(2024, 6, 30), dt.date(2025, 1, 1)],
}


@pytest.mark.parametrize("name", shipped_packs())
@pytest.mark.parametrize("dialect", OTHERS)
def test_every_read_verb_gives_the_same_rows(
    name: str, dialect: Dialect, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    pack = load_shipped(name)
    script = demo_script(pack)
    different = []
    with (
        opened(Dialect.SQLITE, script, tmp_path, request) as one,
        opened(dialect, script, tmp_path, request) as other,
    ):
        for verb_name, verb in pack.verbs.items():
            if verb.effect is Effect.WRITE:
                continue
            some_rows = False
            for values in calls(pack, verb, one):
                expected = one.rows(verb, pack.dialect, values)
                some_rows = some_rows or any(any(row) for row in expected)
                got = other.rows(verb, pack.dialect, values)
                if got != expected:
                    different.append((verb_name, values, expected[:3], got[:3]))
            assert some_rows or verb_name == "session.current-cbu", f"{verb_name} never found anything"
    assert not different


def calls(pack: Pack, verb: PackVerb, engine: Engine) -> Iterator[dict[str, Value]]:
    """Calls of a verb: with and without what is optional, for entities that exist and one that does not."""
    choices = {
        name.replace("-", "_"): choices_of(pack, name, argument, engine)
        for name, argument in verb.arguments.items()
    }
    match verb.date:
        case DateUse.AS_OF:
            choices["as_of"] = list(DATES[pack.pack])
        case DateUse.PERIOD:
            choices["start"], choices["end"] = [DATES[pack.pack][0]], list(DATES[pack.pack])
        case None:
            pass
    every = [dict(zip(choices, chosen, strict=True)) for chosen in itertools.product(*choices.values())]
    # Those that narrow least find most, so they come first; then any of the others.
    every.sort(key=lambda values: sum(value is not None for value in values.values()))
    yield from every[:CASES]
    yield from random.Random(7).sample(every[CASES:], min(CASES, len(every[CASES:])))


def choices_of(pack: Pack, name: str, argument: PackArgument, engine: Engine) -> list[Value]:
    left_out: list[Value] = [] if argument.required else [None]
    if argument.options:
        return [*left_out, *argument.options]
    if not argument.entity:
        return [*left_out, *PLAIN[name]]
    entity = pack.entities[argument.entity]
    keys = [
        row[0] for row in engine.run(f"SELECT {entity.key} FROM {entity.table} ORDER BY {entity.key}", ())
    ]
    absent = "no such key" if isinstance(keys[0], str) else 0
    return [*left_out, *keys[:70], absent]


@pytest.mark.parametrize(("name", "role"), [("projects", "guest"), ("funds", "analyst")])
@pytest.mark.parametrize("dialect", FAMILIES)
def test_policies_hold_on_every_database(
    name: str, role: str, dialect: Dialect, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """As if the rows that may not be seen were deleted."""
    pack = load_shipped(name)
    script = demo_script(pack)
    schema = schema_of(script)
    held = [policy for policy in holding(pack.policies, {role}) if policy.rows]
    assert held
    kinds = {table.name: table.kind for table in schema.tables}
    censored = script + "".join(
        f"DELETE FROM {policy.table} WHERE NOT ({policy.rows});\n"
        for policy in held
        if kinds[policy.table] is TableKind.TABLE
    )
    (tmp_path / "other").mkdir()
    refused = set()
    with (
        opened(Dialect.SQLITE, censored, tmp_path / "other", request) as less,
        opened(dialect, script, tmp_path, request) as whole,
    ):
        for verb_name, verb in pack.verbs.items():
            if verb.effect is Effect.WRITE:
                continue
            tree = policy_applied(parsed(verb.sql, pack.dialect), pack.policies, {role}, schema, pack.dialect)
            if isinstance(tree, PolicyRefusal):
                refused.add((verb_name, tree.name))
                continue
            for values in itertools.islice(calls(pack, verb, whole), 8):
                expected = less.rows(verb, pack.dialect, values)
                assert whole.rows_of(verb, tree, values) == expected, (verb_name, values)
    assert refused == ({("member.contact", "email")} if name == "projects" else set())


def gold_turns() -> list[Any]:
    """The turns of the dialogues that ran a route and say which rows it gives."""
    lines = (Path(__file__).parents[1] / "data" / "trade_dialogues.jsonl").read_text("utf-8").splitlines()
    return [
        turn
        for dialogue in map(json.loads, lines)
        for turn in dialogue["turns"]
        if "gold" in turn and "expect_route" in turn
    ]


@pytest.mark.parametrize("dialect", FAMILIES)
def test_the_routes_of_the_dialogues_give_their_rows(
    dialect: Dialect, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    pack = load_shipped("trade")
    turns = gold_turns()
    assert len(turns) > 60
    with opened(dialect, demo_script(pack), tmp_path, request) as engine:
        for turn in turns:
            verb = pack.verbs[turn["expect_route"]]
            rows = engine.rows(verb, pack.dialect, values_of(turn, verb, engine))
            assert [[plain(value) for value in row] for row in rows[:12]] == [
                [exact(value) for value in row] for row in turn["gold"]
            ], turn["user"]


def values_of(turn: Any, verb: PackVerb, engine: Engine) -> dict[str, Value]:
    state = turn["expect_state"]
    start, end = (dt.date.fromisoformat(day) for day in state["date_scope"])
    values: dict[str, Value] = {"as_of": end} if verb.date is DateUse.AS_OF else {"start": start, "end": end}
    for name in verb.arguments:
        match name:
            case "organization":
                sql = "SELECT org_id FROM organization WHERE name = ?"
                ((values[name],),) = engine.run(sql, (state[name],))
            case "warehouse":
                assert state[name] is None or isinstance(state[name], int)
                values[name] = state[name]
            case _:
                assert state["focus"]["kind"] == name
                values[name] = state["focus"]["id"]
    return values


def plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, dt.date) else value


def exact(value: Any) -> Any:
    return Decimal(str(value)) if isinstance(value, int | float) else value


def test_every_trade_route_is_in_the_dialogues_or_compared_above() -> None:
    routes = {turn["expect_route"] for turn in gold_turns()}
    assert routes <= set(load_shipped("trade").verbs)
    assert len(routes) >= 15


CREATED: Final = "00000000-0000-4000-8000-000000000001"
FUND: Final = "00000000-0000-4000-8000-000000000002"
COMPANY: Final = "00000000-0000-4000-8000-000000000003"
ALLIANZ: Final = "19eba7a4-52c1-4d0e-9a63-0c5f8e2b7d11"

WRITES: Final[list[tuple[str, dict[str, Value]]]] = [
    ("session.set-cbu", {"cbu_id": ALLIANZ}),
    (
        "manco.create",
        {
            "manco_id": COMPANY,
            "name": 'O\'Neill & "Söhne"; DROP TABLE cbu',
            "lei": None,
            "jurisdiction": "IE",
        },
    ),
    (
        "cbu.create",
        {
            "cbu_id": CREATED,
            "name": "Новый клиент 신규",
            "short_name": None,
            "jurisdiction": "LU",
            "client_type": "FUND",
            "manco": None,
        },
    ),
    ("cbu.assign-manager", {"cbu": CREATED, "manco": COMPANY}),
    ("cbu.assign-manager", {"cbu": ALLIANZ, "manco": COMPANY}),
    ("cbu.activate", {"cbu": CREATED, "opened_on": dt.date(2024, 5, 6)}),
    ("cbu.discard", {"cbu": CREATED}),
    ("cbu.rename", {"cbu": CREATED, "name": "Renamed ? % :x"}),
    (
        "fund.create",
        {
            "fund_id": FUND,
            "cbu": CREATED,
            "name": "First fund",
            "isin": None,
            "fund_type": "BOND",
            "currency": "EUR",
            "launched_on": None,
        },
    ),
    ("fund.move", {"fund": FUND, "cbu": ALLIANZ}),
    ("cbu.close", {"cbu": CREATED}),
    ("cbu.assign-manager", {"cbu": CREATED, "manco": "nobody"}),
]


@pytest.mark.parametrize("dialect", FAMILIES)
def test_writes_leave_the_same_behind(
    dialect: Dialect, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    pack = load_shipped("funds")
    with opened(dialect, demo_script(pack), tmp_path, request) as engine:
        before = engine.rows(pack.verbs["cbu.list"], pack.dialect, nothing(pack.verbs["cbu.list"]))
        for name, values in WRITES:
            engine.write(pack.verbs[name], pack.dialect, values)
        shown = engine.rows(pack.verbs["cbu.show"], pack.dialect, {"cbu": CREATED})
        assert shown == [
            (
                "Renamed ? % :x",
                None,
                "Luxembourg",
                "Investment fund",
                'O\'Neill & "Söhne"; DROP TABLE cbu',
                "closed",
                dt.date(2024, 5, 6),
                0,
            )
        ]
        funds = engine.rows(pack.verbs["cbu.funds"], pack.dialect, {"cbu": ALLIANZ})
        assert ("First fund", None, "BOND", "active") in funds
        assert engine.rows(pack.verbs["session.current-cbu"], pack.dialect, {}) == [("ALLIANZ FUNDS",)]
        engine.write(pack.verbs["session.clear-cbu"], pack.dialect, {})
        assert engine.rows(pack.verbs["session.current-cbu"], pack.dialect, {}) == []
        after = engine.rows(pack.verbs["cbu.list"], pack.dialect, nothing(pack.verbs["cbu.list"]))
        assert len(after) == len(before) + 1


@pytest.mark.parametrize("dialect", FAMILIES)
def test_only_a_draft_is_discarded(dialect: Dialect, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    pack = load_shipped("funds")
    with opened(dialect, demo_script(pack), tmp_path, request) as engine:
        ((draft,),) = engine.run("SELECT cbu_id FROM cbu WHERE status = 'draft'", ())
        for key in (draft, ALLIANZ):
            engine.write(pack.verbs["cbu.discard"], pack.dialect, {"cbu": key})
        assert engine.rows(pack.verbs["cbu.show"], pack.dialect, {"cbu": draft}) == []
        assert len(engine.rows(pack.verbs["cbu.show"], pack.dialect, {"cbu": ALLIANZ})) == 1


def nothing(verb: PackVerb) -> dict[str, Value]:
    assert all(argument.kind is not ArgumentKind.NEW_KEY for argument in verb.arguments.values())
    return {name.replace("-", "_"): None for name in verb.arguments}
