"""`dragoman check`, `fmt`, `convert` and `compile`, each as a person or a script calls it."""

import json
import os
import resource
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from dragoman.cli.programs import MAX_BYTES
from tests.called import called
from tests.language.test_manifest import EXAMPLE, PARAMETRIC

GOOD: Final = '(mysql.extractor :connection "@shop" :table "users" :as @users)\n'
HEAD: Final = 'oml_version: "0.1.0"\nname: x\nsteps:\n'
PARAMETERS: Final = ("DRAGOMAN_PARAM_LEAST", "DRAGOMAN_PARAM_TABLE")


def dragoman(
    *arguments: str, cwd: Path, stdin: str | bytes = b"", **environment: str
) -> subprocess.CompletedProcess[str]:
    with pytest.MonkeyPatch.context() as patch:
        for name in PARAMETERS:
            patch.delenv(name, raising=False)
        done = called(*arguments, cwd=cwd, stdin=stdin, env=environment)
    assert "Traceback" not in done.stderr
    return done


def reports(*arguments: str, cwd: Path, stdin: str | bytes = b"") -> tuple[int, list[dict[str, Any]]]:
    done = dragoman("check", "--json", *arguments, cwd=cwd, stdin=stdin)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    assert done.returncode == (0 if all(report["ok"] for report in found) else 1)
    return done.returncode, found


def found_codes(report: dict[str, Any]) -> list[str]:
    return [finding["code"] for finding in report["diagnostics"]]


# check


def test_a_good_program_passes(tmp_path: Path) -> None:
    (tmp_path / "a.verbs").write_text(GOOD)
    done = dragoman("check", "a.verbs", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "a.verbs: ok\n", "")


def test_findings_quote_the_line_with_a_caret_and_say_what_to_write(tmp_path: Path) -> None:
    (tmp_path / "a.verbs").write_text('(mysql.extractor :connection "@shop" :tabel "users")\n')
    done = dragoman("check", "a.verbs", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "a.verbs:1:2: error [argument_choice]: mysql.extractor takes exactly one of query, table",
        '  | (mysql.extractor :connection "@shop" :tabel "users")',
        "  |  ^^^^^^^^^^^^^^^",
        "  = add query",
        "a.verbs:1:38: error [unknown_argument]: mysql.extractor has no argument tabel",
        '  | (mysql.extractor :connection "@shop" :tabel "users")',
        "  |                                      ^^^^^^",
        "  = did you mean table?",
    ]


def test_json_is_one_array_with_one_object_for_each_file(tmp_path: Path) -> None:
    (tmp_path / "good.verbs").write_text(GOOD)
    (tmp_path / "bad.yaml").write_text(HEAD + "  - {id: a, component: no.such, mode: read, config: {}}\n")
    (tmp_path / "bad.verbs").write_text("(a.b :c)\n(d)\n")
    (tmp_path / "latin.verbs").write_bytes(b'(a.b :c "\xe9")')
    code, found = reports(
        "good.verbs", "bad.yaml", "none.verbs", "bad.verbs", "latin.verbs", "good.txt", cwd=tmp_path
    )
    assert code == 1
    for report in found:
        assert list(report) == ["file", "ok", "stage", "diagnostics"]
        for finding in report["diagnostics"]:
            assert list(finding) == [
                "code",
                "severity",
                "message",
                "hint",
                "line",
                "column",
                "end_line",
                "end_column",
            ]
    assert [(r["file"], r["ok"], r["stage"], found_codes(r)) for r in found] == [
        ("good.verbs", True, "dependencies", []),
        ("bad.yaml", False, "semantics", ["unknown_verb"]),
        ("none.verbs", False, "syntax", ["program_unreadable"]),
        ("bad.verbs", False, "syntax", ["missing_value", "bad_verb"]),
        ("latin.verbs", False, "syntax", ["program_unreadable"]),
        ("good.txt", False, "syntax", ["program_unreadable"]),
    ]
    (finding,) = found[1]["diagnostics"]
    assert finding["severity"] == "error"
    assert [finding[k] for k in ("line", "column", "end_line", "end_column")] == [4, 24, 4, 31]
    (unreadable,) = found[4]["diagnostics"]
    assert unreadable["message"] == "latin.verbs is not UTF-8 at byte 10"
    assert unreadable["line"] is None


def test_one_file_is_an_array_too(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(EXAMPLE)
    assert reports("a.yaml", cwd=tmp_path) == (
        0,
        [{"file": "a.yaml", "ok": True, "stage": "dependencies", "diagnostics": []}],
    )


@pytest.mark.parametrize(("notation", "text"), [("verbs", GOOD), ("oml", EXAMPLE)])
def test_standard_input_is_read_in_the_notation_that_is_said(
    notation: str, text: str, tmp_path: Path
) -> None:
    code, (report,) = reports("-", "--as", notation, cwd=tmp_path, stdin=text)
    assert (code, report["file"], report["ok"]) == (0, "-", True)


def test_the_notation_must_be_known(tmp_path: Path) -> None:
    done = dragoman("check", "-", cwd=tmp_path, stdin=GOOD)
    assert done.returncode == 1
    assert "program_unreadable" in done.stdout
    assert "--as verbs or --as oml" in done.stdout
    assert dragoman("check", cwd=tmp_path).returncode == 2
    assert dragoman("check", "-", "--as", "xml", cwd=tmp_path).returncode == 2
    assert dragoman("check", "-", "--stage", "all", cwd=tmp_path).returncode == 2


ALONE: Final = {
    "not_a_map": "[1]",
    "unknown_key": HEAD + "  - {id: a, component: b.c, mode: read, confg: {}, config: {}}\n",
    "unsupported_version": EXAMPLE.replace("0.1.0", "0.2.0"),
    "bad_mode": EXAMPLE.replace("mode: read", "mode: raed"),
    "duplicate_symbol": EXAMPLE.replace("id: write-users-csv", "id: extract-users"),
    "undefined_symbol": EXAMPLE.replace('needs: ["extract-users"]', "needs: [none]"),
    "dependency_cycle": EXAMPLE.replace("mode: read", "mode: read\n    needs: [write-users-csv]"),
    "secret_in_program": EXAMPLE.replace("@default", "mysql://root:hunter22@db/shop"),
}


def test_the_syntax_stage_covers_all_that_a_document_alone_decides(tmp_path: Path) -> None:
    """No catalog is asked: of a component that does not exist nothing is said."""
    for code, text in ALONE.items():
        (tmp_path / f"{code}.yaml").write_text(text)
    (tmp_path / "unknown.yaml").write_text(EXAMPLE.replace("mysql.extractor", "no.such"))
    names = [*ALONE, "unknown"]
    _, found = reports("--stage", "syntax", *(f"{name}.yaml" for name in names), cwd=tmp_path)
    shape = {name: found_codes(report) for name, report in zip(names, found, strict=True)}
    assert all(report["stage"] == "syntax" for report in found)
    assert shape.pop("unknown") == []
    assert shape.pop("not_a_map")
    for code, codes in shape.items():
        assert code in codes
    assert "hunter22" not in json.dumps(found)


def test_the_syntax_stage_imports_neither_catalog_data_nor_sql(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(EXAMPLE)
    script = (
        "import sys\n"
        "from dragoman.catalog import sources, verbs\n"
        "from dragoman.cli import run\n"
        "def refused(*_): raise SystemExit('the catalog was asked')\n"
        "assert callable(verbs.component_signatures) and callable(sources.load_shipped)\n"
        "verbs.component_signatures = sources.load_shipped = refused\n"
        "code = run(['check', '--stage', 'syntax', 'a.yaml'])\n"
        "sys.exit('SQL was imported' if 'sqlglot' in sys.modules else code)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_reference_that_waits_for_a_person_is_shown_with_its_matches(tmp_path: Path) -> None:
    text = '(inventory.stock :organization "Alfa" :as-of 2020-03-31)\n'
    (tmp_path / "a.verbs").write_text(text)
    _, (report,) = reports("a.verbs", cwd=tmp_path)
    (finding,) = report["diagnostics"]
    assert (report["ok"], report["stage"], finding["code"]) == (False, "references", "unresolved_reference")
    assert finding["hint"] == 'write a key: "1" ; Alfa Trade'
    assert (finding["line"], finding["column"], finding["end_column"]) == (1, 32, 38)
    done = dragoman("compile", "a.verbs", cwd=tmp_path)
    assert done.returncode == 1
    assert "error [unresolved_reference]" in done.stderr
    assert "error [program_refused]: a.verbs has 1 error" in done.stderr
    refused = json.loads(dragoman("compile", "a.verbs", "--json", cwd=tmp_path).stdout)
    (ref,) = refused["unresolved"]
    assert (ref["search_value"], ref["entity_type"]) == ("Alfa", "organization")
    assert ref["ref_id"].startswith("ref-")
    assert ref["initial_matches"][0]["display"] == "Alfa Trade"
    assert not (tmp_path / ".dragoman").exists()


# fmt


def test_fmt_lays_out_once_and_for_all(tmp_path: Path) -> None:
    untidy = {
        "a.verbs": '; why\n(mysql.extractor   :connection "@shop"\n\n :table "users" ; all\n:as @users)',
        "a.yaml": "# why\n" + EXAMPLE.replace("name: mysql", "name:   mysql"),
    }
    for name, text in untidy.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "a.verbs").chmod(0o640)
    names = list(untidy)
    done = dragoman("fmt", "--check", *names, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [f"{name} would change" for name in names]
    assert {name: (tmp_path / name).read_text() for name in names} == untidy
    assert dragoman("fmt", *names, cwd=tmp_path).returncode == 0
    tidy = {name: (tmp_path / name).read_text() for name in names}
    assert all("why" in text for text in tidy.values())
    assert "; all" in tidy["a.verbs"]
    assert all(tidy[name] != untidy[name] for name in names)
    assert stat.S_IMODE((tmp_path / "a.verbs").stat().st_mode) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
    assert dragoman("fmt", "--check", *names, cwd=tmp_path).returncode == 0
    again = dragoman("fmt", "-", "--as", "verbs", cwd=tmp_path, stdin=tidy["a.verbs"])
    assert again.stdout == tidy["a.verbs"]


def test_fmt_leaves_a_faulty_program_alone(tmp_path: Path) -> None:
    (tmp_path / "a.verbs").write_text("(a.b :c)\n")
    done = dragoman("fmt", "a.verbs", cwd=tmp_path)
    assert done.returncode == 1
    assert "[missing_value]" in done.stderr
    assert "[program_refused]" in done.stderr
    assert (tmp_path / "a.verbs").read_text() == "(a.b :c)\n"


def test_fmt_says_when_it_cannot_write(tmp_path: Path) -> None:
    """The process may write no file longer than two bytes: the old text stays, and nothing beside it."""
    (tmp_path / "a.verbs").write_text("(a.b   )")
    done = subprocess.run(
        [sys.executable, "-m", "dragoman.cli", "fmt", "a.verbs"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2, 2)),
        timeout=60,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 1
    assert done.stderr.startswith("error [program_unwritable]")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.verbs", "(a.b   )")]


def test_a_file_is_read_up_to_a_limit(tmp_path: Path) -> None:
    with (tmp_path / "long.verbs").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    _, (report,) = reports("long.verbs", cwd=tmp_path)
    assert found_codes(report) == ["program_unreadable"]
    assert f"longer than {MAX_BYTES:,} bytes" in report["diagnostics"][0]["message"]


# convert


def test_convert_goes_both_ways(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(EXAMPLE)
    verbs = dragoman("convert", "a.yaml", "--to", "verbs", cwd=tmp_path)
    assert verbs.returncode == 0
    assert verbs.stdout.startswith('(oml.pipeline :name "mysql-to-csv-export")')
    back = dragoman("convert", "-", "--as", "verbs", "--to", "oml", cwd=tmp_path, stdin=verbs.stdout)
    assert back.returncode == 0
    laid_out = dragoman("convert", "a.yaml", "--to", "oml", cwd=tmp_path)
    assert back.stdout == laid_out.stdout
    code, found = reports("-", "--as", "oml", cwd=tmp_path, stdin=back.stdout)
    assert (code, found[0]["ok"]) == (0, True)


MISNAMED = '(mysql.extractor :connection "@shop" :table "users" :as @All_Users)\n'


def test_what_oml_cannot_say_is_said(tmp_path: Path) -> None:
    done = dragoman("convert", "-", "--as", "verbs", "--to", "oml", cwd=tmp_path, stdin=MISNAMED)
    assert done.returncode == 1
    assert "[not_convertible]" in done.stderr
    assert done.stdout == ""


# compile


def test_compile_keeps_a_build_and_shows_the_plan(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(EXAMPLE)
    done = dragoman("compile", "a.yaml", cwd=tmp_path)
    builds = tmp_path / ".dragoman" / "builds"
    fingerprint = (builds / "LATEST").read_text().strip()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        f"{fingerprint}  .dragoman/builds/{fingerprint}/manifest.json",
        "  extract-users: mysql.extractor",
        "  write-users-csv: duckdb.writer after extract-users",
    ]
    as_json = json.loads(dragoman("compile", "a.yaml", "--json", "--out", "b", cwd=tmp_path).stdout)
    assert (as_json["ok"], as_json["fingerprint"]) == (True, fingerprint)
    assert as_json["manifest"] == f"b/{fingerprint}/manifest.json"
    assert [step["id"] for step in as_json["plan"]["steps"]] == ["extract-users", "write-users-csv"]


def test_command_line_before_environment_before_profile_before_default(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(PARAMETRIC)

    def least(*arguments: str, **environment: str) -> int:
        done = dragoman("compile", "a.yaml", "--json", *arguments, cwd=tmp_path, **environment)
        manifest = json.loads((tmp_path / json.loads(done.stdout)["manifest"]).read_text())
        assert f">= {manifest['parameters']['least']}" in manifest["steps"][0]["config"]["query"]
        value: int = manifest["parameters"]["least"]
        return value

    given, variable, profile = ("--param", "least=3"), {"DRAGOMAN_PARAM_LEAST": "5"}, ("--profile", "big")
    assert least() == 7
    assert least(*profile) == 100
    assert least(*profile, **variable) == 5
    assert least(*profile, *given, **variable) == 3


@pytest.mark.parametrize(
    ("arguments", "code", "exit_code"),
    [
        (("--param", "none=1"), "unknown_parameter", 1),
        (("--param", "least=many"), "parameter_type", 1),
        (("--profile", "small"), "unknown_profile", 1),
        (("--param", "least"), "K=V", 2),
    ],
)
def test_parameters_that_do_not_fit_are_refused(
    arguments: tuple[str, ...], code: str, exit_code: int, tmp_path: Path
) -> None:
    (tmp_path / "a.yaml").write_text(PARAMETRIC)
    done = dragoman("compile", "a.yaml", *arguments, cwd=tmp_path)
    assert done.returncode == exit_code
    assert code in done.stderr
    assert not (tmp_path / ".dragoman").exists()


def test_a_parameter_without_a_default_can_be_given_to_check(tmp_path: Path) -> None:
    text = PARAMETRIC.replace("least: {type: int, default: 7}", "least: {type: int}")
    (tmp_path / "a.yaml").write_text(text)
    _, (report,) = reports("a.yaml", cwd=tmp_path)
    assert found_codes(report) == ["missing_parameter"]
    assert reports("a.yaml", "--param", "least=1", cwd=tmp_path)[0] == 0
    assert reports("a.yaml", "--profile", "big", cwd=tmp_path)[0] == 0


@pytest.mark.parametrize("command", [("compile",), ("fmt",), ("convert", "--to", "oml")])
def test_a_file_that_cannot_be_read_is_an_error_with_a_code(command: tuple[str, ...], tmp_path: Path) -> None:
    done = dragoman(*command, "none.verbs", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("error [program_unreadable]: none.verbs cannot be read")


def test_a_build_that_cannot_be_written_is_an_error_with_a_code(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(EXAMPLE)
    done = dragoman("compile", "a.yaml", "--out", "a.yaml/builds", "--json", cwd=tmp_path)
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"]["code"] == "build_failed"
