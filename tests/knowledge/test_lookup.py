"""The verbs of knowledge through the one lookup, the compiler, the other notation and pipelines."""

import csv
import json
from pathlib import Path

import pytest

from dragoman import Workspace
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.lookup import look_up
from dragoman.contracts.errors import RunFailed
from dragoman.contracts.program import Statement
from dragoman.contracts.taught import TaughtKind, TaughtWord
from dragoman.contracts.vocabulary import EvidenceSource
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.packs.learned_words import keep_words
from tests.answering.places import pack_workspace
from tests.engine.workspaces import make_workspace, said
from tests.knowledge.places import asked, data_in, texts_in


def _statement(text: str) -> Statement:
    return read_verbs(Source(text)).statements[0]


def test_find_takes_how_many_and_how_sure(tmp_path: Path) -> None:
    catalog = Catalog(texts_in(tmp_path))
    every = look_up(catalog, _statement('(knowledge.find :question "book a kiln shelf" :top 9 :least 0)'))
    sure = look_up(catalog, _statement('(knowledge.find :question "book a kiln shelf")'))
    one = look_up(catalog, _statement('(knowledge.find :question "book a kiln shelf" :top 1)'))
    assert len(every.rows) > len(sure.rows) >= len(one.rows) == 1
    assert all(float(str(row[5])) >= 0.6 for row in sure.rows)
    assert sure.limits == ()
    assert one.limits == ("single_source",)


def test_an_empty_question_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunFailed):
        look_up(Catalog(texts_in(tmp_path)), _statement('(knowledge.find :question " ")'))


def test_evidence_quotes_what_stands_in_the_lines(tmp_path: Path) -> None:
    folder = texts_in(tmp_path)
    found = look_up(Catalog(folder), _statement('(knowledge.find :question "gas kiln" :least 0)'))
    for item in found.evidence:
        file, _, lines = item.ref.rpartition(":")
        first, _, last = lines.partition("-")
        own = (folder / file).read_text("utf-8").split("\n")[int(first) - 1 : int(last or first)]
        assert " ".join(item.snippet.split()) == " ".join(" ".join(own).split())


def test_a_program_passes_check_and_goes_to_the_other_notation_and_back(tmp_path: Path) -> None:
    folder = texts_in(tmp_path)
    text = '(knowledge.find :question "gas kiln" :source "doc" :as @passages)\n'
    (folder / "find.verbs").write_text(text)
    assert said(folder, "check", "--as", "verbs", "find.verbs") == "find.verbs: ok\n"
    oml = said(folder, "convert", "--as", "verbs", "--to", "oml", "find.verbs")
    assert "component: knowledge.find" in oml
    (folder / "find.yaml").write_text(oml)
    assert said(folder, "convert", "--to", "verbs", "--as", "oml", "find.yaml").endswith(text)
    wrong = '(knowledge.find :question "gas kiln" :source "web" :as @passages)\n'
    (folder / "wrong.verbs").write_text(wrong)
    assert "argument_type" in said(folder, "check", "--as", "verbs", "wrong.verbs", "--json", code=1)


def test_rows_of_knowledge_stand_in_a_pipeline(tmp_path: Path) -> None:
    folder = texts_in(tmp_path)
    (folder / "save.verbs").write_text(
        '(knowledge.find :question "gas kiln" :as @passages)\n'
        '(duckdb.writer :needs [@passages] :format "csv" :path "passages.csv" :as @saved)\n'
    )
    said(folder, "run", "--yes", "--as", "verbs", "save.verbs")
    with (folder / "passages.csv").open(encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    assert list(rows[0]) == ["passage", "file", "lines", "heading", "source", "confidence"]
    assert (rows[0]["file"], rows[0]["lines"]) == ("docs/handbook.md", "5")


def test_what_was_taught_is_a_definition(tmp_path: Path) -> None:
    folder = data_in(tmp_path)
    asked(folder, "how many pieces are there?")
    word = TaughtWord(
        "heavy", TaughtKind.CONDITION, "piece", "{:weight {:above 1000}}", "heavy means over 1000"
    )
    keep_words(folder, (word,))
    found = look_up(Catalog(folder), _statement('(knowledge.define :term "heavy")'))
    assert [row[:3] for row in found.rows] == [("heavy", "heavy means over 1000", "taught")]
    assert found.evidence[0].ref == "packs/learned.yaml#heavy"


def test_comments_of_the_schema_are_definitions_unless_they_are_hidden(tmp_path: Path) -> None:
    import duckdb

    with duckdb.connect(str(tmp_path / "studio.duckdb")) as database:
        database.execute("CREATE TABLE piece (id INTEGER, cone INTEGER, price INTEGER)")
        database.execute("COMMENT ON COLUMN piece.cone IS 'how hot it was fired'")
        database.execute("COMMENT ON COLUMN piece.price IS 'what the gallery asks'")
        database.execute("INSERT INTO piece VALUES (1, 6, 40)")
    (tmp_path / "connections.yaml").write_text(
        "studio: {family: duckdb, path: studio.duckdb, default: true}\n"
    )
    said(tmp_path, "discover")
    found = look_up(Catalog(tmp_path), _statement('(knowledge.define :term "cone")'))
    assert [row[:3] for row in found.rows] == [("piece.cone", "how hot it was fired", "column")]
    (tmp_path / "packs" / "studio").mkdir(parents=True)
    pack = (
        "pack: studio\ntitle: {en: Studio}\npolicies:\n  - {table: piece, unless: [owner], hide: [price]}\n"
    )
    (tmp_path / "packs" / "studio" / "pack.yaml").write_text(pack)
    hidden = look_up(Catalog(tmp_path), _statement('(knowledge.define :term "price")'))
    assert hidden.rows == ()


def test_documents_define_by_heading_and_by_a_sentence_that_begins_so(tmp_path: Path) -> None:
    found = look_up(Catalog(texts_in(tmp_path)), _statement('(knowledge.define :term "throwing weight")'))
    assert [row[1] for row in found.rows] == [
        "Throwing weight: how many kilograms of clay somebody centres in one go."
    ]
    heading = look_up(Catalog(tmp_path), _statement('(knowledge.define :term "kilns")'))
    assert {item.ref for item in heading.evidence} == {"docs/handbook.md:5", "docs/handbook.md:7"}
    assert look_up(Catalog(tmp_path), _statement('(knowledge.define :term "Thursday")')).rows == ()


def test_a_pack_says_what_its_figures_mean_in_the_language(tmp_path: Path) -> None:
    catalog = Catalog(pack_workspace("projects", tmp_path))
    found = look_up(catalog, _statement('(knowledge.define :term "velocity" :language "ko")'))
    assert str(found.rows[0][1]).startswith("스프린트 마지막 날까지")
    assert found.evidence[0].source is EvidenceSource.POLICY


def test_why_a_run_failed_is_told_from_its_record(tmp_path: Path) -> None:
    folder = data_in(tmp_path)
    make_workspace(
        folder,
        {},
        {
            "bad.verbs": '(filesystem.extractor :path "missing.csv" :as @read)\n'
            '(duckdb.writer :needs [@read] :format "csv" :path "out.csv" :as @write)\n'
        },
    )
    (folder / "connections.yaml").write_text("studio: {family: sqlite, path: studio.sqlite, default: true}\n")
    said(folder, "run", "--yes", "--as", "verbs", "bad.verbs", code=None)
    (run,) = json.loads(said(folder, "runs", "list", "--json"))["runs"]
    for question in (
        "why did the last run fail?",
        "почему упал последний запуск?",
        f"explain run {run['id'][:8]}",
    ):
        (result,) = asked(folder, question)
        assert result.route == "runs.explain", question
        assert "missing.csv" in result.message
        assert {item.source for item in result.evidence} == {EvidenceSource.DB}
        assert result.evidence[0].ref == f"runs/{run['id']}"


def test_a_run_that_is_not_there_is_a_refusal(tmp_path: Path) -> None:
    with Workspace.open(texts_in(tmp_path)) as workspace:
        session = workspace.new_session()
        result = workspace.ask(session, '(runs.explain :run "nothing")')
        ran = workspace.ask(session, "run it")
    assert result.program.startswith("(runs.explain")
    assert "no run begins" in ran.message
