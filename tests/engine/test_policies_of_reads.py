"""Reads through verbs of packs and of tables show a viewer what the policies allow, on real databases."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.lookup import look_up
from dragoman.contracts.errors import DragomanError, PolicyViolation
from dragoman.contracts.pack import Pack, PackPolicy
from dragoman.contracts.program import Diagnostic, Statement
from dragoman.contracts.viewer import Viewer
from dragoman.databases.access import open_reader
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.packs.pack_entities import entity_index, entity_view
from dragoman.packs.policy_visibility import PolicyVisibility
from dragoman.packs.verb_queries import verb_query
from dragoman.tables import CompiledRead, TableCatalog
from tests.catalog.test_commands import dragoman
from tests.engine.pack_databases import DIALECTS, FUNDS, Database, database

OPERATIONS, ANALYST, OTHER = Viewer("ann", ("operations",)), Viewer("bo", ("analyst",)), Viewer("cy", ("x",))
OWNED = (*FUNDS.policies, PackPolicy("manco", rows="lei = :user", unless=("operations",)))
PACK: Pack = replace(FUNDS, policies=OWNED)
LEI = "C5QASPRC31XCY916S86G"


@pytest.fixture(scope="module", params=DIALECTS)
def funds(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with database(request.param, tmp_path_factory.mktemp("funds"), request) as opened:
        opened.run("UPDATE cbu SET status = 'draft' WHERE jurisdiction_code = 'IE'")
        yield opened


def statement(text: str) -> Statement:
    (read,) = read_verbs(Source(text)).statements
    return read


def table_rows(funds: Database, text: str, viewer: Viewer | None) -> list[tuple[Any, ...]]:
    tables = TableCatalog(funds.schema, {}, PolicyVisibility((PACK,), viewer))
    done = tables.compile(statement(text), funds.schema.dialect)
    assert isinstance(done, CompiledRead), done
    with open_reader(funds.target) as reader:
        return [tuple(row) for row in reader.read(done.query).rows]


def refusals(funds: Database, text: str, viewer: Viewer | None) -> tuple[Diagnostic, ...]:
    tables = TableCatalog(funds.schema, {}, PolicyVisibility((PACK,), viewer))
    done = tables.compile(statement(text), funds.schema.dialect)
    assert isinstance(done, tuple)
    return done


def counts(funds: Database) -> tuple[int, int]:
    ((everything,),) = funds.rows("SELECT COUNT(*) FROM cbu")
    ((active,),) = funds.rows("SELECT COUNT(*) FROM cbu WHERE status = 'active'")
    assert 0 < active < everything
    return everything, active


def test_rows_of_tables(funds: Database) -> None:
    everything, active = counts(funds)
    assert table_rows(funds, "(cbu.count)", OPERATIONS) == [(everything,)]
    assert table_rows(funds, "(cbu.count)", OTHER) == [(everything,)]
    assert table_rows(funds, "(cbu.count)", ANALYST) == [(active,)]
    # Nobody is named: what any policy keeps from anybody does not pass.
    assert table_rows(funds, "(cbu.count)", None) == [(active,)]
    by = table_rows(funds, '(cbu.count :by "jurisdiction_code" :order "jurisdiction_code")', ANALYST)
    assert "IE" not in [row[0] for row in by]
    assert table_rows(funds, '(cbu.list :jurisdiction_code "IE")', ANALYST) == []
    assert len(table_rows(funds, '(cbu.top :of "name" :top 3)', ANALYST)) == 3


def test_columns_of_tables(funds: Database) -> None:
    whole = table_rows(funds, "(cbu.list :limit 1)", OPERATIONS)
    less = table_rows(funds, "(cbu.list :limit 1)", OTHER)
    assert len(whole[0]) == len(less[0]) + 1
    assert not any("@" in str(cell) for cell in less[0])
    for text in (
        '(cbu.list :columns ["contact_email"])',
        '(cbu.count :by "contact_email")',
        '(cbu.list :contact_email "ops@allianzfunds.example")',
        '(cbu.list :where {:contact_email "ops@allianzfunds.example"})',
        '(cbu.max :of "contact_email")',
        '(cbu.list :order "contact_email")',
        '(cbu.list :name {:column "contact_email"})',
        '(cbu.list :name (cbu.max :of "contact_email"))',
        '(cbu.share :that {:contact_email {:starts "ops"}})',
        '(cbu.list :columns {:plus [1 "contact_email"]})',
    ):
        assert refusals(funds, text, OTHER), text
        assert not refusals(funds, text, OTHER)[0].hint.count("contact_email"), text


def test_rows_over_links(funds: Database) -> None:
    """Inferred keys lead from funds to their units; the way there shows no more than the table itself."""
    everything = table_rows(funds, '(fund.count :by "cbu/jurisdiction_code")', OPERATIONS)
    shown = table_rows(funds, '(fund.count :by "cbu/jurisdiction_code")', ANALYST)
    assert "IE" in [row[0] for row in everything]
    assert "IE" not in [row[0] for row in shown]
    assert table_rows(funds, '(fund.count :where {:cbu {:jurisdiction_code "IE"}})', ANALYST) == [(0,)]


def test_rows_behind_a_number(funds: Database) -> None:
    """What a value is held against, counted or taken a share of shows no more than the table itself."""
    everything, active = counts(funds)
    assert table_rows(funds, '(fund.count :where {:cbu {:how-many 1 :jurisdiction_code "IE"}})', ANALYST) == [
        (0,)
    ]
    text = '(cbu.count :name (cbu.max :of "name" :jurisdiction_code "IE"))'
    assert table_rows(funds, text, OPERATIONS) == [(1,)]
    assert table_rows(funds, text, ANALYST) == [(0,)]
    share = '(cbu.share :that {:jurisdiction_code "IE"})'
    assert float(table_rows(funds, share, OPERATIONS)[0][0]) > 0
    assert float(table_rows(funds, share, ANALYST)[0][0]) == 0
    assert everything > active


def test_rows_that_are_ones_own(funds: Database) -> None:
    assert table_rows(funds, "(manco.count)", Viewer(LEI)) == [(1,)]
    assert table_rows(funds, "(manco.count)", Viewer("nobody's")) == [(0,)]
    assert table_rows(funds, "(manco.count)", Viewer("' OR '1' = '1")) == [(0,)]
    assert table_rows(funds, "(manco.count)", None) == [(0,)]
    assert table_rows(funds, '(manco.count :name {:contains "a"})', OPERATIONS)[0][0] > 1
    assert table_rows(funds, '(manco.count :name {:contains "a"})', Viewer(LEI)) == [(1,)]


def test_rows_of_a_pack(funds: Database) -> None:
    everything, active = counts(funds)
    listed = statement("(cbu.list)")
    with open_reader(funds.target) as reader:

        def rows(viewer: Viewer | None, text: str = "(cbu.list)") -> list[tuple[Any, ...]]:
            query = verb_query(PACK, statement(text), funds.schema, viewer)
            return [tuple(row) for row in reader.read(query).rows]

        assert len(rows(OPERATIONS)) == everything
        assert len(rows(ANALYST)) == len(rows(None)) == active
        assert listed.verb in PACK.verbs
        assert len(rows(Viewer(LEI), "(manco.list)")) == 1
        assert rows(None, "(manco.list)") == []


def test_names_that_may_be_found(funds: Database, tmp_path: Path) -> None:
    with open_reader(funds.target) as reader:

        def found(kind: str, text: str, viewer: Viewer | None) -> list[str]:
            view = entity_view(PACK, kind, viewer)
            index = entity_index(view, reader, tmp_path)
            return [match.display for match in index.search(text).matches]

        assert "Allianz Global Funds" in found("cbu", "Allianz Global Funds", OPERATIONS)
        assert "Allianz Global Funds" not in found("cbu", "Allianz Global Funds", ANALYST)
        assert "Allianz Global Funds" not in found("cbu", "Allianz Global Funds", None)
        assert found("manco", "Allianz Global Investors", Viewer(LEI)) == ["Allianz Global Investors"]
        assert found("manco", "Allianz Global Investors", Viewer("other")) == []
        assert "Allianz Global Funds" in found("cbu", "Allianz Global Funds", OPERATIONS), "kept apart"
    hidden: Pack = replace(FUNDS, policies=(PackPolicy("manco", hide=("name",)),))
    with pytest.raises(PolicyViolation):
        entity_view(hidden, "manco", OPERATIONS)
    coded: Pack = replace(FUNDS, policies=(PackPolicy("manco", hide=("LEI",)),))
    assert entity_view(coded, "manco", OPERATIONS).entity.codes == ()


def test_the_viewer_of_a_workspace(tmp_path: Path) -> None:
    assert dragoman("init", "--pack", "funds", cwd=tmp_path).returncode == 0
    settings = tmp_path / "dragoman.yaml"
    assert "roles: [operations]" in settings.read_text()

    def rows(text: str) -> int:
        return len(look_up(Catalog(tmp_path), statement(text)).rows)

    before = rows("(cbu.list)"), rows("(session_context.list)"), rows("(cbu_directory.list)")
    settings.write_text("viewer: {name: bo, roles: [analyst]}\n")
    after = rows("(cbu.list)"), rows("(session_context.list)"), rows("(cbu_directory.list)")
    assert after[0] < before[0]
    assert after[1] == before[1]
    assert after[2] == after[0]
    settings.write_text("version: 1\n")
    assert rows("(cbu.list)") == after[0]
    settings.write_text("viewr: {}\n")
    with pytest.raises(DragomanError, match="viewr"):
        rows("(cbu.list)")
    settings.write_text("version: 1\n")
    for text, code in (
        ("(nothing.list)", "workspace_error"),
        ("(cbu_directory.list :nothing 1)", "run_failed"),
        ("(session.clear-cbu)", "run_failed"),
        ("(values.assets)", "arguments_not_fit"),
    ):
        with pytest.raises(DragomanError) as refused:
            rows(text)
        assert refused.value.code == code, text
