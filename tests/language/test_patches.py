"""Patches case by case: how they are read, what they make of files, and the command that does both."""

import ast
import json
import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dragoman.cli import patch as command
from dragoman.language.patches import (
    Applied,
    Form,
    PatchCode,
    Refused,
    apply_patch,
    patch_between,
    read_patch,
)
from dragoman.language.patches import patched_files as patch_writing
from dragoman.language.patches.patch_reader import MAX_BYTES, MAX_LINES
from dragoman.workspace import patches

FOLDER = Path(__file__).parent / "patches"


@dataclass
class Case:
    name: str
    files: dict[str, str] = field(default_factory=dict)
    patch: str = ""
    ascii_only: bool = False
    verdict: str = ""
    form: str = ""
    code: str = ""
    findings: list[str] = field(default_factory=list)
    results: dict[str, str | None] = field(default_factory=dict)


def cases() -> Iterator[Case]:
    for path in sorted(FOLDER.glob("*.txt")):
        _, *parts = ("\n" + path.read_text(encoding="utf-8")).split("\n==== ")
        for part in parts:
            name, _, body = part.rstrip("\n").partition("\n")
            yield case_of(f"{path.stem}: {name}", body)


def case_of(name: str, body: str) -> Case:
    case = Case(name)
    _, *sections = ("\n" + body).split("\n#### ")
    for section in sections:
        head, _, text = section.partition("\n")
        kind, _, rest = head.partition(" ")
        literal = rest.endswith("literal")
        rest = rest.removesuffix("literal").strip()
        text = "".join(map(ast.literal_eval, text.splitlines())) if literal else text + "\n" * bool(text)
        match kind:
            case "file":
                case.files[rest] = text
            case "patch":
                case.patch, case.ascii_only = text, rest == "ascii"
            case "ok":
                case.verdict, case.form = "ok", rest
            case "error":
                case.verdict, (case.form, case.code) = "error", rest.split()
                case.findings = text.split()
            case "refused":
                case.verdict, case.code, case.findings = "refused", rest, text.split()
            case "result":
                case.results[rest] = text
            case "gone":
                case.results[rest] = None
            case _:
                raise AssertionError(f"{name}: what is {kind!r}?")
    assert case.verdict, name
    return case


CASES = list(cases())


def findings_of(judged: Any) -> list[str]:
    return [f"{finding.code}@{finding.span.line}" for finding in judged.diagnostics]


def test_there_are_enough_cases_and_every_name_is_its_own() -> None:
    assert len(CASES) >= 60
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Case) -> None:
    read = read_patch(case.patch, ascii_only=case.ascii_only)
    if case.verdict == "error":
        assert findings_of(read) == case.findings
        assert (str(read.form).lower(), read.code) == (case.form, case.code)
        assert not read.ok
        return
    assert findings_of(read) == []
    assert read.patch is not None
    before = dict(case.files)
    applied = apply_patch(read.patch, case.files)
    assert case.files == before
    if case.verdict == "refused":
        assert isinstance(applied, Refused)
        assert (findings_of(applied), applied.code) == (case.findings, case.code)
        return
    assert read.form == case.form
    assert isinstance(applied, Applied), applied
    expected = {**case.files, **case.results}
    assert applied.onto(case.files) == {path: text for path, text in expected.items() if text is not None}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_command_says_the_same_and_changes_the_same(case: Case, tmp_path: Path) -> None:
    """One judge: the command gives the verdict of the library; files are all changed, or all as before."""
    root = tmp_path / "root"
    root.mkdir()
    lay_out(root, case.files)
    given = ["--ascii"] if case.ascii_only else []
    checked = call("check", "-", "--json", *given, stdin=case.patch)
    verdict = json.loads(checked.stdout)
    assert set(verdict) == {"ok", "format", "code", "errors"}
    assert verdict["ok"] is (case.verdict != "error")
    assert checked.exit_code == (case.verdict == "error")

    done = call("apply", "-", "--root", str(root), "--write", "--json", *given, stdin=case.patch)
    verdict = json.loads(done.stdout)
    assert (verdict["ok"], verdict["written"]) == (case.verdict == "ok", case.verdict == "ok")
    assert verdict["code"] == (case.code or None)
    assert [f"{error['code']}@{error['line']}" for error in verdict["errors"]] == case.findings
    assert done.exit_code == (case.verdict != "ok")
    expected = {**case.files, **case.results}
    assert laid_out(root) == {path: text for path, text in expected.items() if text is not None}


def test_every_code_has_a_case_or_a_test_of_its_own() -> None:
    elsewhere = {
        PatchCode.TOO_LARGE,
        PatchCode.NOT_UTF8,
        PatchCode.TOO_MANY_ERRORS,
        PatchCode.NEEDS_ROOT,
        PatchCode.FILE_REFUSED,
        PatchCode.FILE_CHANGED,
        PatchCode.WRITE_FAILED,
    }
    shown = {finding.partition("@")[0] for case in CASES for finding in case.findings}
    assert shown == {str(code) for code in PatchCode} - {str(code) for code in elsewhere}


PAGE = Path(__file__).parents[2] / "docs" / "patches.md"


def test_every_code_is_documented() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [code for code in PatchCode if f"`{code}`" not in page] == []


def test_the_patches_of_the_page_are_patches() -> None:
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    shown = [text for language, text in blocks if language in ("", "diff")]
    assert len(shown) == 3
    assert [read_patch(text).diagnostics for text in shown] == [()] * 3


# Limits.


@pytest.mark.parametrize(
    "text",
    ["x" * (MAX_BYTES + 1), "é" * (MAX_BYTES // 2 + 1), " " * (MAX_BYTES + 1), "\n" * (MAX_LINES + 1)],
    ids=["bytes", "bytes of UTF-8", "blanks", "lines"],
)
def test_a_patch_that_is_too_large(text: str) -> None:
    assert read_patch(text).code == "patch_too_large"


def test_a_patch_as_large_as_can_be() -> None:
    frame = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+\n"
    text = frame[:-1] + "y" * (MAX_BYTES - len(frame)) + "\n"
    assert len(text) == MAX_BYTES
    assert read_patch(text).ok


def test_errors_are_counted_up_to_a_limit() -> None:
    read = read_patch("*** Begin Patch\n*** Update File: a\n" + "stray\n+x\n" * 5_000 + "*** End Patch\n")
    assert len(read.diagnostics) == 1_000
    assert read.diagnostics[-1].code == "patch_too_many_errors"


def test_spans_point_at_the_line() -> None:
    text = "\ufeff\n *** Begin Patch\n*** Update File: ../x\n@@\n-a\n+b\n"
    read = read_patch(text)
    leaving, ending = read.diagnostics
    assert leaving.span is not None
    assert ending.span is not None
    assert text[leaving.span.start : leaving.span.end] == "*** Update File: ../x"
    assert (leaving.span.line, leaving.span.column, leaving.span.end_column) == (3, 1, 22)
    assert (ending.span.line, ending.span.column, ending.span.start) == (6, 3, len(text) - 1)
    (first,) = read_patch("\n  prose").diagnostics
    assert first.span is not None
    assert (first.span.start, first.span.line, first.span.column) == (3, 2, 3)


def test_a_misfit_says_what_stands_there_and_where_the_lines_are() -> None:
    read = read_patch("--- a/a\n+++ b/a\n@@ -1 +1 @@\n-two\n+2\n")
    assert read.patch is not None
    refused = apply_patch(read.patch, {"a": "one\ntwo\n"})
    assert isinstance(refused, Refused)
    (finding,) = refused.diagnostics
    assert finding.message == "the hunk does not fit at line 1: line 1 is 'one', the patch expects 'two'"
    assert finding.hint.startswith("they stand at line 2;")


# An edit shown as a patch.

OLD = """\
(inventory.stock
  :organization "1" ; Alfa Trade
  :as-of 2020-03-31
  :as @inventory-stock)
"""


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (
            Form.UNIFIED,
            """\
--- a/program.verbs
+++ b/program.verbs
@@ -1,4 +1,5 @@
 (inventory.stock
   :organization "1" ; Alfa Trade
-  :as-of 2020-03-31
+  :as-of 2020-04-30
+  :warehouse "N" ; North
   :as @inventory-stock)
""",
        ),
        (
            Form.ENVELOPE,
            """\
*** Begin Patch
*** Update File: program.verbs
@@ -1,4 +1,5 @@
 (inventory.stock
   :organization "1" ; Alfa Trade
-  :as-of 2020-03-31
+  :as-of 2020-04-30
+  :warehouse "N" ; North
   :as @inventory-stock)
*** End Patch
""",
        ),
    ],
)
def test_a_follow_up_is_shown_as_a_patch(form: Form, expected: str) -> None:
    new = OLD.replace("2020-03-31", '2020-04-30\n  :warehouse "N" ; North')
    assert patch_between(OLD, new, "program.verbs", form) == expected


def test_distant_changes_are_hunks_of_their_own() -> None:
    old = "".join(f"line {number}\n" for number in range(40))
    new = old.replace("line 5\n", "five\n").replace("line 30\n", "")
    headers = [line for line in patch_between(old, new, "a").splitlines() if line.startswith("@@")]
    assert headers == ["@@ -3,7 +3,7 @@", "@@ -28,7 +28,6 @@"]


def test_lines_that_repeat_stay_where_they_can() -> None:
    old = "(a.b\n  :x 1)\n" * 3
    new = old.replace("  :x 1)", "  :x 2)", 1)
    changed = [line for line in patch_between(old, new, "a").splitlines()[3:] if line[0] in "+-"]
    assert changed == ["-  :x 1)", "+  :x 2)"]
    moved = patch_between("x\ny\nx\ny\n", "y\nx\ny\ny\n", "a").splitlines()[3:]
    assert sum(line.startswith(" ") for line in moved) == 3


def test_nothing_changed_is_no_patch() -> None:
    assert patch_between("same\n", "same\n", "a") == ""


# Git and GNU patch as witnesses.

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="no git")
needs_patch = pytest.mark.skipif(shutil.which("patch") is None, reason="no GNU patch")

PAIRS = [
    ("one\ntwo\nthree\n", "one\n2\nthree\n"),
    ("", "one\ntwo"),
    ("one\ntwo", ""),
    ("one", "one\n"),
    ("one\r\ntwo\r\n", "one\r\n2\r\n"),
    ("-- x\n++ y\n@@ -1 +1 @@\n", "-- x\n++ z\n@@ -1 +1 @@\n\n"),
    ("".join(f"{n % 7}\n" for n in range(60)), "".join(f"{n % 7}\n" for n in range(60) if n % 19)),
]


@needs_git
@pytest.mark.parametrize(("old", "new"), PAIRS)
@pytest.mark.parametrize("context", [1, 3])
def test_what_git_writes_is_read_and_applied(old: str, new: str, context: int, tmp_path: Path) -> None:
    lay_out(tmp_path, {"a/dir/отчёт 1": old, "b/dir/отчёт 1": new})
    ran = subprocess.run(
        ["git", "-c", "core.autocrlf=false", "diff", "--no-index", f"-U{context}", "a", "b"],
        cwd=tmp_path,
        capture_output=True,
        env={**os.environ, "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(tmp_path)},
    )
    # Without an index git names the folders too: a/a/… and b/b/….
    text = ran.stdout.decode("utf-8").replace("a/a/", "a/").replace("b/b/", "b/")
    read = read_patch(text)
    assert read.patch is not None, read.diagnostics
    applied = apply_patch(read.patch, {"dir/отчёт 1": old})
    assert isinstance(applied, Applied), applied
    assert applied.onto({}) == {"dir/отчёт 1": new}


@needs_git
@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_what_we_write_git_applies(old: str, new: str, tmp_path: Path) -> None:
    lay_out(tmp_path, {"program.verbs": old})
    diff = patch_between(old, new, "program.verbs").encode()
    subprocess.run(
        ["git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "-"],
        cwd=tmp_path,
        input=diff,
        check=True,
        env={**os.environ, "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(tmp_path), "GIT_CEILING_DIRECTORIES": "/"},
    )
    assert laid_out(tmp_path) == {"program.verbs": new}


@needs_patch
@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_what_we_write_gnu_patch_applies(old: str, new: str, tmp_path: Path) -> None:
    lay_out(tmp_path, {"program.verbs": old})
    diff = patch_between(old, new, "program.verbs").encode()
    subprocess.run(["patch", "-p1", "--binary", "-s"], cwd=tmp_path, input=diff, check=True)
    assert laid_out(tmp_path).get("program.verbs", "") == new


# The command.


def call(*arguments: str, stdin: str | bytes | None = None) -> Result:
    given = stdin.encode("utf-8") if isinstance(stdin, str) else stdin
    return CliRunner().invoke(command.patch, list(arguments), input=given)


def lay_out(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode("utf-8"))


def laid_out(root: Path) -> dict[str, str]:
    return {
        str(place.relative_to(root)): place.read_bytes().decode("utf-8")
        for place in root.rglob("*")
        if not place.is_dir()
    }


EDIT = patch_between("one\n", "two\n", "whatever")
BOTH = "*** Begin Patch\n*** Update File: a\n-one\n+two\n*** Update File: b\n-one\n+two\n*** End Patch\n"


def test_check_for_people() -> None:
    good = call("check", "-", stdin=BOTH)
    assert (good.exit_code, good.stdout) == (0, "ok: envelope, 2 files, 2 hunks\n")
    bad = call("check", "-", stdin="*** Begin Patch\n*** Update File: ../x\n*** End Patch")
    assert bad.exit_code == 1
    assert "patch:2:1: error [patch_path_leaves_root]" in bad.stderr
    assert "  | *** Update File: ../x\n  | ^^^^^" in bad.stderr
    assert "diff_missing_hunk" in bad.stderr


def test_check_reads_a_file_and_refuses_what_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "p").write_bytes(b"--- a/a\n+++ b/a\n@@ -1 +1 @@\n-\xff\n+b\n")
    ran = call("check", str(tmp_path / "p"), "--json")
    verdict = json.loads(ran.stdout)
    assert (ran.exit_code, verdict["code"], verdict["errors"][0]["line"]) == (1, "patch_not_utf8", 4)
    (tmp_path / "large").write_bytes(b" " * (MAX_BYTES + 1))
    verdict = json.loads(call("check", str(tmp_path / "large"), "--json").stdout)
    assert verdict == {**verdict, "ok": False, "format": None, "code": "patch_too_large"}


def test_apply_to_one_file_shows_the_text_and_writes_only_when_told(tmp_path: Path) -> None:
    target = tmp_path / "program.verbs"
    target.write_text("one\n", encoding="utf-8")
    target.chmod(0o640)
    (tmp_path / "link").symlink_to(target)
    shown = call("apply", "-", "--to", str(target), stdin=EDIT)
    assert (shown.exit_code, shown.stdout) == (0, "two\n")
    assert target.read_text(encoding="utf-8") == "one\n"
    written = call("apply", "-", "--to", str(tmp_path / "link"), "--write", stdin=EDIT)
    assert (written.exit_code, written.stdout) == (0, "updated program.verbs\n")
    assert target.read_text(encoding="utf-8") == "two\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert sorted(os.listdir(tmp_path)) == ["link", "program.verbs"]
    again = call("apply", "-", "--to", str(target), "--write", stdin=EDIT)
    assert again.exit_code == 1
    assert "[hunk_does_not_fit]" in again.stderr


def test_apply_to_one_file_takes_one_file(tmp_path: Path) -> None:
    lay_out(tmp_path, {"a": "one\n"})
    moved = "*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** End Patch\n"
    for text in (BOTH, moved):
        ran = call("apply", "-", "--to", str(tmp_path / "a"), "--json", stdin=text)
        assert (ran.exit_code, json.loads(ran.stdout)["code"]) == (1, "patch_needs_root")


def test_apply_needs_to_know_to_what(tmp_path: Path) -> None:
    assert call("apply", "-", stdin=EDIT).exit_code == 2
    assert call("apply", "-", "--to", "a", "--root", str(tmp_path), stdin=EDIT).exit_code == 2


def test_apply_to_a_folder_without_write_changes_nothing(tmp_path: Path) -> None:
    files = {"a": "one\n", "b": "one\n"}
    lay_out(tmp_path, files)
    ran = call("apply", "-", "--root", str(tmp_path), stdin=BOTH)
    assert (ran.exit_code, ran.stdout) == (0, "would update a\nwould update b\n")
    assert laid_out(tmp_path) == files
    verdict = json.loads(call("apply", "-", "--root", str(tmp_path), "--json", stdin=BOTH).stdout)
    assert verdict["files"] == [{"path": "a", "text": "two\n"}, {"path": "b", "text": "two\n"}]
    assert (verdict["ok"], verdict["format"], verdict["code"], verdict["errors"]) == (
        True,
        "envelope",
        None,
        [],
    )
    assert verdict["written"] is False


def test_links_do_not_lead_out_of_the_root(tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "root"
    lay_out(tmp_path, {"outside/a": "one\n", "root/b": "one\n"})
    (root / "dir").symlink_to(outside)
    (root / "a").symlink_to(outside / "a")
    for path, code in (("dir/a", "patch_path_leaves_root"), ("a", "patch_file_refused")):
        text = patch_between("one\n", "two\n", path)
        ran = call("apply", "-", "--root", str(root), "--write", "--json", stdin=text)
        assert (ran.exit_code, json.loads(ran.stdout)["code"]) == (1, code)
    added = "*** Begin Patch\n*** Add File: dir/new\n+x\n*** Delete File: b\n*** End Patch\n"
    ran = call("apply", "-", "--root", str(root), "--write", "--json", stdin=added)
    assert json.loads(ran.stdout)["code"] == "patch_path_leaves_root"
    assert os.listdir(outside) == ["a"]
    assert (root / "b").exists()


def test_the_folders_of_the_workspace_itself_are_not_patched(tmp_path: Path) -> None:
    lay_out(tmp_path, {".git/config": "one\n", "b": "one\n"})
    (tmp_path / "innocent").symlink_to(".git")
    for path in (".git/config", ".GIT/new", "x/.git/hooks/y", ".dragoman/builds/LATEST", "innocent/config"):
        text = patch_between("one\n", "two\n", path)
        ran = call("apply", "-", "--root", str(tmp_path), "--write", "--json", stdin=text)
        assert (ran.exit_code, json.loads(ran.stdout)["code"]) == (1, "patch_path_protected")
    assert laid_out(tmp_path / ".git") == {"config": "one\n"}
    text = "*** Begin Patch\n*** Add File: .gitignore\n+x\n*** End Patch\n"
    assert call("apply", "-", "--root", str(tmp_path), "--write", stdin=text).exit_code == 0


def test_what_is_no_plain_text_file_is_refused_and_never_waited_for(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "bytes").write_bytes(b"one\xff\n")
    for path in ("folder", "pipe", "bytes"):
        text = patch_between("one\n", "two\n", path)
        ran = call("apply", "-", "--root", str(tmp_path), "--json", stdin=text)
        assert (ran.exit_code, json.loads(ran.stdout)["code"]) == (1, "patch_file_refused"), path


def test_a_file_in_the_place_of_a_folder(tmp_path: Path) -> None:
    lay_out(tmp_path, {"a": "one\n", "b": "one\n"})
    added = "*** Add File: new/c\n+x\n*** Add File: b/c\n+x\n"
    text = f"*** Begin Patch\n*** Update File: a\n-one\n+two\n{added}*** End Patch"
    ran = call("apply", "-", "--root", str(tmp_path), "--write", "--json", stdin=text)
    assert (ran.exit_code, json.loads(ran.stdout)["code"]) == (1, "patch_write_failed")
    assert laid_out(tmp_path) == {"a": "one\n", "b": "one\n"}
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]


MANY = """\
*** Begin Patch
*** Update File: a
-one
+two
*** Delete File: b
*** Add File: new/c
+x
*** Update File: d
*** Move to: e
*** Update File: f
-one
+two
*** End Patch
"""


@pytest.mark.parametrize("step", ["replace", "unlink", "link"])
@pytest.mark.parametrize("failing", range(1, 9))
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=type)
def test_a_failure_at_any_step_leaves_every_file_as_it_was(
    step: str, failing: int, error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = dict.fromkeys(("a", "b", "d", "f"), "one\n")
    lay_out(tmp_path, files)
    calls = {"left": failing}
    owner: Any = os if step == "link" else Path
    real = getattr(owner, step)

    def fails_once(*arguments: Any, **options: Any) -> Any:
        calls["left"] -= 1
        if calls["left"] == 0:
            raise error
        return real(*arguments, **options)

    monkeypatch.setattr(owner, step, fails_once)
    done = call("apply", "-", "--root", str(tmp_path), "--write", "--json", stdin=MANY)
    monkeypatch.undo()
    found = {path: text for path, text in laid_out(tmp_path).items() if ".dragoman-" not in path}
    changed = {"a": "two\n", "new/c": "x\n", "e": "one\n", "f": "two\n"}
    if done.exit_code == 0:
        assert found == changed
    elif isinstance(error, OSError):
        assert found == files
        assert sorted(os.listdir(tmp_path)) == sorted(files)
        assert json.loads(done.stdout)["code"] == "patch_write_failed"
    else:
        # Interrupted while tidying up, all files are new already.
        assert found in (files, changed)


def test_a_file_system_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(tmp_path, dict.fromkeys(("a", "b", "d", "f"), "one\n"))

    def no_links(*_: Any, **__: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    assert call("apply", "-", "--root", str(tmp_path), "--write", stdin=MANY).exit_code == 0
    assert laid_out(tmp_path) == {"a": "two\n", "new/c": "x\n", "e": "one\n", "f": "two\n"}


def test_a_file_that_changed_meanwhile_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(tmp_path, {"a": "one\n", "b": "one\n"})
    real = patch_writing.write_files

    def late(*arguments: Any) -> Any:
        (tmp_path / "b").write_text("somebody else's\n", encoding="utf-8")
        return real(*arguments)

    monkeypatch.setattr(patches, "write_files", late)
    ran = call("apply", "-", "--root", str(tmp_path), "--write", "--json", stdin=BOTH)
    assert (ran.exit_code, json.loads(ran.stdout)["code"]) == (1, "patch_file_changed")
    assert laid_out(tmp_path) == {"a": "one\n", "b": "somebody else's\n"}


def test_a_renamed_file_keeps_its_permissions(tmp_path: Path) -> None:
    lay_out(tmp_path, {"a": "one\n"})
    (tmp_path / "a").chmod(0o600)
    text = "*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** End Patch\n"
    assert call("apply", "-", "--root", str(tmp_path), "--write", stdin=text).exit_code == 0
    assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o600
